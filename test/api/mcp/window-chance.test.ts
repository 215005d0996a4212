import { describe, expect, test } from 'vitest'
import { apportionChance } from '../../../api/blend/apportion.ts'
import { hourlyAmountChance, totalChance } from '../../../api/mcp/query/amount-chance.ts'
import { anyOf } from '../../../api/mcp/query/chance.ts'
import { type ChanceRequest, gapWords, untilWords } from '../../../api/mcp/query/window-chance.ts'
import { isVerified, subjectWords } from '../../../api/mcp/tools/chance-of.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { randomFrom } from '../../random.ts'

const start = Date.parse('2026-11-28T18:00:00Z')
const request: ChanceRequest = {
  variable: 'precip_amount',
  comparison: 'above',
  threshold: 0.1,
  start,
  end: start + 6 * HOUR,
  how: 'total',
  units: 'imperial',
  timezone: 'America/Denver',
}
/** Values by variable and hours after the start. */
const stored = (table: Readonly<Record<string, Readonly<Record<number, number>>>>) => (name: string) =>
  new Map(Object.entries(table[name] ?? {}).map(([hours, value]) => [start + Number(hours) * HOUR, value]))
const percentiles = (...ends: readonly number[]) => {
  const at = (value: number) => Object.fromEntries(ends.map((end) => [end, value]))
  return { precip_amount_p10: at(0.02), precip_amount_p50: at(0.1), precip_amount_p90: at(0.4) }
}

test('joins the hours of an interval to the chance that was apportioned to them', () => {
  const { next } = randomFrom(11)
  for (let i = 0; i < 200; i++) {
    const hours = 2 + Math.floor(next() * 11)
    const row = new Float64Array(hours).fill(Number.NaN)
    const amounts = Float64Array.from(row, () => 0.01 + next() ** 3)
    const chance = 1 + next() * 98
    apportionChance(row, 0, hours - 1, 0, amounts, chance)
    expect(100 * anyOf([...row].map((percent) => percent / 100)).chance).toBeCloseTo(chance, 6)
  }
})

describe('the words of a chance', () => {
  test.each([
    ['thunderstorm', 'above', 'any_hour', 'a thunderstorm'],
    ['thunderstorm', 'below', 'any_hour', 'no thunderstorm'],
    ['precip_amount', 'above', 'any_hour', 'precipitation more than 0.1 in in at least one hour'],
    ['precip_amount', 'below', 'any_hour', 'precipitation less than 0.1 in in every hour'],
    ['snow_amount', 'above', 'total', 'snow more than 0.1 in in all'],
    ['snow_amount', 'below', 'total', 'snow less than 0.1 in in all'],
    ['wind_gust', 'below', 'any_hour', 'gusts below 0.1 in in at least one hour'],
  ] as const)('name the event of %s %s %s', (variable, comparison, how, words) => {
    expect(subjectWords({ variable, comparison, how }, '0.1 in')).toBe(words)
  })

  test('say until when values are stored, and how many hours no interval covers', () => {
    const hours = (from: number, to: number) => ({ from: start + from * HOUR, to: start + to * HOUR })
    expect(gapWords([hours(-3, 3), hours(3, 9)], request)).toBe('')
    expect(gapWords([hours(0, 1), hours(3, 4)], request)).toMatch(
      /^ The intervals leave out 2 hours of the window\. Values are stored until Sat, Nov 28, 3:00\sPM MST only\.$/,
    )
    expect(gapWords([hours(1, 6)], request)).toBe(' The intervals leave out 1 hour of the window.')
    expect(untilWords(request.end + HOUR, request)).toBe('')
    expect(untilWords(request.end - HOUR, request)).toMatch(/until Sat, Nov 28, 4:00\sPM MST only\.$/)
  })

  test('say that intervals reach beyond the window, and that intervals of a total are missing', () => {
    const measurable = { ...request, threshold: 0.01, how: 'any_hour' } as const
    expect(hourlyAmountChance(stored({ precip_probability_6h: { 3: 20, 9: 30 } }), measurable).basis).toMatch(
      /of 2 intervals\. 2 intervals reach beyond the window\. Hours/,
    )
    const long = { ...request, end: start + 24 * HOUR }
    expect(totalChance(stored(percentiles(6, 18)), long).basis).toMatch(
      /^NBM percentiles of 2 6-hour amounts\. The intervals leave out 6 hours of the window\. Values are stored until .* only\. Intervals are/,
    )
  })
})

test('does not call an amount impossible that is merely not expected in the window', () => {
  // The amount of the interval is expected in its first three hours, and the window has the last three.
  const hourly = { precip_amount: { 1: 0.1, 2: 0.1, 3: 0.1, 4: 0, 5: 0, 6: 0 } }
  const values = stored({ ...percentiles(6), ...hourly })
  const late = totalChance(values, { ...request, start: start + 3 * HOUR })
  expect(late.chance).toBeGreaterThan(0)
  expect(late.chance).toBeLessThan(totalChance(values, request).chance ?? 0)
})

test('takes the stored probability only for exactly its amount and its window', () => {
  const values = stored({ precip_probability_6h: { 6: 37 }, ...percentiles(6) })
  const measurable = { ...request, threshold: 0.01 }
  expect(totalChance(values, measurable)).toMatchObject({ chance: 0.37, range: [0.37, 0.37] })
  expect(totalChance(values, measurable).basis).toMatch(/of exactly these 6 hours\.$/)
  expect(totalChance(values, { ...measurable, start: start + HOUR / 3 }).basis).not.toMatch(/exactly/)
})

test('has a reliability only for the chances that are verified', () => {
  const verified: ChanceRequest = { ...request, threshold: 0.01, end: start + HOUR }
  expect(isVerified(verified)).toBe(true)
  for (const other of [
    { threshold: 0.1 },
    { comparison: 'below' },
    { end: start + 6 * HOUR },
    { variable: 'snow_amount' },
  ] as const)
    expect(isVerified({ ...verified, ...other }), JSON.stringify(other)).toBe(false)
})
