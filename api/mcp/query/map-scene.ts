import { z } from 'zod'
import type { PaintedArea } from '../../picture/map-task.ts'
import { ToolError } from '../protocol/error.ts'

/** Most positions of a GeoJSON layer. */
const MAX_CORNERS = 2000
const severity = z.enum(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'])
const words = z.array(z.string().min(1).max(300)).max(100)
type Positions = readonly (readonly number[])[]

/**
 * Schema of the coordinates of a Polygon (`levels` 1) or a MultiPolygon (`levels` 2). The check stops at the first fault, because zod
 * would make an issue for each of 100,000 wrong positions.
 */
const coordinatesOf = <T>(levels: 1 | 2) =>
  z.custom<T>().superRefine((value, issues) => {
    const fault = ringsFault(value, levels, { remaining: MAX_CORNERS })
    if (fault) issues.addIssue({ code: 'custom', path: fault.path, message: `must be ${fault.expected}` })
  })

interface RingsFault {
  readonly path: number[]
  readonly expected: string
}

function ringsFault(value: unknown, levels: number, corners: { remaining: number }): RingsFault | undefined {
  const least = levels === 0 ? 4 : 1
  const expected = levels === 0 ? 'a ring of at least 4 positions' : 'a list of rings'
  if (!Array.isArray(value) || value.length < least) return { path: [], expected }
  for (const [i, part] of value.entries()) {
    const fault = levels === 0 ? positionFault(part, corners) : ringsFault(part, levels - 1, corners)
    if (fault) return { ...fault, path: [i, ...fault.path] }
  }
  return undefined
}

/** A position has longitude, latitude and at most an altitude. */
const MAX_COORDINATES = 3

function positionFault(value: unknown, corners: { remaining: number }): RingsFault | undefined {
  if (--corners.remaining < 0) return { path: [], expected: `one of at most ${MAX_CORNERS} positions in all` }
  const [lon, lat] = Array.isArray(value) ? value : []
  const isPosition =
    Array.isArray(value) &&
    value.length <= MAX_COORDINATES &&
    value.every((coordinate) => typeof coordinate === 'number') &&
    Math.abs(lon) <= 180 &&
    Math.abs(lat) <= 90
  return isPosition ? undefined : { path: [], expected: 'longitude and latitude in degrees' }
}

const polygon = z.object({ type: z.literal('Polygon'), coordinates: coordinatesOf<Positions[]>(1) })
const multiPolygon = z.object({ type: z.literal('MultiPolygon'), coordinates: coordinatesOf<Positions[][]>(2) })
const geometry = z.discriminatedUnion('type', [polygon, multiPolygon])
const feature = z.object({ type: z.literal('Feature'), geometry })
const collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(feature).min(1).max(200) })
const geojson = z.discriminatedUnion('type', [polygon, multiPolygon, feature, collection])

const common = {
  onError: z.literal('skip').optional(),
  opacity: z.number().min(0).max(1).optional(),
  time: z.number().int().min(0).max(4102444800).optional(),
}
const alertFilter = z.strictObject({
  ids: words.optional(),
  events: words.optional(),
  severities: z.array(severity).max(5).optional(),
  minSeverity: severity.optional(),
})
const layer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('weather'), product: z.string().min(1).max(80).optional(), ...common }),
  z.strictObject({ type: z.literal('alerts'), filter: alertFilter.optional(), ...common }),
  z.strictObject({ type: z.literal('storms'), ...common }),
  z.strictObject({
    type: z.literal('outlooks'),
    product: z.enum(['spc', 'spc-outlooks', 'spc-fire']).optional(),
    day: z.number().int().min(1).max(8).optional(),
    ...common,
  }),
  z.strictObject({ type: z.literal('geojson'), data: geojson, ...common }),
])
const scene = z.strictObject({
  scene: z.union([z.literal('1'), z.literal(1)]).optional(),
  view: z.strictObject({
    center: z.strictObject({ lat: z.number().min(-84).max(84), lon: z.number().min(-180).max(180) }),
    zoom: z.number().min(2).max(14).default(7),
  }),
  layers: z.array(layer).min(1).max(10),
})

export type SceneLayer = z.output<typeof layer>
export type SceneAlertFilter = z.output<typeof alertFilter>
export type Scene = z.output<typeof scene>

/** A scene document after a check of all its members. @throws ToolError bad-request with the path of each fault */
export function readScene(document: unknown): Scene {
  const parsed = scene.safeParse(document)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.slice(0, 5).map((issue) => {
    const path = pathOf(issue.path)
    const got = issue.path.reduce<unknown>(
      (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
      document,
    )
    if (issue.code === 'unrecognized_keys')
      return {
        path: `${path}.${issue.keys[0]?.slice(0, 40)}`,
        text: `is not a known member`,
        got: issue.keys[0]?.slice(0, 40),
      }
    const gotWords = got === undefined ? 'absent' : (JSON.stringify(got) ?? String(got)).slice(0, 60)
    return { path, text: `${expectationOf(issue)}, but was ${gotWords}`, got: gotWords }
  })
  throw new ToolError(
    'bad-request',
    faults.map(({ path, text }) => `${path} ${text}.`).join(' '),
    'correct the scene and call again; hexcast://guide describes its members.',
    { field: faults[0]?.path, got: faults[0]?.got },
  )
}

const pathOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`), 'scene')

function expectationOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'array' ? ' items' : ''}`
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'array' ? ' items' : ''}`
    case 'invalid_union':
      return `must be one of ${'options' in issue && Array.isArray(issue.options) ? issue.options.join(', ') : 'the known types'}`
    default:
      return issue.message
  }
}

/** The areas of a GeoJSON layer. @throws ToolError bad-request above 2,000 corners */
export function areasOf(data: z.output<typeof geojson>, path: string): PaintedArea[] {
  const geometries =
    data.type === 'FeatureCollection'
      ? data.features.map((feature) => feature.geometry)
      : [data.type === 'Feature' ? data.geometry : data]
  const polygons = geometries.flatMap((shape) => (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates))
  const corners = polygons.flat().reduce((sum, ring) => sum + ring.length, 0)
  if (corners > MAX_CORNERS)
    throw new ToolError(
      'bad-request',
      `${path}.data must have at most ${MAX_CORNERS} corners, but has ${corners}.`,
      'simplify the shapes and call again.',
      { field: `${path}.data`, allowed: MAX_CORNERS, got: corners },
    )
  return polygons.map((rings) => ({
    // The painter reads pairs of longitude and latitude, so altitudes are dropped.
    rings: rings.map((ring) => Float64Array.from(ring.flatMap((position) => position.slice(0, 2)))),
    colour: '#1f5fa8',
    opacity: 0.2,
  }))
}
