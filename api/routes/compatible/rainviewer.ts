import { type Instant, MINUTE, SECOND } from '../../../ingest/domain/time.ts'
import { storedFrameTimes } from '../../../sql/queries/frames.ts'
import { MRMS_ATTRIBUTION, simulatedWarnings, warningsHeader } from '../../present/meta.ts'
import { Problem } from '../../problem.ts'
import { displayed } from '../../query/query.ts'
import type { Compatibility, Route } from '../../route.ts'
import {
  EXTRAPOLATED_PRODUCTS,
  type FramePainter,
  instantOf,
  MAX_LEAD_MINUTES,
  type RadarImageDeps,
} from '../radar-picture.ts'
import { tileOf } from '../radar-tiles.ts'
import { apikeyOf } from './apikey.ts'

/** The maps of RainViewer's API, version 2 (https://www.rainviewer.com/api/weather-maps-api.html), with our radar. */

const PRODUCT = 'mrms-reflectivity'
/** Past frames cover two hours, and all frames are ten minutes apart, as at RainViewer. */
const PAST_MINUTES = 120
const STEP_MINUTES = 10
const OPACITY = 1

const compatibility: Compatibility = { keyOf: apikeyOf }

export function rainViewerRoutes(
  deps: RadarImageDeps & { readonly simulated: () => boolean },
  paint: FramePainter,
): readonly Route[] {
  const maps: Route = {
    method: 'get',
    path: '/rainviewer/public/weather-maps.json',
    compatibility,
    handle: async ({ now, base }) => {
      const newest = deps.documents.newestTime(PRODUCT, 'conus')
      const times = newest === undefined ? [] : await storedFrameTimes(deps.database, PRODUCT, 'conus')
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
            past: framesOf(pastTimes(times, newest)),
            nowcast: framesOf(newest !== undefined && hasNowcast ? timesAhead(newest) : []),
          },
          satellite: { infrared: [] },
          hexcast: { attribution: { sources: [MRMS_ATTRIBUTION] }, warnings },
        },
        headers: { 'Cache-Control': 'max-age=30', ...warningsHeader(warnings) },
      }
    },
  }
  const tile: Route = {
    method: 'get',
    path: '/rainviewer/v2/radar/:time/:size/:z/:x/:y/:color/:options.png',
    compatibility,
    handle: async ({ params: { time = '', size, z, x, y, color = '', options = '' } }) => {
      if (size !== '256' && size !== '512')
        throw new Problem('bad-request', `The size of a tile must be 256 or 512, but was ${displayed(size)}.`)
      // The colors are always those of the NWS, without smoothing: these parts of the address have no effect.
      if (!/^(?:[0-8]|255)$/.test(color) || !/^[01]_[01]$/.test(options))
        throw new Problem('not-found', `There is no tile with the colors ${displayed(`${color}/${options}`)}.`)
      const side = Number(size)
      const picture = { product: PRODUCT, time: instantOf(time), size: { width: side, height: side }, opacity: OPACITY }
      const answer = await paint({ ...picture, box: tileOf(z, x, y) })
      return { ...answer, headers: { ...answer.headers, ...warningsHeader(simulatedWarnings(deps.simulated())) } }
    },
  }
  return [maps, tile]
}

/** Returns the newest scan, and before it the scan nearest to each step of ten minutes, ascending. */
function pastTimes(times: readonly Instant[], newest: Instant | undefined): Instant[] {
  if (newest === undefined) return []
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
