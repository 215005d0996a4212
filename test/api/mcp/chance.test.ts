import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyOf, chanceAbove, type Exceedance, normalAbove, ordered, sumAbove } from '../../../api/mcp/query/chance.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { randomFrom } from '../../random.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

describe('the chance of a threshold', () => {
  test('of a normal variable agrees with its tables', () => {
    // Values of the standard normal distribution: 1 − Φ(x).
    for (const [x, above] of [
      [0, 0.5],
      [1, 0.158655],
      [-1, 0.841345],
      [1.6449, 0.05],
      [2.3263, 0.01],
    ] as const)
      expect(normalAbove(50 + 4 * x, 50, 4)).toBeCloseTo(above, 4)
    expect([normalAbove(10, 11, 0), normalAbove(11, 10, 0)]).toEqual([1, 0])
  })

  test('keeps every point of the distribution and falls with the threshold, also beyond the last point', () => {
    const { next } = randomFrom(7)
    for (let i = 0; i < 200; i++) {
      const points = ordered([
        { value: 0, chance: 1 },
        ...[0.9, 0.5, 0.1].map((chance) => ({ value: next() * 2, chance })),
      ])
      for (const { value, chance } of points) {
        const least = Math.min(...points.filter((point) => point.value === value).map((point) => point.chance))
        expect(chanceAbove(points, value)).toBeCloseTo(Math.min(chance, least), 9)
      }
      let before = 1
      for (let threshold = 0; threshold <= 5; threshold += 0.05) {
        const chance = chanceAbove(points, threshold)
        expect(chance).toBeLessThanOrEqual(before + 1e-12)
        expect(chance).toBeGreaterThanOrEqual(0)
        before = chance
      }
      expect(chanceAbove(points, 5)).toBeGreaterThan(0)
    }
  })

  test('of any hour lies between coinciding and independent hours, and grows with every hour', () => {
    const { next } = randomFrom(8)
    for (let i = 0; i < 200; i++) {
      const hours = Array.from({ length: 12 }, () => next() * 0.6)
      let before = 0
      for (let count = 1; count <= hours.length; count++) {
        const { chance, range } = anyOf(hours.slice(0, count))
        const independent = 1 - hours.slice(0, count).reduce((none, p) => none * (1 - p), 1)
        expect(range[0]).toBeCloseTo(Math.max(...hours.slice(0, count)), 9)
        expect(range[1]).toBeCloseTo(independent, 9)
        expect(chance).toBeGreaterThanOrEqual(Math.max(range[0], before) - 1e-12)
        expect(chance).toBeLessThanOrEqual(range[1] + 1e-12)
        before = chance
      }
    }
    expect(anyOf([0.3]).chance).toBeCloseTo(0.3, 9)
  })

  test('of a total falls with the threshold, grows with every interval, and keeps a single distribution', () => {
    const { next } = randomFrom(9)
    const distribution = (): Exceedance[] =>
      ordered([
        { value: 0, chance: 1 },
        ...[0.9, 0.5, 0.1].map((chance) => ({ value: next() * 0.8, chance })).sort((a, b) => a.value - b.value),
      ])
    for (let i = 0; i < 25; i++) {
      const parts = Array.from({ length: 4 }, () => ({ points: distribution(), share: 1 }))
      const [first] = parts
      expect(sumAbove(parts.slice(0, 1), 0.3).chance).toBe(chanceAbove(first?.points ?? [], 0.3))
      let before = 0
      for (let count = 1; count <= parts.length; count++) {
        const { chance } = sumAbove(parts.slice(0, count), 0.5)
        // Sums are compared at 200 steps of chance.
        expect(chance).toBeGreaterThanOrEqual(before - 0.01)
        before = chance
      }
      let above = 1
      for (const threshold of [0.1, 0.3, 0.6, 1, 2]) {
        const { chance, range } = sumAbove(parts, threshold)
        expect(chance).toBeLessThanOrEqual(above + 0.01)
        expect(range[0]).toBeLessThanOrEqual(chance)
        expect(range[1]).toBeGreaterThanOrEqual(chance)
        above = chance
      }
    }
  })
})

describe('chance_of', () => {
  let sky: SkyServer
  beforeAll(async () => {
    sky = await skyServer({ frames: [] })
  }, 300_000)
  afterAll(async () => sky.close())

  interface Chance {
    readonly chance: number | null
    readonly range: [number, number] | null
    readonly basis: string
  }
  const call = async (args: object) => {
    const result = (await sky.client.callTool({
      name: 'chance_of',
      arguments: { location: 'Denver, CO', ...args },
    })) as unknown as Result
    const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
    return { result, text, data: (result.structuredContent ?? {}) as unknown as Chance }
  }
  const at = (hours: number) => new Date(Math.ceil(Date.now() / HOUR) * HOUR + hours * HOUR).toISOString()

  test.each([
    ['wind_gust', 'above', [10, 20, 30, 45, 70]],
    ['temperature', 'above', [0, 30, 50, 70, 100]],
    ['visibility', 'below', [5, 3, 1, 0.5]],
    ['cloud_ceiling', 'below', [6600, 3000, 1000, 500]],
    ['precip_amount', 'above', [0.01, 0.01]],
    ['snow_amount', 'above', [1, 2, 4, 10]],
  ] as const)(
    'of %s %s falls with the threshold and grows with the window',
    async (variable, comparison, thresholds) => {
      let before = 100
      for (const threshold of thresholds) {
        const { data, text } = await call({ variable, comparison, threshold, start: at(0), end: at(30) })
        expect(data.chance, text).not.toBeNull()
        const chance = data.chance ?? Number.NaN
        expect(chance, `${threshold}: ${text}`).toBeLessThanOrEqual(before + 1)
        expect(data.range?.[0]).toBeLessThanOrEqual(chance)
        expect(data.range?.[1]).toBeGreaterThanOrEqual(chance)
        expect(text).toContain(`is ${chance}%`)
        before = chance
      }
      let shorter = 0
      for (const hours of [7, 13, 25, 49]) {
        const { data } = await call({ variable, comparison, threshold: thresholds[1], start: at(0), end: at(hours) })
        expect(data.chance ?? -1, `${variable} ${hours} h`).toBeGreaterThanOrEqual(shorter - 1)
        shorter = data.chance ?? 0
      }
    },
  )

  test('is the stored probability if one is stored for the threshold and the window', async () => {
    const { structuredContent } = (await sky.client.callTool({
      name: 'query_dataset',
      arguments: { location: 'Denver, CO', dataset_id: 'nbm', variables: ['precip_probability'], hours: 30 },
    })) as unknown as Result
    const { rows } = structuredContent as { rows: [number, string, number | null][] }
    let compared = 0
    for (const [, time, stored] of rows.slice(2)) {
      if (stored === null) continue
      const start = new Date(Date.parse(time) - HOUR).toISOString()
      const { data } = await call({ variable: 'precip_amount', threshold: 0.01, start, end: time })
      expect(data.chance, time).toBe(Math.round(stored))
      compared++
    }
    expect(compared).toBeGreaterThan(10)
  })

  test('is null with a reason if no distribution is stored, and rejects requests without an answer', async () => {
    const amount = await call({ variable: 'precip_amount', threshold: 0.5 })
    expect(amount.data.chance).toBeNull()
    expect(amount.text).toMatch(/no percentiles of 6-hour amounts are stored/)
    const { data, text } = await call({ variable: 'feels_like', threshold: 10 })
    expect(data.chance).toBeNull()
    expect(text).toMatch(/is not known: no distribution of feels_like is stored/)
    for (const [args, words] of [
      [{ variable: 'wind_gust' }, /threshold is required/],
      [{ variable: 'temperature', threshold: 3, how: 'total' }, /has no total/],
      [{ variable: 'temperature', threshold: 3, end: '2020-01-01T00:00' }, /must end after it begins/],
      [{ variable: 'temperature', threshold: 3, end: at(300) }, /within 11 days/],
      [{ variable: 'temperature', threshold: 3, start: 'soon' }, /start must be an ISO date-time/],
    ] as const) {
      const { result, text: error } = await call(args)
      expect(result.isError, error).toBe(true)
      expect(error).toMatch(words)
    }
  })
})
