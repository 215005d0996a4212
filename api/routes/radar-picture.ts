import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { datasetOf } from '../../ingest/catalog.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { type Instant, isoSeconds, MINUTE, parseInstant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { storedFrameTimes } from '../../sql/queries/frames.ts'
import type { CacheSizes } from '../http/metrics.ts'
import type { RadarFrames } from '../live/frames.ts'
import { type Palette, palettes } from '../picture/colours.ts'
import { type Layer, paintFrames } from '../picture/painter.ts'
import { Problem } from '../problem.ts'
import { domainsOf, type QueryBox } from '../query/box.ts'
import { displayed, mismatchText } from '../query/query.ts'
import type { Answer } from '../route.ts'

/** Products with images that are extrapolated up to 90 minutes ahead. */
export const EXTRAPOLATED_PRODUCTS = new Set([
  'mrms-precip-rate',
  'mrms-reflectivity-surface',
  'mrms-reflectivity',
  'mrms-precip-flag',
])
export const MAX_LEAD_MINUTES = 90
export interface RadarImageDeps {
  readonly documents: RadarFrames
  readonly database: Database
  readonly caches?: CacheSizes
}

export function paletteOf(product: string | undefined) {
  const palette = product === undefined ? undefined : palettes[product]
  if (!palette) {
    throw new Problem(
      'not-found',
      mismatchText('product', `one of ${Object.keys(palettes).join(', ')}`, displayed(product)),
    )
  }
  return palette
}

/** Checks that a box has height and lies within 85 degrees of the equator, as Web Mercator needs. @throws Problem bad-request */
export function requireDrawable([, south, , north]: QueryBox): void {
  if (south < north && Math.abs(south) <= 85 && Math.abs(north) <= 85) return
  throw new Problem(
    'bad-request',
    '`bbox` must have height and lie within 85 degrees of the equator, but does not. Change `bbox` and try again.',
  )
}

/** Parses an instant, ISO 8601 or Unix seconds. @throws Problem bad-request */
export function instantOf(text: string): Instant {
  const instant = /^\d{9,11}$/.test(text) ? Number(text) * 1000 : parseInstant(text)
  if (Number.isNaN(instant)) {
    throw new Problem(
      'bad-request',
      mismatchText('time', 'an instant such as 2026-08-20T12:10:00Z, or Unix seconds', displayed(text)),
      { members: { field: 'time' } },
    )
  }
  return instant
}

interface DatedLayer {
  readonly layer: Layer
  readonly time: Instant
  readonly name: string
}

/** Returns the layer of one domain at a time: the nearest stored frame, or the newest frame extrapolated; undefined if there is none. */
async function layerOf(
  { documents: radar, database }: RadarImageDeps,
  product: string,
  domain: DomainId,
  time: Instant | undefined,
): Promise<DatedLayer | undefined> {
  const newest = radar.newestTime(product, domain)
  if (newest === undefined) return undefined
  if (time === undefined) {
    const frame = await radar.newest(product, domain)
    return frame && { layer: { frame }, time: newest, name: frame.key }
  }
  if (time > newest + MINUTE && EXTRAPOLATED_PRODUCTS.has(product)) {
    const motion = await radar.motion(domain)
    const steps = Math.round((time - newest) / (5 * MINUTE))
    if (!motion || steps * 5 > MAX_LEAD_MINUTES) return undefined
    const frame = await radar.newest(product, domain)
    return (
      frame && {
        layer: {
          frame,
          motion: { key: `${domain}/${motion.head.anchor}`, product: motion.head.product, nodes: motion.nodes },
          steps,
        },
        time: newest + steps * 5 * MINUTE,
        name: `${frame.key}+${steps}`,
      }
    )
  }
  const nearest = nearestOf(await storedFrameTimes(database, product, domain), time, 30 * MINUTE)
  if (nearest === undefined) return undefined
  const frame = await radar.at(product, domain, nearest)
  return { layer: { frame }, time: nearest, name: frame.key }
}

/** Returns the time nearest to another; undefined if none is within `reach`. */
function nearestOf(times: readonly Instant[], time: Instant, reach: number): Instant | undefined {
  const [nearest] = times.toSorted((a, b) => Math.abs(a - time) - Math.abs(b - time))
  return nearest !== undefined && Math.abs(nearest - time) <= reach ? nearest : undefined
}

const TYPES = datasetOf('precip_type').id
/** Greatest difference between the times of a frame and of its precipitation types. */
const TYPES_REACH_MS = 10 * MINUTE

/** Adds the precipitation types at the time of a layer's frame, if they are stored. */
async function withTypes(
  { documents, database }: RadarImageDeps,
  domain: DomainId,
  { layer, time, name }: DatedLayer,
): Promise<DatedLayer> {
  const at = nearestOf(await storedFrameTimes(database, TYPES, domain), layer.frame.head.validTime, TYPES_REACH_MS)
  const types = at === undefined ? undefined : await documents.find(TYPES, domain, at)
  return { layer: { ...layer, types }, time, name: `${name}&${types?.key}` }
}

/** Largest size of the cached pictures together. */
const MAX_CACHED_BYTES = 24 * 1_048_576

export interface PictureRequest {
  readonly product: string
  /** Default: the newest frame. */
  readonly time?: Instant | undefined
  readonly box: QueryBox
  readonly size: { readonly width: number; readonly height: number }
  /** 0 to 1. */
  readonly opacity: number
  /** Default: the colours of the product, neither smoothed nor with other colours for snow. */
  readonly look?: PictureLook
}

export interface PictureLook {
  readonly palette: Palette
  readonly smooth: boolean
  /** Whether snow is drawn in the palette's colours of snow, as far as the types of precipitation are stored. */
  readonly snow: boolean
}

/** @throws Problem not-found if no frame is stored for the time */
export type FramePainter = (request: PictureRequest) => Promise<Answer>

/**
 * Returns a function that paints radar frames, with a cache of the last pictures.
 * @param max number of cached pictures, within 24 MB
 * @param cache name of the cache in the metrics
 */
export function framePictures(deps: RadarImageDeps, max: number, cache: string): FramePainter {
  const ready = new LRUCache<string, Buffer>({
    max,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (picture, name) => picture.length + name.length + 200,
  })
  deps.caches?.set(cache, () => ready.calculatedSize)
  return async ({ product, time, box, size, opacity, look }: PictureRequest): Promise<Answer> => {
    const palette = look?.palette ?? paletteOf(product)
    const layersOfDomains = await Promise.all(
      domainsOf(box).map(async (domain) => {
        const layer = await layerOf(deps, product, domain, time)
        return layer && look?.snow ? withTypes(deps, domain, layer) : layer
      }),
    )
    const layers = layersOfDomains.filter((layer) => layer !== undefined)
    if (layers.length === 0)
      throw new Problem(
        'not-found',
        '`time`: no frame of this product is stored for this time and place. See /v1/radar/{product} for the times.',
      )
    const drawing = `${size.width}x${size.height}|${opacity}|${look ? `${look.palette.title}|${look.smooth}` : ''}`
    const name = `${layers.map((layer) => layer.name).join()}|${box.join()}|${drawing}`
    let picture = ready.get(name)
    if (!picture) {
      picture = await paintFrames(
        layers.map(({ layer }) => layer),
        { palette, box, size, opacity, smooth: look?.smooth ?? false },
      )
      ready.set(name, picture)
    }
    const isPast = time !== undefined && layers.every(({ layer }) => !layer.steps)
    return {
      body: picture,
      type: 'image/png',
      etag: `"${createHash('sha256').update(name).digest('base64url').slice(0, 24)}"`,
      headers: {
        'Cache-Control': isPast ? 'max-age=3600' : 'max-age=60',
        'X-Valid-Time': isoSeconds(Math.min(...layers.map((layer) => layer.time))),
      },
    }
  }
}
