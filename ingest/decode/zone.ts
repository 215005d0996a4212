import type { LandZoneKind } from '../domain/alert/ugc.ts'
import { Fault } from '../domain/fault.ts'
import { borderSteps, MAX_BORDER_STEPS } from '../domain/shape/cover.ts'
import { type MultiPolygon, normalized, squareDegrees } from '../domain/shape/ring.ts'
import { storable } from '../domain/storable.ts'

/** Maximum length of a name, in characters. */
const MAX_TEXT = 200
/** Maximum area of a zone. Alaska as a whole has 400 square degrees. */
const MAX_SQUARE_DEGREES = 2000

export interface ZoneShape {
  readonly kind: LandZoneKind
  readonly code: string
  readonly name: string
  /** Time from which the NWS uses this geometry. */
  readonly effective?: string
  readonly area: MultiPolygon
}

/**
 * Reads a zone of `api.weather.gov/zones/{type}/{id}`, which is one GeoJSON feature.
 * @throws Fault Corrupt if the text is not such a feature, is another zone, or has no usable polygon
 */
export function readZone(text: string, kind: LandZoneKind, code: string): ZoneShape {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new Fault(
      'Corrupt',
      `zone ${code}: the body must be JSON, but begins with ${JSON.stringify(text.slice(0, 40))}`,
      {},
      error,
    )
  }
  const feature = body as { properties?: Record<string, unknown>; geometry?: Geometry } | null
  const area = feature?.geometry && areaOf(feature.geometry)
  if (!area) throw new Fault('Corrupt', `zone ${code} must have a polygon, but has none`)
  if (borderSteps(area) > MAX_BORDER_STEPS.zone || squareDegrees(area) > MAX_SQUARE_DEGREES)
    throw new Fault('Corrupt', `zone ${code}: the polygon is too large or has too many vertices for a zone`)
  const id = feature?.properties?.['id']
  if (typeof id === 'string' && id !== code)
    throw new Fault('Corrupt', `zone ${code}: the document must be that of this zone, but is that of zone ${id}`)
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

export interface ZoneListEntry {
  readonly code: string
  readonly name: string
  /** Forecast office, such as `BOU`; empty if the document has none. */
  readonly office: string
  readonly area: MultiPolygon
}

export interface ZoneList {
  readonly zones: readonly ZoneListEntry[]
  /** The zones of the state whose geometry could not be read. */
  readonly rejected: readonly { readonly id: string; readonly detail: string }[]
}

/** Maximum number of zones of a state. Texas has 285. */
const MAX_ZONES = 2000

/**
 * Reads the public forecast zones of a state: `api.weather.gov/zones?type=public&area=CO&include_geometry=true`. Zones of other states are
 * omitted.
 * @throws Fault Corrupt if no zone can be read, or if more zones are unreadable than readable
 */
export function readPublicZones(text: string, state: string): ZoneList {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new Fault(
      'Corrupt',
      `zones of ${state}: the body must be JSON, but begins with ${JSON.stringify(text.slice(0, 40))}`,
      {},
      error,
    )
  }
  const features = (body as { features?: unknown } | null)?.features
  if (!Array.isArray(features) || features.length > MAX_ZONES)
    throw new Fault('Corrupt', `zones of ${state}: the document must have a list of at most ${MAX_ZONES} features`)
  const zones = new Map<string, ZoneListEntry>()
  const rejected: { id: string; detail: string }[] = []
  for (const feature of features as ({ properties?: Record<string, unknown>; geometry?: Geometry } | null)[]) {
    const { id, type, name, cwa } = feature?.properties ?? {}
    if (typeof id !== 'string' || !/^[A-Z]{2}Z\d{3}$/.test(id) || !id.startsWith(state)) continue
    if (type === 'fire' || zones.has(id)) continue
    const area = feature?.geometry && areaOf(feature.geometry)
    if (!area || squareDegrees(area) > MAX_SQUARE_DEGREES) {
      rejected.push({
        id,
        detail: `zone ${id}: the geometry must be the area of a zone, but is ${feature?.geometry?.type ?? 'absent'}`,
      })
      continue
    }
    const office = String(Array.isArray(cwa) ? (cwa[0] ?? '') : (cwa ?? ''))
    zones.set(id, {
      code: id,
      name: typeof name === 'string' ? storable(name).replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT) : '',
      office: /^[A-Z]{3}$/.test(office) ? office : '',
      area,
    })
  }
  if (zones.size === 0 || rejected.length > zones.size) {
    const counts = `${zones.size} zones can be read and ${rejected.length} cannot`
    throw new Fault('Corrupt', `zones of ${state}: expected zones such as ${state}Z001 with their areas, but ${counts}`)
  }
  return { zones: [...zones.values()], rejected }
}

interface Geometry {
  readonly type?: string
  readonly coordinates?: unknown
  readonly geometries?: readonly Geometry[]
}

/** Returns the area of a geometry; undefined if one of its parts is not an area, because the other parts would look like the whole zone. */
function areaOf({ type, coordinates, geometries }: Geometry): MultiPolygon | undefined {
  if (type === 'GeometryCollection') {
    const parts = (geometries ?? []).map(areaOf)
    return parts.length > 0 && !parts.includes(undefined) ? parts.flatMap((part) => part!) : undefined
  }
  if (type !== 'Polygon' && type !== 'MultiPolygon') return undefined
  return normalized((type === 'Polygon' ? [coordinates] : coordinates) as never)
}
