import { z } from 'zod'
import { doc, measured, part } from '../../present/property.ts'
import * as member from '../../present/shared-properties.ts'

const at = z.iso.datetime()
const number = z.number()
const flag = z.boolean().optional()

/** Schemas of `radar` and `nowcast`. */
export const radarSiteSchema = z
  .strictObject({
    id: member.id,
    name: member.name,
    lat: member.lat,
    lon: member.lon,
    distance_km: member.distance_km,
    valid_time: member.valid_time.nullable(),
    elevation_angle: member.elevation_angle.nullable(),
    coverage: doc(
      z.enum(['value', 'dry', 'no_coverage']),
      'value, dry, or no_coverage: without a scan, out of range, or a range-folded echo',
      'value',
    ),
    reflectivity_dbz: member.reflectivity_dbz.nullable(),
    radial_velocity: measured(
      number.nullable(),
      'radial',
      -14.5,
      'Velocity along the beam, positive away from the radar; null if there is none',
    ),
    storm_relative_velocity: measured(
      number.nullable(),
      'radial',
      -6.1,
      'radial_velocity minus the mean motion of storms, in coarse steps; null if there is none',
    ),
    hydrometeor: doc(
      z.string().nullable(),
      'Type of the scatterers: rain, heavy_rain, wet_snow, dry_snow, hail_rain, graupel, ground_clutter, …; null if there is none',
      'wet_snow',
    ),
  })
  .meta({
    id: 'RadarSitePoint',
    description:
      'The lowest beam of the nearest radar with a scan of the last 20 minutes, else the nearest radar with `valid_time` null. Velocities are in `units.wind_speed`, positive away from the radar.',
  })

export const nowcastSchema = z
  .strictObject({
    interval_seconds: measured(z.int(), 'seconds', 300, 'Time between points'),
    generated_at: doc(at, 'Time of the radar scan on which the nowcast is based', '2026-08-20T18:02:00Z'),
    summary: part(
      z
        .strictObject({
          starts_at: doc(
            at.nullable(),
            'Start of the first precipitation that lasts for two steps; null without precipitation',
            '2026-08-20T18:20:00Z',
          ),
          ends_at: member.ends_at.nullish(),
          duration_minutes: measured(
            z.int().nullish(),
            'minutes',
            25,
            'Minutes from starts_at to ends_at; null without precipitation and if it lasts to the end of the nowcast',
          ),
          type: doc(
            z.enum(['rain', 'snow', 'freezing_rain', 'wintry_mix', 'unknown', 'none']),
            'Type of most steps of the precipitation',
            'rain',
          ),
          peak_intensity: member.peak_intensity.optional(),
          already_occurring: doc(flag, 'Whether it is falling already', false),
        })
        .meta({ id: 'NowcastSummary' })
        .optional(),
      'When precipitation begins and ends',
    ),
    points: z
      .array(
        z
          .strictObject({
            time: member.time,
            type: doc(
              z.enum(['none', 'rain', 'snow', 'freezing_rain', 'wintry_mix', 'no_coverage', 'unknown']),
              'Type of precipitation',
              'rain',
            ),
            intensity_dbz: measured(number, 'dbz', 31.5, 'Reflectivity'),
            intensity: doc(z.string(), 'Intensity in words', 'light'),
            precip_rate: member.precip_rate.nullish(),
            precip_probability: member.precip_probability.nullish(),
          })
          .meta({ id: 'NowcastPoint' }),
      )
      .describe('Steps of the next 90 minutes'),
  })
  .meta({ id: 'Nowcast' })
