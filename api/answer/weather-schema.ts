import { z } from 'zod'
import { AMOUNTS, ANALYSES } from '../../ingest/domain/history.ts'
import { warningCodes } from '../contract.ts'
import { sections } from '../sections/index.ts'
import type { metarSchema } from '../sections/metar.ts'

/** Schema of the Weather object, for the OpenAPI document, the typed client and the tests. */
const at = z.iso.datetime()
const number = z.number()
const maybe = z.number().nullable().optional()
const text = z.string().optional()
const maybeAt = at.nullable().optional()
const flag = z.boolean().optional()

const radarSiteSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    lat: number,
    lon: number,
    distance_km: number,
    valid_time: at.nullable(),
    elevation_angle: number.nullable(),
    coverage: z.enum(['value', 'dry', 'no_coverage']),
    reflectivity_dbz: number.nullable(),
    radial_velocity: number.nullable(),
    storm_relative_velocity: number.nullable(),
    hydrometeor: z.string().nullable(),
  })
  .meta({
    id: 'RadarSitePoint',
    description:
      'The lowest beam of the nearest radar with a scan of the last 20 minutes; else the nearest radar with `valid_time` null. Velocities in `units.wind_speed`, positive away from the radar.',
  })

type Names<T extends string> = T extends `${infer Head} ${infer Rest}` ? Head | Names<Rest> : T
function fields<const T extends string, S extends z.ZodType>(names: T, schema: S): Record<Names<T>, S> {
  return Object.fromEntries(names.split(' ').map((name) => [name, schema])) as Record<Names<T>, S>
}

export const locationSchema = z
  .strictObject({
    lat: number,
    lon: number,
    name: z.string(),
    ...fields('region country', text),
    timezone: z.string(),
    ...fields('county zip', text),
    elevation: number
      .nullable()
      .optional()
      .meta({ description: 'Ground at the point in units.altitude; null where no source of it was read' }),
    utc_offset_seconds: z.int().optional().meta({ description: 'Offset of timezone at meta.generated_at' }),
  })
  .meta({ id: 'Location' })

const currentSchema = z
  .strictObject({
    time: at,
    ...fields(
      'temperature feels_like humidity dew_point pressure wind_speed wind_gust visibility cloud_cover cloud_ceiling cloud_cover_low cloud_cover_mid cloud_cover_high uv_index pm25 ozone pm10 precip_rate precip_24h lightning_density',
      maybe,
    ),
    ...fields('wind_direction aqi lightning_prob lightning_flashes', z.int().nullable().optional()),
    ...fields('aqi_category precip_type', text),
    aqi_category: z.string().nullable().optional(),
    conditions: z.string(),
    icon: z.string(),
    ...fields('severe cloud_ceiling_unlimited', flag),
  })
  .meta({
    id: 'Current',
    description:
      'Values of the newest analysis at `time`; its missing fields are the forecast at that time. What falls is what the radar sees; without radar coverage, the forecast of the hour where it is likelier than not.',
  })

const hourlyUncertainty = z
  .strictObject(
    fields(
      'temperature_stddev dew_point_stddev wind_speed_stddev wind_gust_stddev visibility_prob_below_1mi visibility_prob_below_2mi visibility_prob_below_3mi visibility_prob_below_5mi ceiling_prob_below_500ft ceiling_prob_below_1000ft ceiling_prob_below_2000ft ceiling_prob_below_3000ft ceiling_prob_below_6600ft wind_speed_p50 wind_speed_prob_gt_75mph',
      maybe,
    ),
  )
  .meta({ id: 'HourlyUncertainty' })

const hourSchema = z
  .strictObject({
    time: at,
    ...fields(
      'temperature feels_like humidity wind_speed precip_probability precip_amount wind_gust dew_point cloud_cover visibility pressure thunderstorm_probability uv_index aqi precip_type_rain_prob precip_type_snow_prob precip_type_freezing_rain_prob precip_type_ice_pellets_prob cape snow_amount cloud_ceiling cloud_cover_low cloud_cover_mid cloud_cover_high snow_level',
      maybe,
    ),
    wind_direction: z.int().nullable().optional(),
    ...fields('conditions icon', text),
    ...fields('precip_type', text.nullable()),
    ...fields('severe thunder_possible cloud_ceiling_unlimited', flag),
    uncertainty: hourlyUncertainty.nullable().optional(),
    source: z.enum(['observed', 'analysis']).nullable().optional(),
    product_id: z.enum(ANALYSES).nullable().optional(),
    precip_product_id: z.enum(AMOUNTS).nullable().optional(),
  })
  .meta({
    id: 'Hour',
    description:
      'One hour of the blend. `precip_amount`, `precip_probability`, `snow_amount` and `thunderstorm_probability` are of the hour that ends at `time`, the others at `time`. Beyond the hourly range of the source amounts of 6 hours are dealt out with their sum, and probabilities of 6 hours stand at each hour as an upper bound (`meta.warnings`). `thunder_possible`: thunder 15 percent or CAPE 1000 J/kg. Rows before the current one (`past_hours`) have `source`, `product_id` and `precip_product_id`: each is of one analysis, with the liquid that was measured; what no analysis has is null or absent, and so is all of an hour that is not stored, with a warning.',
  })

const astroSchema = z
  .strictObject({
    ...fields('civil_dawn sunrise solar_noon sunset civil_dusk moonrise moonset', at.nullable()),
    day_length: z.int(),
    daylight_length: z.int(),
    moon_phase: number,
    moon_phase_name: z.string(),
    moon_illumination: number,
    polar: z.enum(['midnight_sun', 'polar_night']).nullable().optional(),
  })
  .meta({
    id: 'Astro',
    description:
      'Events of the local calendar date, null where one does not occur on it. `day_length` is that of the daylight around the solar noon of the date, also where the sun sets after midnight.',
  })

const periodSchema = z
  .strictObject({
    ...fields(
      'temperature wind_speed precip_probability precip_total snow_total ice_total humidity cloud_cover wind_gust dew_point feels_like visibility pressure cloud_ceiling uv_index thunderstorm_probability cape aqi',
      maybe,
    ),
    wind_direction: z.int().nullable().optional(),
    ...fields('precip_type conditions icon narrative', text),
    ...fields('thunder_possible severe cloud_ceiling_unlimited', flag),
  })
  .meta({
    id: 'DailyPeriod',
    description:
      'Day 06:00 to 17:59, night 18:00 to 05:59 of the next date, by the local clock. `temperature` is the highest of the day, the lowest of the night, and `dew_point`, `humidity` and `feels_like` are of the same hour. `wind_speed`, `cloud_cover` and `pressure` are means, `wind_gust`, `uv_index`, `cape` and the probabilities greatest values, `visibility` and `cloud_ceiling` least ones. Of the half that runs all but the temperature are of the hours still to come; a half that has passed has what was analysed and measured, and no probabilities.',
  })

const daySchema = z
  .strictObject({
    date: z.iso.date(),
    relative_day: z.int(),
    active_period: z.enum(['day', 'night']).nullable(),
    ...fields(
      'high low precip_probability precip_total snow_total ice_total wind_speed_max wind_gust_max humidity_avg cloud_cover_avg uv_index_max cape_max dew_point_max dew_point_min pressure_avg visibility_min cloud_ceiling_min thunderstorm_probability_max aqi_max feels_like_high feels_like_low solar_radiation_max snow_level',
      maybe,
    ),
    wind_direction: z.int().nullable().optional(),
    ...fields('conditions icon', text),
    ...fields('severe thunder_possible cloud_ceiling_unlimited sources_disagree', flag),
    astro: astroSchema.optional(),
    day: periodSchema.optional(),
    night: periodSchema.optional(),
    threats: z
      .array(
        z
          .strictObject({
            type: z.string(),
            risk: text,
            probability: number.min(0).max(1).optional(),
            risk_label: z.string(),
          })
          .meta({
            id: 'DailyThreat',
            description:
              'From outlooks that are mostly about the day (severe, fire, flood) and from its own numbers: winter (snow from 1 inch, ice), heat (feels like 95 °F and more), cold (-18 °F and less), wind (gusts of 46 mph and more).',
          }),
      )
      .optional(),
    uncertainty: z
      .strictObject({
        ...fields(
          'temperature_stddev_avg dew_point_stddev_avg wind_speed_stddev_avg wind_gust_stddev_avg visibility_prob_below_1mi_max ceiling_prob_below_1000ft_max snow_total_p10 snow_total_p50 snow_total_p90 snow_prob_gt_1in snow_prob_gt_2in snow_prob_gt_4in',
          maybe,
        ),
        snow_window_start: at
          .nullable()
          .describe('Of the 24 hours that the percentiles and probabilities of snow are for'),
        snow_window_end: at.nullable(),
      })
      .meta({ id: 'DailyUncertainty' })
      .nullable()
      .optional(),
    climate: z
      .strictObject(fields('normal_high normal_low high_departure low_departure', maybe))
      .meta({ id: 'DailyClimate' })
      .nullable()
      .optional(),
  })
  .meta({
    id: 'Day',
    description:
      'The 24 hours from 06:00 of `date` to 05:59 of the next date, by the local clock: not midnight to midnight. `high` is that of the day (06:00 to 17:59), `low` that of the night that follows it, not of the morning before. Before 06:00 the first row is that of yesterday (`relative_day` -1), whose night is running. Of the current row `high`, `low`, `feels_like_high`, `feels_like_low`, the totals, `wind_gust_max`, `uv_index_max`, `dew_point_max` and `dew_point_min` are of all its hours: those that have passed come from analyses and measured amounts, those to come are the rows of `hourly`; the rest is of the hours to come. Where passed hours are not stored they are null, with a warning `partial_day`.',
  })

export const alertSchema = z
  .looseObject({
    ...fields('id event severity urgency certainty headline sender', z.string()),
    status: z.enum(['Actual', 'Exercise', 'Test']),
    ...fields('onset ends effective expires expiration', at),
    area_desc: text,
    highlights: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'Alert' })

const outlookSchema = z
  .strictObject({
    ...fields('product_id type risk_label', z.string()),
    day: z.int(),
    valid: at,
    expires: at,
    risk: text,
    probability: number.min(0).max(1).optional(),
    significant: flag,
    intensity_group: z.int().optional(),
  })
  .meta({ id: 'Outlook' })

const mcdSchema = z
  .strictObject({
    mcd_number: z.int(),
    ...fields('issued_at expires_at', maybeAt),
    ...fields('concerning areas_affected summary body', text),
    watch_probability: z.int().nullable().optional(),
  })
  .meta({ id: 'MCD' })
const afdSchema = z
  .strictObject({ ...fields('synopsis key_takeaway confidence wfo body', text), issued_at: maybeAt })
  .meta({ id: 'AFD' })
const shortSchema = z.strictObject({ ...fields('summary wfo body', text), issued_at: maybeAt })

const guidanceSchema = z
  .strictObject({
    afd: afdSchema.optional(),
    hwo: z
      .strictObject({ ...fields('day_one summary body', text), has_active_hazards: z.boolean(), issued_at: maybeAt })
      .optional(),
    now: shortSchema.optional(),
    hls: shortSchema.optional(),
    active_mcds: z.int(),
    mcds: z.array(mcdSchema).optional(),
    active_mpds: z.int().optional(),
    mpds: z
      .array(
        z
          .strictObject({
            mpd_number: z.int(),
            ...fields('issued_at expires_at', maybeAt),
            ...fields('concerning areas_affected flash_flood_tier summary body', text),
          })
          .meta({ id: 'MPD' }),
      )
      .optional(),
    pmds: z
      .array(
        z.strictObject({ ...fields('awips_id pmd_desk summary body', text), issued_at: maybeAt }).meta({ id: 'PMD' }),
      )
      .optional(),
    swo_day1_risk: text,
  })
  .meta({ id: 'Guidance' })

const nowcastSchema = z
  .strictObject({
    interval_seconds: z.int(),
    generated_at: at,
    summary: z
      .strictObject({
        starts_at: maybeAt,
        ends_at: maybeAt,
        duration_minutes: z.int().nullable().optional(),
        type: z.enum(['rain', 'snow', 'freezing_rain', 'wintry_mix', 'unknown', 'none']),
        peak_intensity: text,
        already_occurring: flag,
      })
      .meta({ id: 'NowcastSummary' })
      .optional(),
    points: z.array(
      z
        .strictObject({
          time: at,
          type: z.enum(['none', 'rain', 'snow', 'freezing_rain', 'wintry_mix', 'no_coverage', 'unknown']),
          intensity_dbz: number,
          intensity: z.string(),
          precip_rate: maybe,
          precip_probability: maybe,
        })
        .meta({ id: 'NowcastPoint' }),
    ),
  })
  .meta({ id: 'Nowcast' })

const climateSchema = z
  .strictObject({
    station: z.strictObject({
      ...fields('station_id name', z.string()),
      state: z.string().optional(),
      latitude: number,
      longitude: number,
      elevation_m: number.nullable().optional(),
      distance_km: number,
    }),
    meta: z.strictObject({
      normals_period: z.string(),
      source: z.enum(['station', 'grid', 'mixed']),
      normals_method: z.string(),
      unit: z.string(),
      approximate: z.boolean(),
      missing_days: z.int(),
    }),
    days: z.array(
      z.strictObject({
        date: z.iso.date(),
        month: z.int(),
        day: z.int(),
        ...fields(
          'normal_high normal_low normal_mean normal_high_stddev normal_low_stddev normal_mean_stddev normal_precip',
          maybe,
        ),
        years: z.int().optional(),
        completeness_flag: z.string().optional(),
      }),
    ),
    location: locationSchema.optional(),
  })
  .meta({ id: 'ClimateNormals' })

const gisSchema = z
  .strictObject({
    lat: number,
    lon: number,
    timezone: z.string(),
    ...fields('city nearest_city state county country', text),
    population: z.int().nullable().optional(),
    nearest_radar: z
      .strictObject({ id: z.string(), name: z.string(), lat: number, lon: number, distance_km: number })
      .optional(),
    nearest_station: z
      .strictObject({
        id: z.string(),
        lat: number,
        lon: number,
        distance_km: number,
        ...fields('name state', text),
        elevation_m: maybe,
      })
      .optional(),
  })
  .meta({ id: 'GIS' })

export const unitsSchema = z
  .strictObject({
    temperature: z.enum(['F', 'C']),
    wind_speed: z.enum(['mph', 'kph']),
    pressure: z.enum(['inHg', 'hPa']),
    visibility: z.enum(['mi', 'km']),
    precip_amount: z.enum(['in', 'mm']),
    altitude: z.enum(['m', 'ft']),
    solar_radiation: z.literal('W/m^2'),
  })
  .meta({ id: 'Units' })

export const warningSchema = z
  .strictObject({
    code: z.string().meta({
      description: `Stable; new ones may be added. ${Object.entries(warningCodes)
        .map(([code, about]) => `\`${code}\`: ${about}`)
        .join('. ')}.`,
    }),
    section: z.string(),
    detail: text,
    product_id: text,
    fields: z.array(z.string()).optional(),
    from: at.optional(),
    to: at.optional(),
  })
  .meta({ id: 'MetaWarning' })

export const freshnessSchema = z
  .strictObject({
    source: z.string(),
    product_id: z.string(),
    reference_time: maybeAt,
    latest_valid: maybeAt,
    age_seconds: z.int(),
    monitors: z
      .array(
        z.strictObject({
          pollutant: z.enum(['pm25', 'ozone', 'pm10']),
          id: z.string(),
          name: z.string(),
          distance_km: number,
          hour: at,
        }),
      )
      .optional()
      .meta({ description: 'Air quality: the monitor of each sub-index, its distance, and the start of its hour.' }),
  })
  .meta({ id: 'SourceFreshness' })

export const attributionSchema = z
  .strictObject({ sources: z.array(z.string()), notice: z.string() })
  .meta({ id: 'Attribution' })

/** Members whose schema stands with their section; a later section of this kind is described, but has no type of its own here. */
const ownSchemas = Object.fromEntries(
  sections.flatMap(({ name, schema }) => (schema ? [[name, schema.optional()] as const] : [])),
) as { metar: z.ZodOptional<typeof metarSchema> }

export const weatherSchema = z
  .strictObject({
    location: locationSchema,
    current: currentSchema.optional(),
    hourly: z.array(hourSchema).optional(),
    daily: z.array(daySchema).optional(),
    alerts: z.array(alertSchema).optional(),
    outlooks: z.array(outlookSchema).optional(),
    astro: astroSchema.optional(),
    narrations: z.strictObject({ current: text, short_term: text }).optional(),
    guidance: guidanceSchema.optional(),
    discussions: z.strictObject({ mesoscale: z.array(mcdSchema), area_forecast: afdSchema.optional() }).optional(),
    nowcast: nowcastSchema.optional(),
    radar: z
      .strictObject({
        product_id: z.string(),
        valid_time: at,
        site: radarSiteSchema.nullable(),
        reflectivity_dbz: maybe,
        precip_rate: maybe,
        coverage: z.enum(['value', 'dry', 'no_coverage']),
      })
      .meta({ id: 'RadarPoint' })
      .optional(),
    climate: climateSchema.optional(),
    ...ownSchemas,
    gis: gisSchema,
    units: unitsSchema.optional(),
    attribution: attributionSchema,
    meta: z
      .strictObject({
        schema_version: z.string(),
        generated_at: at,
        freshness: z.array(freshnessSchema).optional(),
        warnings: z.array(warningSchema).optional(),
        hourly_sampling: z.strictObject({ step_hours: z.int(), from_hour: z.int() }).optional(),
      })
      .meta({ id: 'Meta' }),
  })
  .meta({ id: 'Weather' })
