import { z } from 'zod'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import type { QueryContext, QueryDeps } from '../../dataset/context.ts'
import type { PointGrid } from '../../dataset/coverages.ts'
import { timeRange } from '../../dataset/dataset.ts'
import type { DatasetQuery } from '../../dataset/dataset-query.ts'
import { QueryError } from '../../dataset/error.ts'
import { queryPoints } from '../../dataset/point-query.ts'
import { checkVariables, withoutRepeats } from '../../dataset/query-checks.ts'
import { requestedRun, spanOf } from '../../dataset/when.ts'
import type { Where } from '../../dataset/where.ts'
import { simulatedWarnings, warningsHeader } from '../../present/meta.ts'
import { Problem, type Slug } from '../../problem.ts'
import { boxShape, spanOf as longitudesOf, parseBox } from '../../query/box.ts'
import { parseParameters } from '../../query/query.ts'
import type { Answer, Route, RouteRequest } from '../../route.ts'
import { tooMany } from '../batch.ts'
import { collectionById, DEFAULT_UNITS, type EdrCollection, edrFormats, hasInstances } from './collections.ts'
import { circleOf, parsePoints, parsePolygon, withinUnits } from './coords.ts'
import { parseInterval } from './datetime.ts'
import { edrForm } from './edr-forms.ts'
import { whereOf } from './locations.ts'

/** Largest number of positions in a cube, as many as cells in a query of a dataset. */
const MAX_GRID = 500
/** Smallest spacing of a grid, the side of a cell of resolution 7: a finer grid would repeat values. */
const FINEST_DEGREES = 0.02

const coords = (expected: string) =>
  z
    .string()
    .min(1)
    .max(2000)
    .meta({ description: `Well-known text, longitude first: ${expected}`, expected })
const degrees = z
  .preprocess(
    (text) => (typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : text),
    z.number().int().min(1).max(MAX_GRID),
  )
  .optional()
  .meta({ description: 'Positions along this axis', expected: `a whole number from 1 to ${MAX_GRID}` })

export const edrShape = {
  datetime: z.string().min(1).max(90).optional().meta({
    description:
      'An instant or start/end, with .. for an open end; default: 24 hours from now, or until now for observations',
    expected: 'an instant or an interval',
  }),
  'parameter-name': z
    .string()
    .min(1)
    .max(1500)
    .transform((text) => text.split(',').map((name) => name.trim()))
    .optional()
    .meta({
      description: 'Parameters of the collection, separated by commas; default: all',
      expected: 'names of parameters, separated by commas',
    }),
  units: z
    .enum(['metric', 'imperial', 'si'])
    .default(DEFAULT_UNITS as 'metric')
    .meta({ description: 'System of units', expected: 'metric, imperial or si' }),
  crs: z
    .enum(['CRS84', 'OGC:CRS84', 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'])
    .optional()
    .meta({ description: 'Always CRS84: longitude, latitude', expected: 'CRS84' }),
  f: z
    .enum([...edrFormats, 'CoverageJSON', 'GeoJSON', 'CSV'])
    .default('covjson')
    .meta({ description: 'Format of the answer, instead of Accept', expected: `one of ${edrFormats.join(', ')}` }),
}

type EdrValues = z.output<z.ZodObject<typeof edrShape>>
interface EdrPlace {
  readonly where: Where
  readonly grid?: PointGrid
}

/**
 * Returns the grid of a box, with the requested number of steps or as many as fit. Its longitudes ascend, across the antimeridian
 * beyond 180. @throws Problem
 */
function gridOf(text: string, nx: number | undefined, ny: number | undefined): EdrPlace {
  const box = parseBox(text)
  const [west, south, , north] = box
  const [width, height] = [longitudesOf(box), north - south]
  const finest = (size: number) => Math.floor(size / FINEST_DEGREES) + 1
  const scale = Math.sqrt((MAX_GRID * 0.8) / Math.max(width * height, 1e-9))
  const steps = (size: number) => Math.max(1, Math.min(finest(size), Math.round(size * scale), 100))
  const [columns, rows] = [nx ?? steps(width), ny ?? steps(height)]
  if (columns * rows > MAX_GRID)
    throw new Problem(
      'bad-request',
      `A cube must have at most ${MAX_GRID} positions, but ${columns} × ${rows} are more. Lower \`resolution-x\` or \`resolution-y\`.`,
    )
  const axis = (from: number, size: number, count: number) =>
    Array.from({ length: count }, (_, i) => Number((from + (size * (i + 0.5)) / count).toFixed(4)))
  const grid = { x: axis(west, width, columns), y: axis(south, height, rows) }
  const turned = (lon: number) => (lon > 180 ? Number((lon - 360).toFixed(4)) : lon)
  return { where: { points: grid.y.flatMap((lat) => grid.x.map((lon) => ({ lat, lon: turned(lon) }))) }, grid }
}

interface EdrKind {
  readonly path: string
  readonly summary: string
  readonly shape: Readonly<Record<string, z.ZodType>>
  // biome-ignore lint/suspicious/noExplicitAny: each kind gets the values of its own shape
  place(values: any, collection: EdrCollection, params: RouteRequest['params']): EdrPlace
}

const kinds: readonly EdrKind[] = [
  {
    path: 'position',
    summary: 'Values at up to 50 points, or at the nearest stations',
    shape: { coords: coords('POINT(-104.99 39.74) or MULTIPOINT(…)') },
    place: ({ coords }) => ({ where: { points: parsePoints(coords).map(([lon, lat]) => ({ lat, lon })) } }),
  },
  {
    path: 'radius',
    summary: 'Values at the cells or stations within a distance of a point',
    shape: {
      coords: coords('POINT(-104.99 39.74)'),
      within: z
        .string()
        .regex(/^\d{1,6}(\.\d{1,6})?$/)
        .meta({ description: 'Distance, at most 500 km', expected: 'a number' }),
      'within-units': z
        .enum(withinUnits)
        .meta({ description: 'Unit of within', expected: `one of ${withinUnits.join(', ')}` }),
    },
    place: (values) => ({ where: { outline: circleOf(values.coords, Number(values.within), values['within-units']) } }),
  },
  {
    path: 'area',
    summary: 'Values at up to 500 cells or stations in a polygon, with the finest cells that fit',
    shape: { coords: coords('POLYGON((-105 39,-104 39,-104 40,-105 39)) or MULTIPOLYGON(…)') },
    place: ({ coords }) => ({ where: { outline: parsePolygon(coords) } }),
  },
  {
    path: 'cube',
    summary: 'Values on a regular grid over a box, at most 500 positions',
    shape: { bbox: boxShape.unwrap().meta({ ...boxShape.meta() }), 'resolution-x': degrees, 'resolution-y': degrees },
    place: (values) => gridOf(values.bbox, values['resolution-x'], values['resolution-y']),
  },
  {
    path: 'locations/:location_id',
    summary: 'Values at a station or place of /locations',
    shape: {},
    place: (_values, collection, params) => ({ where: whereOf(collection, params['location_id'] ?? '') }),
  },
]

/** Returns the context of a query of a dataset. */
export function contextOf(deps: QueryDeps, { now, cancellation, count }: RouteRequest): QueryContext {
  return {
    now,
    signal: cancellation.signal,
    deps,
    progress: async () => {},
    async count(calls) {
      if (!(await count(calls))) throw tooMany(calls)
    },
  }
}

/** Runs a query and converts its failures to problems. @throws Problem */
export async function asProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const isParameter = ['variables', 'points'].includes(error.details.field ?? '')
    const slug = isParameter && error.code === 'not-found' ? 'bad-request' : slugs[error.code]
    const { suggestions } = error.details
    throw new Problem(slug ?? 'service-unavailable', error.message, {
      members: { ...(suggestions && { suggestions }) },
    })
  }
}

const slugs: Readonly<Record<string, Slug>> = {
  'bad-request': 'bad-request',
  'ambiguous-place': 'bad-request',
  'not-found': 'not-found',
  'no-data': 'not-found',
  'outside-coverage': 'outside-coverage',
}

async function answer(deps: QueryDeps, kind: EdrKind, request: RouteRequest): Promise<Answer> {
  const context = contextOf(deps, request)
  const collection = collectionById(context, request.params['collection_id'] ?? '')
  const { family } = collection
  if (kind.path === 'cube' && family.storage === 'stations')
    throw new Problem('not-found', `${collection.id} has no cube, because it is a list of stations. Use area.`)
  const instance = request.params['instance_id']
  if (instance !== undefined && !hasInstances(collection))
    throw new Problem('not-found', `${collection.id} has no instances. Query the collection itself.`)
  // OWSLib writes the parameter with underscores.
  const { parameter_names: names, ...query } = request.query
  const parameters = names === undefined ? query : { 'parameter-name': names, ...query }
  const values = parseParameters({ ...kind.shape, ...edrShape }, parameters) as EdrValues
  const { where, grid } = kind.place(values, collection, request.params)
  const variables = values['parameter-name'] ?? family.variables
  const datasetQuery: DatasetQuery = withoutRepeats({
    ...where,
    dataset_id: collection.id,
    variables,
    units: values.units,
  })
  checkVariables(context, family, datasetQuery)
  const run = await requestedRun(context, family, instance ?? 'latest')
  const { from, to } = await spanOf(context, family, await whenOf(context, collection, values), run)
  const selection = { family, variables, from, to, units: values.units, ...(run !== undefined && { run }) }
  const queryAnswer = await queryPoints(context, datasetQuery, selection, undefined)
  if (queryAnswer.rows.length === 0)
    throw new Problem(
      'not-found',
      `${collection.id} has no values from ${isoSeconds(from)} to ${isoSeconds(to)} there. See /edr/collections/${collection.id} for its extent.`,
    )
  const simulated = deps.values.current.simulated()
  const warnings = [...queryAnswer.warnings, ...simulatedWarnings(simulated)]
  const form = await edrForm(request.format as (typeof edrFormats)[number], {
    queryAnswer,
    variables,
    units: values.units,
    ...(grid && { grid }),
  })
  const headers = {
    'Cache-Control': queryAnswer.warnings.length > 0 ? 'no-store' : 'max-age=60',
    ...warningsHeader(warnings),
  }
  return { ...form, headers }
}

/** Returns the span of a dataset query for `datetime`; an open end becomes the end of the collection. */
async function whenOf(context: QueryContext, { family }: EdrCollection, { datetime }: EdrValues) {
  if (datetime === undefined) return {}
  const { from, to } = parseInterval(datetime)
  const range = from === undefined || to === undefined ? await timeRange(context, family) : null
  const start = from ?? range?.start
  const end = to ?? range?.end
  const text = (at: number) => new Date(at).toISOString()
  return { ...(start !== undefined && { start: text(start) }), ...(end !== undefined && { end: text(end) }) }
}

const covjson = z.looseObject({}).meta({ description: 'CoverageJSON 1.0; with f=geojson GeoJSON (RFC 7946)' })
export const idShape = (description: string) => z.string().min(1).max(200).meta({ description })

/** Returns the routes of all data queries of OGC API EDR, for collections and their instances. */
export function edrQueryRoutes(deps: QueryDeps): Route[] {
  const bases = ['/edr/collections/:collection_id', '/edr/collections/:collection_id/instances/:instance_id']
  return bases.flatMap((base) =>
    kinds.map(
      (kind): Route => ({
        method: 'get',
        path: `${base}/${kind.path}`,
        formats: [...edrFormats],
        formatParameter: 'f',
        handle: (request) => asProblem(() => answer(deps, kind, request)),
        contract: {
          tag: 'standards',
          summary: `${kind.summary}${base.includes('instance') ? ', of one run' : ''}`,
          description:
            'OGC API EDR 1.1. An answer has at most 100,000 values; every 10,000 values, or fewer, count as one call.',
          params: {
            collection_id: idShape('A collection of /edr/collections'),
            ...(base.includes('instance') && { instance_id: idShape('A run, by an id of /instances') }),
            ...(kind.path.includes('location') && { location_id: idShape('A location of /locations') }),
          },
          query: { ...kind.shape, ...edrShape },
          answer: covjson,
        },
      }),
    ),
  )
}
