import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginIncarnation } from '../../../sql/queries/incarnation.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { change } from '../webhooks/harness.ts'

const WAIT = { timeout: 15_000 }
let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge.close())

/** Opens `/v1/events` and collects its text. */
async function listen(lastId?: string) {
  const abort = new AbortController()
  const response = await fetch(`${edge.base}/v1/events`, {
    headers: { authorization: `Bearer ${key}`, ...(lastId !== undefined && { 'last-event-id': lastId }) },
    signal: abort.signal,
  })
  const stream = { text: '', hasEnded: false, status: response.status, stop: () => abort.abort() }
  void (async () => {
    for await (const part of response.body ?? []) stream.text += Buffer.from(part).toString()
    stream.hasEnded = true
  })().catch(() => undefined)
  await expect.poll(() => stream.text, WAIT).toContain('\n\n')
  return stream
}

const idsOf = (text: string) => [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id)
const replayOf = (text: string) => /event: replay\ndata: (.*)\n/.exec(text)?.[1]

test('resumes after an id with and without an incarnation, and tells readers of other ids to read again', async () => {
  const first = await listen()
  const [begun] = idsOf(first.text)
  expect(begun).toMatch(/^[0-9a-f]{8}-\d+$/)
  expect(replayOf(first.text)).toBeUndefined()
  await change(edge.database, 'a', 'a')
  await change(edge.database, 'b', 'b')
  await expect.poll(() => first.text, WAIT).toContain('"id":"b"')
  const [, ofA, ofB] = idsOf(first.text)
  first.stop()

  const [incarnation, number] = String(ofA).split('-')
  for (const id of [ofA, number]) {
    const resumed = await listen(id)
    await expect.poll(() => resumed.text, WAIT).toContain('"id":"b"')
    expect(resumed.text).not.toContain('"id":"a"')
    expect(replayOf(resumed.text)).toBeUndefined()
    resumed.stop()
  }

  for (const [id, reason] of [
    [`${incarnation}-1000000`, 'ahead'],
    ['1000000', 'ahead'],
    [`00000000-${number}`, 'restored'],
  ] as const) {
    const stream = await listen(id)
    await expect.poll(() => replayOf(stream.text), WAIT).toBe(JSON.stringify({ reason }))
    // The stream continues after the newest change.
    expect(idsOf(stream.text)).toEqual([ofB])
    stream.stop()
  }

  expect((await edge.get('/v1/events', key, { 'last-event-id': 'nonsense' })).status).toBe(400)
})

test('ends open streams when the database has another incarnation, and signals it to readers that return', async () => {
  const stream = await listen()
  await change(edge.database, 'c', 'c')
  await expect.poll(() => stream.text, WAIT).toContain('"id":"c"')
  const last = idsOf(stream.text).at(-1)
  const incarnation = await beginIncarnation(edge.database)
  await expect.poll(() => stream.hasEnded, WAIT).toBe(true)

  const returned = await listen(last)
  await expect.poll(() => replayOf(returned.text), WAIT).toBe('{"reason":"restored"}')
  await change(edge.database, 'd', 'd')
  await expect.poll(() => returned.text, WAIT).toContain('"id":"d"')
  expect(idsOf(returned.text).every((id) => id?.startsWith(`${incarnation}-`))).toBe(true)
  returned.stop()
})

test('signals an id whose later changes are deleted', async () => {
  const stream = await listen()
  for (const id of ['e', 'f', 'g']) await change(edge.database, id, id)
  await expect.poll(() => stream.text, WAIT).toContain('"id":"g"')
  stream.stop()
  const [before, , ofF] = idsOf(stream.text)
  const numberOfF = Number(String(ofF).split('-')[1])
  await edge.database.query('delete from outbox where id <= $1', [numberOfF])
  await edge.database.query('delete from alert_change where id <= $1', [numberOfF])
  const resumed = await listen(before)
  await expect.poll(() => resumed.text, WAIT).toContain('"id":"g"')
  expect(replayOf(resumed.text)).toBe('{"reason":"expired"}')
  resumed.stop()
  const exact = await listen(ofF)
  await expect.poll(() => exact.text, WAIT).toContain('"id":"g"')
  expect(replayOf(exact.text)).toBeUndefined()
  exact.stop()
})
