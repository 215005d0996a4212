import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenRun } from '../../../ingest/tile/read.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

/** Runs with slow, counted reads: the count stays constant after a cancellation. */
const READ_MS = 60
let reads = 0
function slow() {
  const whole = analyticCurrent(Date.now())
  return {
    all: whole.all,
    served: (...asked: Parameters<typeof whole.served>) => {
      const run = whole.served(...asked)
      if (!run?.opened) return run
      const point = async () => {
        reads++
        await new Promise((resolve) => setTimeout(resolve, READ_MS))
        return undefined
      }
      return { ...run, opened: Object.create(run.opened, { point: { value: point } }) as OpenRun }
    },
  }
}

let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({ frames: [], models: slow() })
})
afterAll(() => sky.close())

const args = {
  dataset_id: 'hrrr',
  variables: ['temperature'],
  points: Array.from({ length: 50 }, (_, i) => ({ lat: 38 + i / 10, lon: -100 })),
}
const settled = async () => {
  await new Promise((resolve) => setTimeout(resolve, 4 * READ_MS))
  const before = reads
  await new Promise((resolve) => setTimeout(resolve, 8 * READ_MS))
  return [before, reads] as const
}
/** What an earlier test left running must not count here. */
beforeEach(async () => {
  for (let before = -1; before !== reads; ) {
    before = reads
    await new Promise((resolve) => setTimeout(resolve, 4 * READ_MS))
  }
  reads = 0
})
const begun = async () => {
  while (reads < 3) await new Promise((resolve) => setTimeout(resolve, 5))
}

test.each(['2025-11-25', '2026-07-28'])('a client of %s that cancels stops the work', async (revision) => {
  const client = new Client(
    { name: 'impatient', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${sky.base}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${sky.key}` } },
    }),
  )
  const gone = new AbortController()
  const asked = client.callTool({ name: 'query_dataset', arguments: args }, { signal: gone.signal })
  const failed = expect(asked).rejects.toThrow()
  await begun()
  gone.abort(new Error('enough'))
  await failed
  const [before, after] = await settled()
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

test('a connection that is closed stops the work', async () => {
  const gone = new AbortController()
  const asked = post(call(1), gone.signal).then((reply) => reply.text())
  const failed = expect(asked).rejects.toThrow()
  await begun()
  gone.abort()
  await failed
  const [before, after] = await settled()
  expect(after).toBe(before)
})

test('a cancellation in a request of its own stops the work that it names, and nothing more is sent for it', async () => {
  const reply = post(call('one'))
    .then((reply) => reply.text())
    .catch(() => '')
  await begun()
  expect((await post(cancel('another'))).status).toBe(202)
  expect((await post(cancel('one'))).status).toBe(202)
  expect(await reply).not.toMatch(/"result"|"error"/)
  const [before, after] = await settled()
  expect(after).toBe(before)
  expect(after).toBeLessThan(60)
})
