/** Id under which the analysed hours of the last day have their tiles: derived, as motion is, and no dataset of the catalog. */
export const PAST_HOURS = 'past-hours'
/** Hours of its tiles: a row of `daily` begins at most 24 hours ago, and the newest analysis is up to two hours old. */
export const PAST_HOURS_COUNT = 26
/** So long a replaced tile stays for readers that have opened it. */
export const PAST_HOURS_KEPT_SECONDS = 3600
/** Liquid of the hour that ends at the time, mm: quantitative precipitation estimates of MRMS, the second pass where it is there. */
export const PAST_AMOUNT = 'precip_amount'
/** Values of the analyses, at the hour. */
export const PAST_VARIABLES = [
  'temperature',
  'dew_point',
  'wind_speed',
  'wind_direction',
  'wind_gust',
  'cloud_cover',
] as const
