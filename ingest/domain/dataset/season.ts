/** Names for the daily highs and lows of the analyses, which are stored for half a year; writers and readers share them. */
export const SEASON_VARIABLE = 'temperature'
export const SEASON_MAX = 'temperature_max_24h'
export const SEASON_MIN = 'temperature_min_24h'
/** Minimum number of stored days. */
export const SEASON_DAYS = 180
/** Maximum number of missing hours for which the extremes of a local day are still known. */
export const MAX_MISSING_HOURS = 4
/** The dataset from which all hours of a day must come for the day to count as observed. */
export const SEASON_DATASET = 'urma'
/** Datasets of the hours of a day; each hour comes from the first dataset that has it. */
export const SEASON_SOURCES = [SEASON_DATASET, 'rtma'] as const

/** Dataset id of the tiles of days: `urma-days`. */
export const SEASON_TILES = `${SEASON_DATASET}-days`
