import { z } from 'zod'
import type { Area } from '../../picture/map-task.ts'
import { ToolError } from '../protocol/error.ts'

/** Of a GeoJSON layer. */
const MAX_CORNERS = 2000
const severity = z.enum(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'])
const words = z.array(z.string().min(1).max(300)).max(100)
type Positions = readonly (readonly number[])[]

/**
 * Lists of rings: `levels` 1 for the coordinates of a Polygon, 2 for those of a MultiPolygon. Looked through up to the first fault, since
 * zod makes an issue of each of 100,000 wrong ones.
 */
const coordinatesOf = <T>(levels: 1 | 2) =>
  z.custom<T>().superRefine((given, issues) => {
    const fault = ringsFault(given, levels, { left: MAX_CORNERS })
    if (fault) issues.addIssue({ code: 'custom', path: fault.path, message: fault.wanted })
  })

interface RingsFault {
  readonly path: number[]
  readonly wanted: string
}

function ringsFault(given: unknown, levels: number, corners: { left: number }): RingsFault | undefined {
  const least = levels === 0 ? 4 : 1
  const wanted = levels === 0 ? 'wanted a ring of at least 4 positions' : 'wanted a list of rings'
  if (!Array.isArray(given) || given.length < least) return { path: [], wanted }
  for (const [i, part] of given.entries()) {
    const fault = levels === 0 ? positionFault(part, corners) : ringsFault(part, levels - 1, corners)
    if (fault) return { ...fault, path: [i, ...fault.path] }
  }
  return undefined
}

/** Longitude, latitude, altitude. */
const MAX_COORDINATES = 3

function positionFault(given: unknown, corners: { left: number }): RingsFault | undefined {
  if (--corners.left < 0) return { path: [], wanted: `wanted at most ${MAX_CORNERS} positions in all` }
  const [lon, lat] = Array.isArray(given) ? given : []
  const isPosition =
    Array.isArray(given) &&
    given.length <= MAX_COORDINATES &&
    given.every((one) => typeof one === 'number') &&
    Math.abs(lon) <= 180 &&
    Math.abs(lat) <= 90
  return isPosition ? undefined : { path: [], wanted: 'wanted longitude and latitude in degrees' }
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
export type AlertFilter = z.output<typeof alertFilter>
export type Scene = z.output<typeof scene>

/** A scene document, checked to its whole depth. @throws ToolError bad-request with the path of each fault */
export function readScene(given: unknown): Scene {
  const read = scene.safeParse(given)
  if (read.success) return read.data
  const faults = read.error.issues.slice(0, 5).map((issue) => {
    const path = pathOf(issue.path)
    const got = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], given)
    if (issue.code === 'unrecognized_keys')
      return {
        path: `${path}.${issue.keys[0]?.slice(0, 40)}`,
        text: `there is no such member`,
        got: issue.keys[0]?.slice(0, 40),
      }
    const came = got === undefined ? 'nothing' : (JSON.stringify(got) ?? String(got)).slice(0, 60)
    return { path, text: `${wantedOf(issue)}, got ${came}`, got: came }
  })
  throw new ToolError(
    'bad-request',
    faults.map(({ path, text }) => `${path}: ${text}.`).join(' '),
    'correct the scene and call again; hexcast://guide describes its members.',
    { field: faults[0].path, got: faults[0].got },
  )
}

const pathOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`), 'scene')

function wantedOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `wanted ${issue.expected}`
    case 'invalid_value':
      return `wanted one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `wanted at least ${issue.minimum}${issue.origin === 'array' ? ' items' : ''}`
    case 'too_big':
      return `wanted at most ${issue.maximum}${issue.origin === 'array' ? ' items' : ''}`
    case 'invalid_union':
      return `wanted one of ${'options' in issue && Array.isArray(issue.options) ? issue.options.join(', ') : 'the known types'}`
    default:
      return issue.message
  }
}

/** Areas of a GeoJSON layer. @throws ToolError bad-request above 2,000 corners */
export function areasOf(data: z.output<typeof geojson>, path: string): Area[] {
  const geometries =
    data.type === 'FeatureCollection'
      ? data.features.map((one) => one.geometry)
      : [data.type === 'Feature' ? data.geometry : data]
  const polygons = geometries.flatMap((one) => (one.type === 'Polygon' ? [one.coordinates] : one.coordinates))
  const corners = polygons.flat().reduce((sum, ring) => sum + ring.length, 0)
  if (corners > MAX_CORNERS)
    throw new ToolError(
      'bad-request',
      `${path}.data: ${corners} corners, ${MAX_CORNERS} at most.`,
      'simplify the shapes and call again.',
      { field: `${path}.data`, allowed: MAX_CORNERS, got: corners },
    )
  return polygons.map((one) => ({
    // The painter reads pairs.
    rings: one.map((ring) => Float64Array.from(ring.flatMap(([lon, lat]) => [lon!, lat!]))),
    colour: '#1f5fa8',
    opacity: 0.2,
  }))
}
