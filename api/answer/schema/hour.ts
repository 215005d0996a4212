import { z } from 'zod'
import { AMOUNTS, ANALYSES } from '../../../ingest/domain/dataset/history.ts'
import { fieldSchemas, uncertaintySchemas } from '../../blend/fields.ts'
import { doc, measured, nullish, part } from '../../present/property.ts'
import * as member from '../../present/shared-properties.ts'

const at = z.iso.datetime()
const maybe = z.number().nullish()

/** Schemas of `current` and of a row of `hourly`. */
export const currentSchema = z
  .strictObject({
    time: doc(at, 'Valid time of the analysis', '2026-08-20T18:00:00Z'),
    temperature: fieldSchemas.temperature.nullish(),
    feels_like: fieldSchemas.feels_like.nullish(),
    humidity: fieldSchemas.humidity.nullish(),
    dew_point: fieldSchemas.dew_point.nullish(),
    pressure: fieldSchemas.pressure.nullish(),
    wind_speed: fieldSchemas.wind_speed.nullish(),
    wind_gust: fieldSchemas.wind_gust.nullish(),
    visibility: fieldSchemas.visibility.nullish(),
    cloud_cover: fieldSchemas.cloud_cover.nullish(),
    cloud_ceiling: fieldSchemas.cloud_ceiling.nullish(),
    cloud_cover_low: fieldSchemas.cloud_cover_low.nullish(),
    cloud_cover_mid: fieldSchemas.cloud_cover_mid.nullish(),
    cloud_cover_high: fieldSchemas.cloud_cover_high.nullish(),
    uv_index: fieldSchemas.uv_index.nullish(),
    pm25: measured(maybe, 'aqi', 42, 'Sub-index of fine particles, AQI scale; null if no monitor is near'),
    ozone: measured(maybe, 'aqi', 51, 'Sub-index of ozone, AQI scale; null if no monitor is near'),
    pm10: measured(maybe, 'aqi', 18, 'Sub-index of coarse particles, AQI scale; null if no monitor is near'),
    precip_rate: member.precip_rate.nullish(),
    precip_24h: measured(
      maybe,
      'millimetres',
      3.2,
      'Liquid equivalent of the past 24 hours by gauge-corrected radar, always in mm; null without radar coverage',
    ),
    lightning_density: measured(maybe, 'density', 0.05, 'Flashes in the area and time window of the source'),
    wind_direction: fieldSchemas.wind_direction.nullish(),
    aqi: measured(
      z.int().nullish(),
      'aqi',
      51,
      'Air quality index of the US EPA: the greatest sub-index; null if no monitor is near',
    ),
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
      'Values of the newest analysis at `time`; fields that it lacks come from the forecast at that time. Precipitation is what the radar sees; without radar coverage it is the forecast of the hour, if precipitation is likelier than not.',
  })

const hourlyUncertainty = z.strictObject(nullish(uncertaintySchemas)).meta({ id: 'HourlyUncertainty' })

export const hourSchema = z
  .strictObject({
    time: member.time,
    ...nullish(fieldSchemas),
    aqi: member.aqi.nullish(),
    conditions: member.conditions.optional(),
    icon: member.icon.optional(),
    precip_type: member.precip_type.nullish(),
    severe: member.severe.optional(),
    thunder_possible: member.thunder_possible.optional(),
    cloud_ceiling_unlimited: member.cloud_ceiling_unlimited.optional(),
    uncertainty: part(
      hourlyUncertainty.nullish(),
      'Spread of the forecast, with include=uncertainty; null where NBM gives none, as beyond its last hour',
    ),
    source: doc(
      z.enum(['observed', 'analysis']).nullish(),
      'Only in hours that have ended: observed from URMA, analysis from RTMA; null if nothing is stored',
      'observed',
    ),
    product_id: doc(
      z.enum(ANALYSES).nullish(),
      'Only in hours that have ended: the analysis of the row; null if none is stored',
      'urma',
    ),
    precip_product_id: doc(
      z.enum(AMOUNTS).nullish(),
      'Only in hours that have ended: the source of precip_amount; null if none is stored',
      'mrms-qpe-1h',
    ),
  })
  .meta({
    id: 'Hour',
    description:
      'One hour of the blend, named by its end. `precip_amount`, `precip_probability`, `precip_type`, `snow_amount`, `thunderstorm_probability`, `conditions`, `icon` and `severe` are for the 60 minutes that end at `time`; all other members are for `time`. The first row is the running hour, whole: its amounts include what has fallen since the last full hour, and `precip_probability` is 100 once a measurable amount has fallen, and at least 50 while precipitation is observed; its other probabilities are of its remaining minutes. Beyond the hourly range of the source, amounts and probabilities of 3, 6 or 12 hours are apportioned to their hours (`meta.warnings`). Sums are preserved; no hour is likelier than its interval, and all its hours together are at least as likely. `thunder_possible` means a probability of thunder of 15 percent or CAPE of 1000 J/kg. Rows of hours that have ended (`past_hours`) have `source`, `product_id` and `precip_product_id`. Each comes from one analysis, with the liquid that was measured. Members that no analysis has are null or absent. An hour for which nothing is stored has no row, with a warning.',
  })
