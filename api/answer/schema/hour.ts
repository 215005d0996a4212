import { z } from 'zod'
import { AMOUNTS, ANALYSES } from '../../../ingest/domain/history.ts'
import { doc, measured, part } from '../../present/property.ts'
import * as member from '../../present/shared-properties.ts'

const at = z.iso.datetime()
const maybe = z.number().nullish()

/** Schemas of `current` and of a row of `hourly`. */
export const currentSchema = z
  .strictObject({
    time: doc(at, 'Valid time of the analysis', '2026-08-20T18:00:00Z'),
    temperature: member.temperature.nullish(),
    feels_like: member.feels_like.nullish(),
    humidity: member.humidity.nullish(),
    dew_point: member.dew_point.nullish(),
    pressure: member.pressure.nullish(),
    wind_speed: member.wind_speed.nullish(),
    wind_gust: member.wind_gust.nullish(),
    visibility: member.visibility.nullish(),
    cloud_cover: member.cloud_cover.nullish(),
    cloud_ceiling: member.cloud_ceiling.nullish(),
    cloud_cover_low: member.cloud_cover_low.nullish(),
    cloud_cover_mid: member.cloud_cover_mid.nullish(),
    cloud_cover_high: member.cloud_cover_high.nullish(),
    uv_index: member.uv_index.nullish(),
    pm25: measured(maybe, 'aqi', 42, 'Sub-index of fine particles, AQI scale'),
    ozone: measured(maybe, 'aqi', 51, 'Sub-index of ozone, AQI scale'),
    pm10: measured(maybe, 'aqi', 18, 'Sub-index of coarse particles, AQI scale'),
    precip_rate: member.precip_rate.nullish(),
    precip_24h: measured(
      maybe,
      'millimetres',
      3.2,
      'Liquid equivalent of the past 24 hours, gauge-corrected radar estimate, whatever units says',
    ),
    lightning_density: measured(maybe, 'density', 0.05, 'Flashes in the area and time window of the source'),
    wind_direction: member.wind_direction.nullish(),
    aqi: measured(z.int().nullish(), 'aqi', 51, 'Air quality index of the US EPA: the greatest sub-index'),
    lightning_prob: measured(z.int().nullish(), 'percent', 12, 'Probability of lightning'),
    lightning_flashes: measured(
      z.int().nullish(),
      'count',
      3,
      'Flashes seen from orbit near the point in the past minutes',
    ),
    aqi_category: member.aqi_category.nullish(),
    precip_type: member.precip_type.optional(),
    conditions: member.conditions,
    icon: member.icon,
    severe: member.severe.optional(),
    cloud_ceiling_unlimited: member.cloud_ceiling_unlimited.optional(),
  })
  .meta({
    id: 'Current',
    description:
      'Values of the newest analysis at `time`; its missing fields are the forecast at that time. What falls is what the radar sees; without radar coverage, the forecast of the hour where it is likelier than not.',
  })

const hourlyUncertainty = z
  .strictObject({
    temperature_stddev: measured(maybe, 'spread', 2.1, 'Standard deviation of temperature'),
    dew_point_stddev: measured(maybe, 'spread', 2.4, 'Standard deviation of dew_point'),
    wind_speed_stddev: measured(maybe, 'wind', 1.8, 'Standard deviation of wind_speed'),
    wind_gust_stddev: measured(maybe, 'wind', 3.1, 'Standard deviation of wind_gust'),
    visibility_prob_below_1mi: measured(maybe, 'percent', 1, 'Probability of a visibility below 1 mile'),
    visibility_prob_below_2mi: measured(maybe, 'percent', 1, 'Probability of a visibility below 2 miles'),
    visibility_prob_below_3mi: measured(maybe, 'percent', 2, 'Probability of a visibility below 3 miles'),
    visibility_prob_below_5mi: measured(maybe, 'percent', 4, 'Probability of a visibility below 5 miles'),
    ceiling_prob_below_500ft: measured(maybe, 'percent', 1, 'Probability of a ceiling below 500 ft'),
    ceiling_prob_below_1000ft: measured(maybe, 'percent', 1, 'Probability of a ceiling below 1000 ft'),
    ceiling_prob_below_2000ft: measured(maybe, 'percent', 2, 'Probability of a ceiling below 2000 ft'),
    ceiling_prob_below_3000ft: measured(maybe, 'percent', 5, 'Probability of a ceiling below 3000 ft'),
    ceiling_prob_below_6600ft: measured(maybe, 'percent', 20, 'Probability of a ceiling below 6600 ft'),
    wind_speed_p50: measured(maybe, 'wind', 7.9, 'Median of wind_speed'),
    wind_speed_prob_gt_75mph: measured(maybe, 'percent', 0, 'Probability of a wind of more than 75 mph'),
  })
  .meta({ id: 'HourlyUncertainty' })

export const hourSchema = z
  .strictObject({
    time: member.time,
    temperature: member.temperature.nullish(),
    feels_like: member.feels_like.nullish(),
    humidity: member.humidity.nullish(),
    wind_speed: member.wind_speed.nullish(),
    precip_probability: measured(
      maybe,
      'percent',
      30,
      'Probability of measurable precipitation in the hour that ends at time; of the running hour in what is left of it, and in the first row, where radar covers the place, in the next 30 minutes',
    ),
    precip_amount: measured(
      maybe,
      'amount',
      0.02,
      'Liquid equivalent of the 60 minutes that end at time: of the first row the hour that ended last, of the second the running hour, whole. What was measured, then the steps of the nowcast, then the models',
    ),
    wind_gust: member.wind_gust.nullish(),
    dew_point: member.dew_point.nullish(),
    cloud_cover: member.cloud_cover.nullish(),
    visibility: member.visibility.nullish(),
    pressure: member.pressure.nullish(),
    thunderstorm_probability: member.thunderstorm_probability.nullish(),
    uv_index: member.uv_index.nullish(),
    aqi: member.aqi.nullish(),
    precip_type_rain_prob: measured(maybe, 'percent', 100, 'Probability of rain if something falls'),
    precip_type_snow_prob: measured(maybe, 'percent', 0, 'Probability of snow if something falls'),
    precip_type_freezing_rain_prob: measured(maybe, 'percent', 0, 'Probability of freezing rain if something falls'),
    precip_type_ice_pellets_prob: measured(maybe, 'percent', 0, 'Probability of ice pellets if something falls'),
    cape: member.cape.nullish(),
    snow_amount: measured(
      maybe,
      'amount',
      0,
      'Depth of new snow of the 60 minutes that end at time, as precip_amount; null where no source has snow',
    ),
    cloud_ceiling: member.cloud_ceiling.nullish(),
    cloud_cover_low: member.cloud_cover_low.nullish(),
    cloud_cover_mid: member.cloud_cover_mid.nullish(),
    cloud_cover_high: member.cloud_cover_high.nullish(),
    snow_level: member.snow_level.nullish(),
    wind_direction: member.wind_direction.nullish(),
    conditions: member.conditions.optional(),
    icon: member.icon.optional(),
    precip_type: member.precip_type.nullish(),
    severe: member.severe.optional(),
    thunder_possible: member.thunder_possible.optional(),
    cloud_ceiling_unlimited: member.cloud_ceiling_unlimited.optional(),
    uncertainty: part(hourlyUncertainty.nullish(), 'Spread of the forecast, with include=uncertainty'),
    source: doc(
      z.enum(['observed', 'analysis']).nullish(),
      'Only before the current hour: observed is of URMA, analysis of RTMA; null where nothing is stored',
      'observed',
    ),
    product_id: doc(
      z.enum(ANALYSES).nullish(),
      'Only before the current hour: the analysis of the row; null where none is stored',
      'urma',
    ),
    precip_product_id: doc(
      z.enum(AMOUNTS).nullish(),
      'Only before the current hour: the accumulation behind precip_amount; null where none is stored',
      'mrms-qpe-1h',
    ),
  })
  .meta({
    id: 'Hour',
    description:
      'One hour of the blend. `precip_amount`, `precip_probability`, `snow_amount` and `thunderstorm_probability` are of the hour that ends at `time`, the others at `time`. Beyond the hourly range of the source amounts of 6 hours are dealt out with their sum, and probabilities of 6 hours stand at each hour as an upper bound (`meta.warnings`). `thunder_possible`: thunder 15 percent or CAPE 1000 J/kg. Rows before the current one (`past_hours`) have `source`, `product_id` and `precip_product_id`: each is of one analysis, with the liquid that was measured; what no analysis has is null or absent, and so is all of an hour that is not stored, with a warning.',
  })
