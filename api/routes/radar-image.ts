import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { type Instant, isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { storedFrameTimes } from '../../sql/queries/frames.ts'
import type { RadarFrames } from '../live/frames.ts'
import { palettes } from '../picture/colours.ts'
import { type Layer, paintFrames, paintLegend } from '../picture/painter.ts'
import { MAX_SIDE_PX, sizeOf } from '../picture/radar.ts'
import { Problem } from '../problem.ts'
import { type Box, domainsOf, parseBox, requireDomain } from '../query/box.ts'
import { parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import { boxShape, listMeta, metaOf, noParameters } from './shapes.ts'

/** Products with extrapolated images, up to 90 minutes ahead. */
const EXTRAPOLATED_PRODUCTS = new Set([
  'mrms-precip-rate',
  'mrms-reflectivity-surface',
  'mrms-reflectivity',
  'mrms-precip-flag',
])
const MAX_LEAD_MINUTES = 90
/** Bounds of the image cache: entries and bytes. */
const MAX_CACHED_IMAGES = 200
const MAX_CACHED_BYTES = 24 * 1_048_576

const number = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
export const opacityShape = z
  .preprocess(number, z.number().min(0).max(1))
  .default(0.8)
  .meta({ description: 'Of what is drawn, 0 to 1', wanted: 'a number from 0 to 1' })
const shape = {
  bbox: boxShape,
  width: z
    .preprocess(number, z.number().int().min(16).max(MAX_SIDE_PX))
    .default(800)
    .meta({
      description: `Pixels, 16 to ${MAX_SIDE_PX}; the height follows in Web-Mercator`,
      wanted: 'a whole number from 16 to 2048',
    }),
  time: z.string().max(40).optional().meta({
    description:
      'ISO instant or unix seconds: the nearest stored frame, or up to 90 minutes ahead the nowcast; absent: the newest',
    wanted: 'an instant such as 2026-08-20T12:10:00Z',
  }),
  opacity: opacityShape,
}
const params = { product: z.string().max(60).meta({ description: 'A radar product of /v1/catalog' }) }

const CONUS: Box = [-126, 23.5, -66, 50]

export interface RadarImageDeps {
  readonly documents: RadarFrames
  readonly database: Database
}

export function paletteOf(product: string | undefined) {
  const palette = product !== undefined && Object.hasOwn(palettes, product) ? palettes[product] : undefined
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
  const instant = /^\d{9,11}$/.test(text) ? Number(text) * 1000 : Date.parse(text)
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
export async function layerOf(
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
        layer: { frame, motion: { key: `${domain}/${motion.head.anchor}`, nodes: motion.nodes }, steps },
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

export function radarImageRoutes(deps: RadarImageDeps): readonly Route[] {
  const ready = new Map<string, Buffer>()
  let octets = 0
  const keep = (name: string, picture: Buffer) => {
    ready.set(name, picture)
    octets += picture.length
    for (const [oldest, { length }] of ready) {
      if (ready.size <= MAX_CACHED_IMAGES && octets <= MAX_CACHED_BYTES) break
      ready.delete(oldest)
      octets -= length
    }
  }

  const image: Route = {
    method: 'get',
    path: '/v1/radar/:product.png',
    handle: async ({ query, params: { product } }) => {
      const palette = paletteOf(product)
      const { bbox, width, time, opacity } = parseParameters(shape, query)
      const box = bbox === undefined ? CONUS : parseBox(bbox)
      requireDomain(box)
      if (box[1] >= box[3] || Math.abs(box[1]) > 85 || Math.abs(box[3]) > 85) {
        throw new Problem('bad-request', 'bbox: wanted a box with height, within 85 degrees of the equator.')
      }
      const wanted = time === undefined ? undefined : instantOf(time)
      const found = await Promise.all(domainsOf(box).map((domain) => layerOf(deps, product!, domain, wanted)))
      const layers = found.filter((one) => one !== undefined)
      if (layers.length === 0)
        throw new Problem('not-found', 'time: no frame of this product is stored for that time and place.')
      const size = sizeOf(box, width)
      const name = `${layers.map((one) => one.name).join()}|${box.join()}|${size.width}x${size.height}|${opacity}`
      let picture = ready.get(name)
      if (!picture) {
        const wants = { palette, box, size, opacity }
        picture = await paintFrames(
          layers.map(({ layer }) => layer),
          wants,
        )
        keep(name, picture)
      }
      const past = wanted !== undefined && layers.every(({ layer }) => !layer.steps)
      return {
        body: picture,
        type: 'image/png',
        etag: `"${createHash('sha256').update(name).digest('base64url').slice(0, 24)}"`,
        headers: {
          'Cache-Control': past ? 'max-age=3600' : 'max-age=60',
          'X-Valid-Time': isoSeconds(Math.min(...layers.map((one) => one.time))),
        },
      }
    },
    contract: {
      tag: 'radar',
      summary: 'A picture of a radar product, transparent, in Web-Mercator',
      tagged: true,
      query: shape,
      params,
      type: 'image/png',
    },
  }

  const legend: Route = {
    method: 'get',
    path: '/v1/radar/:product/legend.png',
    handle: async ({ query, params: { product } }) => {
      noParameters(query)
      const body = await paintLegend(paletteOf(product))
      return { body, type: 'image/png', headers: { 'Cache-Control': 'max-age=86400' } }
    },
    contract: { tag: 'radar', summary: 'The colours of a radar product', params, type: 'image/png' },
  }

  const times: Route = {
    method: 'get',
    path: '/v1/radar/:product',
    handle: async ({ query, params: { product }, now }) => {
      const palette = paletteOf(product)
      noParameters(query)
      const radar = await storedFrameTimes(deps.database, product!, 'conus')
      const newest = deps.documents.newestTime(product!, 'conus')
      const last =
        newest !== undefined && EXTRAPOLATED_PRODUCTS.has(product!) && (await deps.documents.motion('conus'))
          ? newest
          : undefined
      const ahead =
        last === undefined ? [] : Array.from({ length: MAX_LEAD_MINUTES / 5 }, (_, k) => last + (k + 1) * 5 * MINUTE)
      return {
        body: {
          product_id: product,
          title: palette.title,
          unit: palette.unit,
          times: radar.map(isoSeconds),
          nowcast_times: ahead.map(isoSeconds),
          legend: palette.steps.map(({ from, colour }) => ({
            from,
            colour: `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
          })),
          meta: metaOf(now, 'NOAA Multi-Radar/Multi-Sensor System (MRMS)'),
        },
        headers: { 'Cache-Control': 'max-age=30' },
      }
    },
    contract: {
      tag: 'radar',
      summary: 'Available times of the images of a radar product, and its colours',
      params,
      answer: z.object({
        product_id: z.string(),
        title: z.string(),
        unit: z.string(),
        times: z.array(z.iso.datetime()),
        nowcast_times: z.array(z.iso.datetime()),
        legend: z.array(z.object({ from: z.number(), colour: z.string() })),
        meta: listMeta,
      }),
    },
  }
  return [image, legend, times]
}
