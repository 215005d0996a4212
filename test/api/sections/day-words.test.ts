import { expect, test } from 'vitest'
import { Blender } from '../../../api/blend/blend.ts'
import { rowOf } from '../../../api/sections/day-row.ts'
import type { SectionContext } from '../../../api/sections/section.ts'
import { timingOf } from '../../../api/sections/timing.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { ICE_PELLETS, RAIN, SNOW, WINTRY_MIX } from '../../../ingest/domain/weather/precip-type.ts'
import type { PointSeries } from '../../../ingest/tile/read.ts'

/** The day and the night of 22 November at 40 N, 100 W: hours 0 to 11 and 12 to 23, named by their ends from 13:00Z on. */
const START = Date.parse('2026-11-22T12:00:00Z')
const HOURS = 25
const local = zone('Etc/GMT+6')
const sky = skyAt(40, -100)

type Hours = Readonly<Record<string, number | ((h: number) => number)>>

/** A forecast of NBM. @param values of an hour, by the number of full hours after 12:00Z */
function forecastOf(values: Hours) {
  const times = Float64Array.from({ length: HOURS }, (_, h) => START + h * HOUR)
  const nbm: PointSeries = {
    dataset: 'nbm',
    domain: 'conus',
    run: START - HOUR,
    variables: new Map(
      Object.entries(values).map(([name, value]) => [
        name,
        {
          times,
          values: Float32Array.from({ length: HOURS }, (_, h) => (typeof value === 'number' ? value : value(h))),
          quantum: 0,
        },
      ]),
    ),
  }
  const sources = new Map([['nbm', [nbm]]])
  return new Blender().blend({ start: START, count: HOURS, now: START - 6 * HOUR, sources, sky, uncertainty: false })
}

function rowOfDay(values: Hours) {
  const context = { now: START - 6 * HOUR, zone: local, sky } as unknown as SectionContext
  const day = Math.floor(START / (24 * HOUR))
  const window = { day, relative: 0, start: START, nightfall: START + 12 * HOUR, end: START + 24 * HOUR }
  return rowOf(context, forecastOf(values), new Uint8Array(HOURS), window, undefined)
}

const rainThenSnow = (changes: number) => ({
  temperature: 274.5,
  dew_point: 273.5,
  cloud_cover: 100,
  precip_probability: 90,
  precip_amount: 1,
  snow_amount: (h: number) => (h > changes ? 8 : 0),
  precip_type_rain_prob: (h: number) => (h > changes ? 0 : 100),
  precip_type_snow_prob: (h: number) => (h > changes ? 100 : 0),
  precip_type_freezing_rain_prob: 0,
  precip_type_ice_pellets_prob: 0,
})

test('names certain rain of the day, not a flurry of the night', () => {
  const row = rowOfDay({
    ...rainThenSnow(12),
    precip_probability: (h) => (h > 12 ? 17 : 100),
    precip_amount: (h) => (h > 12 ? 0.05 : 2),
    snow_amount: (h) => (h > 12 ? 0.3 : 0),
  })
  expect(row.shownNight.words?.conditions).toMatch(/Snow/)
  expect(row.words?.conditions).toMatch(/^(Light )?Rain$/)
})

test('names snow of the night that weighs as much as the rain of the day, with an icon of the day', () => {
  const row = rowOfDay({ ...rainThenSnow(12), cloud_cover: 60 })
  expect(row.words?.conditions).toMatch(/Snow Showers at Night$/)
  expect(row.words?.icon).toBe('snow-showers-day')
})

test('names an inch of snow of a night whatever rain falls by day', () => {
  const row = rowOfDay({
    ...rainThenSnow(12),
    precip_amount: (h) => (h > 12 ? 0.3 : 3),
    snow_amount: (h) => (h > 12 ? 2.4 : 0),
  })
  expect(row.wholeDay.snowTotal).toBeGreaterThan(25.4)
  expect(row.words?.conditions).toMatch(/Snow at Night$/)
})

test('has no more thunder than precipitation, and means of dew point and humidity', () => {
  const row = rowOfDay({
    temperature: (h) => 290 + h / 4,
    dew_point: 285,
    precip_probability: 20,
    precip_amount: 0.3,
    thunderstorm_probability_12h: 60,
    thunderstorm_probability: 60,
  })
  expect(row.wholeDay.thunder).toBeLessThanOrEqual(29)
  expect(row.shownDay.half.dewPoint).toBeCloseTo(285, 4)
})

test('gives what has fallen as 0 in a row to come', () => {
  expect(rowOfDay(rainThenSnow(12)).wholeDay.precipFallen).toBe(0)
})

const nightOf = (values: Hours, type: number) =>
  timingOf(forecastOf(values), START + 12 * HOUR, START + 24 * HOUR, local, type)

test('says when rain changes to snow', () => {
  expect(nightOf(rainThenSnow(18), WINTRY_MIX)).toEqual({
    stretches: [],
    change: { first: RAIN, later: [{ type: SNOW, after: 0 }] },
  })
  expect(nightOf(rainThenSnow(12), SNOW)).toBeUndefined()
})

test('says when rain changes to the little snow that a half names', () => {
  const amounts = { precip_amount: (h: number) => (h > 18 ? 0.4 : 2), snow_amount: (h: number) => (h > 18 ? 4 : 0) }
  const values = { ...rainThenSnow(18), ...amounts }
  const change = { first: RAIN, later: [{ type: SNOW, after: 0 }] }
  expect(nightOf(values, WINTRY_MIX)?.change).toEqual(change)
  expect(nightOf(values, RAIN)?.change).toBeUndefined()
})

test('says the order of three types, and nothing if they alternate', () => {
  const three = (typeAt: (h: number) => number) => ({
    ...rainThenSnow(0),
    precip_amount: 2,
    snow_amount: (h: number) => (typeAt(h) === SNOW ? 8 : 0),
    precip_type_rain_prob: (h: number) => (typeAt(h) === RAIN ? 100 : 0),
    precip_type_ice_pellets_prob: (h: number) => (typeAt(h) === ICE_PELLETS ? 100 : 0),
    precip_type_snow_prob: (h: number) => (typeAt(h) === SNOW ? 100 : 0),
  })
  const inOrder = three((h) => (h <= 16 ? RAIN : h <= 20 ? ICE_PELLETS : SNOW))
  expect(nightOf(inOrder, ICE_PELLETS)).toEqual({
    stretches: [],
    change: {
      first: RAIN,
      later: [
        { type: ICE_PELLETS, after: 22 },
        { type: SNOW, after: 2 },
      ],
    },
  })
  const alternating = three((h) => [RAIN, ICE_PELLETS, SNOW][h % 3] ?? RAIN)
  expect(nightOf(alternating, ICE_PELLETS)?.change).toBeUndefined()
})

test('names two stretches, and closes the shortest gap between more', () => {
  const chances = (wet: (h: number) => boolean) => ({
    ...rainThenSnow(30),
    precip_probability: (h: number) => (wet(h) ? 80 : 10),
  })
  expect(
    nightOf(
      chances((h) => h > 15 && h <= 18),
      RAIN,
    ),
  ).toEqual({ stretches: [{ after: 21, before: 0 }] })
  expect(
    nightOf(
      chances((h) => h <= 14 || h > 22),
      RAIN,
    ),
  ).toEqual({ stretches: [{ before: 20 }, { after: 4 }] })
  expect(
    nightOf(
      chances((h) => [13, 15, 16, 22].includes(h)),
      RAIN,
    ),
  ).toEqual({
    stretches: [{ before: 22 }, { after: 3, before: 4 }],
  })
})

test('names the hours of the type of the half', () => {
  const values = { ...rainThenSnow(13), precip_probability: (h: number) => (h <= 13 ? 80 : h > 20 ? 70 : 0) }
  expect(nightOf({ ...values, precip_amount: (h) => (h > 20 ? 3 : 0.1) }, SNOW)).toEqual({ stretches: [{ after: 2 }] })
})

test('names the hours of the type of the half where the chance of another type varies more', () => {
  const values = { ...rainThenSnow(14), precip_probability: (h: number) => (h > 16 ? 0 : h > 14 ? 60 : 35) }
  const amounts = { precip_amount: (h: number) => (h > 14 ? 0.3 : 6), snow_amount: (h: number) => (h > 14 ? 3 : 0) }
  expect(nightOf({ ...values, ...amounts }, RAIN)).toEqual({ stretches: [{ before: 20 }] })
})

test('names no hour that has passed where the clock goes back', () => {
  const chicago = zone('America/Chicago')
  const night = Date.parse('2026-11-01T05:00:00Z')
  const times = Float64Array.from({ length: 9 }, (_, h) => night + h * HOUR)
  const chances = { precip_probability: [0, 80, 80, 0, 0, 0, 0, 0, 0], precip_amount: [0, 1, 1, 0, 0, 0, 0, 0, 0] }
  const constant = { temperature: 280, dew_point: 279, cloud_cover: 90, precip_type_rain_prob: 100 }
  const variables = new Map(
    [...Object.entries(chances), ...Object.entries(constant)].map(([name, value]) => [
      name,
      {
        times,
        values: Float32Array.from(times, (_, h) => (typeof value === 'number' ? value : (value[h] ?? 0))),
        quantum: 0,
      },
    ]),
  )
  const nbm: PointSeries = { dataset: 'nbm', domain: 'conus', run: night - HOUR, variables }
  const about = { start: night, count: 9, now: night, sources: new Map([['nbm', [nbm]]]), sky, uncertainty: false }
  const timing = timingOf(new Blender().blend(about), night, night + 7 * HOUR, chicago, RAIN)
  // The second hour ends at 1 AM of standard time, which follows 1 AM of summer time.
  expect(timing).toEqual({ stretches: [{ before: 2 }] })
})

test.each([
  [30, /^Heavy Snow$/],
  [15, /^Snow$/],
  [6, /^Light Snow$/],
  [Number.NaN, /^Heavy Snow$/],
])('names snow of 3 mm of water and %d mm of depth by the lesser of both', (depth, words) => {
  const row = rowOfDay({
    ...rainThenSnow(-1),
    temperature: 271,
    dew_point: 270,
    precip_amount: 3,
    snow_amount: depth,
  })
  expect(row.shownDay.words?.conditions).toMatch(words)
})
