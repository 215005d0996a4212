import { z } from 'zod'
import { nearestRadar } from '../../ingest/geo/site.ts'
import { distanceKm } from '../../ingest/geo/sphere.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import { stateOfCode } from '../../ingest/tile/frame-read.ts'
import { REFLECTIVITIES } from '../radar-at.ts'
import type { ToolContext } from './context.ts'
import { findSpot, forecastAt, type Row, type Spot } from './forecast.ts'
import * as shape from './input.ts'
import { held, localTime, phrase, reply } from './reply.ts'
import { tool } from './tool.ts'

const ECHO_DBZ = 15
const KM_PER_DEGREE = 111.19

export const getRadar = tool({
  name: 'get_radar',
  title: 'Get radar at a point',
  description:
    'What radar sees over a US place now: reflectivity and precipitation rate, and the nearest echo with distance and bearing: "is it raining there right now", "how far is the rain". Where it goes in the next 90 minutes: get_precipitation_nowcast; a picture: get_map_snapshot; storm cells: get_storm_tracks; what fell: get_precipitation_totals. Looks 100 km around by default, 460 at most; imperial units unless asked otherwise. no_coverage is not dry. 50 US states and DC where radar reaches.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    radius_km: z.number().min(10).max(460).default(100).describe('How far to look for the nearest echo, km.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    radar: z
      .object({
        product_id: z.string(),
        valid_time: z.string(),
        site: z.string(),
        reflectivity_dbz: z.number().nullable(),
        precip_rate: z.number().nullable(),
        coverage: z.enum(['value', 'dry', 'no_coverage']),
      })
      .nullable(),
    nearest_echo: z.object({ distance_km: z.number(), bearing: z.number(), reflectivity_dbz: z.number() }).nullable(),
    site: z.object({ id: z.string(), name: z.string(), distance_km: z.number() }).nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const found = await forecastAt(context, spot, { units: input.units, include: ['radar'], days: 1, hours: 1 })
    const radar = (found.weather['radar'] as Row | undefined) ?? null
    const near = radar ? await nearestEcho(context, spot, input.radius_km) : null
    const station = nearestRadar(spot.location.lat, spot.location.lon)
    const site = station ? { id: station.id, name: station.name, distance_km: station.distance_km } : null
    const rate = found.weather.units['precip_amount']
    const here = !radar
      ? `No radar is held for ${spot.location.name} now; this does not mean that it is dry.`
      : radar['coverage'] === 'no_coverage'
        ? `No radar coverage at ${spot.location.name}.`
        : radar['coverage'] === 'dry'
          ? `No echo over ${spot.location.name} at ${localTime(String(radar['valid_time']), spot.timezone)}.`
          : `${phrase(held('', radar['reflectivity_dbz'], 'dBZ'), held('', radar['precip_rate'], `${rate} per hour`)) || 'An echo'} over ${spot.location.name} at ${localTime(String(radar['valid_time']), spot.timezone)}.`
    const lines = [
      here,
      near
        ? `Nearest echo: ${near.distance_km} km away, bearing ${near.bearing}°, ${near.reflectivity_dbz} dBZ.`
        : radar
          ? `No echo of ${ECHO_DBZ} dBZ within ${input.radius_km} km.`
          : '',
    ]
    return reply({
      structured: { location: spot.location, units: input.units, radar, nearest_echo: near, site },
      lines: lines.filter(Boolean),
      meta: found.meta,
    })
  },
})

async function nearestEcho(
  context: ToolContext,
  spot: Spot,
  radiusKm: number,
): Promise<{ distance_km: number; bearing: number; reflectivity_dbz: number } | null> {
  const { radar } = context.parts
  const { domain } = spot.resolved
  const product = REFLECTIVITIES.find((id) => radar.newestTime(id, domain) !== undefined)
  const frame = product && (await radar.newest(product, domain))
  if (!frame) return null
  const { lat, lon } = spot.location
  const { grid } = frame.head
  const { x: cx, y: cy } = pixelOf(grid, lat, lon)
  const dy = Math.ceil(radiusKm / KM_PER_DEGREE / grid.dLat)
  const dx = Math.ceil(radiusKm / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180)) / grid.dLon)
  const box = {
    left: Math.round(cx) - dx,
    right: Math.round(cx) + dx,
    top: Math.round(cy) - dy,
    bottom: Math.round(cy) + dy,
  }
  const view = await frame.load([box])
  let best: { distance: number; lat: number; lon: number; dbz: number } | undefined
  for (let y = Math.max(0, box.top); y <= Math.min(grid.ny - 1, box.bottom); y++) {
    for (let x = Math.max(0, box.left); x <= Math.min(grid.nx - 1, box.right); x++) {
      const code = view.code(x, y)
      if (stateOfCode(code) !== 'value') continue
      const dbz = frame.value(code)
      if (dbz < ECHO_DBZ) continue
      const at = { lat: grid.north - y * grid.dLat, lon: grid.west + x * grid.dLon }
      const distance = distanceKm(lat, lon, at.lat, at.lon)
      if (distance <= radiusKm && (!best || distance < best.distance)) best = { distance, ...at, dbz }
    }
  }
  if (!best) return null
  return {
    distance_km: Math.round(best.distance * 10) / 10,
    bearing: bearingOf(lat, lon, best.lat, best.lon),
    reflectivity_dbz: Math.round(best.dbz * 10) / 10,
  }
}

/** Degrees from north through east, towards the second place. */
export function bearingOf(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const rad = Math.PI / 180
  const y = Math.sin((lon2 - lon1) * rad) * Math.cos(lat2 * rad)
  const x =
    Math.cos(lat1 * rad) * Math.sin(lat2 * rad) -
    Math.sin(lat1 * rad) * Math.cos(lat2 * rad) * Math.cos((lon2 - lon1) * rad)
  return (Math.round(Math.atan2(y, x) / rad) + 360) % 360
}
