import { describe, expect, test } from 'vitest'
import { createWeather } from '../../api/answer/weather.ts'
import { parseWeather } from '../../api/query/query.ts'
import type { AnyJson } from '../../bin/doctor/answer-members.ts'
import { violationsOf } from '../../bin/doctor/rules.ts'
import { precipRateAt } from '../../infra/simulator/atmosphere.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { analyticCurrent, runsAt } from '../api/analytic-runs.ts'
import { parsed } from '../api/answer/parsed.ts'
import { placeOf } from './consistency.ts'
import { fallen, radarOf, type SteadyWeather, steadyCurrent } from './steady-rain.ts'

const include = 'current,hourly,daily,nowcast,radar,uncertainty'
const request = (lat: string, lon: string, units = 'metric') =>
  parseWeather({ lat, lon, units, include, hourly_hours: '48', days: '3' })
const median = (values: readonly number[]) =>
  nth(
    [...values].sort((a, b) => a - b),
    values.length >> 1,
  )

/** The radar's storms are half a degree away from the storms of the models. */
const observedRate = (lat: number, lon: number, time: Instant) => precipRateAt(lat, lon + 0.6, time)

test('rows of the next hours count measured rain and nowcast rain exactly once', {
  timeout: 120_000,
}, async () => {
  const ratios: { toNowcast: number[]; toBoth: number[] } = { toNowcast: [], toBoth: [] }
  const wrong: string[] = []
  for (const at of ['2026-11-21T23:37:00Z', '2026-07-04T03:52:00Z', '2026-04-11T14:33:00Z'].map(Date.parse)) {
    const thisHour = Math.floor(at / HOUR) * HOUR
    const earlier = [6, 12, 18, 24].map((hours) => entryOf(runsAt(at), 'nbm') - hours * HOUR)
    const current = analyticCurrent(at, runsAt(at), earlier)
    const suppliers = radarOf(observedRate, 'rain')
    const weather = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7, cacheBytes: 1 })
    for (let i = 0; i < 400; i++) {
      const { lat, lon } = placeOf(i)
      const rateAt = (time: Instant) => observedRate(Number(lat), Number(lon), time)
      const ahead = fallen(rateAt, at, thisHour + 2 * HOUR)
      if (ahead < 1) continue
      try {
        const answer: AnyJson = parsed(await weather.answer(request(lat, lon), at))
        const rows = answer.hourly.slice(0, 2).reduce((sum: number, row: AnyJson) => sum + row.precip_amount, 0)
        const steps = answer.nowcast.points
          .filter(({ time }: AnyJson) => Date.parse(time) > at - 5 * MINUTE)
          .reduce((sum: number, { precip_rate: rate }: AnyJson) => sum + rate / 12, 0)
        const measured = fallen(rateAt, thisHour, at)
        ratios.toNowcast.push(rows / steps)
        ratios.toBoth.push(rows / (measured + ahead))
        for (const { rule, detail } of violationsOf(answer)) wrong.push(`${lat},${lon} ${rule}: ${detail}`)
      } catch (error) {
        if (!isFault(error, 'Missing')) throw error
      }
    }
  }
  const { toNowcast, toBoth } = ratios
  console.log(
    `${toBoth.length} places with rain: median ratio of rows 0 and 1 to the nowcast ${median(toNowcast).toFixed(2)}, ` +
      `to measured and nowcast ${median(toBoth).toFixed(3)} (${Math.min(...toBoth).toFixed(3)} to ${Math.max(...toBoth).toFixed(3)})`,
  )
  expect(toBoth.length).toBeGreaterThan(60)
  expect(median(toBoth)).toBeGreaterThan(0.95)
  expect(median(toBoth)).toBeLessThan(1.05)
  expect(toBoth.filter((ratio) => ratio < 0.9 || ratio > 1.1).length).toBeLessThan(toBoth.length * 0.05)
  expect(wrong).toEqual([])
})

const MOUNTAIN = zone('America/Denver')
const [LAT, LON] = ['39.740', '-104.990']
const DAY = Date.parse('2026-04-11') / 86_400_000

/** Requests answers every ten minutes from 06:02 to 12:00 local time. */
async function walked(weather: SteadyWeather, truth: number): Promise<AnyJson[]> {
  const answers: AnyJson[] = []
  for (let minute = 2; minute <= 360; minute += 10) {
    const now = MOUNTAIN.at(DAY, 6) + minute * MINUTE
    const suppliers = radarOf(() => truth, weather.temperature > 274 ? 'rain' : 'snow')
    const current = steadyCurrent(now, weather)
    const service = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7, cacheBytes: 1 })
    const answer: AnyJson = parsed(await service.answer(request(LAT, LON), now))
    expect(violationsOf(answer)).toEqual([])
    answers.push(answer)
  }
  return answers
}

function expectNoFall(totals: readonly number[], rounding: number): void {
  expect(totals.length).toBeGreaterThan(1)
  for (const [i, total] of totals.slice(1).entries())
    expect(total, `${i + 1}: ${totals.join(' ')}`).toBeGreaterThanOrEqual(nth(totals, i) - rounding)
}

describe('the total of a day with constant rain or snow', { timeout: 120_000 }, () => {
  test.each([
    ['rain, models right', { modelled: 2, measured: 2, temperature: 283 }, 48, 48],
    // Hours 1 to 7 keep their values, the others are dry.
    ['rain, models dry', { modelled: 0, measured: 2, temperature: 283 }, 3, 16],
  ] as const)('%s', async (_, weather, least, most) => {
    const totals = (await walked(weather, 2)).map(({ daily }) => daily[0].precip_total)
    expectNoFall(totals, 0.011)
    expect(Math.min(...totals)).toBeGreaterThan(least * 0.98)
    expect(Math.max(...totals)).toBeLessThan(most * 1.02)
  })

  test('equals the snow of the models if they are right', async () => {
    const depth = 12 * 24
    const days = await walked({ modelled: 1, measured: 1, temperature: 267, ratio: 12 }, 1)
    const totals = days.map(({ daily }) => daily[0].snow_total)
    expectNoFall(totals, 0.5)
    for (const total of totals) expect(Math.abs(total / depth - 1)).toBeLessThan(0.02)
  })

  test('counts snow that no model has while it falls', async () => {
    const answers = await walked({ modelled: 0, measured: 1, temperature: 267 }, 1)
    const totals = answers.map(({ daily }) => daily[0].snow_total)
    expectNoFall(totals, 0.5)
    for (const [i, total] of totals.entries()) {
      const fallenHours = (2 + 10 * i) / 60
      // Snow depth is 12.3 mm for 1 mm of liquid at -6 °C. The nowcast adds 92 minutes; a last hour below 0.254 mm has no type.
      expect(Math.abs(total - 12.3 * (fallenHours + 92 / 60)), `${i}: ${total}`).toBeLessThan(4)
    }
  })

  test('counts snow that fell before the first stored run', async () => {
    const weather = { modelled: 1, measured: 1, temperature: 267, ratio: 12 }
    const now = MOUNTAIN.at(DAY, 15) + 20 * MINUTE
    const suppliers = radarOf(() => 1, 'snow')
    const current = steadyCurrent(now, weather, false)
    const service = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7, cacheBytes: 1 })
    const answer: AnyJson = parsed(await service.answer(request(LAT, LON), now))
    const [day] = answer.daily
    const partial = answer.meta.warnings.find(({ code }: AnyJson) => code === 'partial_day')?.fields ?? []
    expect(partial).not.toContain('snow_total')
    expect(Math.abs(day.snow_total / (12 * 24) - 1)).toBeLessThan(0.03)
    expect(violationsOf(answer)).toEqual([])
  })

  test('counts snow of a few past hours between dry hours that no run has', async () => {
    const local = (hour: number) => MOUNTAIN.at(DAY, hour)
    const measured = (end: Instant) => (end > local(8) && end <= local(10) ? 3 : 0)
    const now = local(15) + 50 * MINUTE
    const weather = { modelled: 0, measured, temperature: 263 }
    const suppliers = radarOf(() => 0, 'snow')
    const current = steadyCurrent(now, weather, false)
    const service = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7, cacheBytes: 1 })
    const answer: AnyJson = parsed(await service.answer(request(LAT, LON), now))
    expect(answer.daily[0].precip_total).toBeCloseTo(6, 1)
    // Snow depth is 15.1 mm for 1 mm of liquid at -10 °C.
    expect(Math.abs(answer.daily[0].snow_total - 6 * 15.1)).toBeLessThan(1)
    expect(violationsOf(answer)).toEqual([])
  })

  test('each hour is complete in the row that ends with it, and the half has the hours that have not ended', async () => {
    const [answer] = (await walked({ modelled: 0, measured: 2, temperature: 283 }, 2)).slice(20, 21)
    const [running, next] = answer.hourly
    expect(running.precip_amount).toBeCloseTo(2, 2)
    // The nowcast reaches minute 54 of this hour; the model is dry.
    expect(next.precip_amount).toBeCloseTo(1.8, 2)
    const hours = answer.hourly.reduce((sum: number, row: AnyJson) => sum + row.precip_amount, 0)
    expect(answer.daily[0].day.precip_total).toBeCloseTo(hours, 1)
  })
})
