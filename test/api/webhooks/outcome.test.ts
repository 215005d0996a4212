import { expect, test } from 'vitest'
import { retryAfterOf } from '../../../api/webhooks/request.ts'
import { outcomeOf } from '../../../api/webhooks/sender.ts'
import { HOUR } from '../../../ingest/domain/time.ts'

const now = Date.parse('2026-08-20T12:00:00Z')
const call = { id: 'msg', body: '', webhook_id: 'wh', url: '', secret: '', attempts: 1, failures: 0 }
const outcome = (result: Parameters<typeof outcomeOf>[0], over: object = {}, age = 0) =>
  outcomeOf(result, { ...call, created_at: new Date(now - age), ...over }, 5000, now)

test('pauses a webhook if its receiver fails, but not if the receiver rejects one call', () => {
  const pauses = (status: number) => outcome({ status }).pauseMs !== null
  expect([500, 502, 503, 504, 408, 429, 301, 302].filter((status) => !pauses(status))).toEqual([])
  expect([400, 401, 403, 404, 409, 410, 413, 422].filter(pauses)).toEqual([])
  expect(outcome({ error: 'connect ECONNREFUSED' })).toMatchObject({ status: null, error: 'connect ECONNREFUSED' })
  expect(outcome({ error: 'no answer within 10 s' }).pauseMs).not.toBeNull()
  expect(outcome({ status: 204 })).toEqual({ status: 204, error: null, retryMs: null, pauseMs: null })
})

test('lengthens pauses with consecutive failures, up to an hour and a fifth', () => {
  const pause = (failures: number) => outcome({ status: 503 }, { failures }).pauseMs!
  for (const [failures, expected] of [
    [0, 5000],
    [1, 15_000],
    [2, 45_000],
    [50, HOUR],
  ] as const) {
    expect(pause(failures)).toBeGreaterThanOrEqual(0.8 * expected)
    expect(pause(failures)).toBeLessThanOrEqual(1.2 * expected)
  }
  // A probe of a failing receiver has no pause of its own.
  expect(outcome({ status: 503 }, { failures: 3, attempts: 9 }).retryMs).toBe(0)
  expect(outcome({ status: 422 }, { failures: 3, attempts: 9 }).retryMs).toBeGreaterThan(HOUR / 2)
})

test('lengthens a pause by Retry-After up to an hour, and never shortens it', () => {
  const pause = (status: number, retryAfterMs: number) => outcome({ status, retryAfterMs }).pauseMs!
  expect(pause(429, 120_000)).toBe(120_000)
  expect(pause(503, 120_000)).toBe(120_000)
  expect(pause(503, 0)).toBeGreaterThanOrEqual(4000)
  expect(pause(503, 1e12)).toBe(HOUR)
  expect(pause(500, 120_000)).toBeLessThanOrEqual(6000)
})

test('ends attempts a day after the event', () => {
  expect(outcome({ status: 503 }, {}, 23.9 * HOUR).retryMs).not.toBeNull()
  expect(outcome({ status: 503 }, {}, 24 * HOUR)).toMatchObject({ retryMs: null, error: 'status 503' })
  expect(outcome({ status: 503, retryAfterMs: HOUR }, {}, 23.5 * HOUR).retryMs).toBeNull()
  expect(outcome({ status: 404 }, {}, 24 * HOUR)).toMatchObject({ retryMs: null, pauseMs: null })
})

test('reads Retry-After in seconds and as a date, and ignores other values', () => {
  expect(retryAfterOf('120', now)).toBe(120_000)
  expect(retryAfterOf('Thu, 20 Aug 2026 12:02:00 GMT', now)).toBe(120_000)
  expect(retryAfterOf('Thu, 20 Aug 2026 11:00:00 GMT', now)).toBe(0)
  for (const header of [undefined, '', '-1', '1.5', 'tomorrow', '9'.repeat(400), '2026-08-20'])
    expect(retryAfterOf(header, now)).toBeUndefined()
})
