import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenRun } from '../../../ingest/tile/read.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

/** Duration of a read. Reads are slow and counted, so that the count shows whether the work has stopped. */
const READ_MS = 60
let reads = 0
function slowRuns() {
  const runs = analyticCurrent(Date.now())
  return {
    all: runs.all,
    served: (...lookup: Parameters<typeof runs.served>) => {
      const run = runs.served(...lookup)
      if (!run?.opened) return run
      const point = async () => {
        reads++
        await new Promise((resolve) => setTimeout(resolve, READ_MS))
        return undefined
      }
      const opened = Object.create(run.opened, { point: { value: point } }) as OpenRun
      return { ...run, opened, open: async () => opened }
    },
  }
}

let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({ frames: [], models: slowRuns() })
})
afterAll(() => sky.close())

const args = {
  dataset_id: 'hrrr',
  variables: ['temperature'],
  points: Array.from({ length: 50 }, (_, i) => ({ lat: 38 + i / 10, lon: -100 })),
}
/** The count of reads soon after a cancellation, and some time later. */
const readsAfterwards = async () => {
  await new Promise((resolve) => setTimeout(resolve, 4 * READ_MS))
  const before = reads
  await new Promise((resolve) => setTimeout(resolve, 8 * READ_MS))
  return [before, reads] as const
}
/** Waits until reads of earlier tests have ended, because they must not count. */
beforeEach(async () => {
  for (let before = -1; before !== reads; ) {
    before = reads
    await new Promise((resolve) => setTimeout(resolve, 4 * READ_MS))
  }
  reads = 0
})
const reading = async () => {
  while (reads < 3) await new Promise((resolve) => setTimeout(resolve, 5))
}

test.each(['2025-11-25', '2026-07-28'])('stops the work when a client of %s cancels', async (revision) => {
  const client = new Client(
    { name: 'impatient', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${sky.base}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${sky.key}` } },
    }),
  )
  const controller = new AbortController()
  const result = client.callTool({ name: 'query_dataset', arguments: args }, { signal: controller.signal })
  const failure = expect(result).rejects.toThrow()
  await reading()
  controller.abort(new Error('enough'))
  await failure
  const [before, after] = await readsAfterwards()
  expect(after).toBe(before)
  expect(after).toBeLessThan(60)
  await client.close()
})

const post = (message: object, signal?: AbortSignal, key = sky.key) =>
  fetch(`${sky.base}/mcp`, {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  })
const call = (id: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'query_dataset', arguments: args },
})
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

test('stops the work when the connection is closed', async () => {
  const controller = new AbortController()
  const text = post(call(1), controller.signal).then((reply) => reply.text())
  const failure = expect(text).rejects.toThrow()
  await reading()
  controller.abort()
  await failure
  const [before, after] = await readsAfterwards()
  expect(after).toBe(before)
})

test('stops the work that a separate cancellation names, and sends nothing more for it', async () => {
  const reply = post(call('one'))
    .then((reply) => reply.text())
    .catch(() => '')
  await reading()
  expect((await post(cancel('another'))).status).toBe(202)
  expect((await post(cancel('one'))).status).toBe(202)
  expect(await reply).not.toMatch(/"result"|"error"/)
  const [before, after] = await readsAfterwards()
  expect(after).toBe(before)
  expect(after).toBeLessThan(60)
})
