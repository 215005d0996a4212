import { z } from 'zod'
import { compassPoint } from '../../../ingest/geo/place.ts'
import { nearestRadar } from '../../../ingest/geo/site.ts'
import type { WeatherValue } from '../../answer/value.ts'
import { findSpot } from '../../dataset/spot.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { forecastAt } from '../query/forecast.ts'
import { ECHO_DBZ, gridLines, radarAround } from '../query/radar-around.ts'
import { absence, certainAbsence } from '../words/absence.ts'
import { localTime, phrase, reply, valueWords } from '../words/reply.ts'

/** The nearest radar and the values of its lowest beam, as in /v1/weather. */
const radarSite = z.object({
  id: z.string(),
  name: z.string(),
  lat: z.number(),
  lon: z.number(),
  distance_km: z.number(),
  valid_time: z.string().nullable(),
  elevation_angle: z.number().nullable(),
  coverage: z.enum(['value', 'dry', 'no_coverage']),
  reflectivity_dbz: z.number().nullable(),
  radial_velocity: z.number().nullable(),
  storm_relative_velocity: z.number().nullable(),
  hydrometeor: z.string().nullable(),
})

export const getRadar = tool({
  name: 'get_radar',
  title: 'Get radar at a point',
  description:
    'What radar sees over a US place now, and the nearest echo with distance and bearing: "is it raining there right now", "how far is the rain". Where it goes: get_precipitation_nowcast; a picture: get_map_snapshot; fallen: get_precipitation_totals. no_coverage is not dry.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    radius_km: z.number().min(10).max(460).default(100).describe('How far to look, km.'),
    format: z.enum(['point', 'grid']).default('point').describe('grid: also the echoes around as a text grid.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    radar: z
      .object({
        product_id: z.string(),
        valid_time: z.string(),
        site: radarSite.nullable(),
        reflectivity_dbz: z.number().nullable(),
        precip_rate: z.number().nullable(),
        coverage: z.enum(['value', 'dry', 'no_coverage']),
      })
      .nullable(),
    nearest_echo: z.object({ distance_km: z.number(), bearing: z.number(), reflectivity_dbz: z.number() }).nullable(),
    echo_nearby: z.boolean().nullable().describe('null: radar does not see the whole area'),
    site: z.object({ id: z.string(), name: z.string(), distance_km: z.number() }).nullable(),
    grid: z.object({ cell_km: z.number(), rows: z.array(z.array(z.number().nullable())) }).optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const { weather, meta } = await forecastAt(context, spot, {
      units: input.units,
      include: ['radar'],
      days: 1,
      hours: 1,
    })
    const radar = weather.radar ?? null
    const around = radar ? await radarAround(context, spot, input.radius_km) : undefined
    const near = around?.nearest ?? null
    const echoDoubt =
      !radar || !around
        ? 'no recent scan is available'
        : around.coverage === 'nothing'
          ? 'radar does not cover that area'
          : around.coverage === 'part'
            ? 'radar covers only a part of that area, and that part is free of echoes'
            : undefined
    const station = nearestRadar(spot.location.lat, spot.location.lon)
    const site = station ? { id: station.id, name: station.name, distance_km: station.distance_km } : null
    const rate = weather.units.precip_amount
    const here = radar
      ? echoWords(radar, rate, spot.location.name, spot.timezone)
      : absence(
          'precipitation_over',
          { place: spot.location.name, at: '' },
          meta.warnings.find(({ section }) => section === 'radar')?.detail ??
            'no radar is available for this place now',
        )
    const lines = [
      here,
      near
        ? near.distance_km === 0
          ? ''
          : `Nearest echo of ${ECHO_DBZ} dBZ or more: ${near.distance_km} km ${compassPoint(near.bearing)} of the place, ${near.reflectivity_dbz} dBZ.`
        : radar
          ? absence('echo_within', { km: input.radius_km, dbz: ECHO_DBZ }, echoDoubt)
          : '',
      ...(around && input.format === 'grid' ? gridLines(around, context.now) : []),
    ]
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        radar,
        nearest_echo: near,
        echo_nearby: near ? true : echoDoubt === undefined ? false : null,
        site,
        ...(around && input.format === 'grid' && { grid: around.grid }),
      },
      lines: lines.filter(Boolean),
      meta,
    })
  },
})

type Echo = Pick<NonNullable<WeatherValue['radar']>, 'coverage' | 'reflectivity_dbz' | 'precip_rate' | 'valid_time'>

/**
 * Returns words for the echo over the place. The coverage is that of the precipitation rate, which may be dry under an echo aloft.
 */
export function echoWords(radar: Echo, unit: string, place: string, timezone: string): string {
  const at = `over ${place} at ${localTime(radar.valid_time, timezone)}`
  const echo = valueWords('', radar.reflectivity_dbz, 'dBZ')
  if (radar.coverage === 'value')
    return `${phrase(echo, valueWords('', radar.precip_rate, `${unit} per hour`)) || 'An echo'} ${at}.`
  if (radar.coverage === 'dry')
    return echo
      ? certainAbsence('precipitation_under', { echo: `${echo} ${at}` })
      : absence('precipitation_over', { place, at: localTime(radar.valid_time, timezone) })
  const doubt = echo ? `${echo} ${at}, but the radar has no rate` : 'no radar sees the place'
  return absence('precipitation_over', { place, at: '' }, doubt)
}
