import { createHash } from 'node:crypto'
import { z } from 'zod'
import { nearest } from '../../ingest/domain/nearest.ts'
import { isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { radarProductOf, radarProducts, SITE_SCAN_MAX_AGE_MS } from '../../ingest/domain/weather/radar-scan.ts'
import { radarById, radars } from '../../ingest/geo/site.ts'
import type { Frame } from '../../ingest/tile/frame-read.ts'
import type { RadarFrames } from '../live/frames.ts'
import { hydrometeorOf, sampleScan, scansOf } from '../live/radar-sites.ts'
import { paintFrames } from '../picture/painter.ts'
import { MAX_SIDE_PX, sizeOf } from '../picture/radar.ts'
import { classWord, sitePalette } from '../picture/site-colours.ts'
import { simulatedWarnings } from '../present/meta.ts'
import { doc, measured, rangeOf } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import { boxShape, parseBox, type QueryBox, requireDomain } from '../query/box.ts'
import { displayed, mismatchText, parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import { opacityShape } from './radar-image.ts'
import { requireDrawable } from './radar-picture.ts'
import { listMeta, metaOf } from './shapes.ts'

const ATTRIBUTION = 'NOAA/NWS NEXRAD level 3'
const params = {
  id: z.string().max(4).meta({ description: 'A radar: FTG or KFTG; see /v1/radars' }),
  product: z
    .string()
    .max(30)
    .meta({
      description: radarProducts.map(({ mnemonic, name }) => `${mnemonic} or ${name}`).join(', '),
    }),
}
const degrees = (name: string, max: number) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
      z.number().min(-max).max(max),
    )
    .optional()
    .meta({
      description: `${name} of a point, for its value; degrees`,
      expected: `a number from -${max} to ${max}`,
    })
const pointShape = { lat: degrees('Latitude', 90), lon: degrees('Longitude', 180) }
const imageShape = {
  bbox: boxShape,
  width: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value),
      z.number().int().min(16).max(MAX_SIDE_PX),
    )
    .default(800)
    .meta({
      description: `Width in pixels, 16 to ${MAX_SIDE_PX}`,
      expected: `a whole number from 16 to ${MAX_SIDE_PX}`,
    }),
  opacity: opacityShape,
}

const scanSchema = z.object({
  site: z
    .object({ id: member.id, icao: member.icao, name: member.name, lat: member.lat, lon: member.lon })
    .describe('The radar'),
  product: doc(z.string(), 'Mnemonic of the product', 'N0B'),
  name: member.name,
  title: member.title,
  unit: member.unit,
  valid_time: member.valid_time,
  stale: doc(z.boolean(), 'Whether the scan is older than 20 minutes', false),
  elevation_angle: member.elevation_angle.nullable(),
  coverage_pattern: measured(z.int(), 'count', 212, 'Volume coverage pattern of the radar'),
  bbox: doc(z.array(z.number().meta(rangeOf('degrees'))), 'west, south, east, north', [-125]),
  image: doc(z.string(), 'Path of the picture', '/v1/radar/site/FTG/N0B.png'),
  at: z
    .object({
      lat: member.lat,
      lon: member.lon,
      coverage: doc(
        z.enum(['value', 'dry', 'no_coverage']),
        'value, dry, or no_coverage: beyond the range of the radar, or a range-folded echo',
        'value',
      ),
      value: measured(
        z.number().nullable(),
        'measure',
        42,
        'Value of the product at the point, in `unit`; null without a value',
      ),
      word: member.word.optional(),
    })
    .optional()
    .describe('The value at the requested point'),
  legend: z
    .array(z.object({ from: member.from, colour: member.colour, word: member.word.optional() }))
    .describe('Legend of the picture'),
  meta: listMeta,
})

/** Returns the radar, product and newest scan of a path. @throws Problem not-found */
async function scanOf(radar: RadarFrames, id: string | undefined, name: string | undefined) {
  const site = radarById(id ?? '')
  if (!site) {
    const suggestions = nearest(
      String(id).toUpperCase(),
      radars().map((radar) => radar.id),
    ).slice(0, 5)
    throw new Problem('not-found', `${mismatchText('id', 'a radar such as FTG', displayed(id))} See /v1/radars.`, {
      members: { suggestions },
    })
  }
  const product = radarProductOf(name ?? '')
  if (!product) {
    const names = radarProducts.flatMap((product) => [product.mnemonic, product.name]).join(', ')
    throw new Problem('not-found', mismatchText('product', `one of ${names}`, displayed(name)))
  }
  const scan = (await scansOf(radar, site)).find(({ mnemonic }) => mnemonic === product.mnemonic)
  if (!scan) {
    const detail = `No scan of ${site.id} from the last 40 minutes is stored: the radar sends no data, or this installation does not ingest it. Try another radar.`
    throw new Problem('not-found', detail)
  }
  return { site, product, scan, frame: await radar.scan(scan.key) }
}

/** Returns the west, south, east and north edges of the outermost pixels. */
function extentOf({ head: { grid } }: Frame): QueryBox {
  const [left, top] = [grid.west - grid.dLon / 2, grid.north + grid.dLat / 2]
  return [left, top - grid.ny * grid.dLat, left + grid.nx * grid.dLon, top].map(
    (edge) => Math.round(edge * 1e4) / 1e4,
  ) as unknown as QueryBox
}

/** Routes of the newest scan of one radar, as numbers and as a picture. */
export const radarSiteRoutes = (radar: RadarFrames, simulated: () => boolean): readonly Route[] => [
  imageRoute(radar),
  scanRoute(radar, simulated),
]

function scanRoute(radar: RadarFrames, simulated: () => boolean): Route {
  return {
    method: 'get',
    path: '/v1/radar/site/:id/:product',
    handle: async ({ query, params: { id, product: name }, now }) => {
      const { lat, lon } = parseParameters(pointShape, query)
      if ((lat === undefined) !== (lon === undefined))
        throw new Problem(
          'bad-request',
          '`lat` and `lon` must be used together, but only one was sent. Add the other.',
          {
            members: { field: lat === undefined ? 'lat' : 'lon' },
          },
        )
      const { site, product, scan, frame } = await scanOf(radar, id, name)
      const palette = sitePalette(product)
      const at =
        lat === undefined || lon === undefined ? undefined : { lat, lon, ...(await sampleScan(frame, lat, lon)) }
      const word = product.unit === 'class' ? hydrometeorOf(at?.value) : undefined
      return {
        body: {
          site: { id: site.id, icao: site.icao, name: site.name, lat: site.lat, lon: site.lon },
          product: product.mnemonic,
          name: product.name,
          title: product.title,
          unit: product.unit,
          valid_time: isoSeconds(scan.time),
          stale: now - scan.time > SITE_SCAN_MAX_AGE_MS,
          elevation_angle: scan.elevation ?? null,
          coverage_pattern: scan.coveragePattern,
          bbox: extentOf(frame),
          image: `/v1/radar/site/${site.id}/${product.mnemonic}.png`,
          ...(at && {
            at: {
              lat: at.lat,
              lon: at.lon,
              coverage: at.state,
              value: at.value === undefined ? null : Math.round(at.value * 10) / 10,
              ...(word && { word }),
            },
          }),
          legend: palette.steps.map(({ from, colour }) => ({
            from,
            colour: `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
            ...(product.unit === 'class' && { word: classWord(from) }),
          })),
          meta: metaOf(now, ATTRIBUTION, simulatedWarnings(simulated())),
        },
        headers: { 'Cache-Control': 'max-age=60' },
      }
    },
    contract: {
      tag: 'radar',
      summary: 'The newest scan of one radar, with its extent and legend, and its value at a point',
      description: 'With a point, also the value of the scan there. A radar without a recent scan is 404.',
      query: pointShape,
      params,
      answer: scanSchema,
    },
  }
}

function imageRoute(radar: RadarFrames): Route {
  return {
    method: 'get',
    path: '/v1/radar/site/:id/:product.png',
    handle: async ({ query, params: { id, product: name }, now }) => {
      const { bbox, width, opacity } = parseParameters(imageShape, query)
      const { product, scan, frame } = await scanOf(radar, id, name)
      const box = bbox === undefined ? extentOf(frame) : parseBox(bbox)
      if (bbox !== undefined) requireDomain(box)
      requireDrawable(box)
      const size = sizeOf(box, width)
      const body = await paintFrames([{ frame }], { palette: sitePalette(product), box, size, opacity })
      const etagOf = `${scan.key}|${box.join()}|${size.width}x${size.height}|${opacity}`
      return {
        body,
        type: 'image/png',
        etag: `"${createHash('sha256').update(etagOf).digest('base64url').slice(0, 24)}"`,
        headers: {
          'Cache-Control': now - scan.time > 15 * MINUTE ? 'no-store' : 'max-age=60',
          'X-Valid-Time': isoSeconds(scan.time),
        },
      }
    },
    contract: {
      tag: 'radar',
      summary: 'A transparent picture of the newest scan of one radar in Web Mercator',
      description:
        'Answers a PNG of the requested size around the radar. Precipitation below the lowest color of the legend and places out of range are transparent.',
      tagged: true,
      query: imageShape,
      params,
      type: 'image/png',
    },
  }
}
