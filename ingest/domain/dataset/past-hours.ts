/** Dataset id of the tiles with the analysed hours of the last day. They are derived, like motion, and not in the catalog. */
export const PAST_HOURS = 'past-hours'
/** Number of hours in these tiles: a row of `daily` begins at most 24 hours ago, and the newest analysis is up to two hours old. */
export const PAST_HOURS_COUNT = 26
/** Time after its replacement at which a tile is removed, s, because readers may still have it open. */
export const PAST_HOURS_KEPT_SECONDS = 3600
/** Liquid amount of the hour that ends at the time, mm: the MRMS precipitation estimate, from the second pass if it exists. */
export const PAST_AMOUNT = 'precip_amount'
/** Variables of the analyses, at the full hour. */
export const PAST_VARIABLES = [
  'temperature',
  'dew_point',
  'wind_speed',
  'wind_direction',
  'wind_gust',
  'cloud_cover',
] as const
