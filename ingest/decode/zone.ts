import { borderSteps, MAX_BORDER_STEPS } from '../domain/cover.ts'
import { Fault } from '../domain/fault.ts'
import { type MultiPolygon, normalized, squareDegrees } from '../domain/ring.ts'
import { storable } from '../domain/storable.ts'
import type { ZoneKind } from '../domain/ugc.ts'

/** Characters of a name. */
const MAX_TEXT = 200
/** Alaska has 400. */
const MAX_SQUARE_DEGREES = 2000

export interface ZoneShape {
  readonly kind: ZoneKind
  readonly code: string
  readonly name: string
  /** From when the NWS uses this geometry. */
  readonly effective?: string
  readonly area: MultiPolygon
}

/**
 * A zone of `api.weather.gov/zones/{type}/{id}`: one GeoJSON feature.
 * @throws Fault Corrupt
 */
export function readZone(text: string, kind: ZoneKind, code: string): ZoneShape {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new Fault('Corrupt', `zone ${code}: wanted JSON, got ${JSON.stringify(text.slice(0, 40))}…`, {}, error)
  }
  const feature = body as { properties?: Record<string, unknown>; geometry?: Geometry } | null
  const area = feature?.geometry && areaOf(feature.geometry)
  if (!area) throw new Fault('Corrupt', `zone ${code}: wanted a shape, got none`)
  if (borderSteps(area) > MAX_BORDER_STEPS.zone || squareDegrees(area) > MAX_SQUARE_DEGREES)
    throw new Fault('Corrupt', `zone ${code}: wanted the shape of a zone, got one that is too large or too intricate`)
  const id = feature?.properties?.['id']
  if (typeof id === 'string' && id !== code)
    throw new Fault('Corrupt', `zone ${code}: wanted its shape, got that of ${id}`)
  const text1 = (value: unknown) => (typeof value === 'string' ? storable(value).slice(0, MAX_TEXT) : undefined)
  const effective = text1(feature?.properties?.['effectiveDate'])
  return {
    kind,
    code,
    name: text1(feature?.properties?.['name']) ?? '',
    effective: Number.isNaN(Date.parse(effective ?? '')) ? undefined : effective,
    area,
  }
}

interface Geometry {
  readonly type?: string
  readonly coordinates?: unknown
  readonly geometries?: readonly Geometry[]
}

/** Undefined where one of the parts is no area: the others would pass for the whole zone. */
function areaOf({ type, coordinates, geometries }: Geometry): MultiPolygon | undefined {
  if (type === 'GeometryCollection') {
    const parts = (geometries ?? []).map(areaOf)
    return parts.length > 0 && !parts.includes(undefined) ? parts.flatMap((part) => part!) : undefined
  }
  if (type !== 'Polygon' && type !== 'MultiPolygon') return undefined
  return normalized((type === 'Polygon' ? [coordinates] : coordinates) as never)
}
