import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { type Instant, isoSeconds, MINUTE, parseInstant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { storedFrameTimes } from '../../sql/queries/frames.ts'
import type { CacheSizes } from '../http/metrics.ts'
import type { RadarFrames } from '../live/frames.ts'
import { palettes } from '../picture/colours.ts'
import { type Layer, paintFrames } from '../picture/painter.ts'
import { Problem } from '../problem.ts'
import { domainsOf, type QueryBox } from '../query/box.ts'
import type { Answer } from '../route.ts'

/** Products with extrapolated images, up to 90 minutes ahead. */
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
      `product: wanted one of ${Object.keys(palettes).join(', ')}; got "${String(product).slice(0, 60)}".`,
    )
  }
  return palette
}

/** @throws Problem bad-request */
export function instantOf(text: string): Instant {
  const instant = /^\d{9,11}$/.test(text) ? Number(text) * 1000 : parseInstant(text)
  if (Number.isNaN(instant)) {
    throw new Problem(
      'bad-request',
      `time: wanted an instant such as 2026-08-20T12:10:00Z, or unix seconds; got "${text}".`,
      {
        members: { field: 'time' },
      },
    )
  }
  return instant
}

/** The layer of one domain at a time: the nearest stored frame, or the newest extrapolated. */
async function layerOf(
  { documents: radar, database }: RadarImageDeps,
  product: string,
  domain: DomainId,
  time: Instant | undefined,
): Promise<{ layer: Layer; time: Instant; name: string } | undefined> {
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
  const times = await storedFrameTimes(database, product, domain)
  const nearest = times.reduce<Instant | undefined>(
    (best, one) => (best === undefined || Math.abs(one - time) < Math.abs(best - time) ? one : best),
    undefined,
  )
  if (nearest === undefined || Math.abs(nearest - time) > 30 * MINUTE) return undefined
  const frame = await radar.at(product, domain, nearest)
  return { layer: { frame }, time: nearest, name: frame.key }
}

/** Bound of the pictures that are kept in memory. */
const MAX_CACHED_BYTES = 24 * 1_048_576

export interface PictureRequest {
  readonly product: string
  /** Absent: the newest. */
  readonly time?: Instant | undefined
  readonly box: QueryBox
  readonly size: { readonly width: number; readonly height: number }
  /** 0 to 1. */
  readonly opacity: number
}

/** Paints radar frames and keeps the last pictures. @param max how many pictures are kept, within 24 MB @param cache its name in the metrics */
export function framePictures(deps: RadarImageDeps, max: number, cache: string) {
  const ready = new LRUCache<string, Buffer>({
    max,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (picture, name) => picture.length + name.length + 200,
  })
  deps.caches?.set(cache, () => ready.calculatedSize)
  /** @throws Problem not-found where no frame of that time is stored */
  return async ({ product, time, box, size, opacity }: PictureRequest): Promise<Answer> => {
    const palette = paletteOf(product)
    const found = await Promise.all(domainsOf(box).map((domain) => layerOf(deps, product, domain, time)))
    const layers = found.filter((one) => one !== undefined)
    if (layers.length === 0)
      throw new Problem('not-found', 'time: no frame of this product is stored for that time and place.')
    const name = `${layers.map((one) => one.name).join()}|${box.join()}|${size.width}x${size.height}|${opacity}`
    let picture = ready.get(name)
    if (!picture) {
      picture = await paintFrames(
        layers.map(({ layer }) => layer),
        { palette, box, size, opacity },
      )
      ready.set(name, picture)
    }
    const past = time !== undefined && layers.every(({ layer }) => !layer.steps)
    return {
      body: picture,
      type: 'image/png',
      etag: `"${createHash('sha256').update(name).digest('base64url').slice(0, 24)}"`,
      headers: {
        'Cache-Control': past ? 'max-age=3600' : 'max-age=60',
        'X-Valid-Time': isoSeconds(Math.min(...layers.map((one) => one.time))),
      },
    }
  }
}
