import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skillRoute } from '../../api/routes/skill.ts'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { reportsInHour } from '../../infra/simulator/feeds/metar.ts'
import { decodeMetar } from '../../ingest/decode/metar.ts'
import { hourlyPrecipitation } from '../../ingest/decode/metar-precipitation.ts'
import type { Observation } from '../../ingest/domain/observation.ts'
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
import type { VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'
import { type Station, stations } from '../../ingest/geo/site.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openDatabase } from '../../ingest/ports/database-open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openFolder } from '../../ingest/ports/objects-folder.ts'
import { issueForecasts } from '../../ingest/steps/verification/issue.ts'
import { scoreDays } from '../../ingest/steps/verification/score-day.ts'
import { putObservations, putStations } from '../../sql/queries/observations.ts'
import { type AreaKind, sumsByDay, verifiedStations } from '../../sql/queries/verification.ts'

// A week of simulated reports and of forecasts with known errors: the scores find these errors, and none where none are.

const START = Date.UTC(2026, 2, 2)
const DAYS = 7
const EVERY = 6 * HOUR
const BIAS = 2
/** Mean of the noise of the reports (at most 0.2 °C each) over 160 pairs, °C: three standard errors. */
const NOISE = 0.035
const LAG = 3 * HOUR
/** A source that always gives this probability. */
const ALWAYS = 75

const folder = mkdtempSync(join(tmpdir(), 'hexcast-verification-'))
let database: Database
let objects: Objects
/** Wet at the top of these hours, as reported: `KDEN 1772409600000`. */
const wet = new Map<string, boolean>()
const chosen = new Map<string, Station>(
  ['KDEN', 'KBOS', 'KSEA', 'KMIA', 'KORD', 'KDFW', 'PANC', 'PHNL'].map((id) => [
    id,
    stations().find((one) => one.id === id)!,
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
        reports.push({ ...decoded.report, lat: station.lat, lon: station.lon, elevation: null })
      }
    }
  }
  const unique = [...new Map(reports.map((one) => [`${one.station} ${one.observedAt}`, one])).values()]
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
        hours.set(
          [
            w.temperature - 273.15 + (source === 'blend' ? BIAS : 0),
            w.dewPoint - 273.15,
            w.windSpeed,
            w.windGust,
            w.cloudCover,
            w.visibility,
            Number.isNaN(w.ceiling) ? Number.POSITIVE_INFINITY : w.ceiling,
            source === 'gfs' ? ALWAYS : wet.get(`${id} ${valid}`) ? 100 : 0,
          ],
          at,
        )
        at += width
      }
    }
  }
  const days = new Float32Array(DAY_LEAD_HOURS.length * morning.length * READ_SOURCES.length * 2).fill(20)
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
const of = (list: readonly SlotFigures[], source: string, lead: number) =>
  list.find((one) => one.source === source && one.leadHours === lead)!

test('scores find the errors that forecasts were given, and none where they have none', async () => {
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
  const biased = of(temperature, 'blend', 24)
  const exact = of(temperature, 'nbm', 24)
  for (const lead of [1, 24]) {
    const { bias } = of(temperature, 'blend', lead).scores!
    expect(bias!.low!).toBeLessThanOrEqual(BIAS + NOISE)
    expect(bias!.high!).toBeGreaterThanOrEqual(BIAS - NOISE)
    const none = of(temperature, 'nbm', lead).scores!.bias!
    expect(none.low!).toBeLessThanOrEqual(NOISE)
    expect(none.high!).toBeGreaterThanOrEqual(-NOISE)
  }
  expect(biased.n).toBe(exact.n)
  expect(biased.n).toBeGreaterThan(120)
  expect(biased.days).toBe(DAYS - 2)
  expect(exact.scores!.mae!.value).toBeLessThan(0.25)
  expect(of(temperature, 'rtma', 0).scores!.mae!.value).toBeLessThan(0.25)
  expect(of(temperature, 'blend', 168).scores).toBeNull()

  // The error of a late forecast is what the temperature changed by within the lag.
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
  const lagged = of(temperature, 'hrrr', 24).scores!.mae!
  expect(lagged.low!).toBeLessThan(sum / n)
  expect(lagged.high!).toBeGreaterThan(sum / n)
  expect(lagged.low!).toBeGreaterThan(2 * exact.scores!.mae!.value)

  const probability = await figures('precip_probability')
  const right = of(probability, 'nbm', 24)
  expect(right.scores).toMatchObject({ brier: { value: 0 }, skill: { value: 1 } })
  const unreliable = of(probability, 'gfs', 24)
  const shares = [...wet].filter(([name]) => within(name)).map(([, is]) => Number(is))
  const frequency = shares.reduce((a, b) => a + b, 0) / shares.length
  expect(unreliable.reliability![7]).toMatchObject({ from: 70, to: 80, n: unreliable.n, forecast: ALWAYS })
  expect(Math.abs(unreliable.reliability![7]!.observed! / 100 - frequency)).toBeLessThan(0.02)
  expect(unreliable.reliability![3]).toMatchObject({ n: 0, forecast: null, observed: null })
  expect(unreliable.scores!.bias!.low!).toBeLessThan(ALWAYS / 100 - frequency + 0.02)
  expect(unreliable.scores!.bias!.low!).toBeGreaterThan(0.3)
  expect(unreliable.scores!.skill!.high!).toBeLessThan(0)
}, 60_000)

function within(name: string): boolean {
  const hour = Number(name.split(' ')[1])
  return hour >= START + DAY && hour < START + (DAYS - 1) * DAY && (hour - START) % EVERY === 0
}

test('the interface gives them in the units that were asked for, and refuses what is not bounded', async () => {
  const route = skillRoute({ database, values: { current: { simulated: () => true } } })
  const ask = async (query: Record<string, string>) => {
    const { body } = await route.handle!({ query, now: START + DAYS * DAY } as never)
    return body as { unit: string; figures: { pairs: number; scores: Record<string, { estimate: number }> }[] }
  }
  const metric = await ask({ source: 'blend', lead: '24', units: 'metric' })
  const imperial = await ask({ source: 'blend', lead: '24' })
  expect([metric.unit, imperial.unit]).toEqual(['C', 'F'])
  expect(metric.figures).toHaveLength(1)
  expect(imperial.figures[0]!.scores['bias']!.estimate).toBeCloseTo(
    1.8 * metric.figures[0]!.scores['bias']!.estimate,
    2,
  )
  const box = await ask({ source: 'blend', lead: '24', bbox: '-105,39,-104,40' })
  const denver = await ask({ source: 'blend', lead: '24', station: 'kden' })
  expect(box.figures).toEqual(denver.figures)
  const few = (await ask({ source: 'blend', lead: '24', days: '2', station: 'KDEN' })).figures[0]!
  expect(few.pairs).toBeGreaterThan(0)
  expect(few.scores).toBeNull()
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

test('sums add up over areas, and every object of a day is removed', async () => {
  const all = of(await figures('temperature'), 'nbm', 24)
  const each = await Promise.all(
    (await verifiedStations(database, '0001-01-01')).map(
      async ({ id }) => of(await figures('temperature', 'station', id), 'nbm', 24).n,
    ),
  )
  expect(each).toHaveLength(chosen.size)
  expect(each.reduce((a, b) => a + b, 0)).toBe(all.n)
  const denver = of(await figures('temperature', 'office', 'BOU'), 'nbm', 24)
  expect(denver.n).toBe(of(await figures('temperature', 'station', 'KDEN'), 'nbm', 24).n)
  const left: string[] = []
  for await (const { key } of objects.list('verification/v1/issued/')) left.push(key.split('/')[3]!)
  // The analysis before the first hour is of a day that is not compared.
  expect(left.filter((name) => name > '2026-03-02' && name < '2026-03-08')).toEqual([])
  expect(left.length).toBeGreaterThan(0)
})
