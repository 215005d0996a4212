import { z } from 'zod'
import { isoSeconds } from '../../ingest/domain/time.ts'
import { MRMS_ATTRIBUTION } from '../present/meta.ts'
import { doc, measured, rangeOf } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import { domainsOf, type QueryBox } from '../query/box.ts'
import { displayed, mismatchText, parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import { opacityShape } from './radar-image.ts'
import { type FramePainter, framePictures, instantOf, paletteOf, type RadarImageDeps } from './radar-picture.ts'

export const MIN_ZOOM = 2
export const MAX_ZOOM = 9
/** Painted tiles that are cached. */
export const MAX_CACHED_TILES = 4000
const BOUNDS: QueryBox = [-176, 15, -60, 72]

const shape = {
  opacity: opacityShape,
  size: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value),
      z.literal([256, 512]),
    )
    .default(256)
    .meta({ description: 'Pixels of a side: 256 or 512', expected: '256 or 512' }),
}
const params = {
  product: z.string().max(60).meta({ description: 'A radar product of /v1/catalog' }),
  time: z.string().max(40).meta({ description: 'latest, or an instant as in /v1/radar/{product}.png' }),
  z: z
    .string()
    .max(2)
    .meta({ description: `Zoom, ${MIN_ZOOM} to ${MAX_ZOOM}` }),
  x: z.string().max(3).meta({ description: 'Column from the west' }),
  y: z.string().max(3).meta({ description: 'Row from the north' }),
}

/** Returns the edges of a Web Mercator tile in degrees. */
export function tileBox(zoom: number, x: number, y: number): QueryBox {
  const side = 2 ** zoom
  const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / side))) * 180) / Math.PI
  return [(x / side) * 360 - 180, latitude(y + 1), ((x + 1) / side) * 360 - 180, latitude(y)]
}

/** Returns the number in a part of an address. @throws Problem bad-request if it is none from `min` to `max` */
export function tileNumber(name: string, text: string | undefined, min: number, max: number): number {
  const value = /^\d{1,3}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Problem('bad-request', mismatchText(name, `a whole number from ${min} to ${max}`, displayed(text)))
}

/** Returns the box of a tile by the numbers of its address. @throws Problem for a zoom, column or row out of range, or outside the coverage */
function tileOf(z: string | undefined, x: string | undefined, y: string | undefined): QueryBox {
  const zoom = tileNumber('z', z, MIN_ZOOM, MAX_ZOOM)
  const last = 2 ** zoom - 1
  const box = tileBox(zoom, tileNumber('x', x, 0, last), tileNumber('y', y, 0, last))
  if (domainsOf(box).length > 0) return box
  throw new Problem(
    'outside-coverage',
    'The tile touches neither the contiguous states, nor Alaska, nor Hawaii. Request another tile.',
  )
}

/** Routes of tiles for maps in browsers, and of their TileJSON. */
export function radarTileRoutes(
  deps: RadarImageDeps,
  paint: FramePainter = framePictures(deps, MAX_CACHED_TILES, 'radar_tiles'),
): readonly Route[] {
  const tile: Route = {
    method: 'get',
    path: '/v1/radar/:product/:time/:z/:x/:y.png',
    handle: async ({ query, params: { product = '', time = '', z, x, y } }) => {
      paletteOf(product)
      const { size, opacity } = parseParameters(shape, query)
      const box = tileOf(z, x, y)
      const at = time === 'latest' ? undefined : instantOf(time)
      return paint({ product, time: at, box, size: { width: size, height: size }, opacity })
    },
    contract: {
      tag: 'radar',
      summary:
        'A tile of a radar product for Web Mercator maps, transparent without precipitation and without coverage',
      description:
        'Answers a PNG of 256 or 512 pixels. `latest` is the newest scan. A tile of a given time does not change, so it may be cached for long.',
      tagged: true,
      query: shape,
      params,
      type: 'image/png',
    },
  }

  const description: Route = {
    method: 'get',
    path: '/v1/radar/:product/:time/tiles.json',
    handle: async ({ query, params: { product = '', time = '' }, base }) => {
      const { title } = paletteOf(product)
      const { size, opacity } = parseParameters(shape, query)
      if (time !== 'latest') instantOf(time)
      const newest = deps.documents.newestTime(product, 'conus')
      return {
        body: {
          tilejson: '3.0.0',
          name: `${title}${newest === undefined ? '' : `, newest of ${isoSeconds(newest)}`}`,
          attribution: MRMS_ATTRIBUTION,
          scheme: 'xyz',
          tiles: [
            `${base}/v1/radar/${product}/${encodeURIComponent(time)}/{z}/{x}/{y}.png?size=${size}&opacity=${opacity}`,
          ],
          minzoom: MIN_ZOOM,
          maxzoom: MAX_ZOOM,
          bounds: BOUNDS,
        },
        headers: { 'Cache-Control': 'max-age=60' },
      }
    },
    contract: {
      tag: 'radar',
      summary: 'TileJSON 3.0 of a radar product: addresses, zooms and bounds of its tiles',
      description: 'Map libraries such as MapLibre read this document as the source of a raster layer.',
      query: shape,
      params: { product: params.product, time: params.time },
      answer: z.object({
        tilejson: doc(z.literal('3.0.0'), 'Version of TileJSON', '3.0.0'),
        name: doc(z.string(), 'Name of the layer', 'Composite reflectivity, newest of 2026-08-20T18:02:00Z'),
        attribution: member.attribution,
        scheme: doc(z.literal('xyz'), 'Scheme of tile addresses; rows count from the north', 'xyz'),
        tiles: doc(z.array(z.string()), 'Template of the addresses of tiles', [
          'https://weather.example.org/v1/radar/mrms-reflectivity/latest/{z}/{x}/{y}.png',
        ]),
        minzoom: measured(z.int(), 'zoom', 2, 'Least zoom'),
        maxzoom: measured(z.int(), 'zoom', 9, 'Greatest zoom'),
        bounds: doc(z.array(z.number().meta(rangeOf('degrees'))), 'west, south, east, north', [-176]),
      }),
    },
  }
  return [description, tile]
}
