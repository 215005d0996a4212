import { createWeather } from '../../api/answer/weather.ts'
import type { LightningAtPoint, NowcastAtPoint, PointAt, RadarAtPoint, Suppliers } from '../../api/contract.ts'
import { parseWeather } from '../../api/query/query.ts'
import { type Json, rules, violationsOf } from '../../bin/doctor/rules.ts'
import { precipRateAt, weatherAt } from '../../infra/simulator/atmosphere.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { WET_RATE } from '../../ingest/domain/echo.ts'
import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { summarise } from '../../ingest/nowcast/summary.ts'
import { fallenType } from '../../ingest/nowcast/surface-type.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import { analyticCurrent, analyticSeries, type RunTimes, runsAt } from '../api/analytic-runs.ts'

/** Radar sees the simulator's weather displaced by this, degrees: models and radar disagree on where it rains. */
const DISPLACED = 0.6

const none = { warnings: [], freshness: [], degraded: false } as const

function rateAt(at: Pick<PointAt, 'lat' | 'lon'>, time: Instant): number {
  const rate = precipRateAt(at.lat, at.lon + DISPLACED, time)
  return rate < WET_RATE ? 0 : Math.round(rate * 10) / 10
}

function typeAt({ lat, lon }: Pick<PointAt, 'lat' | 'lon'>, time: Instant) {
  const air = weatherAt(lat, lon, time)
  return fallenType(air.temperature < 275 ? 3 : 1, { temperature: air.temperature, wetBulb: air.temperature - 1 })
}

const unseen = ({ lat, lon }: Pick<PointAt, 'lat' | 'lon'>) => Math.floor(lat * 7 + lon * 3) % 6 === 0

export const displacedSuppliers: Suppliers = {
  async radar(at): Promise<RadarAtPoint> {
    const scan = at.now - 3 * MINUTE
    const about = { validTime: scan, scanTime: scan, reflectivityProduct: 'mrms-reflectivity', ...none }
    if (unseen(at)) return { ...about, coverage: 'no_coverage' }
    const rate = rateAt(at, scan)
    if (rate === 0) return { ...about, coverage: 'dry', precipRate: 0, precipType: 'none', precip24h: 0 }
    return { ...about, coverage: 'value', precipRate: rate, precipType: typeAt(at, scan), precip24h: 12 }
  },
  async nowcast(at): Promise<NowcastAtPoint> {
    const anchor = at.now - 3 * MINUTE
    const points = Array.from({ length: 19 }, (_, step) => {
      const time = anchor + step * 5 * MINUTE
      const rate = rateAt(at, time)
      if (unseen(at)) return { time, type: 'no_coverage' as const, dbz: 0 }
      const type = rate > 0 ? typeAt(at, time) : ('none' as const)
      return { time, type, rate, dbz: rate > 0 ? 30 : 0, probability: rate > 0 ? 100 - 2 * step : 2 * step }
    })
    const steps = points.map(({ time, type, rate }) => ({ time, type, rate: rate ?? 0 }))
    return {
      anchor,
      product: 'mrms-precip-rate',
      points,
      summary: summarise(steps, 5, at.now),
      warnings: [],
      freshness: [],
    }
  },
  async lightning(at): Promise<LightningAtPoint> {
    const rate = rateAt(at, at.now)
    const flashes = rate > 6 ? 12 : rate > 2 ? 1 : 0
    const probability = rate > 6 ? 100 : rate > 2 ? 40 : 0
    return { flashes, nearestKm: rate > 6 ? 4 : 22, density: rate > 10 ? 0.2 : 0, probability, ...none }
  },
}

/** Everything fails. */
const failing: Suppliers = {
  radar: () => Promise.reject(new Fault('Missing', 'radar: no scan is stored')),
  nowcast: () => Promise.reject(new Fault('Missing', 'nowcast: no scan is stored')),
  lightning: () => Promise.reject(new Fault('Refused', 'object x: not read in time')),
}

interface Moment {
  readonly name: string
  readonly at: Instant
  readonly runs?: (runs: RunTimes) => RunTimes
  readonly earlier?: boolean
  readonly suppliers?: Suppliers
}

const without = (dataset: string) => (runs: RunTimes) => ({ ...runs, [dataset]: undefined })

/** Seasons, both changes of the clock, polar night, the first minutes after a start, and each dataset missing in turn. */
export const moments: readonly Moment[] = [
  { name: 'an autumn evening', at: Date.parse('2026-11-21T23:37:00Z') },
  { name: 'the clock goes forward', at: Date.parse('2026-03-08T11:59:00Z') },
  { name: 'the clock goes back', at: Date.parse('2026-11-01T05:30:00Z') },
  { name: 'summer storms', at: Date.parse('2026-07-04T03:00:00Z') },
  { name: 'a summer afternoon', at: Date.parse('2026-07-19T20:12:00Z') },
  { name: 'polar night', at: Date.parse('2026-12-21T12:45:00Z') },
  { name: 'the first minutes: no earlier run', at: Date.parse('2026-01-15T22:03:00Z'), earlier: false },
  { name: 'no NBM', at: Date.parse('2026-02-02T16:20:00Z'), runs: without('nbm') },
  { name: 'no HRRR', at: Date.parse('2026-04-10T09:10:00Z'), runs: without('hrrr') },
  { name: 'no GFS', at: Date.parse('2026-05-05T18:55:00Z'), runs: without('gfs') },
  {
    name: 'no analysis',
    at: Date.parse('2026-09-23T06:40:00Z'),
    runs: (runs) => without('rtma')(without('rtma-ru')(runs)),
  },
  { name: 'no radar, no lightning', at: Date.parse('2026-10-12T13:05:00Z'), suppliers: failing },
]

/** Points that never repeat, over the three domains. */
export function placeOf(i: number): { lat: string; lon: string } {
  const share = (step: number) => (i * step) % 1
  const box = i % 10 === 9 ? [58, -160, 8, 22] : i % 25 === 12 ? [19.2, -155.9, 1, 0.9] : [29, -120, 18, 42]
  const [south, west, height, width] = box as [number, number, number, number]
  return {
    lat: (south + height * share(0.7548776662)).toFixed(3),
    lon: (west + width * share(0.5698402909)).toFixed(3),
  }
}

const include = 'current,hourly,daily,alerts,outlooks,astro,narrations,nowcast,radar,uncertainty'

/** The variants of an answer. */
const forms = [
  { units: 'imperial', view: 'detailed' },
  { units: 'metric', view: 'detailed' },
  { units: 'imperial', view: 'concise' },
  { units: 'metric', view: 'concise' },
]

export interface Walked {
  answers: number
  readonly counts: Map<string, number>
  readonly examples: Map<string, string>
}

export async function walk(points: number, only: readonly Moment[] = moments): Promise<Walked> {
  const walked: Walked = { answers: 0, counts: new Map(rules.map(({ name }) => [name, 0])), examples: new Map() }
  const note = (rule: string, detail: string) => {
    walked.counts.set(rule, (walked.counts.get(rule) ?? 0) + 1)
    if (!walked.examples.has(rule)) walked.examples.set(rule, detail)
  }
  for (const moment of only) {
    const runs = moment.runs?.(runsAt(moment.at)) ?? runsAt(moment.at)
    const nbm = runs['nbm'] ?? moment.at
    const earlier = moment.earlier === false ? [] : [6, 12, 18, 24].map((hours) => nbm - hours * HOUR)
    const series = new Map<string, PointSeries | undefined>()
    const current = remembered(analyticCurrent(moment.at, runs, earlier), series)
    const suppliers = moment.suppliers ?? displacedSuppliers
    const weather = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7, cacheBytes: 1 })
    for (let i = 0; i < points; i++) {
      const place = placeOf(i)
      series.clear()
      const answers: Json[] = []
      try {
        for (const form of forms) {
          const ask = parseWeather({ ...place, ...form, include, hourly_hours: '120', days: '14' })
          answers.push((await weather.answer(ask, moment.at)).value())
        }
      } catch (error) {
        if (!isFault(error, 'Missing')) throw error
        continue
      }
      answers.forEach((answer, form) => {
        walked.answers++
        const { units, view } = forms[form]!
        const where = `${moment.name} ${place.lat},${place.lon} ${units} ${view}`
        for (const { rule, detail } of violationsOf(answer)) note(rule, `${where}: ${detail}`)
      })
      for (const detail of differences(answers))
        note('units and views agree', `${moment.name} ${place.lat},${place.lon}: ${detail}`)
    }
  }
  return walked
}

/** Words do not depend on units or view. */
function differences(answers: readonly Json[]): string[] {
  const words = (answer: Json) =>
    [answer.current, ...answer.hourly, ...answer.daily]
      .map((row: Json) => `${row?.conditions} ${row?.icon} ${row?.severe}`)
      .join('|')
  const first = words(answers[0])
  return answers.slice(1).flatMap((answer) => (words(answer) === first ? [] : ['words differ']))
}

/** Series of a cell are made once for the four variants of its answer. */
function remembered(
  current: ReturnType<typeof analyticCurrent>,
  series: Map<string, PointSeries | undefined>,
): ReturnType<typeof analyticCurrent> {
  const remember = (served: ReturnType<typeof current.served>) => {
    if (!served) return served
    const read = (cell: string) => {
      const key = `${served.dataset}/${served.run}/${cell}`
      if (!series.has(key)) series.set(key, analyticSeries(served.dataset, served.domain, served.run, cell))
      return series.get(key)
    }
    const opened = { ...served.opened!, point: Object.assign(async (cell: string) => read(cell), { now: read }) }
    return { ...served, opened, open: async () => opened }
  }
  return {
    ...current,
    served: (dataset, domain) => remember(current.served(dataset, domain)),
    earlier: (dataset, domain) => current.earlier(dataset, domain).map((run) => remember(run)!),
  }
}
