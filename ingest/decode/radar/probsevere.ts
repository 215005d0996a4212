import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import type { Ring } from '../../domain/shape/ring.ts'
import type { Instant } from '../../domain/time.ts'
import type { StormList, StormObject } from '../../domain/weather/storm.ts'

/**
 * Reads a ProbSevere file of version 2 or 3 (version 3 has one model object per hazard). Malformed features are rejected and counted.
 * @throws Fault Corrupt if the text is not such a file
 */
export function readProbSevere(text: string, source: string): StormList {
  let parsed: Record<string, unknown> | null
  try {
    parsed = JSON.parse(text) as Record<string, unknown> | null
  } catch (error) {
    throw new Fault(
      'Corrupt',
      `${source}: the body must be JSON, but begins with "${text.slice(0, 40)}" (${(error as Error).message}). Fetch it again.`,
    )
  }
  const validTime = timeOf(String(parsed?.['validTime'] ?? ''))
  if (!Array.isArray(parsed?.['features']) || validTime === undefined) {
    throw new Fault(
      'Corrupt',
      `${source}: the document must have validTime and features, but has ${Object.keys(parsed ?? {}).join(', ') || 'nothing'}`,
    )
  }
  const storms: StormObject[] = []
  const rejected: string[] = []
  for (const [index, feature] of parsed['features'].entries()) {
    try {
      const storm = stormOf(feature as ProbSevereFeature)
      if (!overStates(storm)) throw new Error(`the storm must be near the states, but is at ${storm.lat}, ${storm.lon}`)
      storms.push(storm)
    } catch (error) {
      rejected.push(`${source}: feature ${index}: ${(error as Error).message}`)
    }
  }
  return { validTime, storms, rejected }
}

/** Returns whether a storm is within several hundred kilometres of the conterminous states, which is the coverage of their radars. */
function overStates({ lat, lon }: StormObject): boolean {
  return lat > 18 && lat < 58 && lon > -135 && lon < -55
}

interface ProbSevereFeature {
  readonly geometry?: { readonly type?: string; readonly coordinates?: unknown }
  readonly properties?: Readonly<Record<string, unknown>>
  readonly models?: Readonly<Record<string, { readonly PROB?: unknown } | undefined>>
}

function stormOf({ geometry, properties = {}, models = {} }: ProbSevereFeature): StormObject {
  const outline = ringsOf(geometry)
  const east = Number(properties['MOTION_EAST'])
  const south = Number(properties['MOTION_SOUTH'])
  if (!Number.isFinite(east) || !Number.isFinite(south)) throw new Error('MOTION_EAST or MOTION_SOUTH is missing')
  const id = String(properties['ID'] ?? '')
  if (id === '') throw new Error('the ID is missing')
  const [lon, lat] = middleOf(nth(outline, 0))
  const details: Record<string, string> = {}
  for (const [name, value] of Object.entries(properties)) if (typeof value !== 'object') details[name] = String(value)
  return {
    id,
    outline,
    lat,
    lon,
    east,
    north: -south,
    severe: percentOf(models['probsevere']),
    hail: percentOf(models['probhail']),
    wind: percentOf(models['probwind']),
    tornado: percentOf(models['probtor']),
    details,
  }
}

function percentOf(model: { readonly PROB?: unknown } | undefined): number | undefined {
  const text = model?.PROB
  if (text === undefined || text === null || text === '') return undefined
  const percent = Number(text)
  return percent >= 0 && percent <= 100 ? percent : undefined
}

/** Reads a time such as `20211011_005059 UTC`. */
function timeOf(text: string): Instant | undefined {
  const part = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/.exec(text)
  if (!part) return undefined
  const [, year, month, day, hour, minute, second] = part
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(instant) ? undefined : instant
}

function ringsOf(geometry: ProbSevereFeature['geometry']): Ring[] {
  const rings = geometry?.type === 'Polygon' ? geometry.coordinates : undefined
  if (!Array.isArray(rings) || rings.length === 0)
    throw new Error(`the geometry must be a Polygon, but is ${geometry?.type ?? 'absent'}`)
  return rings.map((ring: unknown) => {
    if (!Array.isArray(ring) || ring.length < 4) throw new Error('a ring must have at least 4 vertices')
    return ring.map((place: unknown) => {
      const [lon, lat] = place as [number, number]
      if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 360))
        throw new Error(`a vertex must be in degrees, but is ${lon}, ${lat}`)
      return [lon, lat] as const
    })
  })
}

/** Returns the centroid of an outline; the mean of its corners if its area is 0. */
function middleOf(ring: Ring): [number, number] {
  const [x0, y0] = nth(ring, 0)
  let area = 0
  let x = 0
  let y = 0
  for (let i = 0; i + 1 < ring.length; i++) {
    const [ax, ay] = [nth(ring, i)[0] - x0, nth(ring, i)[1] - y0]
    const [bx, by] = [nth(ring, i + 1)[0] - x0, nth(ring, i + 1)[1] - y0]
    const cross = ax * by - bx * ay
    area += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  if (Math.abs(area) < 1e-12) {
    const mean = (axis: 0 | 1) => ring.reduce((sum, place) => sum + place[axis], 0) / ring.length
    return [mean(0), mean(1)]
  }
  return [x0 + x / (3 * area), y0 + y / (3 * area)]
}
