import { readdir, readFile } from 'node:fs/promises'
import temporalProto from '@temporalio/proto'
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workflowsPath } from '../../workers/temporal/engine.ts'
import { workflows } from '../../workers/workflows/index.ts'

const { History } = temporalProto.temporal.api.history.v1
const folder = new URL('../cases/histories/', import.meta.url)
const versions = await readdir(folder)
let code: string

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  code = (await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })).code
})

afterAll(() => Runtime.instance().shutdown())

/** A deploy must not break running workflows: histories recorded from real servers are replayed by today's code. */
describe.each(versions)('workflows that began under %s', (version) => {
  test('continue under this version', async () => {
    const at = new URL(`${version}/`, folder)
    const names = (await readdir(at)).map((name) => name.replace('.json', ''))
    const histories = await Promise.all(
      names.map(async (name) => ({
        workflowId: name,
        history: History.fromObject(JSON.parse(await readFile(new URL(`${name}.json`, at), 'utf8'))),
      })),
    )
    const replayedIds: string[] = []
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { code } }, histories)) {
      expect(error, workflowId).toBeUndefined()
      replayedIds.push(workflowId)
    }
    expect(replayedIds.sort()).toEqual(names.sort())
    const required = version === versions.at(-1) ? Object.keys(workflows) : names
    expect(names).toEqual(expect.arrayContaining(required))
  })
})

test('detects a change of order', async () => {
  const history = History.fromObject(
    JSON.parse(await readFile(new URL(`${versions.at(-1)}/modelRun.json`, folder), 'utf8')),
  )
  const changed = code.replaceAll('flow.act.publishStage', 'flow.act.sampleFile')
  expect(changed).not.toBe(code)
  await expect(Worker.runReplayHistory({ workflowBundle: { code: changed } }, history)).rejects.toThrow(
    /[Nn]ondeterminism/,
  )
})
