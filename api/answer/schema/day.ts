import { z } from 'zod'
import { fieldSchemas } from '../../blend/fields.ts'
import { doc, measured, part } from '../../present/property.ts'
import * as member from '../../present/shared-properties.ts'

const at = z.iso.datetime()
const number = z.number()
const maybe = z.number().nullish()
const text = z.string().optional()
const flag = z.boolean().optional()

/** Schemas of `astro` and of a row of `daily`. */
export const astroSchema = z
  .strictObject({
    civil_dawn: doc(
      at.nullable(),
      'Sun 6° below the horizon before sunrise; null where it does not occur that date',
      '2026-08-20T11:48:00Z',
    ),
    sunrise: doc(at.nullable(), 'Upper limb at the horizon; null on polar day and night', '2026-08-20T12:17:00Z'),
    solar_noon: doc(at.nullable(), 'Sun highest', '2026-08-20T19:03:00Z'),
    sunset: doc(at.nullable(), 'Upper limb at the horizon; null on polar day and night', '2026-08-21T01:48:00Z'),
    civil_dusk: doc(
      at.nullable(),
      'Sun 6° below the horizon after sunset; null where it does not occur that date',
      '2026-08-21T02:17:00Z',
    ),
    moonrise: doc(at.nullable(), 'Moonrise; null where it does not occur that date', '2026-08-20T20:10:00Z'),
    moonset: doc(at.nullable(), 'Moonset; null where it does not occur that date', '2026-08-20T05:41:00Z'),
    day_length: measured(
      z.int(),
      'daylength',
      48660,
      'Sunrise to sunset; 86400 under the midnight sun, 0 in the polar night',
    ),
    daylight_length: measured(
      z.int(),
      'daylength',
      52140,
      'Civil dawn to civil dusk; 86400 where civil twilight never ends',
    ),
    moon_phase: measured(number, 'fraction', 0.25, 'Phase: 0 and 1 new, 0.5 full'),
    moon_phase_name: doc(z.string(), 'Name of the phase', 'First Quarter'),
    moon_illumination: measured(number, 'fraction', 0.5, 'Lit part of the disc'),
    polar: doc(
      z.enum(['midnight_sun', 'polar_night']).nullish(),
      'Set where the sun neither rises nor sets',
      'midnight_sun',
    ),
  })
  .meta({
    id: 'Astro',
    description:
      'Events of the local calendar date, null where one does not occur on it. `day_length` is that of the daylight around the solar noon of the date, also where the sun sets after midnight.',
  })

const periodSchema = z
  .strictObject({
    temperature: measured(
      maybe,
      'temperature',
      84.5,
      'Highest temperature of the day, lowest of the night; null where the half has none',
    ),
    wind_speed: fieldSchemas.wind_speed.nullish(),
    precip_probability: member.precip_probability.nullish(),
    precip_total: measured(
      maybe,
      'amount',
      0.12,
      'Sum of precip_amount of the hours of the half; while it runs of those that have not ended, the running one whole. Null where no source covers it',
    ),
    snow_total: measured(
      maybe,
      'amount',
      0,
      'Sum of snow_amount of the same hours as precip_total; null where no source covers it',
    ),
    ice_total: member.ice_total.nullish(),
    humidity: fieldSchemas.humidity.nullish(),
    cloud_cover: fieldSchemas.cloud_cover.nullish(),
    wind_gust: fieldSchemas.wind_gust.nullish(),
    dew_point: fieldSchemas.dew_point.nullish(),
    feels_like: fieldSchemas.feels_like.nullish(),
    visibility: fieldSchemas.visibility.nullish(),
    pressure: fieldSchemas.pressure.nullish(),
    cloud_ceiling: fieldSchemas.cloud_ceiling.nullish(),
    uv_index: fieldSchemas.uv_index.nullish(),
    thunderstorm_probability: fieldSchemas.thunderstorm_probability.nullish(),
    cape: fieldSchemas.cape.nullish(),
    aqi: member.aqi.nullish(),
    wind_direction: fieldSchemas.wind_direction.nullish(),
    precip_type: member.precip_type.optional(),
    conditions: member.conditions.optional(),
    icon: member.icon.optional(),
    narrative: doc(text, 'The half in words', 'Sunny, with a high near 85.'),
    thunder_possible: member.thunder_possible.optional(),
    severe: member.severe.optional(),
    cloud_ceiling_unlimited: member.cloud_ceiling_unlimited.optional(),
  })
  .meta({
    id: 'DailyPeriod',
    description:
      'Day 06:00 to 17:59, night 18:00 to 05:59 of the next date, by the local clock. `temperature` is the highest of the day, the lowest of the night, and `dew_point`, `humidity` and `feels_like` are of the same hour. `wind_speed`, `cloud_cover` and `pressure` are means, `wind_gust`, `uv_index`, `cape` and the probabilities greatest values, `visibility` and `cloud_ceiling` least ones. Of the half that runs all but the temperature are of the hours still to come; a half that has passed has what was analysed and measured, and no probabilities.',
  })

export const daySchema = z
  .strictObject({
    date: member.date,
    relative_day: measured(
      z.int(),
      'relative',
      0,
      'Days from the local date of now: -1 is the night that still runs, 0 today, 1 tomorrow',
    ),
    active_period: doc(
      z.enum(['day', 'night']).nullable(),
      'Half that runs now, on the one row that has it: day 06:00 to 17:59, night 18:00 to 05:59',
      'day',
    ),
    high: measured(maybe, 'temperature', 84.5, 'Highest temperature of the day'),
    low: measured(maybe, 'temperature', 58.2, 'Lowest temperature of the night'),
    precip_probability: member.precip_probability.nullish(),
    precip_total: measured(
      maybe,
      'amount',
      0.12,
      'Liquid equivalent of the 24 hours from 06:00, the sum of precip_amount of the hours: also of those that have passed, or null with partial_day',
    ),
    snow_total: measured(
      maybe,
      'amount',
      0,
      'Depth of new snow of the 24 hours from 06:00: also of the hours that have passed, by the snow ratio of the hour where no depth is known, or null with partial_day',
    ),
    ice_total: member.ice_total.nullish(),
    wind_speed_max: measured(maybe, 'wind', 14.2, 'Greatest wind of the day'),
    wind_gust_max: measured(maybe, 'wind', 28.7, 'Greatest gust of the day'),
    humidity_avg: measured(maybe, 'percent', 38, 'Mean of humidity'),
    cloud_cover_avg: measured(maybe, 'percent', 35, 'Mean of cloud_cover'),
    uv_index_max: measured(maybe, 'uv', 8.4, 'Greatest UV index of the day'),
    cape_max: measured(maybe, 'cape', 900, 'Greatest CAPE of the day'),
    dew_point_max: measured(maybe, 'temperature', 46.2, 'Highest dew point of the day'),
    dew_point_min: measured(maybe, 'temperature', 38.9, 'Lowest dew point of the day'),
    pressure_avg: measured(maybe, 'pressure', 30.02, 'Mean of pressure'),
    visibility_min: measured(maybe, 'visibility', 9.4, 'Least visibility of the day'),
    cloud_ceiling_min: measured(maybe, 'altitude', 5200, 'Lowest ceiling of the day'),
    thunderstorm_probability_max: measured(maybe, 'percent', 20, 'Greatest probability of thunder of the day'),
    aqi_max: measured(maybe, 'aqi', 61, 'Greatest air quality index of the day'),
    feels_like_high: measured(maybe, 'temperature', 83.9, 'Highest feels_like of the day'),
    feels_like_low: measured(maybe, 'temperature', 58.2, 'Lowest feels_like of the night'),
    solar_radiation_max: measured(maybe, 'radiation', 880, 'Greatest downward shortwave radiation of the day'),
    snow_level: fieldSchemas.snow_level.nullish(),
    wind_direction: fieldSchemas.wind_direction.nullish(),
    conditions: member.conditions.optional(),
    icon: member.icon.optional(),
    severe: member.severe.optional(),
    thunder_possible: member.thunder_possible.optional(),
    cloud_ceiling_unlimited: member.cloud_ceiling_unlimited.optional(),
    sources_disagree: doc(flag, 'Two sources of the row give values that do not fit together', false),
    astro: part(astroSchema.optional(), 'Sun and moon of a local calendar date'),
    day: part(periodSchema.optional(), '06:00 to 17:59 by the local clock'),
    night: part(periodSchema.optional(), '18:00 to 05:59 of the next date by the local clock'),
    threats: z
      .array(
        z
          .strictObject({
            type: doc(z.string(), 'Kind: severe, winter, heat, cold, wind, fire, flood', 'severe'),
            risk: member.risk.optional(),
            probability: number
              .min(0)
              .max(1)
              .optional()
              .meta({ description: 'Probability within 25 miles of a point', 'x-unit': '1', examples: [0.15] }),
            risk_label: member.risk_label,
          })
          .meta({
            id: 'DailyThreat',
            description:
              'From outlooks that are mostly about the day (severe, fire, flood) and from its own numbers: winter (snow from 1 inch, ice), heat (feels like 95 °F and more), cold (-18 °F and less), wind (gusts of 46 mph and more).',
          }),
      )
      .optional()
      .describe('What may do harm that day'),
    uncertainty: part(
      z
        .strictObject({
          temperature_stddev_avg: measured(maybe, 'spread', 2.2, 'Mean of temperature_stddev'),
          dew_point_stddev_avg: measured(maybe, 'spread', 2.4, 'Mean of dew_point_stddev'),
          wind_speed_stddev_avg: measured(maybe, 'wind', 1.9, 'Mean of wind_speed_stddev'),
          wind_gust_stddev_avg: measured(maybe, 'wind', 3.3, 'Mean of wind_gust_stddev'),
          visibility_prob_below_1mi_max: measured(
            maybe,
            'percent',
            2,
            'Greatest probability of a visibility below 1 mile',
          ),
          ceiling_prob_below_1000ft_max: measured(
            maybe,
            'percent',
            3,
            'Greatest probability of a ceiling below 1000 ft',
          ),
          snow_total_p10: measured(maybe, 'amount', 0, 'Snow that is exceeded with 90 percent'),
          snow_total_p50: measured(maybe, 'amount', 0, 'Median of snow_total'),
          snow_total_p90: measured(maybe, 'amount', 0.4, 'Snow that is exceeded with 10 percent'),
          snow_prob_gt_1in: measured(maybe, 'percent', 5, 'Probability of more than 1 inch of snow'),
          snow_prob_gt_2in: measured(maybe, 'percent', 2, 'Probability of more than 2 inches of snow'),
          snow_prob_gt_4in: measured(maybe, 'percent', 0, 'Probability of more than 4 inches of snow'),
          snow_window_start: doc(
            at.nullable(),
            'Of the 24 hours that the percentiles and probabilities of snow are for',
            '2026-11-23T12:00:00Z',
          ),
          snow_window_end: doc(
            at.nullable(),
            'End of the 24 hours that the percentiles and probabilities of snow are for',
            '2026-11-24T12:00:00Z',
          ),
        })
        .meta({ id: 'DailyUncertainty' })
        .nullish(),
      'Spread of the forecast, with include=uncertainty',
    ),
    climate: part(
      z
        .strictObject({
          normal_high: member.normal_high.nullish(),
          normal_low: member.normal_low.nullish(),
          high_departure: measured(maybe, 'departure', -2.9, 'high less normal_high'),
          low_departure: measured(maybe, 'departure', -0.7, 'low less normal_low'),
        })
        .meta({ id: 'DailyClimate' })
        .nullish(),
      'Normals of the date and how far the forecast is from them',
    ),
  })
  .meta({
    id: 'Day',
    description:
      'The 24 hours from 06:00 of `date` to 05:59 of the next date, by the local clock: not midnight to midnight. `high` is that of the day (06:00 to 17:59), `low` that of the night that follows it, not of the morning before. Before 06:00 the first row is that of yesterday (`relative_day` -1), whose night is running. Of the current row `high`, `low`, `feels_like_high`, `feels_like_low`, the totals, `wind_gust_max`, `uv_index_max`, `dew_point_max` and `dew_point_min` are of all its hours: those that have passed come from analyses and measured amounts, those to come are the rows of `hourly`; the rest is of the hours to come. Where passed hours are not stored they are null, with a warning `partial_day`.',
  })
