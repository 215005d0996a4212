import { z } from 'zod'
import { isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { storedFrameTimes } from '../../sql/queries/frames.ts'
import type { Palette } from '../picture/colours.ts'
import { paintLegend } from '../picture/painter.ts'
import { MAX_SIDE_PX, sizeOf } from '../picture/radar.ts'
import { MRMS_ATTRIBUTION, simulatedWarnings } from '../present/meta.ts'
import { doc } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { boxShape, parseBox, type QueryBox, requireDomain } from '../query/box.ts'
import { parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import {
  EXTRAPOLATED_PRODUCTS,
  framePictures,
  instantOf,
  MAX_LEAD_MINUTES,
  paletteOf,
  type RadarImageDeps,
  requireDrawable,
} from './radar-picture.ts'
import { listMeta, metaOf, noParameters } from './shapes.ts'

const MAX_CACHED_IMAGES = 200

const number = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
export const opacityShape = z
  .preprocess(number, z.number().min(0).max(1))
  .default(0.8)
  .meta({ description: 'Opacity of the picture, 0 to 1', expected: 'a number from 0 to 1' })
const shape = {
  bbox: boxShape,
  width: z
    .preprocess(number, z.number().int().min(16).max(MAX_SIDE_PX))
    .default(800)
    .meta({
      description: `Width in pixels, 16 to ${MAX_SIDE_PX}; the height follows from Web Mercator`,
      expected: 'a whole number from 16 to 2048',
    }),
  time: z.string().max(40).optional().meta({
    description:
      'ISO 8601 instant or Unix seconds: the nearest stored frame, or the nowcast up to 90 minutes ahead; default: the newest frame',
    expected: 'an instant such as 2026-08-20T12:10:00Z',
  }),
  opacity: opacityShape,
}
const params = { product: z.string().max(60).meta({ description: 'A radar product of /v1/catalog' }) }

const CONUS: QueryBox = [-126, 23.5, -66, 50]

const timesSchema = z.object({
  product_id: doc(z.string(), 'Id of the dataset in /v1/catalog', 'mrms-reflectivity'),
  title: doc(z.string(), 'Title of the product', 'Composite reflectivity'),
  unit: doc(z.string(), 'Unit of the values', 'dBZ'),
  times: doc(z.array(z.iso.datetime()), 'Available times of scans', ['2026-08-20T18:00:00Z']),
  nowcast_times: doc(z.array(z.iso.datetime()), 'Available times of the nowcast', ['2026-08-20T18:30:00Z']),
  legend: z.array(z.object({ from: member.from, colour: member.colour })).describe('Legend of the picture'),
  meta: listMeta,
})

export function radarImageRoutes(deps: RadarImageDeps & { readonly simulated: () => boolean }): readonly Route[] {
  const paint = framePictures(deps, MAX_CACHED_IMAGES, 'radar_images')
  const image: Route = {
    method: 'get',
    path: '/v1/radar/:product.png',
    handle: async ({ query, params: { product } }) => {
      paletteOf(product)
      const { bbox, width, time, opacity } = parseParameters(shape, query)
      const box = bbox === undefined ? CONUS : parseBox(bbox)
      requireDomain(box)
      requireDrawable(box)
      const at = time === undefined ? undefined : instantOf(time)
      return paint({ product: product ?? '', time: at, box, size: sizeOf(box, width), opacity })
    },
    contract: {
      tag: 'radar',
      summary: 'A transparent picture of a radar product in Web Mercator',
      description:
        'Answers a PNG of the box at the newest scan, or at `time`. Places without precipitation and without coverage are transparent. The product must be one of /v1/catalog whose images are served.',
      tagged: true,
      query: shape,
      params,
      type: 'image/png',
    },
  }

  /**
   * Legends by palette, of which there are a few. Drawing them at each request would leak memory, because a thread that draws little frees
   * its canvases late.
   */
  const legends = new Map<Palette, Promise<Buffer>>()
  const legendOf = (palette: Palette): Promise<Buffer> => {
    const stored = legends.get(palette)
    if (stored) return stored
    const drawing = paintLegend(palette)
    legends.set(palette, drawing)
    drawing.catch(() => legends.delete(palette))
    return drawing
  }
  const legend: Route = {
    method: 'get',
    path: '/v1/radar/:product/legend.png',
    handle: async ({ query, params: { product } }) => {
      noParameters(query)
      const body = await legendOf(paletteOf(product))
      return { body, type: 'image/png', headers: { 'Cache-Control': 'max-age=86400' } }
    },
    contract: {
      tag: 'radar',
      summary: 'The legend of a radar product, as a picture',
      description: 'A PNG of the colors with their values and unit. It changes only with the program.',
      params,
      type: 'image/png',
    },
  }

  const times: Route = {
    method: 'get',
    path: '/v1/radar/:product',
    handle: async ({ query, params: { product }, now }) => {
      const palette = paletteOf(product)
      noParameters(query)
      const id = product ?? ''
      const radar = await storedFrameTimes(deps.database, id, 'conus')
      const newest = deps.documents.newestTime(id, 'conus')
      const last =
        newest !== undefined && EXTRAPOLATED_PRODUCTS.has(id) && (await deps.documents.motion('conus'))
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
          meta: metaOf(now, MRMS_ATTRIBUTION, simulatedWarnings(deps.simulated())),
        },
        headers: { 'Cache-Control': 'max-age=30' },
      }
    },
    contract: {
      tag: 'radar',
      summary: 'Available times of the images of a radar product, and its legend',
      description:
        'Times of the stored scans, oldest first, and for products with a nowcast its times. Each is a value of `time` of the images and tiles.',
      params,
      answer: timesSchema,
    },
  }
  return [image, legend, times]
}
