import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skillRoute } from '../../api/routes/skill.ts'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { reportsInHour } from '../../infra/simulator/feeds/metar.ts'
import { decodeMetar } from '../../ingest/decode/station/metar.ts'
import { hourlyPrecipitation } from '../../ingest/decode/station/metar-precipitation.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { DAY, HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { figuresOf, type SlotFigures } from '../../ingest/domain/verification/figures.ts'
import {
  DAY_LEAD_HOURS,
  type ForecastRequest,
  HOUR_ELEMENTS,
  LEAD_HOURS,
  READ_SOURCES,
  type ServedForecasts,
} from '../../ingest/domain/verification/forecast.ts'
import { slotOf, type VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'
import { flightCategory, type MetarReport, type Observation } from '../../ingest/domain/weather/observation.ts'
import { type Station, stations } from '../../ingest/geo/site.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { issueForecasts } from '../../ingest/steps/verification/issue.ts'
import { packDays, scoreDays } from '../../ingest/steps/verification/score-day.ts'
import { putObservations, putStations } from '../../sql/queries/observations.ts'
import { verifiedStations } from '../../sql/queries/verification.ts'
import { type AreaKind, stationSums, sumsByDay } from '../../sql/queries/verification-sums.ts'

// A week of simulated reports and of forecasts with known errors. The scores must detect these errors, and no others.

const START = Date.UTC(2026, 2, 2)
const DAYS = 7
const EVERY = 6 * HOUR
const BIAS = 2
/** Mean of the noise of the reports (at most 0.2 °C each) over 160 pairs, °C: three standard errors. */
const NOISE = 0.035
const LAG = 3 * HOUR
/** A source that always forecasts this probability. */
const ALWAYS = 75

const folder = mkdtempSync(join(tmpdir(), 'hexcast-verification-'))
let database: Database
let objects: Objects
/** Hours that are reported as wet, by station and time: `KDEN 1772409600000`. */
const wet = new Map<string, boolean>()
/** Reports by the hour that they describe. */
const came = new Map<string, MetarReport>()
const chosen = new Map<string, Station>(
  ['KDEN', 'KBOS', 'KSEA', 'KMIA', 'KORD', 'KDFW', 'PANC', 'PHNL'].map((id) => [
    id,
    stations().find((station) => station.id === id)!,
  ]),
)

beforeAll(async () => {
  database = await openDatabase({ dataDir: folder, databasePool: 3 })
  objects = await openFolder(join(folder, 'objects'))
  const reports: Observation[] = []
  for (const station of chosen.values()) {
    for (let hour = START - 25 * HOUR; hour < START + DAYS * DAY; hour += HOUR) {
      for (const { raw, at, special } of reportsInHour(station, hour)) {
        if (special) continue
        const decoded = decodeMetar(raw, at)
        if (!('report' in decoded)) continue
        wet.set(`${station.id} ${hour + HOUR}`, (hourlyPrecipitation(raw) ?? 0) > 0)
        came.set(`${station.id} ${hour + HOUR}`, decoded.report)
        reports.push({ ...decoded.report, lat: station.lat, lon: station.lon, elevation: null })
      }
    }
  }
  const unique = [...new Map(reports.map((report) => [`${report.station} ${report.observedAt}`, report])).values()]
  await putStations(
    database,
    [...chosen.values()].map(({ id, name, lat, lon }) => ({
      ...{ id, name, lat, lon, iata: null, faa: null, state: null, country: 'US', elevation_m: null, metar: true },
    })),
    1,
  )
  await putObservations(database, unique, 1)
}, 60_000)
afterAll(async () => {
  await objects.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A cover in the middle of each category, percent. */
const covers = { CLR: 0, FEW: 18, SCT: 43, BKN: 75, OVC: 100 } as const
const order = ['CLR', 'FEW', 'SCT', 'BKN', 'OVC'] as const
/** Ceiling and visibility of each flight category, m. */
const conditions = {
  LIFR: [90, 800],
  IFR: [220, 3000],
  MVFR: [600, 6500],
  VFR: [Number.POSITIVE_INFINITY, 16_000],
} as const
const WIND_BIAS = 3
const GUST_BIAS = -2
const HIGH_BIAS = 2.5
const LOW_BIAS = -0.5

/** Returns the greatest cover of a report, as an index into `order`. */
const skyOf = ({ layers }: MetarReport) =>
  layers && Math.max(0, ...layers.map(({ cover }) => order.indexOf(cover === 'VV' ? 'OVC' : (cover as 'CLR'))))

/**
 * Forecasts of wind, sky and flight category: `nbm` has those of the report; `hrrr` has too strong wind and is one sky
 * category off; `gfs` has too weak gusts and always warns of LIFR; `blend` is always clear and never warns.
 */
function windAndSky(source: (typeof READ_SOURCES)[number], report: MetarReport): number[] {
  const sky = skyOf(report)
  const shown =
    sky === undefined ? undefined : source === 'hrrr' ? (sky < 4 ? sky + 1 : 3) : source === 'blend' ? 0 : sky
  const category = source === 'gfs' ? 'LIFR' : source === 'blend' ? 'VFR' : flightCategory(report)
  const [ceiling, visibility] = category ? conditions[category] : [Number.NaN, Number.NaN]
  return [
    (report.windSpeed ?? Number.NaN) + (source === 'hrrr' ? WIND_BIAS : 0),
    (report.windGust ?? Number.NaN) + (source === 'gfs' ? GUST_BIAS : 0),
    shown === undefined ? Number.NaN : covers[nth(order, shown)],
    visibility,
    ceiling,
  ]
}

/** High or low of a station's day that began at 06:00 Central of a date, by the reports. */
function extreme(id: string, from: Instant, pick: (...values: number[]) => number): number {
  const half = [...came.values()].filter(
    ({ station, observedAt }) => station === id && observedAt >= from && observedAt <= from + 12 * HOUR,
  )
  return pick(...half.flatMap(({ temperature }) => temperature ?? []))
}

/** `blend` is too warm, `hrrr` is late, `gfs` always gives one probability, `nbm` has no error. */
async function read({ now, stations: list, morning }: ForecastRequest): Promise<ServedForecasts> {
  const width = HOUR_ELEMENTS.length
  const issued = Math.floor(now / HOUR) * HOUR
  const hours = new Float32Array(LEAD_HOURS.length * list.length * READ_SOURCES.length * width).fill(Number.NaN)
  let at = 0
  for (const lead of LEAD_HOURS) {
    for (const { id, lat, lon } of list) {
      const valid = issued + lead * HOUR
      for (const source of READ_SOURCES) {
        const w = weatherAt(lat, lon, reportTime(id, valid - (source === 'hrrr' ? LAG : 0)))
        const report = came.get(`${id} ${valid}`)
        hours.set(
          [
            w.temperature - 273.15 + (source === 'blend' ? BIAS : 0),
            w.dewPoint - 273.15,
            ...(report ? windAndSky(source, report) : Array<number>(5).fill(Number.NaN)),
            source === 'gfs' ? ALWAYS : wet.get(`${id} ${valid}`) ? 100 : 0,
          ],
          at,
        )
        at += width
      }
    }
  }
  const days = new Float32Array(DAY_LEAD_HOURS.length * morning.length * READ_SOURCES.length * 2).fill(Number.NaN)
  for (const [l, lead] of DAY_LEAD_HOURS.entries())
    for (const [m, s] of morning.entries()) {
      // A lead of 24 hours is the row that begins 24 hours after 06:00 of the date of issue.
      const start = issued + lead * HOUR
      const index = (READ_SOURCES.length * (l * morning.length + m) + READ_SOURCES.indexOf('gfs')) * 2
      days[index] = extreme(nth(list, s).id, start, Math.max) + HIGH_BIAS
      days[index + 1] = extreme(nth(list, s).id, start + 12 * HOUR, Math.min) + LOW_BIAS
    }
  const analysis = new Float32Array(list.length * width).fill(Number.NaN)
  const analysed = new Float64Array(list.length).fill(issued - HOUR)
  for (const [s, { id, lat, lon }] of list.entries())
    analysis[s * width] = weatherAt(lat, lon, reportTime(id, issued - HOUR)).temperature - 273.15
  return { hours, days, analysis, analysed }
}

/** The minute at which a station reports for an hour. */
function reportTime(id: string, hour: Instant): Instant {
  const [report] = reportsInHour(chosen.get(id)!, hour - HOUR).filter(({ special }) => !special)
  return report?.at ?? hour - 8 * MINUTE
}

async function figures(variable: VerifiedVariable, kind: AreaKind = 'all', area = 'US'): Promise<SlotFigures[]> {
  const rows = await sumsByDay(database, { kind, areas: [area], variable, from: '2026-01-01', to: '2026-12-31' })
  return figuresOf(
    variable,
    rows.map(({ sums }) => sums),
  )
}
const figureOf = (list: readonly SlotFigures[], source: string, lead: number) =>
  list.find((row) => row.source === source && row.leadHours === lead)!

test('detects the injected errors of forecasts, and none in correct forecasts', async () => {
  const deps = { database, objects }
  const scored: string[] = []
  for (let now = START + 5 * MINUTE; now < START + DAYS * DAY; now += EVERY) {
    await issueForecasts(deps, read, now)
    expect(await issueForecasts(deps, read, now + 10 * MINUTE)).toBeUndefined()
    for (const { day } of await scoreDays(deps, now)) scored.push(day)
  }
  expect(scored).toHaveLength(DAYS - 1)
  expect(new Set(scored).size).toBe(DAYS - 1)

  const temperature = await figures('temperature')
  const biased = figureOf(temperature, 'blend', 24)
  const exact = figureOf(temperature, 'nbm', 24)
  for (const lead of [1, 24]) {
    const { bias } = figureOf(temperature, 'blend', lead).scores!
    expect(bias!.low!).toBeLessThanOrEqual(BIAS + NOISE)
    expect(bias!.high!).toBeGreaterThanOrEqual(BIAS - NOISE)
    const none = figureOf(temperature, 'nbm', lead).scores!.bias!
    expect(none.low!).toBeLessThanOrEqual(NOISE)
    expect(none.high!).toBeGreaterThanOrEqual(-NOISE)
  }
  expect(biased.n).toBe(exact.n)
  expect(biased.n).toBeGreaterThan(120)
  expect(biased.days).toBe(DAYS - 2)
  expect(exact.scores!.mae!.value).toBeLessThan(0.25)
  expect(figureOf(temperature, 'rtma', 0).scores!.mae!.value).toBeLessThan(0.25)
  expect(figureOf(temperature, 'blend', 168).scores).toBeNull()

  // The error of a late forecast is the change of the temperature within its lag.
  let sum = 0
  let n = 0
  for (const { id, lat, lon } of chosen.values()) {
    for (let hour = START + DAY; hour < START + (DAYS - 1) * DAY; hour += EVERY) {
      const [late, now] = [reportTime(id, hour - LAG), reportTime(id, hour)].map(
        (at) => weatherAt(lat, lon, at).temperature,
      )
      sum += Math.abs(late! - now!)
      n++
    }
  }
  const lagged = figureOf(temperature, 'hrrr', 24).scores!.mae!
  expect(lagged.low!).toBeLessThan(sum / n)
  expect(lagged.high!).toBeGreaterThan(sum / n)
  expect(lagged.low!).toBeGreaterThan(2 * exact.scores!.mae!.value)

  const probability = await figures('precip_probability')
  const right = figureOf(probability, 'nbm', 24)
  expect(right.scores).toMatchObject({ brier: { value: 0 }, skill: { value: 1 } })
  const unreliable = figureOf(probability, 'gfs', 24)
  const shares = [...wet].filter(([name]) => within(name)).map(([, is]) => Number(is))
  const frequency = shares.reduce((a, b) => a + b, 0) / shares.length
  expect(unreliable.reliability![7]).toMatchObject({ from: 70, to: 80, n: unreliable.n, forecast: ALWAYS })
  expect(Math.abs(nth(unreliable.reliability!, 7).observed! / 100 - frequency)).toBeLessThan(0.02)
  expect(unreliable.reliability![3]).toMatchObject({ n: 0, forecast: null, observed: null })
  expect(unreliable.scores!.bias!.low!).toBeLessThan(ALWAYS / 100 - frequency + 0.02)
  expect(unreliable.scores!.bias!.low!).toBeGreaterThan(0.3)
  expect(unreliable.scores!.skill!.high!).toBeLessThan(0)
}, 60_000)

test('detects the injected errors of wind, sky, flight category, highs and lows', async () => {
  const score = async (variable: VerifiedVariable, source: string) =>
    figureOf(await figures(variable), source, 24).scores!
  const reports = [...came].filter(([name]) => within(name)).map(([, report]) => report)

  expect(entryOf(await score('wind_speed', 'hrrr'), 'bias').value).toBeCloseTo(WIND_BIAS, 1)
  expect(entryOf(await score('wind_speed', 'hrrr'), 'mae').value).toBeCloseTo(WIND_BIAS, 1)
  expect(Math.abs(entryOf(await score('wind_speed', 'nbm'), 'bias').value)).toBeLessThan(0.05)
  const gusts = figureOf(await figures('wind_gust'), 'gfs', 24)
  expect(gusts.n).toBe(reports.filter(({ windGust }) => windGust !== null).length)
  expect(entryOf(gusts.scores!, 'bias').value).toBeCloseTo(GUST_BIAS, 1)

  expect(await score('sky', 'nbm')).toMatchObject({ same: { value: 1 }, near: { value: 1 }, bias: { value: 0 } })
  expect(await score('sky', 'hrrr')).toMatchObject({ same: { value: 0 }, near: { value: 1 } })
  const skies = reports.map(skyOf).filter((sky) => sky !== undefined)
  const always = await score('sky', 'blend')
  expect(entryOf(always, 'bias').value).toBeCloseTo(-skies.reduce((a, b) => a + b, 0) / skies.length, 5)
  expect(entryOf(always, 'same').value).toBeCloseTo(skies.filter((sky) => sky === 0).length / skies.length, 5)

  const categories = reports.map((report) => flightCategory(report)).filter((category) => category !== null)
  const low = categories.filter((category) => category !== 'VFR').length
  expect(low).toBeGreaterThan(3)
  expect(await score('flight_category', 'nbm')).toMatchObject({
    mvfr_pod: { value: 1 },
    mvfr_far: { value: 0 },
    mvfr_csi: { value: 1 },
  })
  // A source that always warns misses nothing, and its false alarms are all hours without the event.
  const warning = await score('flight_category', 'gfs')
  expect(entryOf(warning, 'mvfr_pod').value).toBe(1)
  expect(entryOf(warning, 'mvfr_far').value).toBeCloseTo(1 - low / categories.length, 5)
  expect(entryOf(warning, 'mvfr_csi').value).toBeCloseTo(low / categories.length, 5)
  const never = await score('flight_category', 'blend')
  expect(never).toMatchObject({ mvfr_pod: { value: 0 }, mvfr_csi: { value: 0 } })
  // The source never warned, so the ratio is not defined.
  expect(never['mvfr_far']).toBeUndefined()

  // Only two stations have 06:00 at an hour of issue, too few pairs for a score, so the test reads their sums.
  for (const [variable, bias, inside] of [
    ['high', HIGH_BIAS, 0],
    ['low', LOW_BIAS, 1],
  ] as const) {
    const rows = await sumsByDay(database, {
      ...{ kind: 'all', areas: ['US'], variable, from: '2026-01-01', to: '2026-12-31' },
    })
    const at = 5 * slotOf('day', { source: 'gfs', leadHours: 24 })!
    const [n, error, absolute, squared, within] = [0, 1, 2, 3, 4].map((i) =>
      rows.reduce((total, { sums }) => total + nth(sums, at + i), 0),
    ) as [number, number, number, number, number]
    expect(n).toBe(2 * (DAYS - 3))
    expect(error / n).toBeCloseTo(bias, 1)
    expect(absolute / n).toBeCloseTo(Math.abs(bias), 1)
    expect(squared / n).toBeCloseTo(bias ** 2, 0)
    expect(within).toBe(inside * n)
    expect(figureOf(await figures(variable), 'gfs', 24).scores).toBeNull()
  }
})

function within(name: string): boolean {
  const hour = Number(name.split(' ')[1])
  return hour >= START + DAY && hour < START + (DAYS - 1) * DAY && (hour - START) % EVERY === 0
}

test('gives scores in the requested units, and refuses unbounded requests', async () => {
  const route = skillRoute({ database, values: { current: { simulated: () => true } } })
  const ask = async (query: Record<string, string>) => {
    const { body } = await route.handle!({ query, now: START + DAYS * DAY } as never)
    return body as {
      unit: string
      figures: { pairs: number; scores: Record<string, { estimate: number }> }[]
      figures_left_out: number
      why_empty: string | null
    }
  }
  const metric = await ask({ source: 'blend', lead: '24', units: 'metric' })
  const imperial = await ask({ source: 'blend', lead: '24' })
  expect([metric.unit, imperial.unit]).toEqual(['C', 'F'])
  expect(metric.figures).toHaveLength(1)
  expect(entryOf(nth(imperial.figures, 0).scores, 'bias').estimate).toBeCloseTo(
    1.8 * entryOf(nth(metric.figures, 0).scores, 'bias').estimate,
    2,
  )
  const box = await ask({ source: 'blend', lead: '24', bbox: '-105,39,-104,40' })
  const denver = await ask({ source: 'blend', lead: '24', station: 'kden' })
  expect(box.figures).toEqual(denver.figures)
  const few = await ask({ source: 'blend', lead: '24', days: '2', station: 'KDEN' })
  expect(few.figures).toEqual([])
  expect(few.figures_left_out).toBe(1)
  expect(few.why_empty).toMatch(
    /^There are at most [1-9]\d? pairs of a forecast and a report in KDEN; scores need 30\./,
  )
  for (const query of [
    { days: '401' },
    { lead: '5' },
    { variable: 'mood' },
    { state: 'CO', office: 'BOU' },
    { bbox: '1,2' },
  ] as Record<string, string>[])
    await expect(ask(query)).rejects.toThrow()
  await expect(ask({ station: 'XXXX' })).rejects.toMatchObject({ slug: 'not-found' })
})

test('adds sums over areas and removes every object of a day', async () => {
  const all = figureOf(await figures('temperature'), 'nbm', 24)
  const each = await Promise.all(
    (await verifiedStations(database, '0001-01-01')).map(
      async ({ id }) => figureOf(await figures('temperature', 'station', id), 'nbm', 24).n,
    ),
  )
  expect(each).toHaveLength(chosen.size)
  expect(each.reduce((a, b) => a + b, 0)).toBe(all.n)
  const denver = figureOf(await figures('temperature', 'office', 'BOU'), 'nbm', 24)
  expect(denver.n).toBe(figureOf(await figures('temperature', 'station', 'KDEN'), 'nbm', 24).n)
  const remaining: string[] = []
  for await (const { key } of objects.list('verification/v1/issued/')) remaining.push(nth(key.split('/'), 3))
  // The analysis before the first hour is of a day that is not compared.
  expect(remaining.filter((name) => name > '2026-03-02' && name < '2026-03-08')).toEqual([])
  expect(remaining.length).toBeGreaterThan(0)
})

test('packs rows of earlier versions without changing their sums', async () => {
  const period = { from: '2026-01-01', to: '2026-12-31' }
  const temperature = { variable: 'temperature', ...period } as const
  const [before, days] = [await stationSums(database, temperature, 3), await figures('temperature')]
  expect(before).toHaveLength(chosen.size)
  for (const id of [...chosen.keys(), 'US']) {
    const kind = id === 'US' ? 'all' : 'station'
    for (const { day, sums } of await sumsByDay(database, { ...temperature, kind, areas: [id] }))
      await database.query(
        `insert into verification (area, kind, variable, day, layout, sums) values ($1, $2, 'temperature', $3, 1, $4)`,
        [id, kind, day, [...sums]],
      )
  }
  await database.query('delete from verification_part')
  expect((await figures('temperature')).every(({ n }) => n === 0)).toBe(true)
  expect(await packDays({ database })).toBe(DAYS - 1)
  expect(await packDays({ database })).toBe(0)
  expect(await stationSums(database, temperature, 3)).toEqual(before)
  expect(await figures('temperature')).toEqual(days)
  expect(await database.query('select from verification')).toEqual([])
})
