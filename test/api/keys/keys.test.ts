import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeByPrefix } from '../../../api/keys/issue.ts'
import { freshUsage, grant, refresh, refund, standing } from '../../../api/keys/limit.ts'
import { plans, policyOf } from '../../../api/keys/plan.ts'
import { entryOf } from '../../../ingest/domain/nth.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

let edge: EdgeServer
beforeAll(async () => {
  edge = await edgeServer({ TRIAL_CALLS: '32' })
})
afterAll(() => edge.close())

const statuses = async (calls: Promise<Response>[]) => {
  const count: Record<number, number> = {}
  for (const response of await Promise.all(calls)) {
    await response.arrayBuffer()
    count[response.status] = (count[response.status] ?? 0) + 1
  }
  return count
}

test('writes policies as in the contract', () => {
  const { free, professional } = plans(500)
  expect(policyOf(free)).toBe('60;w=60;burst=30, 1000;w=86400')
  expect(policyOf(professional)).toBe('6000;w=60;burst=1000, 500000;w=86400, 5000000;w=2592000')
})

test('refills the bucket evenly, and resets day and month in UTC', () => {
  const plan = { minute: 60, burst: 30, day: 100, month: 150 }
  const noon = Date.parse('2026-01-30T12:00:00Z')
  const usage = freshUsage(plan, noon)
  expect(grant(usage, plan, 50)).toBe(30)
  refresh(usage, plan, noon + 1500)
  expect(grant(usage, plan, 5)).toBe(1)
  expect(standing(usage, plan, noon + 1500)).toMatchObject({ allowed: false, window: 'minute', wait: 1 })
  refund(usage, plan, 1)
  expect(standing(usage, plan, noon + 1500).remaining).toBe(1)
  for (let at = noon + 60_000; usage.dayCount < 100; at += 60_000) {
    refresh(usage, plan, at)
    grant(usage, plan, 30)
  }
  const late = noon + 3_600_000
  refresh(usage, plan, late)
  expect(standing(usage, plan, late)).toMatchObject({
    allowed: false,
    window: 'day',
    limit: 100,
    remaining: 0,
    wait: 11 * 3600,
  })
  const tomorrow = Date.parse('2026-01-31T00:00:00Z')
  refresh(usage, plan, tomorrow)
  expect(grant(usage, plan, 30)).toBe(30)
  refresh(usage, plan, tomorrow + 60_000)
  expect(grant(usage, plan, 30)).toBe(20)
  expect(standing(usage, plan, tomorrow + 60_000)).toMatchObject({ allowed: false, window: 'month', wait: 86_400 - 60 })
  refresh(usage, plan, Date.parse('2026-02-01T00:00:00Z'))
  expect(grant(usage, plan, 1)).toBe(1)
})

test('gives an unused Free key its burst, and takes one for each counted call', async () => {
  const key = await edge.key('free')
  const first = await edge.get('/v1/radars?id=FTG', key)
  expect(first.status).toBe(200)
  expect(Object.fromEntries([...first.headers].filter(([name]) => name.startsWith('ratelimit')))).toEqual({
    'ratelimit-limit': '30',
    'ratelimit-remaining': '29',
    'ratelimit-reset': '1',
    'ratelimit-policy': '60;w=60;burst=30, 1000;w=86400',
  })
})

test('answers exactly the burst of 1,000 concurrent calls, and the others with 429 and Retry-After', async () => {
  const key = await edge.key('free')
  const began = performance.now()
  const calls = Array.from({ length: 1000 }, (_, i) =>
    edge.get(`/v1/reverse-geocode?lat=${39 + i / 1000}&lon=-104`, key),
  )
  const count = await statuses(calls)
  // The bucket refills by one per second during the calls.
  const refilled = Math.floor((performance.now() - began) / 1000)
  expect(count[200]).toBeGreaterThanOrEqual(30)
  expect(count[200]).toBeLessThanOrEqual(30 + refilled)
  // A machine under load may shed some requests, which are not counted.
  expect(entryOf(count, 200) + entryOf(count, 429) + (count[503] ?? 0)).toBe(1000)
  // The bucket may have refilled by one when the calls have ended, but not by two within this loop.
  let refused = await edge.get('/v1/radars?id=FTG', key)
  for (let i = 0; i < 100 && refused.status !== 429; i++) refused = await edge.get('/v1/radars?id=FTG', key)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBe(1)
  expect(((await refused.json()) as { type: string }).type).toContain('too-many-requests')
})

test('ends a trial of 32 calls after exactly 32, permanently', async () => {
  const key = await edge.key('trial')
  const first = await statuses(Array.from({ length: 200 }, () => edge.get('/v1/radars?id=FTG', key)))
  let passed = entryOf(first, 200)
  for (let i = 0; i < 60 && passed < 33; i++) {
    const { status } = await edge.get('/v1/radars?id=FTG', key)
    if (status === 402) break
    if (status === 200) passed++
    else await new Promise((resolve) => setTimeout(resolve, 300))
  }
  expect(passed).toBe(32)
  expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(402)
})

test('does not count cached answers and 304, but answers an ended trial with 402', async () => {
  const key = await edge.key('free')
  const path = '/v1/weather?lat=40.01&lon=-105.27&include=astro'
  const first = await edge.get(path, key)
  const etag = first.headers.get('etag')!
  expect(first.headers.get('ratelimit-remaining')).toBe('29')
  for (let i = 0; i < 40; i++) expect((await edge.get(path, key)).status).toBe(200)
  const again = await edge.get(path, key)
  expect(Number(again.headers.get('ratelimit-remaining'))).toBeGreaterThanOrEqual(29)
  expect(await again.text()).toBe(await first.text())
  const unchanged = await edge.get(path, key, { 'if-none-match': `"other", W/${etag.replace('W/', '')}` })
  expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, etag])
  // The same parameters in another order give the same answer.
  const other = await edge.get('/v1/weather?lon=-105.27&include=astro&lat=40.01', key)
  expect(Number(other.headers.get('ratelimit-remaining'))).toBeGreaterThanOrEqual(29)

  const trial = await edge.key('trial')
  await statuses(Array.from({ length: 30 }, () => edge.get('/v1/radars?id=FTG', trial)))
  while ((await edge.get('/v1/radars?id=FTG', trial)).status !== 402)
    await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await edge.get(path, trial)).status).toBe(402)
})

test('rejects a revoked key within 2 s, and a prefix that does not name exactly one key', async () => {
  const key = await edge.key('free')
  expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(200)
  await expect(revokeByPrefix(edge.database, 'hx_live_')).rejects.toThrow(/must be a prefix/)
  await revokeByPrefix(edge.database, key.slice(0, 16))
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(401)
})

test('stores no key in plain text', async () => {
  const key = await edge.key('free')
  const rows = await edge.database.query<{ text: string }>('select api_key::text as text from api_key')
  expect(rows.some(({ text }) => text.includes(key))).toBe(false)
  expect(rows.some(({ text }) => text.includes(key.slice(0, 16)))).toBe(true)
})

test('limits calls without a key by address', async () => {
  const count = await statuses(Array.from({ length: 400 }, () => edge.get('/v1/weather?zip=80202')))
  expect(count[401]).toBeGreaterThanOrEqual(140)
  expect(count[429]).toBeGreaterThan(0)
  // Calls with a key are not affected.
  expect((await edge.get('/v1/radars?id=FTG', await edge.key('free'))).status).toBe(200)
})
