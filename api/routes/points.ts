import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { mapPaced } from '../../ingest/domain/pacer.ts'
import { floorTo, HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { ofOneMoment } from '../answer/one-moment.ts'
import type { Past } from '../answer/past.ts'
import { checkSpan, MAX_AHEAD_HOURS, type Span, valuesBetween, within } from '../answer/past-values.ts'
import { checkProvenance } from '../answer/point-provenance.ts'
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
import { invalidValue, parseParameters } from '../query/query.ts'
import type { Answer, Route, RouteRequest } from '../route.ts'
import { tooMany } from './batch.ts'
import { type PointResult, pointForms } from './point-forms.ts'
import { formats, pointAnswer, pointBody, pointShape, seriesAnswer, seriesBody, seriesShape } from './points-schema.ts'
import { metaOf, points as pointsShape } from './shapes.ts'

/** A point whose values take longer is marked as `retryable`. */
const POINT_TIMEOUT_MS = 5000
/** Values that count as one call. */
const VALUES_PER_CALL = 10_000
/** Largest number of values in one request: 264 hours and 20 variables at 100 points. */
const MAX_VALUES = 528_000
const MAX_POINTS = 500
const MAX_SERIES_POINTS = 100
/** Longest period. */
const MAX_HOURS = 264
const DEFAULT_HOURS = 48

interface Outside {
  readonly status: 'out_of_domain'
  readonly retryable?: true
}

const isOutside = (values: PointValues | Outside): values is Outside => 'status' in values

/** A number of hours from the current hour, or a period. */
type TimeExtent = number | Span

/** Returns the result of `show` for each point with its values or failure; a failure is permanent outside the coverage, else temporary. */
async function mapPoints<T>(
  parts: ValueDeps,
  points: readonly Point[],
  extent: TimeExtent,
  selection: Parameters<typeof valuesAt>[3],
  show: (values: PointValues | Outside, index: number) => T,
): Promise<T[]> {
  const until = performance.now() + POINT_TIMEOUT_MS
  // A list may repeat a point: its values are computed once and stored until its last occurrence.
  const occurrences = new Map<string, number>()
  for (const { lat, lon } of points) occurrences.set(`${lat},${lon}`, (occurrences.get(`${lat},${lon}`) ?? 0) + 1)
  const pending = new Map<string, Promise<PointValues | Outside>>()
  const valuesOf = (lat: number, lon: number) => {
    const name = `${lat},${lon}`
    const remaining = (occurrences.get(name) ?? 1) - 1
    occurrences.set(name, remaining)
    let work = pending.get(name)
    if (!work) {
      const reading =
        typeof extent === 'number'
          ? valuesAt(parts, lat, lon, selection, extent)
          : valuesBetween(parts, lat, lon, selection, extent)
      work = reading.catch((error): Outside => {
        if (isFault(error, 'Missing') || isFault(error, 'Gone')) return { status: 'out_of_domain' }
        if (isFault(error, 'Refused')) return { status: 'out_of_domain', retryable: true }
        throw error
      })
    }
    if (remaining > 0) pending.set(name, work)
    else pending.delete(name)
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
  /** Returns the members of a JSON result, without its index. */
  json(values: PointValues): object
  /** Returns the values for the other formats. */
  table(values: PointValues): Pick<PointValues, 'times' | 'data' | 'sources'>
}

/** Returns the answer in the requested format; JSON is written point by point. */
async function answer(
  parts: ValueDeps,
  points: readonly Point[],
  extent: TimeExtent,
  {
    request,
    now,
    selection,
    system,
    show,
  }: {
    readonly request: RouteRequest
    readonly now: Instant
    readonly selection: Parameters<typeof valuesAt>[3]
    readonly system: 'imperial' | 'metric'
    readonly show: PointForm
  },
): Promise<Answer> {
  const headers = { 'Cache-Control': 'max-age=60' }
  const labels = labelsOf(selection.variables, system)
  const warnings = simulatedWarnings(parts.current.simulated())
  if (request.format !== 'json') {
    const results = await mapPoints(
      parts,
      points,
      extent,
      selection,
      (values): PointResult => (isOutside(values) ? values : { status: 'ok', values: show.table(values) }),
    )
    const { variables } = selection
    const forms = await pointForms(request.format, { points, results, variables, units: labels })
    return { ...forms, headers: { ...headers, ...warningsHeader(warnings) } }
  }
  const results = await mapPoints(parts, points, extent, selection, (values, index) =>
    JSON.stringify(isOutside(values) ? { index, ...values } : { index, status: 'ok', ...show.json(values) }),
  )
  const tail = JSON.stringify({ units: labels, meta: metaOf(now, undefined, warnings) })
  return {
    type: 'application/json; charset=utf-8',
    body: Buffer.from(`{"results":[${results.join(',')}],${tail.slice(1)}`),
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
  readonly provenance?: boolean
}

interface Prepared {
  readonly parts: ValueDeps
  readonly now: Instant
}

/** Chooses the source of a request: the runs that are served now or were at `as_of`, or one named run. Checks the names. */
async function prepared(
  { served, database, objects, past }: PointRouteDeps,
  request: RouteRequest,
  { datasetId, variables, run, asOf }: PointsRequest,
): Promise<Prepared> {
  if (run !== undefined && (datasetId === BLEND || asOf !== undefined))
    throw new Fault(
      'Invalid',
      '`run` needs a `dataset_id` with runs, and excludes `as_of`. Add `dataset_id` or remove `as_of`.',
      { field: 'run' },
    )
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

/** Counts the additional calls of a request for many values. @throws Problem; Fault Invalid for too many values in one request */
async function countValues(request: RouteRequest, { points, variables }: PointsRequest, hours: number): Promise<void> {
  const values = points.length * hours * variables.length
  if (values > MAX_VALUES)
    throw new Fault(
      'Invalid',
      `The request must have at most ${MAX_VALUES} values, but ${points.length} points × ${hours} hours × ${variables.length} variables are ${values}. Request fewer points, hours or variables.`,
      { field: 'points' },
    )
  const calls = Math.ceil(values / VALUES_PER_CALL)
  if (calls > 1 && !request.count(calls - 1)) throw tooMany(points.length)
}

/** Returns the period from `start` to `end`, or of `hours` from `start`; undefined without both. @throws Fault Invalid */
function spanOf(start: Instant | undefined, end: Instant | undefined, hours: number, now: Instant): Span | undefined {
  if (start === undefined && end === undefined) return undefined
  const from = start ?? floorTo(now, HOUR)
  const to = end ?? from + (hours - 1) * HOUR
  const span = (to - from) / HOUR
  if (span >= 0 && span < MAX_HOURS) return { from, to }
  const expected = span < 0 ? `${isoSeconds(from)} or later` : `at most ${MAX_HOURS} hours from \`start\``
  throw invalidValue('end', expected, isoSeconds(to))
}

const hoursOf = ({ from, to }: Span) => Math.floor((to - from) / HOUR) + 1
/** Returns the number of hours from the reference time of a run through the end of a period. */
const hoursThrough = ({ to }: Span, run: Instant) => Math.max(1, Math.floor((to - floorTo(run, HOUR)) / HOUR) + 1)

const seriesJson = (values: PointValues) => ({
  series: {
    dataset_id: values.datasetId,
    valid_times: values.times.map(isoSeconds),
    data: values.data,
    ...(values.sources && { sources: values.sources }),
  },
  ...(values.prove && { provenance: values.prove(values.times) }),
})

interface PointRouteDeps extends PointDeps {
  readonly served: ValueDeps
}

/** Repeats an answer during which a source changed; its calls are counted once. */
const consistent =
  (served: ValueDeps, handle: (request: RouteRequest) => Promise<Answer>) => (request: RouteRequest) => {
    let counting: boolean | undefined
    const count = (calls: number) => (counting ??= request.count(calls))
    return ofOneMoment(served.states, request.now, (now) => handle({ ...request, now, count }))
  }

/** Answers with a series at each point: for a period, else for hours from the current one. */
async function answerSeries(
  deps: PointRouteDeps,
  request: RouteRequest,
  pointsRequest: PointsRequest,
  extent: { readonly start: Instant | undefined; readonly end: Instant | undefined; readonly hours: number },
  system: 'imperial' | 'metric',
): Promise<Answer> {
  const { parts, now } = await prepared(deps, request, pointsRequest)
  const { points, datasetId, variables, run, provenance } = pointsRequest
  const span = spanOf(extent.start, extent.end, extent.hours, now)
  if (span && run === undefined) await checkSpan(parts, datasetId, span, now)
  await countValues(request, pointsRequest, span ? hoursOf(span) : extent.hours)
  const cut = (values: PointValues) => (span ? within(values, span) : values)
  return answer(parts, points, !span ? extent.hours : run === undefined ? span : hoursThrough(span, run), {
    ...{ request, now, system },
    selection: { datasetId, variables, units: units[system], now, provenance },
    show: { json: (values) => seriesJson(cut(values)), table: cut },
  })
}

/** Answers with the values at one time at each point. */
async function answerTime(
  deps: PointRouteDeps,
  request: RouteRequest,
  pointsRequest: PointsRequest,
  time: Instant | undefined,
  system: 'imperial' | 'metric',
): Promise<Answer> {
  const { parts, now } = await prepared(deps, request, pointsRequest)
  await countValues(request, pointsRequest, 1)
  const { points, datasetId, variables, run, provenance } = pointsRequest
  const thisHour = floorTo(now, HOUR)
  const at = time ?? thisHour
  const ahead = Math.floor((at - thisHour) / HOUR)
  if (ahead >= MAX_AHEAD_HOURS || (ahead < 0 && run !== undefined)) {
    const first = run === undefined ? '' : ` from ${isoSeconds(thisHour)} on,`
    const expected = `an instant${first} less than ${MAX_AHEAD_HOURS} hours after ${isoSeconds(thisHour)}`
    throw invalidValue('time', expected, new Date(at).toISOString())
  }
  // The nearest time is at most an hour away.
  const span = ahead < 0 ? { from: at - HOUR, to: Math.min(at + HOUR, thisHour) } : undefined
  if (span) await checkSpan(parts, datasetId, { from: at, to: at }, now)
  return answer(parts, points, span ?? ahead + 2, {
    ...{ request, now, system },
    selection: { datasetId, variables, units: units[system], now, provenance },
    show: {
      json(values) {
        const entry = entryAt(values, at)
        const times = entry ? [Date.parse(entry.valid_time)] : []
        const provenance = values.prove && { provenance: values.prove(times) }
        return { source: sourceOf(values), ...(entry ?? { values: {} }), ...provenance }
      },
      table(values) {
        const entry = entryAt(values, at)
        const data = Object.entries(entry?.values ?? {}).map(([name, value]) => [name, [value]])
        return { times: entry ? [Date.parse(entry.valid_time)] : [], data: Object.fromEntries(data) }
      },
    },
  })
}

/** Handles `/v1/point`. */
async function handlePoint(deps: PointRouteDeps, request: RouteRequest, method: 'get' | 'post'): Promise<Answer> {
  const { points: text, ...parameters } = membersOf(request.query, request.body, method)
  const values = parseParameters(pointShape, parameters)
  const points = parsePoints(text, MAX_POINTS)
  const { dataset_id: datasetId, variables, run, as_of: asOf, time, start, end, units: system } = values
  const provenance = values.include === 'provenance'
  const pointsRequest = { points, datasetId, variables, run, asOf, provenance }
  if (provenance)
    checkProvenance(points.length, datasetId !== BLEND && ((start ?? end) === undefined || run !== undefined))
  if (start === undefined && end === undefined) return answerTime(deps, request, pointsRequest, time, system)
  if (time !== undefined) throw conflict('time', '`time`, or `start` and `end`')
  return answerSeries(deps, request, pointsRequest, { start, end, hours: DEFAULT_HOURS }, system)
}

/** Handles `/v1/series/batch`. */
async function handleSeries(deps: PointRouteDeps, request: RouteRequest, method: 'get' | 'post'): Promise<Answer> {
  const { points: text, ...parameters } = membersOf(request.query, request.body, method)
  const values = parseParameters(seriesShape, parameters)
  if (values.end !== undefined && parameters['hours'] !== undefined) throw conflict('hours', '`end` or `hours`')
  const { hours, dataset_id: datasetId, variables, run, as_of: asOf, start, end } = values
  const points = parsePoints(text, MAX_SERIES_POINTS)
  return answerSeries(deps, request, { points, datasetId, variables, run, asOf }, { start, end, hours }, values.units)
}

const conflict = (field: string, choices: string) =>
  new Fault('Invalid', `The request must have either ${choices}, but has both. Remove one of them.`, { field })

const cost = `Every ${VALUES_PER_CALL} values, or fewer, count as one call. A point outside the coverage is \`out_of_domain\`; with \`retryable\`, the point could not be read in time. \`start\` and \`end\` may be in the past, as far back as values are stored (else a 404 with the range): \`sources\` names for each time the analysis and accumulation, or the run, of its values.`
const pointContract = {
  tag: 'values',
  summary: `Values of variables at up to ${MAX_POINTS} points, at one time or over a period`,
  description: cost,
  answer: pointAnswer,
}
const seriesContract = {
  tag: 'values',
  summary: `Time series of variables at up to ${MAX_SERIES_POINTS} points`,
  description: `${cost} Not open to trial keys.`,
  answer: seriesAnswer,
}

/** Routes of values of variables at many points. */
export function pointRoutes(served: ValueDeps, pointDeps: PointDeps): Route[] {
  const deps = { ...pointDeps, served }
  const point = (method: 'get' | 'post') => consistent(served, (request) => handlePoint(deps, request, method))
  const series = (method: 'get' | 'post') => consistent(served, (request) => handleSeries(deps, request, method))
  return [
    {
      method: 'get',
      path: '/v1/point',
      formats,
      handle: point('get'),
      contract: { ...pointContract, query: { points: pointsShape(MAX_POINTS), ...pointShape } },
    },
    {
      method: 'post',
      path: '/v1/point',
      formats,
      handle: point('post'),
      contract: { ...pointContract, body: pointBody },
    },
    {
      method: 'get',
      path: '/v1/series/batch',
      formats,
      trial: false,
      handle: series('get'),
      contract: { ...seriesContract, query: { points: pointsShape(MAX_SERIES_POINTS), ...seriesShape } },
    },
    {
      method: 'post',
      path: '/v1/series/batch',
      formats,
      trial: false,
      handle: series('post'),
      contract: { ...seriesContract, body: seriesBody },
    },
  ]
}

function sourceOf(values: PointValues): string {
  return values.run === undefined ? values.datasetId : `${values.datasetId}/${isoSeconds(values.run)}`
}
