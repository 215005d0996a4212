import type { CurrentValue, DayValue, HourValue, PeriodValue } from '../../answer/value.ts'

/** Columns of the forecast object at each level of detail. */
export const currentStandard: readonly (keyof CurrentValue)[] = [
  'time',
  'temperature',
  'feels_like',
  'humidity',
  'dew_point',
  'wind_speed',
  'wind_gust',
  'wind_direction',
  'pressure',
  'visibility',
  'cloud_cover',
  'aqi',
  'precip_type',
  'conditions',
  'icon',
]

export const currentConcise: readonly (keyof CurrentValue)[] = [
  'time',
  'temperature',
  'feels_like',
  'wind_speed',
  'wind_gust',
  'precip_type',
  'conditions',
  'icon',
]

export const dailyConcise: readonly (keyof DayValue)[] = [
  'date',
  'relative_day',
  'high',
  'low',
  'precip_probability',
  'precip_total',
  'snow_total',
  'wind_gust_max',
  'conditions',
  'icon',
]

export const dailyStandard: readonly (keyof DayValue)[] = [
  'date',
  'relative_day',
  'active_period',
  'high',
  'low',
  'precip_probability',
  'precip_total',
  'snow_total',
  'wind_speed_max',
  'wind_gust_max',
  'humidity_avg',
  'thunder_possible',
  'conditions',
  'icon',
  'severe',
]

export const dailyDetailed: readonly (keyof DayValue)[] = [
  ...dailyStandard,
  'cape_max',
  'uv_index_max',
  'dew_point_max',
  'dew_point_min',
  'cloud_cover_avg',
  'visibility_min',
  'snow_level',
  'thunderstorm_probability_max',
  'threats',
]

export const periodColumns: readonly (keyof PeriodValue)[] = [
  'temperature',
  'feels_like',
  'precip_probability',
  'precip_total',
  'snow_total',
  'wind_speed',
  'wind_gust',
  'wind_direction',
  'humidity',
  'cloud_cover',
  'thunderstorm_probability',
  'conditions',
  'icon',
  'narrative',
]

export const hourlyStandard: readonly (keyof HourValue)[] = [
  'time',
  'temperature',
  'feels_like',
  'precip_probability',
  'precip_amount',
  'wind_speed',
  'wind_direction',
  'humidity',
  'conditions',
  'icon',
]

export const hourlyDetailed: readonly (keyof HourValue)[] = [
  ...hourlyStandard,
  'wind_gust',
  'cape',
  'cloud_ceiling',
  'visibility',
  'uv_index',
  'thunderstorm_probability',
  'dew_point',
  'severe',
]
