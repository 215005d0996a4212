import { createWeather } from '../../api/answer/weather.ts'
import type { Suppliers } from '../../api/contract.ts'
import { parseWeather } from '../../api/query/query.ts'
import type { AnyJson } from '../../bin/doctor/answer-members.ts'
import { rules, violationsOf } from '../../bin/doctor/rules.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { PAST_HOURS } from '../../ingest/domain/dataset/past-hours.ts'
import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import { analyticCurrent, analyticSeries, type RunTimes, runsAt } from '../api/analytic-runs.ts'
import { parsed } from '../api/answer/parsed.ts'
import { disagreeing } from './disagreeing-radar.ts'

/** All observing systems fail. */
const failing: Suppliers = {
  radar: () => Promise.reject(new Fault('Missing', 'radar: no scan is stored')),
  nowcast: () => Promise.reject(new Fault('Missing', 'nowcast: no scan is stored')),
  lightning: () => Promise.reject(new Fault('Refused', 'object x: not read in time')),
}

/** One of the observing systems fails, and the others work. */
const failingAt = (name: keyof Suppliers): Suppliers => ({ ...disagreeing, [name]: failing[name] })

interface Moment {
  readonly name: string
  readonly at: Instant
  readonly runs?: (runs: RunTimes) => RunTimes
  readonly earlier?: boolean
  readonly suppliers?: Suppliers
}

const without = (dataset: string) => (runs: RunTimes) => ({ ...runs, [dataset]: undefined })

/**
 * Moments in all seasons, both changes of the clock, polar night, the first minutes after a start, and each dataset
 * missing in turn.
 */
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
    runs: (runs) => without(PAST_HOURS)(without('rtma')(without('rtma-ru')(runs))),
  },
  { name: 'no radar, no lightning', at: Date.parse('2026-10-12T13:05:00Z'), suppliers: failing },
  { name: 'no scan', at: Date.parse('2026-06-11T22:20:00Z'), suppliers: failingAt('radar') },
  { name: 'no nowcast', at: Date.parse('2026-12-03T01:50:00Z'), suppliers: failingAt('nowcast') },
  { name: 'no lightning', at: Date.parse('2026-08-28T19:31:00Z'), suppliers: failingAt('lightning') },
  { name: 'storms just after midnight', at: Date.parse('2026-07-04T05:12:00Z') },
  { name: 'no long HRRR', at: Date.parse('2026-03-29T04:44:00Z'), runs: without('hrrr-long') },
]

/** Returns points that never repeat, over the three domains. */
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

/** Situations that must occur for the rules to be tested. */
const situations: readonly [string, (answer: AnyJson) => boolean][] = [
  ['radar wet now', ({ radar }) => radar?.precip_rate > 0],
  [
    'radar wet, the model dry in two hours',
    ({ radar, hourly }) => radar?.precip_rate > 0 && hourly[3]?.precip_probability < 10,
  ],
  [
    'radar dry, the model wet in two hours',
    ({ radar, hourly }) => radar?.coverage === 'dry' && hourly[3]?.precip_probability >= 50,
  ],
  ['no radar coverage', ({ radar }) => radar?.coverage === 'no_coverage'],
  ['a nowcast that ends wet', ({ nowcast }) => nowcast?.points.at(-1).type !== 'none' && nowcast !== undefined],
  ['flashes', ({ current }) => current?.lightning_flashes > 0],
  [
    'rain under a warning of a storm, no strike nearby',
    ({ alerts, current }) => alerts?.length > 0 && current?.precip_type === 'rain' && !(current.lightning_prob >= 50),
  ],
  ['snow in a day', ({ daily }) => daily.some(({ snow_total }: AnyJson) => snow_total > 0)],
  ['ice in a day', ({ daily }) => daily.some(({ ice_total }: AnyJson) => ice_total > 0)],
  [
    'a running day with passed rain',
    ({ daily }) => daily[0]?.active_period && daily[0].precip_total > daily[0][daily[0].active_period]?.precip_total,
  ],
  ['likely thunder in the narration', ({ narrations }) => /Thunderstorms expected/.test(narrations?.short_term)],
  ['an incomplete day', ({ meta }) => meta.warnings?.some(({ code }: AnyJson) => code === 'partial_day')],
]

/** A request of a walk: its units, its view and, if they differ from those of the walk, its sections and hours. */
export interface Form {
  readonly units: string
  readonly view: string
  readonly include?: string
  readonly hourlyHours?: number
}

export interface FormAnswer extends Form {
  readonly answer: AnyJson
}

/** The answers for one place and moment, in the order of the forms. */
export interface PlaceAnswers {
  readonly moment: Moment
  readonly place: { lat: string; lon: string }
  readonly answers: readonly FormAnswer[]
}

/** Yields the answers of simulated weather at each moment and each point that a domain covers. */
export async function* answersOf(
  points: number,
  chosenMoments: readonly Moment[],
  chosenForms: readonly Form[],
): AsyncGenerator<PlaceAnswers> {
  for (const moment of chosenMoments) {
    const runs = moment.runs?.(runsAt(moment.at)) ?? runsAt(moment.at)
    const nbm = runs['nbm'] ?? moment.at
    const earlier = moment.earlier === false ? [] : [6, 12, 18, 24].map((hours) => nbm - hours * HOUR)
    const series = new Map<string, PointSeries | undefined>()
    const current = memoized(analyticCurrent(moment.at, runs, earlier), series)
    const suppliers = moment.suppliers ?? disagreeing
    const weather = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7, cacheBytes: 1 })
    for (let i = 0; i < points; i++) {
      const place = placeOf(i)
      series.clear()
      const answers: FormAnswer[] = []
      try {
        for (const form of chosenForms) {
          const { units, view, hourlyHours = 120 } = form
          const parameters = { ...place, units, view, include: form.include ?? include }
          const request = parseWeather({ ...parameters, hourly_hours: String(hourlyHours), days: '14' })
          answers.push({ ...form, answer: parsed(await weather.answer(request, moment.at)) })
        }
      } catch (error) {
        if (!isFault(error, 'Missing')) throw error
        continue
      }
      yield { moment, place, answers }
    }
  }
}

/** Result of a walk. */
export interface WalkResult {
  answers: number
  /** Number of answers by situation. */
  readonly situations: Map<string, number>
  readonly counts: Map<string, number>
  readonly examples: Map<string, string>
}

export async function walk(points: number, chosenMoments: readonly Moment[] = moments): Promise<WalkResult> {
  const result: WalkResult = {
    answers: 0,
    situations: new Map(situations.map(([situation]) => [situation, 0])),
    counts: new Map(rules.map(({ name }) => [name, 0])),
    examples: new Map(),
  }
  const note = (rule: string, detail: string) => {
    result.counts.set(rule, (result.counts.get(rule) ?? 0) + 1)
    if (!result.examples.has(rule)) result.examples.set(rule, detail)
  }
  for await (const { moment, place, answers } of answersOf(points, chosenMoments, forms)) {
    for (const { answer, units, view } of answers) {
      result.answers++
      for (const [situation, applies] of situations) {
        if (applies(answer)) result.situations.set(situation, (result.situations.get(situation) ?? 0) + 1)
      }
      const where = `${moment.name} ${place.lat},${place.lon} ${units} ${view}`
      for (const { rule, detail } of violationsOf(answer)) note(rule, `${where}: ${detail}`)
    }
    for (const detail of differences(answers.map(({ answer }) => answer)))
      note('units and views agree', `${moment.name} ${place.lat},${place.lon}: ${detail}`)
  }
  return result
}

/** Differences between the words of answers, which must not depend on units or view. */
function differences(answers: readonly AnyJson[]): string[] {
  const words = (answer: AnyJson) =>
    [answer.current, ...answer.hourly, ...answer.daily]
      .map((row: AnyJson) => `${row?.conditions} ${row?.icon} ${row?.severe}`)
      .join('|')
  const first = words(answers[0])
  return answers.slice(1).flatMap((answer) => (words(answer) === first ? [] : ['words differ']))
}

/** Creates the series of a cell once for the four variants of its answer. */
function memoized(
  current: ReturnType<typeof analyticCurrent>,
  series: Map<string, PointSeries | undefined>,
): ReturnType<typeof analyticCurrent> {
  const memoize = (served: ReturnType<typeof current.served>) => {
    if (!served) return served
    const read = (cell: string) => {
      const key = `${served.dataset}/${served.run}/${cell}`
      if (!series.has(key)) series.set(key, analyticSeries(served.dataset, served.domain, served.run, cell))
      return series.get(key)
    }
    if (!served.opened) throw new Error(`The run of ${served.dataset} is not open.`)
    const opened = { ...served.opened, point: Object.assign(async (cell: string) => read(cell), { now: read }) }
    return { ...served, opened, open: async () => opened }
  }
  return {
    ...current,
    served: (dataset, domain) => memoize(current.served(dataset, domain)),
    earlier: (dataset, domain) => current.earlier(dataset, domain).flatMap((run) => memoize(run) ?? []),
  }
}
