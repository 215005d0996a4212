import sharp from 'sharp'
import { type Instant, MINUTE, SECOND } from '../../../ingest/domain/time.ts'
import { storedFrameTimes } from '../../../sql/queries/frames.ts'
import { paintUnseen } from '../../picture/painter.ts'
import { rainViewerPalette } from '../../picture/rainviewer-schemes.ts'
import { boxOf, viewOf } from '../../picture/view.ts'
import { MRMS_ATTRIBUTION, simulatedWarnings, warningsHeader } from '../../present/meta.ts'
import { Problem } from '../../problem.ts'
import { domainsOf, type QueryBox } from '../../query/box.ts'
import { displayed, mismatchText } from '../../query/query.ts'
import type { Answer, Compatibility, Route, RouteRequest } from '../../route.ts'
import {
  EXTRAPOLATED_PRODUCTS,
  type FramePainter,
  instantOf,
  MAX_LEAD_MINUTES,
  type RadarImageDeps,
} from '../radar-picture.ts'
import { MAX_ZOOM, MIN_ZOOM, tileBox, tileNumber } from '../radar-tiles.ts'
import { apikeyOf } from './apikey.ts'

/**
 * The maps of RainViewer's API, version 2 (https://www.rainviewer.com/api/weather-maps-api.html), and the addresses of its API before
 * (https://www.rainviewer.com/api/legacy.html), with our radar.
 */

const PRODUCT = 'mrms-reflectivity'
/** Past frames cover two hours, and all frames are ten minutes apart, as at RainViewer. */
const PAST_MINUTES = 120
const STEP_MINUTES = 10
const OPACITY = 1
/** Pixels of a tile in the numbering of zooms, whatever the size of its picture. */
const TILE_PX = 256

const compatibility: Compatibility = { keyOf: apikeyOf }

type Params = RouteRequest['params']
type RainViewerDeps = RadarImageDeps & { readonly simulated: () => boolean }

export function rainViewerRoutes(deps: RainViewerDeps, paint: FramePainter): readonly Route[] {
  const warned = (answer: Answer): Answer => ({
    ...answer,
    headers: { ...answer.headers, ...warningsHeader(simulatedWarnings(deps.simulated())) },
  })
  const radar = async ({ time = '', size, z, x, y, color = '', options = '' }: Params): Promise<Answer> => {
    const palette = rainViewerPalette(color)
    if (!palette || !/^[01]_[01]$/.test(options))
      throw new Problem('not-found', `There is no tile with the colors ${displayed(`${color}/${options}`)}.`)
    const [smooth, snow] = options.split('_').map((option) => option === '1')
    const look = { palette, smooth: smooth === true, snow: snow === true }
    const picture = { product: PRODUCT, time: instantOf(time), size: sizeOf(size), opacity: OPACITY, look }
    return warned(await paint({ ...picture, box: coveredBox(boxAt(z, x, y)) }))
  }
  const coverage = async ({ size, z, x, y }: Params): Promise<Answer> =>
    warned(await unseenTile(deps, boxAt(z, x, y), sizeOf(size)))
  const route = (path: string, answer: (params: Params) => Promise<Answer>): Route => ({
    method: 'get',
    path: `/rainviewer${path}`,
    compatibility,
    handle: ({ params }) => answer(params),
  })
  const tile = '/:size/:z/:x/:y'
  return [
    mapsRoute(deps),
    earlierMapsRoute(deps),
    route(`/v2/radar/:time${tile}/:color/:options.png`, radar),
    route(`/v2/radar/:time${tile}/:color/:options.webp`, async (params) => asWebp(await radar(params))),
    route(`/v2/coverage/0${tile}.png`, coverage),
    route(`/v2/coverage/0${tile}/:color/:options.png`, coverage),
    route(`/v2/coverage/0${tile}/:color/:options.webp`, async (params) => asWebp(await coverage(params))),
  ]
}

function mapsRoute(deps: RainViewerDeps): Route {
  return {
    method: 'get',
    path: '/rainviewer/public/weather-maps.json',
    compatibility,
    handle: async ({ now, base }) => {
      const newest = deps.documents.newestTime(PRODUCT, 'conus')
      const hasNowcast = EXTRAPOLATED_PRODUCTS.has(PRODUCT) && (await deps.documents.motion('conus')) !== undefined
      const warnings = simulatedWarnings(deps.simulated())
      const framesOf = (all: readonly Instant[]) =>
        all.map((at) => ({ time: at / SECOND, path: `/v2/radar/${at / SECOND}` }))
      return {
        body: {
          version: '2.0',
          generated: Math.floor(now / SECOND),
          host: `${base}/rainviewer`,
          radar: {
            past: framesOf(await pastTimes(deps, newest)),
            nowcast: framesOf(newest !== undefined && hasNowcast ? timesAhead(newest) : []),
          },
          satellite: { infrared: [] },
          hexcast: { attribution: { sources: [MRMS_ATTRIBUTION] }, warnings },
        },
        headers: { 'Cache-Control': 'max-age=30', ...warningsHeader(warnings) },
      }
    },
  }
}

/** The list of past frames of the API before version 2: their times alone. */
function earlierMapsRoute(deps: RainViewerDeps): Route {
  return {
    method: 'get',
    path: '/rainviewer/public/maps.json',
    compatibility,
    handle: async () => {
      const times = await pastTimes(deps, deps.documents.newestTime(PRODUCT, 'conus'))
      return {
        body: times.map((at) => at / SECOND),
        headers: { 'Cache-Control': 'max-age=30', ...warningsHeader(simulatedWarnings(deps.simulated())) },
      }
    },
  }
}

/** The newest scan, and before it the scan nearest to each step of ten minutes, ascending. */
async function pastTimes({ database }: RainViewerDeps, newest: Instant | undefined): Promise<Instant[]> {
  if (newest === undefined) return []
  const times = await storedFrameTimes(database, PRODUCT, 'conus')
  const chosen = new Set<Instant>()
  for (let minutes = PAST_MINUTES; minutes >= 0; minutes -= STEP_MINUTES) {
    const frameTime = newest - minutes * MINUTE
    const [nearest] = [...times].sort((a, b) => Math.abs(a - frameTime) - Math.abs(b - frameTime))
    if (nearest !== undefined && Math.abs(nearest - frameTime) <= (STEP_MINUTES / 2) * MINUTE) chosen.add(nearest)
  }
  return [...chosen].sort((a, b) => a - b)
}

const timesAhead = (newest: Instant): Instant[] =>
  Array.from({ length: MAX_LEAD_MINUTES / STEP_MINUTES }, (_, k) => newest + (k + 1) * STEP_MINUTES * MINUTE)

function sizeOf(size: string | undefined) {
  if (size !== '256' && size !== '512')
    throw new Problem('bad-request', `The size of a tile must be 256 or 512, but was ${displayed(size)}.`)
  return { width: Number(size), height: Number(size) }
}

/** Returns the box of a tile by its column and row, or, if they have a decimal point, around a latitude and longitude. */
function boxAt(z: string | undefined, x = '', y = ''): QueryBox {
  const zoom = tileNumber('z', z, MIN_ZOOM, MAX_ZOOM)
  const degrees = /^-?\d{1,3}\.\d{1,12}$/
  if (!degrees.test(x) || !degrees.test(y)) {
    const last = 2 ** zoom - 1
    return tileBox(zoom, tileNumber('x', x, 0, last), tileNumber('y', y, 0, last))
  }
  const [lat, lon] = [Number(x), Number(y)]
  const view = viewOf(lat, lon, zoom, TILE_PX, TILE_PX)
  if (Math.abs(lon) <= 180 && Math.abs(view.bbox[1]) <= 85 && Math.abs(view.bbox[3]) <= 85) return boxOf(view)
  throw new Problem('bad-request', mismatchText('latitude, longitude', 'a place whose picture a map has', `${x}/${y}`))
}

function coveredBox(box: QueryBox): QueryBox {
  if (domainsOf(box).length > 0) return box
  throw new Problem('outside-coverage', 'The tile touches neither the contiguous states, nor Alaska, nor Hawaii.')
}

/** Draws black where the newest scans see nothing. @throws Problem not-found if no scan of the box is stored, so that nothing is known */
async function unseenTile({ documents }: RadarImageDeps, box: QueryBox, size: ReturnType<typeof sizeOf>) {
  const domains = domainsOf(box)
  const frames = await Promise.all(domains.map((domain) => documents.newest(PRODUCT, domain)))
  const layers = frames.flatMap((frame) => (frame ? [{ frame }] : []))
  if (domains.length > 0 && layers.length === 0)
    throw new Problem('not-found', 'No scan of this tile is stored yet, so its coverage is not known.')
  const body = await paintUnseen(layers, { box, size })
  return { body, type: 'image/png', headers: { 'Cache-Control': 'max-age=600' } }
}

/** The picture of an answer as WebP, with the same pixels. */
async function asWebp({ body, etag, ...answer }: Answer): Promise<Answer> {
  const picture = await sharp(body as Buffer)
    .webp({ lossless: true, exact: true, effort: 0 })
    .toBuffer()
  return { ...answer, body: picture, type: 'image/webp', ...(etag && { etag: etag.replace(/"$/, '-webp"') }) }
}
