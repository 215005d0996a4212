import type { DomainId } from '../../ingest/domain/domain.ts'
import { mapPaced } from '../../ingest/domain/pacer.ts'
import { coordinatesOf, shapeOfWkb } from '../../ingest/domain/shape/shape.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { outlookIssues } from '../../sql/queries/outlooks.ts'
import { AlertIndex, type LiveAlert } from '../live/alert-index.ts'
import type { AlertWatch } from '../live/alert-watch.ts'
import { byGravity, restOf } from '../live/alerts.ts'
import type { RadarFrames } from '../live/frames.ts'
import { Problem } from '../problem.ts'

/** Bends of an outline below this size are omitted, degrees: one pixel at zoom 8. */
const FINE_DEGREES = 0.003
/** Largest number of lightning flashes; the newest are shown. */
const MAX_FLASHES = 4000

export interface AreaFeature {
  readonly type: 'Feature'
  readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: number[][][][] }
  readonly properties: Readonly<Record<string, string | number>>
}

const order = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme']
const rounded = (degrees: number) => Math.round(degrees * 1e3) / 1e3

/** Returns a ring without invisible bends; undefined if fewer than four positions remain. */
function thinned(ring: readonly (readonly number[])[]): number[][] | undefined {
  const positions: number[][] = []
  let [lastX, lastY] = [Number.NaN, Number.NaN]
  for (const [index, [x = 0, y = 0]] of ring.entries()) {
    const isLast = index === ring.length - 1
    if (index > 0 && !isLast && Math.hypot(x - lastX, y - lastY) < FINE_DEGREES) continue
    positions.push([rounded(x), rounded(y)])
    lastX = x
    lastY = y
  }
  return positions.length > 3 ? positions : undefined
}

function area(
  polygons: readonly (readonly (readonly (readonly number[])[])[])[],
  properties: AreaFeature['properties'],
): AreaFeature | undefined {
  const coordinates = polygons
    .map((rings) => rings.map(thinned).filter((ring) => ring !== undefined))
    .filter((rings) => rings.length > 0)
  if (coordinates.length === 0) return undefined
  return { type: 'Feature', geometry: { type: 'MultiPolygon', coordinates }, properties }
}

/** Returns the areas of active alerts, the most severe last. @throws Problem before the feed was read, because unknown does not mean none */
export async function alertAreas(watch: AlertWatch, clock: Instant): Promise<AreaFeature[]> {
  if (!watch.trust(clock).feed?.confirmed_at)
    throw new Problem('service-unavailable', 'The NWS alert feed has not been read yet. Retry in a minute.')
  const active = watch.index.all(watch.now(clock)).filter(({ head }) => head.status === 'Actual')
  // The outlines of the whole country have about 10 MB.
  const areas = await mapPaced(active.sort(byGravity), alertArea)
  return areas
    .filter((feature) => feature !== undefined)
    .sort((a, b) => Number(a.properties['rank']) - Number(b.properties['rank']))
}

function alertArea(alert: LiveAlert): AreaFeature | undefined {
  const { id, event, severity, headline, ends } = restOf(alert)
  const rank = Math.max(0, order.indexOf(severity))
  return area(AlertIndex.shapesOf(alert).flatMap(coordinatesOf), { id, event, severity, rank, headline, ends })
}

/** Returns the categories of today's convective outlook, the highest last. */
export async function outlookAreas(database: Database): Promise<AreaFeature[]> {
  return (await outlookIssues(database))
    .filter(({ day, hazard }) => day === 1 && hazard === 'severe')
    .flatMap(({ levels }) => levels)
    .filter(({ scale }) => scale === 'category')
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ label, rank, wkb }) => {
      const polygons = shapeOfWkb(wkb).polygons.map(({ rings }) => rings.map((ring) => pairs(ring)))
      return area(polygons, { label, rank }) ?? []
    })
}

function pairs(ring: Float64Array): number[][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [...ring.subarray(2 * i, 2 * i + 2)])
}

/** Returns the latest flashes as `[lon, lat, seconds before the end]`; null if no lightning mapper was read in the last 5 minutes. */
export async function recentFlashes(
  radar: RadarFrames,
  now: Instant,
): Promise<{ end: string; flashes: number[][] } | null> {
  const domains: readonly DomainId[] = ['conus', 'alaska', 'hawaii']
  const lists = (await Promise.all(domains.map((domain) => radar.flashes(domain)))).filter((list) => list !== undefined)
  const recent = lists.filter(({ head }) => now - head.end < 5 * 60_000)
  if (recent.length === 0) return null
  const flashes = new Map<string, [lon: number, lat: number, age: number]>()
  for (const { lat, lon, age } of recent)
    for (const [i, degreesNorth] of lat.entries()) {
      const flash: [number, number, number] = [
        rounded(lon[i] ?? Number.NaN),
        rounded(degreesNorth),
        Math.round(age[i] ?? Number.NaN),
      ]
      flashes.set(flash.join(), flash)
    }
  const newest = [...flashes.values()].sort(([, , a], [, , b]) => a - b).slice(0, MAX_FLASHES)
  return { end: isoSeconds(Math.max(...recent.map(({ head }) => head.end))), flashes: newest }
}
