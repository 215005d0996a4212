import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueKey, revokeByPrefix } from '../../../api/keys/issue.ts'
import type { PlanName } from '../../../api/route.ts'
import { ensureAccount } from '../../../sql/queries/sign-in.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

let edge: EdgeServer
beforeAll(async () => {
  edge = await edgeServer()
})
afterAll(() => edge.close())

const account = async (id: string) => {
  const email = `${id}@example.org`
  await ensureAccount(edge.database, { id, email, verified: true, issuer: '', subject: email })
}
const keyOf = async (accountId: string, plan: PlanName = 'free') =>
  (await issueKey(edge.database, { name: 'test', plan, channel: 'test', accountId })).key
const revoke = (key: string) => revokeByPrefix(edge.database, key.slice(0, 16))
const statusOf = async (response: Response) => {
  await response.arrayBuffer()
  return response.status
}

describe('limits of an account', () => {
  test('grants no more calls if keys are created, used and revoked', async () => {
    await account('acc_turns')
    let answered = 0
    const began = performance.now()
    for (let turn = 0; turn < 4; turn++) {
      const key = await keyOf('acc_turns')
      const calls = Array.from({ length: 40 }, (_, i) =>
        edge.get(`/v1/radars?lat=${38 + i / 20}&lon=-${104 + turn}`, key),
      )
      const statuses = await Promise.all((await Promise.all(calls)).map(statusOf))
      answered += statuses.filter((status) => status === 200).length
      await revoke(key)
    }
    // The burst of the Free plan is 30, and it refills by one per second.
    const refilled = Math.ceil((performance.now() - began) / 1000)
    expect(answered).toBeGreaterThanOrEqual(30)
    expect(answered).toBeLessThanOrEqual(30 + refilled)
  })

  test('shares the limit between two keys of one account, and not with another account', async () => {
    await Promise.all([account('acc_shared'), account('acc_other')])
    const [first, second, other] = await Promise.all([keyOf('acc_shared'), keyOf('acc_shared'), keyOf('acc_other')])
    for (let i = 0; i < 10; i++) await edge.get(`/v1/radars?lat=${38 + i / 20}&lon=-104`, first)
    const remaining = async (key: string) =>
      Number((await edge.get('/v1/radars?id=FTG', key)).headers.get('ratelimit-remaining'))
    expect(await remaining(second)).toBeLessThan(25)
    expect(await remaining(other)).toBe(29)
  })
})

describe('event streams', () => {
  const open = async (key: string) => {
    const response = await edge.get('/v1/events', key, { accept: 'text/event-stream' })
    const reader = response.status === 200 ? response.body!.getReader() : undefined
    if (!reader) await response.arrayBuffer()
    return { status: response.status, reader, response }
  }
  type Stream = Awaited<ReturnType<typeof open>>
  const close = (streams: readonly Stream[]) => Promise.all(streams.map(({ reader }) => reader?.cancel()))
  /** Returns the milliseconds until a stream has ended. */
  const ended = async ({ reader }: Stream) => {
    const began = performance.now()
    while (!(await reader!.read()).done);
    return performance.now() - began
  }

  test.each([
    ['free', 3],
    ['trial', 3],
    ['developer', 20],
    ['professional', 20],
  ] as const)('%s: %d at once, the next is 429 with Retry-After', async (plan, most) => {
    const key = await edge.key(plan)
    const streams: Stream[] = []
    for (let i = 0; i < most; i++) streams.push(await open(key))
    expect(streams.map(({ status }) => status)).toEqual(Array(most).fill(200))
    const refused = await open(key)
    expect(refused.status).toBe(429)
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0)
    // A stream that ends makes room for another.
    await close([streams.pop()!])
    await expect
      .poll(async () => {
        const again = await open(key)
        streams.push(again)
        return again.status
      })
      .toBe(200)
    await close(streams)
  })

  test('counts streams that are requested at the same time', async () => {
    const key = await edge.key('free')
    const streams = await Promise.all(Array.from({ length: 12 }, () => open(key)))
    expect(streams.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(429)])
    await close(streams)
  })

  test('shares the streams between keys of one account', async () => {
    await account('acc_streams')
    const [first, second] = await Promise.all([keyOf('acc_streams'), keyOf('acc_streams')])
    const streams = [await open(first), await open(second), await open(first)]
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await open(second)).status).toBe(429)
    await close(streams)
  })

  test('ends a stream within 5 s after its key is revoked or expires, and no other stream', async () => {
    const other = await edge.key('free')
    const stays = await open(other)
    let over = false
    void ended(stays).then(() => {
      over = true
    })
    const revoked = await edge.key('free')
    const expiring = await edge.key('free', new Date(Date.now() + 2000))
    const streams = [await open(revoked), await open(expiring)]
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    await revoke(revoked)
    const [afterRevocation, afterExpiry] = await Promise.all(streams.map(ended))
    expect(afterRevocation).toBeLessThan(5000)
    expect(afterExpiry).toBeLessThan(7000)
    expect((await open(revoked)).status).toBe(401)
    expect(over).toBe(false)
    await close([stays])
  })
})

describe('counts a computed answer whatever its status', () => {
  const path = (i: number) => `/v1/weather?lat=${(38 + i / 50).toFixed(2)}&lon=-104.5&include=astro`

  test('answers If-None-Match: * with 304 and counts one call', async () => {
    const key = await edge.key('free')
    const response = await edge.get(path(0), key, { 'if-none-match': '*' })
    expect([response.status, response.headers.get('ratelimit-remaining')]).toEqual([304, '29'])
  })

  test('allows no more than the burst to be computed and then read from the cache', async () => {
    const key = await edge.key('free')
    const began = performance.now()
    const statuses: number[] = []
    for (let i = 1; i <= 60; i++) statuses.push(await statusOf(await edge.get(path(i), key, { 'if-none-match': '*' })))
    const refilled = Math.ceil((performance.now() - began) / 1000)
    const answered = statuses.filter((status) => status === 304).length
    expect(answered).toBeLessThanOrEqual(30 + refilled)
    expect(statuses.filter((status) => status === 429).length).toBe(60 - answered)
  })
})
