/** Daily highs and lows of the analyses, kept for half a year: names shared by writers and readers. */
export const SEASON_VARIABLE = 'temperature'
export const SEASON_MAX = 'temperature_max_24h'
export const SEASON_MIN = 'temperature_min_24h'
/** Days that are kept at least. */
export const SEASON_DAYS = 180
/** Maximum number of missing hours of a local day with known extremes. */
export const MAX_MISSING_HOURS = 4
/** The dataset whose hours make a day an observed one. */
export const SEASON_DATASET = 'urma'
/** Datasets whose hours the days are made of; the first that has an hour gives it. */
export const SEASON_SOURCES = [SEASON_DATASET, 'rtma'] as const

/** Id under which the days have their tiles: `urma-days`. */
export const SEASON_TILES = `${SEASON_DATASET}-days`
