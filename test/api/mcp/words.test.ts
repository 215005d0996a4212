import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServedRun } from '../../../api/contract.ts'
import type { OpenRun, PointSeries } from '../../../ingest/tile/read.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import { ordinary, type Result } from './calls.ts'

/** Runs with only some variables for the first hours. */
function reducedRuns(names: readonly string[], values: number) {
  const allRuns = analyticCurrent(Date.now())
  const thin = (run: ReturnType<typeof allRuns.served>) => {
    if (!run?.opened) return run
    const full = run.opened
    const point = async (cell: string): Promise<PointSeries | undefined> => {
      const series = await full.point(cell)
      if (!series) return undefined
      const columns = names.flatMap((name) => {
        const column = series.variables.get(name)
        if (!column) return []
        const times = column.times.slice(0, values)
        return [[name, { ...column, times, values: column.values.slice(0, values) }] as const]
      })
      return { ...series, variables: new Map(columns) }
    }
    const opened: OpenRun = Object.create(full, { point: { value: point } })
    return { ...run, opened, open: async () => opened }
  }
  return {
    served: (...args: Parameters<typeof allRuns.served>) => thin(allRuns.served(...args)),
    all: () => [...allRuns.all()].flatMap((run) => thin(run) ?? []),
  }
}

describe.each([
  ['temperature for five hours', ['temperature'], 5],
  ['only clouds', ['cloud_cover'], 400],
])('where runs hold %s', (_, names, values) => {
  let sky: SkyServer
  let client: Client
  let tools: Awaited<ReturnType<Client['listTools']>>['tools']
  beforeAll(async () => {
    sky = await skyServer({ frames: [], models: reducedRuns(names, values) })
    client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${sky.base}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${sky.key}` } },
      }),
    )
    tools = (await client.listTools()).tools
  })
  afterAll(async () => {
    await client.close()
    await sky.close()
  })

  test.each(Object.keys(ordinary))('%s leaves out what it does not know', async (name) => {
    const result = (await client.callTool({
      name,
      arguments: ordinary[name] as Record<string, unknown>,
    })) as unknown as Result
    const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
    expect(text).not.toMatch(/undefined|\bnull\b|NaN|Infinity|no value|Invalid|\?%|: ,|, ,|\(\)/)
    if (result.isError) return expect(result._meta?.['hexcast/error']?.['code'], text).toBe('no-data')
    const schema = tools.find((tool) => tool.name === name)?.outputSchema
    if (!schema) return
    const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)
    validate(result.structuredContent)
    expect(validate.errors?.slice(0, 3) ?? []).toEqual([])
  })
})

test('answers a bug with a protocol error that has the request id and no internals', async () => {
  const allRuns = analyticCurrent(Date.now())
  const point = async () => {
    throw new TypeError('secret of /some/path')
  }
  const broken = (run: ServedRun): ServedRun => {
    if (!run.opened) return run
    const opened = Object.create(run.opened, { point: { value: point } }) as OpenRun
    return { ...run, opened, open: async () => opened }
  }
  const sky = await skyServer({
    frames: [],
    models: {
      all: () => [...allRuns.all()].map(broken),
      served: (...args) => {
        const run = allRuns.served(...args)
        return run && broken(run)
      },
    },
  })
  try {
    const reply = await fetch(`${sky.base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sky.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'query_dataset',
          arguments: { location: 'Denver, CO', dataset_id: 'nbm', variables: ['temperature'] },
        },
      }),
    })
    const text = await reply.text()
    expect(text).toContain('-32603')
    expect(text).toContain(`request ${reply.headers.get('x-request-id')}`)
    expect(text).not.toMatch(/secret|TypeError|path/)
  } finally {
    await sky.close()
  }
})
