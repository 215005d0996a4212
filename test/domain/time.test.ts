import { expect, test } from 'vitest'
import { isoMilliseconds, parseDate, parseInstant } from '../../ingest/domain/time.ts'

test('accepts the dates and instants that a request may have', () => {
  expect(parseDate('2026-08-20')).toBe(Date.UTC(2026, 7, 20))
  expect(parseDate('1800-01-01')).toBe(Date.UTC(1800, 0, 1))
  expect(parseInstant('2026-08-20T12:00Z')).toBe(Date.UTC(2026, 7, 20, 12))
  expect(parseInstant('2026-08-20T12:00:00.5-06:00')).toBe(Date.UTC(2026, 7, 20, 18) + 500)
  expect(parseInstant('2024-02-29T23:59:59+0530')).toBe(Date.UTC(2024, 1, 29, 18, 29, 59))
})

test('rejects a time that is not in the calendar, has no zone, or has a year that cannot be stored', () => {
  for (const text of [
    '0000-05-07',
    '1799-12-31',
    '2200-01-01',
    '9999-12-31',
    '2026-02-30',
    '2026-13-01',
    '2026-8-2',
    '',
    'now',
  ])
    expect([text, parseDate(text)]).toEqual([text, Number.NaN])
  for (const text of [
    '0000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-12:00',
    '2026-02-30T00:00:00Z',
    '2026-08-20T25:00:00Z',
    '2026-08-20T12:00:00',
    '2026-08-20',
    '-000001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '1',
  ])
    expect([text, parseInstant(text)]).toEqual([text, Number.NaN])
})

test('writes milliseconds like toISOString', () => {
  for (const at of [0, 1, 999, 1000, -1, Date.UTC(2026, 1, 28, 23, 59, 59, 7), Date.UTC(2199, 11, 31, 12, 0, 0, 50)])
    expect(isoMilliseconds(at)).toBe(new Date(at).toISOString())
})
