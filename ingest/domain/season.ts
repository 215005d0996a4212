/** Daily highs and lows of the analyses, kept for half a year: names shared by writers and readers. */
export const SEASON_VARIABLE = 'temperature'
export const SEASON_MAX = 'temperature_max_24h'
export const SEASON_MIN = 'temperature_min_24h'
/** Days that are kept at least. */
export const SEASON_DAYS = 180

/** Id under which the days of a dataset of analyses have their tiles: `urma-days`. */
export const seasonDataset = (dataset: string) => `${dataset}-days`
