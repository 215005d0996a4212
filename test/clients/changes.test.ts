import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, type ChangesOptions, hexcastChanges } from '../../api/client/changes.ts'
import { ProblemError } from '../../api/client/client.ts'
import { streamMessages } from '../../api/client/event-stream.ts'
import { type EdgeServer, edgeServer } from '../api/http/test-server.ts'
import { change } from '../api/webhooks/harness.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge.close())

/** Collects changes over connections that a test can cut. */
function cutStream(query: Parameters<typeof hexcastChanges>[1], options: ChangesOptions = {}) {
  const changes: Change[] = []
  const resumed: (string | null)[] = []
  let cut = new AbortController()
  let opened = 0
  const stop = new AbortController()
  const send: typeof fetch = (url, init) => {
    cut = new AbortController()
    resumed.push(new Headers(init?.headers).get('last-event-id'))
    return fetch(url, { ...init, signal: AbortSignal.any([...(init?.signal ? [init.signal] : []), cut.signal]) })
  }
  const running = (async () => {
    const client = { baseUrl: edge.base, key, fetch: send }
    for await (const change of hexcastChanges(client, query, {
      ...options,
      signal: stop.signal,
      onOpen: () => opened++,
    }))
      changes.push(change)
  })()
  return {
    ...{ changes, resumed, running },
    cut: () => cut.abort(),
    opened: (count: number) => expect.poll(() => opened, { timeout: 15_000 }).toBe(count),
    ids: (...ids: string[]) => expect.poll(() => changes.map(({ data }) => data.id), { timeout: 15_000 }).toEqual(ids),
    stop: () => {
      stop.abort()
      return running
    },
  }
}

test('neither misses nor repeats a change after a stream is interrupted', async () => {
  const stream = cutStream({ area: 'CO' })
  await stream.opened(1)
  stream.cut()
  await change(edge.database, 'a', 'a')
  await change(edge.database, 'texas', 'texas', { areas: ['TXC001'] })
  await stream.opened(2)
  await stream.ids('a')
  await change(edge.database, 'b', 'b')
  await stream.ids('a', 'b')
  stream.cut()
  await change(edge.database, 'b', 'c', { change: 'updated' })
  await change(edge.database, 'd', 'd', { change: 'cancelled' })
  await stream.ids('a', 'b', 'c', 'd')
  await stream.stop()
  expect(stream.changes.map(({ type }) => type)).toEqual([
    ...['alert.issued', 'alert.issued', 'alert.updated', 'alert.cancelled'],
  ])
  expect(stream.resumed[0]).toBeNull()
  expect(stream.resumed.slice(1).every((id) => /^[0-9a-f]{8}-\d+$/.test(id ?? ''))).toBe(true)
  // A later process resumes after the last change that an earlier process has handled.
  const later = cutStream({}, { lastEventId: stream.changes[0]?.id })
  await later.ids('texas', 'b', 'c', 'd')
  await later.stop()
})

test('throws a refusal without retrying', async () => {
  const changes: unknown[] = []
  const ask = async (baseUrl: string, own: string, query: object) => {
    for await (const change of hexcastChanges({ baseUrl, key: own }, query)) changes.push(change)
  }
  const wrong = await ask(edge.base, key, { min_severity: 'loud' }).catch((error) => error)
  expect([wrong instanceof ProblemError, wrong.status, wrong.slug]).toEqual([true, 400, 'bad-request'])
  expect((await ask(edge.base, 'no-key', {}).catch((error) => error)).status).toBe(401)
  expect(changes).toEqual([])
})

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of from) items.push(item)
  return items
}

const bytes = (...parts: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })

test('reads messages as the HTML standard defines them, however the network divides them', async () => {
  const text =
    'retry: 250\r\nid: 7\r\n: hi\r\n\r\nid: 8\revent: alert.issued\rdata: {"a":\rdata: "é"}\r\rdata\n\n: x\n\nevent: none\n\nid: 9\ndata:  b\n\nid: 10\ndata: unfinished'
  const expected = [
    { id: '7', event: '', data: undefined },
    { id: '8', event: 'alert.issued', data: '{"a":\n"é"}' },
    { id: undefined, event: 'message', data: '' },
    { id: '9', event: 'message', data: ' b' },
  ]
  const encoded = new TextEncoder().encode(text)
  for (let size = 1; size < encoded.length; size += 3) {
    const parts = Array.from({ length: Math.ceil(encoded.length / size) }, (_, i) =>
      encoded.slice(i * size, (i + 1) * size),
    )
    const retries: number[] = []
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
    const received = (ms: number | undefined) => void (ms !== undefined && retries.push(ms))
    expect(await all(streamMessages(body, received)), `in parts of ${size}`).toEqual(expected)
    expect(retries).toEqual([250])
  }
})

test('rejects a message without end before it fills the memory', async () => {
  const long = bytes(...Array.from({ length: 12 }, () => `data: ${'x'.repeat(100_000)}\n`))
  await expect(all(streamMessages(long))).rejects.toThrow(RangeError)
  const oneLine = bytes('data: ', ...Array.from({ length: 12 }, () => 'x'.repeat(100_000)))
  await expect(all(streamMessages(oneLine))).rejects.toThrow('over 1000000 characters')
})
