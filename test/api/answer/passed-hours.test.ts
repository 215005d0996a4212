import { describe, expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type { ServedRun } from '../../../api/contract.ts'
import type { Current } from '../../../api/live/served-runs.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { fallenInHour, weatherAt } from '../../../infra/simulator/atmosphere.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { cellOf, centreOf } from '../../../ingest/domain/cell.ts'
import { PAST_HOURS } from '../../../ingest/domain/dataset/past-hours.ts'
import { Fault } from '../../../ingest/domain/fault.ts'
import { entryOf } from '../../../ingest/domain/nth.ts'
import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { PointSeries, Series } from '../../../ingest/tile/read.ts'
import { analyticCurrent, type RunTimes, runsAt } from '../analytic-runs.ts'
import { parsed } from './parsed.ts'

/** Models that are 5 K too warm, dry and calm; the analyses are right: what an answer has of the passed hours can only be theirs. */

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
type Json = any

const places: readonly [lat: number, lon: number, timezone: string][] = [
  [41.25, -96, 'America/Chicago'],
  [47.6, -122.3, 'America/Los_Angeles'],
  [61.2, -149.9, 'America/Anchorage'],
  [21.31, -157.86, 'Pacific/Honolulu'],
]
/** Local time on 4 May 2026, and what has passed of the row's day then. */
const clocks: readonly [string, number, number][] = [
  ['06:20', 6, 20],
  ['07:50', 7, 50],
  ['12:10', 12, 10],
  ['17:50', 17, 50],
  ['18:50', 18, 50],
  ['23:50', 23, 50],
  ['00:12', 0, 12],
  ['05:50', 5, 50],
]

function wrong(series: PointSeries): PointSeries {
  const read = (name: string): Series | undefined => {
    const variable = series.variables.get(name)
    if (!variable) return undefined
    const change = name.startsWith('temperature')
      ? (value: number) => value + 5
      : /^(?:precip|snow|ice|wind_gust)/.test(name)
        ? () => 0
        : undefined
    return change ? { ...variable, values: variable.values.map(change) } : variable
  }
  return { ...series, variables: { get: read, keys: () => series.variables.keys() } }
}

function wrongModels(current: Current): Current {
  const changed = (served: ServedRun | undefined) => {
    if (!served?.opened || !['nbm', 'hrrr', 'hrrr-long', 'gfs'].includes(served.dataset)) return served
    const { point } = served.opened
    const opened = {
      ...served.opened,
      variables: served.opened.variables,
      point: async (cell: string) => wrong((await point(cell))!),
    }
    return { ...served, opened, open: async () => opened }
  }
  return {
    ...current,
    served: (dataset, domain) => changed(current.served(dataset, domain)),
    earlier: (dataset, domain) => current.earlier(dataset, domain).map((run) => changed(run)!),
  }
}

async function ask(lat: number, lon: number, now: Instant, runs: RunTimes = runsAt(now)): Promise<Json> {
  const earlier = [6, 12, 18, 24].map((hours) => entryOf(runs, 'nbm') - hours * HOUR)
  const current = wrongModels(analyticCurrent(now, runs, earlier))
  const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7, cacheBytes: 1 })
  const request = parseWeather({ lat: String(lat), lon: String(lon), units: 'metric', hourly_hours: '48' })
  return parsed(await weather.answer(request, now))
}

const fieldsOf = (answer: Json): string[] =>
  answer.meta.warnings.filter(({ code }: Json) => code === 'partial_day').flatMap(({ fields }: Json) => fields)

describe.each(places)('at %d, %d', (lat, lon, timezone) => {
  const [y, x] = centreOf(cellOf(lat, lon, 7))
  const place = zone(timezone)
  const day = Date.parse('2026-05-04') / 86_400_000

  test.each(clocks)('%s: combines analyzed and future hours for the whole day', async (_, hour, minute) => {
    const now = place.at(day, hour) + minute * 60_000
    const date = hour < 6 ? day - 1 : day
    const [start, nightfall, end] = [place.at(date, 6), place.at(date, 18), place.at(date + 1, 6)]
    const thisHour = Math.floor(now / HOUR) * HOUR
    const newest = entryOf(runsAt(now), PAST_HOURS)
    const answer = await ask(lat, lon, now)
    const [row] = answer.daily
    expect(fieldsOf(answer)).toEqual([])

    const analysed = (from: Instant, to: Instant) => {
      const values: { temperature: number; dewPoint: number; gust: number; liquid: number }[] = []
      for (let at = from; at < to && at <= thisHour; at += HOUR) {
        const { temperature, dewPoint, windGust, windSpeed } = weatherAt(y, x, at)
        const gust = Math.max(windGust, windSpeed) * 3.6
        // The last hour may be on its way: then it is that of the model.
        if (at > newest) continue
        const liquid = fallenInHour(y, x, at).liquid
        values.push({ temperature: temperature - 273.15, dewPoint: dewPoint - 273.15, gust, liquid })
      }
      return values
    }
    // The instant at the end of a half belongs to its extremes.
    const byDay = analysed(start, nightfall + 1).map(({ temperature }) => temperature)
    const byNight = analysed(nightfall, end + 1).map(({ temperature }) => temperature)
    if (now >= nightfall) {
      expect(row.high).toBeCloseTo(Math.max(...byDay), 1)
      expect(row.day.temperature).toBe(row.high)
      const low = hour === 5 ? Math.min(...byNight) : row.low
      expect(row.low).toBeCloseTo(low, 1)
    } else {
      const rows = answer.hourly.filter(({ time }: Json) => Date.parse(time) < nightfall)
      expect(row.high).toBeGreaterThanOrEqual(
        Math.max(...byDay, ...rows.map(({ temperature }: Json) => temperature)) - 0.1,
      )
    }
    const gusts = analysed(start, end).map(({ gust }) => gust)
    // At 06:20 no hour of the day has passed.
    expect(row.wind_gust_max).toBeGreaterThan(Math.max(0, ...gusts) - 0.15)
    const dewPoints = analysed(start, end).map(({ dewPoint }) => dewPoint)
    expect(row.dew_point_max).toBeGreaterThan(Math.max(...dewPoints) - 0.15)
    expect(row.dew_point_min).toBeLessThan(Math.min(...dewPoints) + 0.15)
    for (const { dew_point } of [row.day, row.night]) {
      expect(dew_point).toBeGreaterThanOrEqual(row.dew_point_min - 0.11)
      expect(dew_point).toBeLessThanOrEqual(row.dew_point_max + 0.11)
    }
    let fallen = 0
    for (let at = start + HOUR; at <= Math.min(thisHour, newest); at += HOUR) fallen += fallenInHour(y, x, at).liquid
    expect(Math.abs(row.precip_total - fallen)).toBeLessThan(0.12)
  })

  test('sets members for the whole day to null without analyses, with a warning that names them', async () => {
    const now = place.at(day, 20) + 10 * 60_000
    const answer = await ask(lat, lon, now, { ...runsAt(now), [PAST_HOURS]: undefined })
    const [row] = answer.daily
    const named = [
      ...['feels_like_high', 'precip_total', 'snow_total', 'ice_total', 'wind_gust_max', 'uv_index_max'],
      ...['dew_point_max', 'dew_point_min'],
    ]
    expect(fieldsOf(answer)).toEqual(expect.arrayContaining(named))
    for (const name of named) expect(row[name], name).toBeNull()
    expect(row.precip_probability).not.toBeNull()
  })
})

/** Makes each read of a dataset's runs fail, as if the store were busy. */
function unreadable(current: Current, dataset: string): Current {
  const failing = (run: ServedRun): ServedRun => {
    const point = async () => {
      throw new Fault('Refused', 'the store is busy')
    }
    const opened = run.opened && { ...run.opened, variables: run.opened.variables, point }
    return { ...run, opened, open: async () => opened! }
  }
  return {
    ...current,
    served(id, domain) {
      const run = current.served(id, domain)
      return run && id === dataset && dataset === PAST_HOURS ? failing(run) : run
    },
    earlier: (id, domain) => current.earlier(id, domain).map((run) => (id === dataset ? failing(run) : run)),
  }
}

test.each([
  ['the analyzed hours', PAST_HOURS, {}],
  ['the run before the served run', 'nbm', { product_id: 'nbm' }],
])('an answer without %s that could not be read says so and is not kept', async (_, dataset, named) => {
  const now = Date.parse('2026-05-04T23:40:00Z')
  const runs = runsAt(now)
  const earlier = [entryOf(runs, 'nbm') - 6 * HOUR]
  const query = { lat: '41.25', lon: '-96', units: 'metric' }
  const answerOf = (current: Current) =>
    createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7, cacheBytes: 1 }).answer(
      parseWeather(query),
      now,
    )
  const current = analyticCurrent(now, runs, earlier)
  const whole = await answerOf(current)
  expect(whole.cacheControl(now)).toMatch(/^max-age=/)
  expect(whole.body.toString()).not.toContain('source_failed')
  const answer = await answerOf(unreadable(current, dataset))
  expect(answer.cacheControl(now)).toBe('no-store')
  const { warnings } = (parsed(answer) as Json).meta
  expect(warnings.filter(({ code }: Json) => code === 'source_failed')).toMatchObject([
    { ...named, detail: expect.stringMatching(/could not be read/) },
  ])
})
