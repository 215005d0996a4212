import { z } from 'zod'
import type { PaintedArea, PaintedLine } from '../../picture/map-task.ts'
import { ToolError } from '../protocol/error.ts'

/** Largest number of positions in a GeoJSON layer. */
const MAX_CORNERS = 2000
const COLOUR = '#1f5fa8'

type Coordinates = readonly number[]

/** The nesting of the coordinates of a shape. */
interface ShapeForm {
  /** Lists around a position: 0 for a point, 3 for a MultiPolygon. */
  readonly levels: number
  /** Least number of positions in the innermost list, and a name for that list. */
  readonly least: number
  readonly list: string
}

/**
 * Returns the schema of the coordinates of a shape. The check stops at the first fault, because zod would make an issue for each of 100,000 wrong
 * positions.
 */
const coordinatesOf = <T>(form: ShapeForm) =>
  z.custom<T>().superRefine((value, issues) => {
    const fault = faultOf(value, form, form.levels, { remaining: MAX_CORNERS })
    if (fault) issues.addIssue({ code: 'custom', path: fault.path, message: `must be ${fault.expected}` })
  })

interface CoordinatesFault {
  readonly path: number[]
  readonly expected: string
}

function faultOf(
  value: unknown,
  form: ShapeForm,
  levels: number,
  corners: { remaining: number },
): CoordinatesFault | undefined {
  if (levels === 0) return positionFault(value, corners)
  const isInnermost = levels === 1
  const expected = isInnermost ? form.list : `a list of ${levels === 2 ? `lists of positions` : 'polygons'}`
  if (!Array.isArray(value) || value.length < (isInnermost ? form.least : 1)) return { path: [], expected }
  for (const [i, part] of value.entries()) {
    const fault = faultOf(part, form, levels - 1, corners)
    if (fault) return { ...fault, path: [i, ...fault.path] }
  }
  return undefined
}

/** A position has longitude, latitude and at most an altitude. */
const MAX_COORDINATES = 3

function positionFault(value: unknown, corners: { remaining: number }): CoordinatesFault | undefined {
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

const line = { least: 2, list: 'a line of at least 2 positions' }
const ring = { least: 4, list: 'a ring of at least 4 positions' }
const points = { least: 1, list: 'a list of positions' }
const point = z.object({
  type: z.literal('Point'),
  coordinates: coordinatesOf<Coordinates>({ levels: 0, ...points }),
})
const multiPoint = z.object({
  type: z.literal('MultiPoint'),
  coordinates: coordinatesOf<Coordinates[]>({ levels: 1, ...points }),
})
const lineString = z.object({
  type: z.literal('LineString'),
  coordinates: coordinatesOf<Coordinates[]>({ levels: 1, ...line }),
})
const multiLineString = z.object({
  type: z.literal('MultiLineString'),
  coordinates: coordinatesOf<Coordinates[][]>({ levels: 2, ...line }),
})
const polygon = z.object({
  type: z.literal('Polygon'),
  coordinates: coordinatesOf<Coordinates[][]>({ levels: 2, ...ring }),
})
const multiPolygon = z.object({
  type: z.literal('MultiPolygon'),
  coordinates: coordinatesOf<Coordinates[][][]>({ levels: 3, ...ring }),
})
const geometries = [point, multiPoint, lineString, multiLineString, polygon, multiPolygon] as const
const geometry = z.discriminatedUnion('type', geometries)
const feature = z.object({ type: z.literal('Feature'), geometry })
const collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(feature).min(1).max(200) })
/** Schema of the GeoJSON of a layer. */
export const geojson = z.discriminatedUnion('type', [...geometries, feature, collection])

/** Returns the areas, and the lines and points, of a GeoJSON layer. @throws ToolError bad-request above 2,000 corners */
export function shapesOf(
  data: z.output<typeof geojson>,
  path: string,
): { readonly areas: PaintedArea[]; readonly lines: PaintedLine[] } {
  const shapes =
    data.type === 'FeatureCollection'
      ? data.features.map((item) => item.geometry)
      : [data.type === 'Feature' ? data.geometry : data]
  const areas: PaintedArea[] = []
  const lines: PaintedLine[] = []
  for (const shape of shapes) {
    for (const rings of polygonsIn(shape)) areas.push({ rings: rings.map(flat), colour: COLOUR, opacity: 0.2 })
    for (const positions of linesIn(shape)) lines.push({ positions: flat(positions), colour: COLOUR })
  }
  const numbers = [...areas.flatMap(({ rings }) => rings), ...lines.map(({ positions }) => positions)]
  const corners = numbers.reduce((sum, positions) => sum + positions.length / 2, 0)
  if (corners > MAX_CORNERS)
    throw new ToolError(
      'bad-request',
      `${path}.data must have at most ${MAX_CORNERS} corners, but has ${corners}.`,
      'simplify the shapes and call again.',
      { field: `${path}.data`, allowed: MAX_CORNERS, got: corners },
    )
  return { areas, lines }
}

type LayerShape = z.output<typeof geometry>

function polygonsIn(shape: LayerShape): readonly (readonly (readonly Coordinates[])[])[] {
  if (shape.type === 'Polygon') return [shape.coordinates]
  return shape.type === 'MultiPolygon' ? shape.coordinates : []
}

/** Returns the lines of a shape, of which a point is one with a single position. */
function linesIn(shape: LayerShape): readonly (readonly Coordinates[])[] {
  switch (shape.type) {
    case 'Point':
      return [[shape.coordinates]]
    case 'MultiPoint':
      return shape.coordinates.map((position) => [position])
    case 'LineString':
      return [shape.coordinates]
    case 'MultiLineString':
      return shape.coordinates
    default:
      return []
  }
}

/** Returns positions without altitudes, because the painter reads pairs of longitude and latitude. */
const flat = (positions: readonly Coordinates[]) =>
  Float64Array.from(positions.flatMap((position) => position.slice(0, 2)))
