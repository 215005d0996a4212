import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { mapPaced } from '../../ingest/domain/pacer.ts'
import { floorTo, HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { ofOneMoment } from '../answer/one-moment.ts'
import type { Past } from '../answer/past.ts'
import { checkSpan, MAX_AHEAD_HOURS, type Span, valuesBetween, within } from '../answer/past-values.ts'
import {
  BLEND,
  checkNames,
  entryAt,
  labelsOf,
  openRuns,
  type PointValues,
  type ValueDeps,
  valuesAt,
} from '../answer/values.ts'
import { namedRun } from '../live/named-run.ts'
import { simulatedWarnings, warningsHeader } from '../present/meta.ts'
import { units } from '../present/units.ts'
import { membersOf, type Point, parsePoints } from '../query/points.ts'
import { parseParameters } from '../query/query.ts'
import type { Answer, Route, RouteRequest } from '../route.ts'
import { tooMany } from './batch.ts'
import { type PointResult, pointForms } from './point-forms.ts'
import { formats, pointAnswer, pointBody, pointShape, seriesAnswer, seriesBody, seriesShape } from './points-schema.ts'
import { metaOf, points as pointsShape } from './shapes.ts'

/** A point whose values took longer is marked as failed and can be requested again. */
const POINT_TIMEOUT_MS = 5000
/** Values of one request that count as one call, and that it may have at most: a series of 264 hours and 20 variables at 100 points. */
const VALUES_PER_CALL = 10_000
const MAX_VALUES = 528_000
/** Hours of a period. */
const MAX_HOURS = 264
const DEFAULT_HOURS = 48

interface Outside {
  readonly status: 'out_of_domain'
  readonly retryable?: true
}

const isOutside = (values: PointValues | Outside): values is Outside => 'status' in values

/** Hours from the current one, or a period. */
type TimeExtent = number | Span

/** Each point's values, or its failure (permanent outside the coverage, else temporary), as `show` gives them. */
async function each<T>(
  parts: ValueDeps,
  points: readonly Point[],
  extent: TimeExtent,
  wanted: Parameters<typeof valuesAt>[3],
  show: (found: PointValues | Outside, index: number) => T,
): Promise<T[]> {
  const until = performance.now() + POINT_TIMEOUT_MS
  // A list may name a point often: its values are made once, and kept until its last place in the list.
  const left = new Map<string, number>()
  for (const { lat, lon } of points) left.set(`${lat},${lon}`, (left.get(`${lat},${lon}`) ?? 0) + 1)
  const made = new Map<string, Promise<PointValues | Outside>>()
  const valuesOf = (lat: number, lon: number) => {
    const name = `${lat},${lon}`
    left.set(name, left.get(name)! - 1)
    let work = made.get(name)
    if (!work) {
      const reading =
        typeof extent === 'number'
          ? valuesAt(parts, lat, lon, wanted, extent)
          : valuesBetween(parts, lat, lon, wanted, extent)
      work = reading.catch((error): Outside => {
        if (isFault(error, 'Missing') || isFault(error, 'Gone')) return { status: 'out_of_domain' }
        if (isFault(error, 'Refused')) return { status: 'out_of_domain', retryable: true }
        throw error
      })
    }
    if (left.get(name)! > 0) made.set(name, work)
    else made.delete(name)
    return work
  }
  return mapPaced(points, async ({ lat, lon }, index) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Outside>((resolve) => {
      timer = setTimeout(() => resolve({ status: 'out_of_domain', retryable: true }), until - performance.now())
    })
    try {
      return show(await Promise.race([valuesOf(lat, lon), late]), index)
    } finally {
      clearTimeout(timer)
    }
  })
}

interface PointForm {
  /** JSON: members of a result beside its index. */
  json(values: PointValues): object
  /** Other forms. */
  table(values: PointValues): Pick<PointValues, 'times' | 'data' | 'sources'>
}

/** The answer in the form that was asked for; JSON is written point by point. */
async function answer(
  parts: ValueDeps,
  points: readonly Point[],
  extent: TimeExtent,
  {
    request,
    now,
    wanted,
    system,
    show,
  }: {
    readonly request: RouteRequest
    readonly now: Instant
    readonly wanted: Parameters<typeof valuesAt>[3]
    readonly system: 'imperial' | 'metric'
    readonly show: PointForm
  },
): Promise<Answer> {
  const headers = { 'Cache-Control': 'max-age=60' }
  const labels = labelsOf(wanted.variables, system)
  const warnings = simulatedWarnings(parts.current.simulated())
  if (request.format !== 'json') {
    const results = await each(
      parts,
      points,
      extent,
      wanted,
      (found): PointResult => (isOutside(found) ? found : { status: 'ok', values: show.table(found) }),
    )
    const forms = await pointForms(request.format, { points, results, variables: wanted.variables, units: labels })
    return { ...forms, headers: { ...headers, ...warningsHeader(warnings) } }
  }
  const results = await each(parts, points, extent, wanted, (found, index) =>
    JSON.stringify(isOutside(found) ? { index, ...found } : { index, status: 'ok', ...show.json(found) }),
  )
  const rest = JSON.stringify({ units: labels, meta: metaOf(now, undefined, warnings) })
  return {
    type: 'application/json; charset=utf-8',
    body: Buffer.from(`{"results":[${results.join(',')}],${rest.slice(1)}`),
    headers,
  }
}

export interface PointDeps {
  readonly database: Database
  readonly objects: Objects
  readonly past: Past
}

interface PointsRequest {
  readonly points: readonly Point[]
  readonly datasetId: string
  readonly variables: readonly string[]
  readonly run: Instant | undefined
  readonly asOf: Instant | undefined
}

interface Prepared {
  readonly parts: ValueDeps
  readonly now: Instant
}

/** What the request reads from: the served runs of now or of `as_of`, or one named run. Names are checked. */
async function prepared(
  served: ValueDeps,
  { database, objects, past }: PointDeps,
  request: RouteRequest,
  { datasetId, variables, run, asOf }: PointsRequest,
): Promise<Prepared> {
  if (run !== undefined && (datasetId === BLEND || asOf !== undefined))
    throw new Fault('Invalid', 'run: wanted dataset_id beside it, a dataset of runs, and no as_of.', { field: 'run' })
  let [parts, now] = [served, request.now]
  if (asOf !== undefined) ({ values: parts, at: now } = await past.answersAt(asOf))
  if (run !== undefined) {
    const current = await namedRun({ database, objects, current: served.current }, datasetId, run)
    ;[parts, now] = [{ ...served, current }, run]
  }
  if (datasetId !== BLEND) await openRuns(parts, datasetId)
  checkNames(parts, datasetId, variables)
  return { parts, now }
}

/** Counts the further calls of a request of many values. @throws Problem, Fault Invalid where they are too many at once */
async function countValues(request: RouteRequest, { points, variables }: PointsRequest, hours: number): Promise<void> {
  const values = points.length * hours * variables.length
  if (values > MAX_VALUES)
    throw new Fault(
      'Invalid',
      `points: ${points.length} points × ${hours} hours × ${variables.length} variables are ${values} values; wanted at most ${MAX_VALUES}. RouteRequest for fewer points, hours or variables.`,
      { field: 'points' },
    )
  const calls = Math.ceil(values / VALUES_PER_CALL)
  if (calls > 1 && !(await request.count(calls - 1))) throw tooMany(points.length)
}

/** The period of `start` and `end`, or `hours` from `start`; undefined where neither is given. @throws Fault Invalid */
function spanOf(start: Instant | undefined, end: Instant | undefined, hours: number, now: Instant): Span | undefined {
  if (start === undefined && end === undefined) return undefined
  const from = start ?? floorTo(now, HOUR)
  const to = end ?? from + (hours - 1) * HOUR
  const span = (to - from) / HOUR
  if (span >= 0 && span < MAX_HOURS) return { from, to }
  const wanted = span < 0 ? `an instant from ${isoSeconds(from)} on` : `at most ${MAX_HOURS} hours from start`
  throw new Fault('Invalid', `end: wanted ${wanted}; got ${isoSeconds(to)}.`, { field: 'end' })
}

const hoursOf = ({ from, to }: Span) => Math.floor((to - from) / HOUR) + 1
/** Hours from a time that contain a period: of a named run. */
const reaching = ({ to }: Span, run: Instant) => Math.max(1, Math.floor((to - floorTo(run, HOUR)) / HOUR) + 1)

const listOf = (one: PointValues) => ({
  series: {
    dataset_id: one.datasetId,
    valid_times: one.times.map(isoSeconds),
    data: one.data,
    ...(one.sources && { sources: one.sources }),
  },
})

export function pointRoutes(served: ValueDeps, deps: PointDeps): Route[] {
  /** An answer during which a source changed is made again; its calls are counted once. */
  const consistent = (handle: (request: RouteRequest) => Promise<Answer>) => (request: RouteRequest) => {
    let counted: Promise<boolean> | undefined
    const count = (calls: number) => (counted ??= request.count(calls))
    return ofOneMoment(served.states, request.now, (now) => handle({ ...request, now, count }))
  }
  /** A series at each point: of a period, else of hours from the current one. */
  const series = async (
    request: RouteRequest,
    about: PointsRequest,
    extent: { readonly start: Instant | undefined; readonly end: Instant | undefined; readonly hours: number },
    system: 'imperial' | 'metric',
  ): Promise<Answer> => {
    const { parts, now } = await prepared(served, deps, request, about)
    const { points, datasetId, variables, run } = about
    const span = spanOf(extent.start, extent.end, extent.hours, now)
    if (span && run === undefined) await checkSpan(parts, datasetId, span, now)
    await countValues(request, about, span ? hoursOf(span) : extent.hours)
    const own = (one: PointValues) => (span ? within(one, span) : one)
    return answer(parts, points, !span ? extent.hours : run === undefined ? span : reaching(span, run), {
      ...{ request, now, system },
      wanted: { datasetId, variables, units: units[system], now },
      show: { json: (one) => listOf(own(one)), table: own },
    })
  }
  const pointHandler = (method: 'get' | 'post') =>
    consistent(async (request: RouteRequest) => {
      const { points: raw, ...rest } = membersOf(request.query, request.body, method)
      const values = parseParameters(pointShape, rest)
      const points = parsePoints(raw, 500)
      const { dataset_id: datasetId, variables, run, as_of: asOf, time, start, end, units: system } = values
      const about = { points, datasetId, variables, run, asOf }
      if (start !== undefined || end !== undefined) {
        if (time !== undefined)
          throw new Fault('Invalid', 'time: wanted either time, or start and end; got both.', { field: 'time' })
        return series(request, about, { start, end, hours: DEFAULT_HOURS }, system)
      }
      const { parts, now } = await prepared(served, deps, request, about)
      await countValues(request, about, 1)
      const thisHour = floorTo(now, HOUR)
      const at = time ?? thisHour
      const ahead = Math.floor((at - thisHour) / HOUR)
      if (ahead >= MAX_AHEAD_HOURS || (ahead < 0 && run !== undefined)) {
        throw new Fault(
          'Invalid',
          `time: wanted an instant ${run === undefined ? 'until' : `from ${isoSeconds(thisHour)} to`} ${MAX_AHEAD_HOURS} hours after it; got ${new Date(at).toISOString()}.`,
          { field: 'time' },
        )
      }
      // The nearest time: at most an hour away.
      const span = ahead < 0 ? { from: at - HOUR, to: Math.min(at + HOUR, thisHour) } : undefined
      if (span) await checkSpan(parts, datasetId, { from: at, to: at }, now)
      return answer(parts, points, span ?? ahead + 2, {
        ...{ request, now, system },
        wanted: { datasetId, variables, units: units[system], now },
        show: {
          json: (one) => ({ source: sourceOf(one), ...(entryAt(one, at) ?? { values: {} }) }),
          table(one) {
            const entry = entryAt(one, at)
            const data = Object.entries(entry?.values ?? {}).map(([name, value]) => [name, [value]])
            return { times: entry ? [Date.parse(entry.valid_time)] : [], data: Object.fromEntries(data) }
          },
        },
      })
    })
  const seriesHandler = (method: 'get' | 'post') =>
    consistent(async (request: RouteRequest) => {
      const { points: raw, ...rest } = membersOf(request.query, request.body, method)
      const values = parseParameters(seriesShape, rest)
      if (values.end !== undefined && rest['hours'] !== undefined)
        throw new Fault('Invalid', 'hours: wanted either end or hours; got both.', { field: 'hours' })
      const { hours, dataset_id: datasetId, variables, run, as_of: asOf, start, end } = values
      const points = parsePoints(raw, 100)
      return series(request, { points, datasetId, variables, run, asOf }, { start, end, hours }, values.units)
    })
  const cost = `Every ${VALUES_PER_CALL} values, or fewer, count as one call. A point outside is \`out_of_domain\`; with \`retryable\` it could not be checked in time. \`start\` and \`end\` may lie in the past, as far back as values are stored (outside of that a 404 with the range): \`sources\` names for each time the analysis and accumulation, or the run, that gave its values.`
  const pointContract = {
    tag: 'values',
    summary: 'Values of variables at up to 500 points, at one time or over a period',
    description: cost,
    answer: pointAnswer,
  }
  const seriesContract = {
    tag: 'values',
    summary: 'Time series of variables at up to 100 points',
    description: `${cost} Not open to trial keys.`,
    answer: seriesAnswer,
  }
  return [
    {
      method: 'get',
      path: '/v1/point',
      formats,
      handle: pointHandler('get'),
      contract: { ...pointContract, query: { points: pointsShape(500), ...pointShape } },
    },
    {
      method: 'post',
      path: '/v1/point',
      formats,
      handle: pointHandler('post'),
      contract: { ...pointContract, body: pointBody },
    },
    {
      method: 'get',
      path: '/v1/series/batch',
      formats,
      trial: false,
      handle: seriesHandler('get'),
      contract: { ...seriesContract, query: { points: pointsShape(100), ...seriesShape } },
    },
    {
      method: 'post',
      path: '/v1/series/batch',
      formats,
      trial: false,
      handle: seriesHandler('post'),
      contract: { ...seriesContract, body: seriesBody },
    },
  ]
}

function sourceOf(values: PointValues): string {
  return values.run === undefined ? values.datasetId : `${values.datasetId}/${isoSeconds(values.run)}`
}
