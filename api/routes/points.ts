import { z } from 'zod'
import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { mapPaced } from '../answer/pacer.ts'
import type { Past } from '../answer/past.ts'
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
import { units } from '../present/units.ts'
import { formatShape } from '../query/format.ts'
import { membersOf, type Point, parsePoints } from '../query/points.ts'
import { asOfShape, instantShape, parseParameters, weatherShape } from '../query/query.ts'
import type { Answer, Ask, Route } from '../route.ts'
import { tooMany } from './batch.ts'
import { type PointResult, pointForms } from './point-forms.ts'
import { bodyPoints, listMeta, metaOf, points as pointsShape } from './shapes.ts'

/** A point whose values took longer is marked as failed and can be requested again. */
const POINT_TIMEOUT_MS = 5000
/** Values of one request that count as one call. */
const VALUES_PER_CALL = 10_000

const variablesShape = z
  .string()
  .trim()
  .min(1)
  .max(1500)
  .transform((text, context) => {
    const names = [
      ...new Set(
        text
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      ),
    ]
    if (names.length >= 1 && names.length <= 20) return names
    context.addIssue({ code: 'custom', message: `${names.length} names` })
    return z.NEVER
  })
  .meta({
    description: 'Names of variables, separated by commas: the field names of Hourly',
    pattern: '^ *[a-z][a-z0-9_]* *(, *[a-z][a-z0-9_]* *){0,19}$',
    wanted: '1 to 20 names separated by commas, such as temperature,wind_speed',
  })
const datasetShape = z.string().trim().min(1).max(80).toLowerCase().default(BLEND).meta({
  description: 'A dataset of /v1/catalog as it is; absent: the published hourly forecast',
  wanted: 'an id of /v1/catalog such as nbm',
})
const timeShape = instantShape('Instant; absent: now')
const runShape = instantShape('Reference time of a run that is still stored, with dataset_id; absent: the newest')
const hoursShape = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.number().int().min(1).max(264),
  )
  .default(48)
  .meta({ description: 'Hours from the current one', wanted: 'a whole number from 1 to 264' })

const formats = ['json', 'csv', 'parquet', 'arrow', 'covjson'] as const
const common = {
  variables: variablesShape,
  dataset_id: datasetShape,
  run: runShape,
  as_of: asOfShape,
  units: weatherShape.units,
  format: formatShape([...formats]),
}
const pointShape = { ...common, time: timeShape }
const seriesShape = { ...common, hours: hoursShape }

const labels = z.record(z.string(), z.string())
const status = z.enum(['ok', 'out_of_domain'])
const pointAnswer = z.object({
  results: z.array(
    z.object({
      index: z.int(),
      status,
      retryable: z.boolean().optional(),
      values: z.record(z.string(), z.number().nullable()).optional(),
      valid_time: z.iso.datetime().optional(),
      source: z.string().optional(),
    }),
  ),
  units: labels,
  meta: listMeta,
})
const seriesAnswer = z.object({
  results: z.array(
    z.object({
      index: z.int(),
      status,
      retryable: z.boolean().optional(),
      series: z
        .object({
          dataset_id: z.string(),
          valid_times: z.array(z.iso.datetime()),
          data: z.record(z.string(), z.array(z.number().nullable())),
        })
        .optional(),
    }),
  ),
  units: labels,
  meta: listMeta,
})

interface Outside {
  readonly status: 'out_of_domain'
  readonly retryable?: true
}

const isOutside = (values: PointValues | Outside): values is Outside => 'status' in values

/** Each point's values, or its failure (permanent outside the coverage, else temporary), as `show` gives them. */
async function each<T>(
  parts: ValueDeps,
  points: readonly Point[],
  hours: number,
  ask: Parameters<typeof valuesAt>[3],
  show: (found: PointValues | Outside, index: number) => T,
): Promise<T[]> {
  const until = performance.now() + POINT_TIMEOUT_MS
  return mapPaced(points, async ({ lat, lon }, index) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Outside>((resolve) => {
      timer = setTimeout(() => resolve({ status: 'out_of_domain', retryable: true }), until - performance.now())
    })
    const work = valuesAt(parts, lat, lon, ask, hours).catch((error): Outside => {
      if (isFault(error, 'Missing') || isFault(error, 'Gone')) return { status: 'out_of_domain' }
      if (isFault(error, 'Refused')) return { status: 'out_of_domain', retryable: true }
      throw error
    })
    try {
      return show(await Promise.race([work, late]), index)
    } finally {
      clearTimeout(timer)
    }
  })
}

interface Shown {
  /** JSON: members of a result beside its index. */
  json(values: PointValues): object
  /** Other forms. */
  table(values: PointValues): Pick<PointValues, 'times' | 'data'>
}

/** The answer in the form that was asked for; JSON is written point by point. */
async function answer(
  parts: ValueDeps,
  points: readonly Point[],
  hours: number,
  {
    ask,
    now,
    wanted,
    system,
    show,
  }: {
    readonly ask: Ask
    readonly now: Instant
    readonly wanted: Parameters<typeof valuesAt>[3]
    readonly system: 'imperial' | 'metric'
    readonly show: Shown
  },
): Promise<Answer> {
  const headers = { 'Cache-Control': 'max-age=60' }
  const labels = labelsOf(wanted.variables, system)
  if (ask.format !== 'json') {
    const results = await each(
      parts,
      points,
      hours,
      wanted,
      (found): PointResult => (isOutside(found) ? found : { status: 'ok', values: show.table(found) }),
    )
    const forms = await pointForms(ask.format, { points, results, variables: wanted.variables, units: labels })
    return { ...forms, headers }
  }
  const results = await each(parts, points, hours, wanted, (found, index) =>
    JSON.stringify(isOutside(found) ? { index, ...found } : { index, status: 'ok', ...show.json(found) }),
  )
  const rest = JSON.stringify({ units: labels, meta: metaOf(now) })
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

interface Request {
  readonly points: number
  readonly hours: number
  readonly datasetId: string
  readonly variables: readonly string[]
  readonly run: Instant | undefined
  readonly asOf: Instant | undefined
}

/** What the request reads from: the served runs of now or of `as_of`, or one named run. Names are checked and costs counted. */
async function prepared(
  served: ValueDeps,
  { database, objects, past }: PointDeps,
  ask: Ask,
  { points, hours, datasetId, variables, run, asOf }: Request,
): Promise<{ parts: ValueDeps; now: Instant }> {
  if (run !== undefined && (datasetId === BLEND || asOf !== undefined))
    throw new Fault('Invalid', 'run: wanted dataset_id beside it, a dataset of runs, and no as_of.', { field: 'run' })
  let [parts, now] = [served, ask.now]
  if (asOf !== undefined) ({ values: parts, at: now } = await past.answersAt(asOf))
  if (run !== undefined) {
    const current = await namedRun({ database, objects, current: served.current }, datasetId, run)
    ;[parts, now] = [{ ...served, current }, run]
  }
  if (datasetId !== BLEND) await openRuns(parts, datasetId)
  checkNames(parts, datasetId, variables)
  const calls = Math.ceil((points * hours * variables.length) / VALUES_PER_CALL)
  if (calls > 1 && !(await ask.count(calls - 1))) throw tooMany(points)
  return { parts, now }
}

export function pointRoutes(served: ValueDeps, deps: PointDeps): Route[] {
  const point = (method: 'get' | 'post') => async (ask: Ask) => {
    const { points: raw, ...rest } = membersOf(ask.query, ask.body, method)
    const values = parseParameters(pointShape, rest)
    const points = parsePoints(raw, 500)
    const { dataset_id: datasetId, variables, run, as_of: asOf } = values
    const request = { points: points.length, hours: 1, datasetId, variables, run, asOf }
    const { parts, now } = await prepared(served, deps, ask, request)
    const at = values.time ?? Math.floor(now / HOUR) * HOUR
    const ahead = Math.floor((at - Math.floor(now / HOUR) * HOUR) / HOUR)
    if (ahead < 0 || ahead >= 336) {
      throw new Fault(
        'Invalid',
        `time: wanted an instant from ${isoSeconds(Math.floor(now / HOUR) * HOUR)} to 336 hours later; got ${new Date(at).toISOString()}.`,
        { field: 'time' },
      )
    }
    const wanted = {
      datasetId: values.dataset_id,
      variables: values.variables,
      units: units[values.units],
      now,
    }
    const show: Shown = {
      json: (one) => ({ ...(entryAt(one, at) ?? { values: {} }), source: sourceOf(one) }),
      table(one) {
        const entry = entryAt(one, at)
        const data = Object.entries(entry?.values ?? {}).map(([name, value]) => [name, [value]])
        return { times: entry ? [Date.parse(entry.valid_time)] : [], data: Object.fromEntries(data) }
      },
    }
    return answer(parts, points, ahead + 2, { ask, now, wanted, system: values.units, show })
  }
  const series = (method: 'get' | 'post') => async (ask: Ask) => {
    const { points: raw, ...rest } = membersOf(ask.query, ask.body, method)
    const values = parseParameters(seriesShape, rest)
    const points = parsePoints(raw, 100)
    const { hours, dataset_id: datasetId, variables, run, as_of: asOf } = values
    const request = { points: points.length, hours, datasetId, variables, run, asOf }
    const { parts, now } = await prepared(served, deps, ask, request)
    const wanted = {
      datasetId: values.dataset_id,
      variables: values.variables,
      units: units[values.units],
      now,
    }
    const show: Shown = {
      json: (one) => ({
        series: { dataset_id: one.datasetId, valid_times: one.times.map(isoSeconds), data: one.data },
      }),
      table: (one) => one,
    }
    return answer(parts, points, values.hours, { ask, now, wanted, system: values.units, show })
  }
  const cost = `Every ${VALUES_PER_CALL} values, or fewer, count as one call. A point outside is \`out_of_domain\`; with \`retryable\` it could not be checked in time.`
  const pointContract = {
    tag: 'values',
    summary: 'Values of variables at up to 500 points, at one time',
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
      handle: point('get'),
      contract: { ...pointContract, query: { points: pointsShape(500), ...pointShape } },
    },
    {
      method: 'post',
      path: '/v1/point',
      formats,
      handle: point('post'),
      contract: { ...pointContract, body: z.strictObject({ points: bodyPoints(500), ...pointShape }) },
    },
    {
      method: 'get',
      path: '/v1/series/batch',
      formats,
      trial: false,
      handle: series('get'),
      contract: { ...seriesContract, query: { points: pointsShape(100), ...seriesShape } },
    },
    {
      method: 'post',
      path: '/v1/series/batch',
      formats,
      trial: false,
      handle: series('post'),
      contract: { ...seriesContract, body: z.strictObject({ points: bodyPoints(100), ...seriesShape }) },
    },
  ]
}

function sourceOf(values: PointValues): string {
  return values.run === undefined ? values.datasetId : `${values.datasetId}/${isoSeconds(values.run)}`
}
