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

/** Degrees below which a bend of an outline is not drawn: a pixel of zoom 8. */
const FINE_DEGREES = 0.003
/** Strikes of lightning that are shown at most, the newest first. */
const MAX_FLASHES = 4000

export interface AreaFeature {
  readonly type: 'Feature'
  readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: number[][][][] }
  readonly properties: Readonly<Record<string, string | number>>
}

const order = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme']
const rounded = (degrees: number) => Math.round(degrees * 1e3) / 1e3

/** A ring without bends that cannot be seen; undefined where nothing is left of it. */
function thinned(ring: readonly (readonly number[])[]): number[][] | undefined {
  const kept: number[][] = []
  let [lastX, lastY] = [Number.NaN, Number.NaN]
  for (const [index, [x, y]] of ring.entries()) {
    const last = index === ring.length - 1
    if (index > 0 && !last && Math.hypot(x! - lastX, y! - lastY) < FINE_DEGREES) continue
    kept.push([rounded(x!), rounded(y!)])
    lastX = x!
    lastY = y!
  }
  return kept.length > 3 ? kept : undefined
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

/** Areas of the alerts that are active, the most severe on top. @throws Problem before the first read of the feed: unknown is not "none" */
export async function alertAreas(watch: AlertWatch, clock: Instant): Promise<AreaFeature[]> {
  if (!watch.trust(clock).feed?.confirmed_at)
    throw new Problem('service-unavailable', 'The NWS alert feed has not been read yet. Retry in a minute.')
  const active = watch.index.all(watch.now(clock)).filter(({ head }) => head.status === 'Actual')
  // Outlines of the whole country are some 10 MB.
  const areas = await mapPaced(active.sort(byGravity), alertArea)
  return areas
    .filter((one) => one !== undefined)
    .sort((a, b) => Number(a.properties['rank']) - Number(b.properties['rank']))
}

function alertArea(alert: LiveAlert): AreaFeature | undefined {
  const { id, event, severity, headline, ends } = restOf(alert)
  const rank = Math.max(0, order.indexOf(severity))
  return area(AlertIndex.shapesOf(alert).flatMap(coordinatesOf), { id, event, severity, rank, headline, ends })
}

/** The categories of today's convective outlook, the highest on top. */
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
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!])
}

/** Flashes of the last minutes as `[lon, lat, seconds before the end]`; null where no lightning mapper was read lately. */
export async function recentFlashes(
  radar: RadarFrames,
  now: Instant,
): Promise<{ end: string; flashes: number[][] } | null> {
  const domains: readonly DomainId[] = ['conus', 'alaska', 'hawaii']
  const lists = (await Promise.all(domains.map((domain) => radar.flashes(domain)))).filter((one) => one !== undefined)
  const recent = lists.filter(({ head }) => now - head.end < 5 * 60_000)
  if (recent.length === 0) return null
  const flashes = new Map<string, number[]>()
  for (const { lat, lon, age } of recent)
    for (let i = 0; i < lat.length; i++) {
      const flash = [rounded(lon[i]!), rounded(lat[i]!), Math.round(age[i]!)]
      flashes.set(flash.join(), flash)
    }
  const newest = [...flashes.values()].sort((a, b) => a[2]! - b[2]!).slice(0, MAX_FLASHES)
  return { end: isoSeconds(Math.max(...recent.map(({ head }) => head.end))), flashes: newest }
}
