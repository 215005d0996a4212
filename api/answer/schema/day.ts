import { z } from 'zod'
import { fieldSchemas } from '../../blend/fields.ts'
import { doc, measured, part } from '../../present/property.ts'
import * as member from '../../present/shared-properties.ts'
import { ensembleSchemas } from './day-ensemble.ts'

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
      'Sun 6° below the horizon before sunrise; null if this does not occur on the date',
      '2026-08-20T11:48:00Z',
    ),
    sunrise: doc(at.nullable(), 'Upper limb at the horizon; null on polar day and night', '2026-08-20T12:17:00Z'),
    solar_noon: doc(at.nullable(), 'Sun highest', '2026-08-20T19:03:00Z'),
    sunset: doc(at.nullable(), 'Upper limb at the horizon; null on polar day and night', '2026-08-21T01:48:00Z'),
    civil_dusk: doc(
      at.nullable(),
      'Sun 6° below the horizon after sunset; null if this does not occur on the date',
      '2026-08-21T02:17:00Z',
    ),
    moonrise: doc(at.nullable(), 'Moonrise; null if it does not occur on the date', '2026-08-20T20:10:00Z'),
    moonset: doc(at.nullable(), 'Moonset; null if it does not occur on the date', '2026-08-20T05:41:00Z'),
    day_length: measured(
      z.int(),
      'daylength',
      48660,
      'Time from sunrise to sunset; 86400 under the midnight sun, 0 in the polar night',
    ),
    daylight_length: measured(
      z.int(),
      'daylength',
      52140,
      'Time from civil dawn to civil dusk; 86400 if civil twilight never ends',
    ),
    moon_phase: measured(number, 'fraction', 0.25, 'Phase: 0 and 1 new, 0.5 full'),
    moon_phase_name: doc(z.string(), 'Name of the phase', 'First Quarter'),
    moon_illumination: measured(number, 'fraction', 0.5, 'Lit part of the disc'),
    polar: doc(
      z.enum(['midnight_sun', 'polar_night']).nullish(),
      'Set if the sun neither rises nor sets; else null',
      'midnight_sun',
    ),
  })
  .meta({
    id: 'Astro',
    description:
      'Events of the local calendar date; an event that does not occur on it is null. `day_length` is for the daylight around the solar noon of the date, even if the sun sets after midnight.',
  })

const periodSchema = z
  .strictObject({
    temperature: measured(
      maybe,
      'temperature',
      84.5,
      'Highest temperature of the day, lowest of the night; null if not known',
    ),
    wind_speed: measured(maybe, 'wind', 8.1, 'Mean wind speed of the hours'),
    precip_probability: measured(
      maybe,
      'percent',
      30,
      'Probability of measurable precipitation in the half: at least that of each hour; null in a half that has passed',
    ),
    precip_total: measured(
      maybe,
      'amount',
      0.12,
      'Sum of precip_amount over the hours of the half. In the running half only the hours that have not ended count, including the whole running hour. Null if no source covers the half',
    ),
    snow_total: measured(
      maybe,
      'amount',
      0,
      'Sum of snow_amount over the same hours as precip_total; null if no source covers the half',
    ),
    ice_total: measured(
      maybe,
      'amount',
      0,
      'Sum of ice_amount over the same hours as precip_total; null if no source covers the half',
    ),
    humidity: measured(maybe, 'percent', 41, 'Mean relative humidity of the hours'),
    cloud_cover: measured(maybe, 'percent', 35, 'Mean cloud cover of the hours'),
    wind_gust: measured(maybe, 'wind', 22.4, 'Greatest gust of the hours'),
    dew_point: measured(maybe, 'temperature', 51.3, 'Mean dew point of the hours'),
    feels_like: measured(
      maybe,
      'temperature',
      84.1,
      'Feels-like temperature of the hour whose temperature is nearest to that of the half',
    ),
    visibility: measured(maybe, 'visibility', 9.4, 'Least visibility of the hours'),
    pressure: measured(
      maybe,
      'pressure',
      30.02,
      'Mean sea-level pressure of the hours; null beyond the range of its sources',
    ),
    cloud_ceiling: measured(
      maybe,
      'altitude',
      5200,
      'Lowest ceiling of the hours; null with cloud_ceiling_unlimited if there is none, null alone if not known',
    ),
    uv_index: measured(maybe, 'uv', 8.4, 'Greatest UV index of the hours; absent at night'),
    thunderstorm_probability: measured(
      maybe,
      'percent',
      20,
      'Greatest probability of thunder of the hours and of the longest interval that a source gives, at most precip_probability; null if no source gives it',
    ),
    cape: measured(maybe, 'cape', 900, 'Greatest CAPE of the hours'),
    aqi: measured(maybe, 'aqi', 61, 'Always null: AirNow forecasts whole days, see aqi_max'),
    wind_direction: measured(maybe, 'direction', 225, 'Direction of the vector mean of the wind of the hours'),
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
      'Day from 06:00 to 17:59, night from 18:00 to 05:59 of the next date, by the local clock. `temperature` is the highest of the day and the lowest of the night; `feels_like` is for the hour of that extreme. `wind_speed`, `wind_direction`, `cloud_cover`, `humidity`, `dew_point` and `pressure` are means over the hours; `wind_gust`, `uv_index`, `cape` and the probabilities are greatest values; `visibility` and `cloud_ceiling` are least values; the totals are sums. In the running half all members but the temperature are for the remaining hours. A half that has passed has analyzed and measured values and no probabilities.',
  })

export const daySchema = z
  .strictObject({
    date: member.date,
    relative_day: measured(
      z.int(),
      'relative',
      0,
      'Days from the local date of now: -1 is yesterday, whose night is running, 0 today, 1 tomorrow',
    ),
    active_period: doc(
      z.enum(['day', 'night']).nullable(),
      'The half that contains now: day 06:00 to 17:59, night 18:00 to 05:59; null in all other rows',
      'day',
    ),
    high: measured(maybe, 'temperature', 84.5, 'Highest temperature of the day'),
    low: measured(maybe, 'temperature', 58.2, 'Lowest temperature of the night'),
    precip_probability: member.precip_probability.nullish(),
    precip_total: measured(
      maybe,
      'amount',
      0.12,
      'Liquid equivalent of the 24 hours from 06:00, the sum of precip_amount over all hours, including passed hours; null with partial_day',
    ),
    precip_fallen: measured(
      maybe,
      'amount',
      0,
      'Part of precip_total that fell in hours that have ended; 0 in rows to come; null with partial_day',
    ),
    snow_total: measured(
      maybe,
      'amount',
      0,
      'Depth of new snow of the 24 hours from 06:00, passed hours included, by the snow ratio of the hour if no depth is known; null with partial_day',
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
    cloud_ceiling_min: measured(
      maybe,
      'altitude',
      5200,
      'Lowest ceiling of the day; null if there is none (cloud_ceiling_unlimited is then true) or it is not known',
    ),
    thunderstorm_probability_max: measured(
      maybe,
      'percent',
      20,
      'Greatest probability of thunder of the day, at most precip_probability; null beyond day 8, for which NBM gives none',
    ),
    aqi_max: measured(
      maybe,
      'aqi',
      61,
      'Greatest air quality index of the day; null without a forecast of AirNow for the place and date',
    ),
    feels_like_high: measured(maybe, 'temperature', 83.9, 'Highest feels_like of the day'),
    feels_like_low: measured(maybe, 'temperature', 58.2, 'Lowest feels_like of the night'),
    solar_radiation_max: measured(
      maybe,
      'radiation',
      880,
      'Greatest downward shortwave radiation of the day; null if the hour with the highest sun is not known, as beyond the hourly steps of NBM',
    ),
    snow_level: fieldSchemas.snow_level.nullish(),
    wind_direction: fieldSchemas.wind_direction.nullish(),
    conditions: doc(
      text,
      'The most significant weather of the row; in the current row, of its remaining hours. The words end in `at Night` if that weather is only at night',
      'Rain Showers Likely, Chance Thunderstorms',
    ),
    icon: doc(text, 'Icon of `conditions` for local noon; icons of the night are in `night`', 'showers-day'),
    severe: member.severe.optional(),
    thunder_possible: member.thunder_possible.optional(),
    cloud_ceiling_unlimited: member.cloud_ceiling_unlimited.optional(),
    sources_disagree: doc(flag, 'Whether two sources of the row contradict each other', false),
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
              'A threat from an outlook that is mostly for the day (severe, fire, flood) or from the numbers of the row: winter (1 inch of snow or more, ice), heat (feels like 95 °F or more), cold (-18 °F or less), wind (gusts of 46 mph or more).',
          }),
      )
      .optional()
      .describe('Threats of the day'),
    uncertainty: part(
      z
        .strictObject({
          temperature_stddev_avg: measured(
            maybe,
            'spread',
            2.2,
            'Mean of temperature_stddev; null where NBM gives none',
          ),
          dew_point_stddev_avg: measured(maybe, 'spread', 2.4, 'Mean of dew_point_stddev; null where NBM gives none'),
          wind_speed_stddev_avg: measured(maybe, 'wind', 1.9, 'Mean of wind_speed_stddev; null where NBM gives none'),
          wind_gust_stddev_avg: measured(maybe, 'wind', 3.3, 'Mean of wind_gust_stddev; null where NBM gives none'),
          visibility_prob_below_1mi_max: measured(
            maybe,
            'percent',
            2,
            'Greatest probability of a visibility below 1 mile; null where NBM gives none',
          ),
          ceiling_prob_below_1000ft_max: measured(
            maybe,
            'percent',
            3,
            'Greatest probability of a ceiling below 1000 ft; null where NBM gives none',
          ),
          snow_total_p10: measured(
            maybe,
            'amount',
            0,
            'Snow that is exceeded with a probability of 90 percent in the 24 hours from snow_window_start; null in Alaska and Hawaii, for which NBM gives no percentiles, and where none of its windows of 24 hours, which end at 12Z, shares 22 hours with the row and has its snow: the sums of snow_amount differ by more than a tenth and by more than 0.1 in (2.54 mm). So the percentiles can be shown beside snow_total',
          ),
          snow_total_p50: measured(
            maybe,
            'amount',
            0,
            'Median of the snow in the same 24 hours; null with snow_total_p10',
          ),
          snow_total_p90: measured(
            maybe,
            'amount',
            0.4,
            'Snow that is exceeded with a probability of 10 percent in the same 24 hours; null with snow_total_p10',
          ),
          snow_prob_gt_1in: measured(
            maybe,
            'percent',
            5,
            'Probability of more than 1 inch of snow in the same 24 hours; null with snow_total_p10 and where NBM gives none',
          ),
          snow_prob_gt_2in: measured(
            maybe,
            'percent',
            2,
            'Probability of more than 2 inches of snow in the same 24 hours; null with snow_total_p10 and where NBM gives none',
          ),
          snow_prob_gt_4in: measured(
            maybe,
            'percent',
            0,
            'Probability of more than 4 inches of snow in the same 24 hours; null with snow_total_p10 and where NBM gives none',
          ),
          snow_window_start: doc(
            at.nullable(),
            'Start of the 24 hours that the percentiles and probabilities of snow are for; null without them',
            '2026-11-23T12:00:00Z',
          ),
          snow_window_end: doc(
            at.nullable(),
            'End of the 24 hours that the percentiles and probabilities of snow are for; null without them',
            '2026-11-24T12:00:00Z',
          ),
          ...ensembleSchemas,
        })
        .meta({ id: 'DailyUncertainty' })
        .nullish(),
      'Spread of the forecast, with include=uncertainty; null where NBM gives none, as beyond its last hour',
    ),
    climate: part(
      z
        .strictObject({
          normal_high: member.normal_high.nullish(),
          normal_low: member.normal_low.nullish(),
          high_departure: measured(maybe, 'departure', -2.9, 'high minus normal_high'),
          low_departure: measured(maybe, 'departure', -0.7, 'low minus normal_low'),
        })
        .meta({ id: 'DailyClimate' })
        .nullish(),
      'Normals of the date and the departures of the forecast from them',
    ),
  })
  .meta({
    id: 'Day',
    description:
      'The 24 hours from 06:00 of `date` to 05:59 of the next date, by the local clock, not from midnight to midnight. `high` is for the day (06:00 to 17:59), `low` for the night that follows, not for the morning before. Before 06:00 the first row is yesterday (`relative_day` -1), whose night is running. In the current row `high`, `low`, `feels_like_high`, `feels_like_low`, the totals, `wind_gust_max`, `uv_index_max`, `dew_point_max` and `dew_point_min` are for all hours: passed hours come from analyses and measured amounts, future hours from the rows of `hourly`. All other members are for the future hours. If passed hours are not stored, the members that need them are null, with a warning `partial_day`.',
  })
