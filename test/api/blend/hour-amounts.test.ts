import { expect, test } from 'vitest'
import { hourAmount, minuteRates } from '../../../api/blend/hour-amounts.ts'
import type { NowcastPoint } from '../../../api/contract.ts'
import { HOUR, MINUTE } from '../../../ingest/domain/time.ts'

const from = Date.parse('2026-04-11T13:00:00Z')
const now = from + 88 * MINUTE
const at = (minute: number) => from + minute * MINUTE
const stepsOf = (first: number, rates: readonly number[]): NowcastPoint[] =>
  rates.map((rate, i) => ({ time: at(first + 5 * i), type: rate > 0 ? 'rain' : 'none', rate, dbz: 0 }))

test('counts each minute once: scans until now, then steps, then the model', () => {
  const scans = [55, 65, 75, 85].map((minute) => ({ time: at(minute), rate: 6 }))
  const rates = minuteRates(from, 240, now, stepsOf(85, Array(19).fill(12)), scans)
  // 28 minutes of 6 mm/h, 32 of 12 mm/h.
  expect(hourAmount(rates, 60, 100)).toBeCloseTo(28 / 10 + 32 / 5, 5)
  expect(hourAmount(rates, 120, 100)).toBeCloseTo(12, 5)
  // 5 minutes of scans in the first hour.
  expect(hourAmount(rates, 0, 3)).toBeCloseTo(5 / 10 + (3 * 55) / 60, 5)
  expect(hourAmount(rates, 180, 3)).toBeCloseTo(3, 5)
})

test('interpolates linearly between two scans, but not over a gap', () => {
  const scans = [0, 10, 40, 50].map((minute) => ({ time: at(minute), rate: minute }))
  const rates = minuteRates(from, 60, now, [], scans)
  expect(rates[5]).toBeCloseTo(5, 5)
  expect(rates[12]).toBeNaN()
  expect(rates[45]).toBeCloseTo(45, 5)
  // The newest describes 15 minutes after it.
  expect(rates[59]).toBe(50)
})

test('describes no minute by a scan without coverage', () => {
  const scans = [0, 10, 20].map((minute) => ({ time: at(minute), rate: minute === 10 ? Number.NaN : 2 }))
  const rates = minuteRates(from, 60, now, [], scans)
  expect([rates[5], rates[15]]).toEqual([Number.NaN, Number.NaN])
  expect(hourAmount(rates, 0, Number.NaN)).toBeCloseTo(2 * (15 / 60), 5)
})

test('uses the model without scans and steps, and NaN without a model', () => {
  const rates = minuteRates(from, 120, from + HOUR, [], [])
  expect(hourAmount(rates, 60, 4)).toBeCloseTo(4, 5)
  expect(hourAmount(rates, 60, Number.NaN)).toBeNaN()
})
