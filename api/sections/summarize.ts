import { nth } from '../../ingest/domain/nth.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import {
  snowStrength,
  THUNDER_POSSIBLE_CAPE,
  THUNDER_POSSIBLE_PROBABILITY,
} from '../../ingest/domain/weather/conditions.ts'
import {
  FREEZING_RAIN,
  ICE_PELLETS,
  NONE,
  RAIN,
  SNOW,
  TYPE_AMOUNT,
  TYPE_PROBABILITY,
  typeAtSurface,
  UNKNOWN,
  WINTRY_MIX,
} from '../../ingest/domain/weather/precip-type.ts'
import type { Forecast } from '../blend/columns.ts'
import { cappedThunder } from '../blend/consistency.ts'
import { likeliestType } from '../blend/type-probabilities.ts'
import { periodValue } from './day-periods.ts'
import { emptySummary, type HalfSummary } from './half-summary.ts'
import { countKnown, type HourRange, highest, hourRangeOf, lowest, mean as meanOf, total } from './hour-range.ts'

/** Greatest visibility that counts as fog. */
const FOG_VISIBILITY_M = 1000

/**
 * Summarizes the hours from `from` to `to`.
 * @param severe 1 at hours with severe weather
 * @param into is overwritten and returned
 */
export function summarizeHours(
  forecast: Forecast,
  from: Instant,
  to: Instant,
  severe: Uint8Array | undefined,
  into = emptySummary(),
): HalfSummary {
  const { columns } = forecast
  const range = hourRangeOf(forecast, from, to)
  const { first, last, lastInstant } = range
  into.hours = countKnown(columns.temperature, first, last)
  into.temperatureHigh = highest(columns.temperature, first, lastInstant)
  into.temperatureLow = lowest(columns.temperature, first, lastInstant)
  into.feelsLikeHigh = highest(columns.feels_like, first, lastInstant)
  into.feelsLikeLow = lowest(columns.feels_like, first, lastInstant)
  into.windSpeed = meanOf(columns.wind_speed, first, last)
  into.windSpeedMax = highest(columns.wind_speed, first, last)
  into.windGust = highest(columns.wind_gust, first, last)
  sumWind(forecast, first, last, into)
  into.windDirection = directionOf(into.windEast, into.windNorth)
  summarizePrecipitation(forecast, range, periodValue(forecast, 'precip_probability_12h', 12, from, to, 9), into)
  into.humidity = meanOf(columns.humidity, first, last)
  into.dewPoint = meanOf(columns.dew_point, first, last)
  into.cloudCover = meanOf(columns.cloud_cover, first, last)
  into.dewPointMax = highest(columns.dew_point, first, last)
  into.dewPointMin = lowest(columns.dew_point, first, last)
  into.visibilityMin = lowest(columns.visibility, first, last)
  into.visibilityTypical = typicalVisibility(forecast, into.visibilityMin, first, last)
  into.pressure = ifReached(meanOf, columns.pressure, { ...range, firstEnd: first, lastEnd: last })
  into.ceilingMin = lowest(columns.cloud_ceiling, first, last)
  into.ceilingUnlimited = Number.isNaN(into.ceilingMin) && isMarked(forecast.ceilingUnlimited, first, last)
  into.cape = highest(columns.cape, first, last)
  const { thunderstorm_probability } = columns
  const thunder = thunderOf(forecast, highest(thunderstorm_probability, range.firstEnd, range.lastEnd), from, to)
  const isReached =
    !Number.isNaN(ifReached(highest, thunderstorm_probability, range)) ||
    !Number.isNaN(thunderOf(forecast, Number.NaN, from, to))
  into.thunder = cappedThunder(isReached ? thunder : Number.NaN, into.precipProbability)
  // Thunder is possible in the half if it is possible in any hour.
  into.thunderPossible = thunder >= THUNDER_POSSIBLE_PROBABILITY || into.cape >= THUNDER_POSSIBLE_CAPE
  const noon = highestSun(forecast, first, last)
  into.uvMax = Number.isNaN(nth(columns.uv_index, noon)) ? Number.NaN : highest(columns.uv_index, first, last)
  into.solarMax = Number.isNaN(nth(columns.solar_radiation, noon))
    ? Number.NaN
    : highest(columns.solar_radiation, first, last)
  into.snowLevel = lowest(columns.snow_level, first, last)
  into.smoke = meanOf(columns.smoke, first, last)
  into.severe = severe !== undefined && isMarked(severe, range.firstEnd, range.lastEnd)
  return into
}

/**
 * Summarizes precipitation.
 * @param ofPeriod NBM's probability for the whole half, percent
 */
function summarizePrecipitation(
  forecast: Forecast,
  range: HourRange,
  periodProbability: number,
  into: HalfSummary,
): void {
  const { precip_amount, precip_probability, snow_amount, ice_amount } = forecast.columns
  const { firstEnd, lastEnd } = range
  const amount = total(precip_amount, firstEnd, lastEnd)
  // If it is raining now, the probability of the current hour counts even if few later hours have one.
  const { first, present } = forecast
  const fallsNow = firstEnd <= first && first <= lastEnd && present?.source === 'radar' && present.type !== NONE
  const most = fallsNow ? highest(precip_probability, firstEnd, lastEnd) : ifReached(highest, precip_probability, range)
  const probability = atMost(atLeast(most, Math.round(periodProbability)), jointProbability(forecast, range, most))
  into.precipProbability = amount > 0 && probability < 1 ? 1 : probability
  into.precipTotal = amount
  into.precipPeak = highest(precip_amount, firstEnd, lastEnd)
  into.snowTotal = ifReached(total, snow_amount, range)
  into.iceTotal = ifReached(total, ice_amount, range)
  const type = typeOf(forecast, range, probability, amount, into.iceTotal)
  const namesSnow =
    type === NONE || type === SNOW || !(into.snowTotal >= (type === RAIN ? MIN_MIX_SNOW_MM : NAMED_SNOW_MM))
  into.precipType = namesSnow ? type : WINTRY_MIX
  if (into.precipType === SNOW) into.precipPeak = snowPeak(forecast, range)
  into.mostlyRain = type === FREEZING_RAIN && amounts[RAIN]! > amounts[FREEZING_RAIN]!
}

/** The strength of the strongest snow of an hour, mm of water. */
function snowPeak({ columns: { precip_amount, snow_amount } }: Forecast, { firstEnd, lastEnd }: HourRange): number {
  let peak = Number.NaN
  for (let h = firstEnd; h <= lastEnd; h++) {
    const strength = snowStrength(nth(precip_amount, h), nth(snow_amount, h))
    if (!(strength <= peak)) peak = Number.isNaN(strength) ? peak : strength
  }
  return peak
}

/**
 * Minimum share of the hours of a range that must have a value. A source that ends within the range has values only for
 * its first hours, which do not represent the whole range.
 */
const LEAST_KNOWN = 0.8

/** A statistic of the intervals of a range; NaN if too few of them have a value. */
function ifReached(
  statistic: (values: Float64Array, from: number, to: number) => number,
  values: Float64Array,
  { firstEnd, lastEnd }: HourRange,
): number {
  const hasEnough = countKnown(values, firstEnd, lastEnd) >= LEAST_KNOWN * (lastEnd - firstEnd + 1)
  return hasEnough ? statistic(values, firstEnd, lastEnd) : Number.NaN
}

/**
 * Upper bound (percent) of the probability that any hour is wet, from the probabilities of the hours; NaN if one of
 * them is unknown.
 */
function jointProbability({ columns }: Forecast, { firstEnd, lastEnd }: HourRange, most: number): number {
  let dry = 1
  for (let h = firstEnd; h <= lastEnd; h++) dry *= 1 - nth(columns.precip_probability, h) / 100
  return Math.max(most, Math.ceil(100 * (1 - dry)))
}

const thunderPeriods = [12, 6, 3].map((hours) => ({ variable: `thunderstorm_probability_${hours}h`, hours }))

/**
 * Probability of thunder, percent: that of the longest interval inside the half, and at least that of each hour.
 * @param ofHours greatest probability of the hours
 */
function thunderOf(forecast: Forecast, ofHours: number, from: Instant, to: Instant): number {
  for (const { variable, hours } of thunderPeriods) {
    const value = periodValue(forecast, variable, hours, from, to, hours)
    if (!Number.isNaN(value)) return Math.round(atLeast(ofHours, value))
  }
  return ofHours
}

/**
 * Index of the hour with the highest sun. The greatest UV index and radiation of a half are known only if this hour has
 * a value.
 */
export function highestSun({ sun }: Forecast, first: number, last: number): number {
  let noon = first
  for (let h = first + 1; h <= last; h++) if (nth(sun, h) > nth(sun, noon)) noon = h
  return noon
}

function isMarked(hours: Uint8Array, first: number, last: number): boolean {
  for (let h = first; h <= last; h++) if (hours[h]) return true
  return false
}

/** The members of a summary that a row shows for both halves together. */
export type WholeDay = Pick<
  HalfSummary,
  | 'windSpeedMax'
  | 'windGust'
  | 'windDirection'
  | 'precipProbability'
  | 'precipTotal'
  | 'precipFallen'
  | 'snowTotal'
  | 'iceTotal'
  | 'humidity'
  | 'cloudCover'
  | 'dewPointMax'
  | 'dewPointMin'
  | 'visibilityMin'
  | 'pressure'
  | 'ceilingMin'
  | 'ceilingUnlimited'
  | 'uvMax'
  | 'thunder'
  | 'thunderPossible'
  | 'cape'
  | 'solarMax'
  | 'snowLevel'
  | 'severe'
>

/** Computes sums and extremes of both halves, and means weighted by the number of hours. @param into is overwritten */
export function joinHalves(day: HalfSummary, night: HalfSummary, into: WholeDay): void {
  into.windSpeedMax = atLeast(day.windSpeedMax, night.windSpeedMax)
  into.windGust = atLeast(day.windGust, night.windGust)
  into.windDirection = directionOf(sum(day.windEast, night.windEast), sum(day.windNorth, night.windNorth))
  into.precipProbability = combineHalves(atLeast, 'precipProbability', day, night)
  into.precipTotal = sum(day.precipTotal, night.precipTotal)
  into.precipFallen = 0
  into.snowTotal = combineHalves(sum, 'snowTotal', day, night)
  into.iceTotal = combineHalves(sum, 'iceTotal', day, night)
  into.humidity = mean(day.humidity, day.hours, night.humidity, night.hours)
  into.cloudCover = mean(day.cloudCover, day.hours, night.cloudCover, night.hours)
  into.dewPointMax = atLeast(day.dewPointMax, night.dewPointMax)
  into.dewPointMin = atMost(day.dewPointMin, night.dewPointMin)
  into.visibilityMin = atMost(day.visibilityMin, night.visibilityMin)
  into.pressure = mean(day.pressure, day.hours, night.pressure, night.hours)
  into.ceilingMin = atMost(day.ceilingMin, night.ceilingMin)
  into.ceilingUnlimited = Number.isNaN(into.ceilingMin) && (day.ceilingUnlimited || night.ceilingUnlimited)
  into.uvMax = day.hours && Number.isNaN(day.uvMax) ? Number.NaN : atLeast(day.uvMax, night.uvMax)
  into.thunder = combineHalves(atLeast, 'thunder', day, night)
  into.thunderPossible = day.thunderPossible || night.thunderPossible
  into.cape = atLeast(day.cape, night.cape)
  // The peak of the day half must be known, because that of the night cannot replace it.
  into.solarMax = Number.isNaN(day.solarMax) ? day.solarMax : atLeast(day.solarMax, night.solarMax)
  into.snowLevel = atMost(day.snowLevel, night.snowLevel)
  into.severe = day.severe || night.severe
}

/**
 * A statistic of both halves; NaN if a half that has hours has no value, because the other half does not represent it.
 */
function combineHalves(
  statistic: (a: number, b: number) => number,
  name: 'precipProbability' | 'snowTotal' | 'iceTotal' | 'thunder',
  day: HalfSummary,
  night: HalfSummary,
): number {
  const isUnknown = (half: HalfSummary) => half.hours > 0 && Number.isNaN(half[name])
  return isUnknown(day) || isUnknown(night) ? Number.NaN : statistic(day[name], night[name])
}

/** Mean of two means, weighted by their hours. */
function mean(a: number, hoursOfA: number, b: number, hoursOfB: number): number {
  if (Number.isNaN(a)) return b
  return Number.isNaN(b) ? a : (a * hoursOfA + b * hoursOfB) / (hoursOfA + hoursOfB)
}

/** Sines of whole degrees; directions have been rounded to these. */
const sines = Float64Array.from({ length: 360 }, (_, degrees) => Math.sin((degrees * Math.PI) / 180))
const cosines = Float64Array.from({ length: 360 }, (_, degrees) => Math.cos((degrees * Math.PI) / 180))

/** Sets the vector sum of the wind. */
function sumWind(forecast: Forecast, first: number, last: number, into: HalfSummary): void {
  const { wind_direction: directions, wind_speed: speeds } = forecast.columns
  let east = 0
  let north = 0
  for (let h = first; h <= last; h++) {
    const direction = nth(directions, h)
    if (Number.isNaN(direction)) continue
    const weight = Number.isNaN(nth(speeds, h)) ? 1 : nth(speeds, h) + 0.1
    east += weight * sines[direction]!
    north += weight * cosines[direction]!
  }
  into.windEast = east
  into.windNorth = north
}

/** Direction of a vector sum, whole degrees; NaN if the winds cancel out or none is known. */
function directionOf(east: number, north: number): number {
  if (!(Math.abs(east) + Math.abs(north) > 1e-6)) return Number.NaN
  const degrees = Math.round((Math.atan2(east, north) * 180) / Math.PI)
  return (degrees + 360) % 360
}

export function atLeast(a: number, b: number): number {
  if (Number.isNaN(a)) return b
  return Number.isNaN(b) ? a : Math.max(a, b)
}

export function atMost(a: number, b: number): number {
  if (Number.isNaN(a)) return b
  return Number.isNaN(b) ? a : Math.min(a, b)
}

export function sum(a: number, b: number): number {
  if (Number.isNaN(a)) return b
  return Number.isNaN(b) ? a : a + b
}

/**
 * Visibility (m) that determines the words of a half: the minimum if a third of the hours have fog, otherwise the mean
 * but above fog.
 */
function typicalVisibility({ columns }: Forecast, least: number, first: number, last: number): number {
  const { visibility } = columns
  let foggy = 0
  if (least <= FOG_VISIBILITY_M) for (let i = first; i <= last; i++) if (nth(visibility, i) <= FOG_VISIBILITY_M) foggy++
  return foggy * 3 >= last - first + 1 && foggy > 0
    ? least
    : Math.max(FOG_VISIBILITY_M + 1, meanOf(visibility, first, last))
}

/** Amount by type, mm, in the half that is being summarized; and the sums of amount times probability. */
const amounts = new Float64Array(8)
const weights = new Float64Array(8)
/** Probability (percent) of an amount that has none because it was measured. */
const MEASURED = 100
/**
 * Types in order of significance, and the minimum weight of a type that determines the type of a half, as a share of
 * the greatest weight.
 */
const byRank = [FREEZING_RAIN, ICE_PELLETS, WINTRY_MIX, SNOW, RAIN, UNKNOWN]
const LEAST_SHARE = 0.5

/**
 * Minimum amount of freezing rain, mm, that determines the type of a half; and the minimum share of both rain and snow
 * at which they are a mix.
 */
const MIN_FREEZING_MM = 0.254
const MIN_MIX_SHARE = 0.3
/** Depth of new snow, mm, from which a half of rain counts as a mix, and from which any half does. */
const MIN_MIX_SNOW_MM = 12.7
const NAMED_SNOW_MM = 25.4

/**
 * Returns the type of a half: freezing rain from a measurable amount of ice, or of liquid if ice is unknown. Otherwise
 * a mix of rain and snow, or the most significant of the types with at least half of the greatest weight, which is
 * amount times probability. If nothing is measurable, the type of the likeliest hour. NONE only without probability and
 * amount.
 */
function typeOf(forecast: Forecast, range: HourRange, probability: number, sum: number, ice: number): number {
  if (!(probability >= TYPE_PROBABILITY) && !(sum >= TYPE_AMOUNT)) return NONE
  const { columns, precipType } = forecast
  amounts.fill(0)
  weights.fill(0)
  for (let h = range.firstEnd; h <= range.lastEnd; h++) {
    const amount = columns.precip_amount[h] || 0
    amounts[nth(precipType, h)]! += amount
    weights[nth(precipType, h)]! += (amount * (columns.precip_probability[h] || MEASURED)) / 100
  }
  let likeliest = range.firstEnd
  let most = -1
  for (let h = range.firstEnd; h <= range.lastEnd; h++) {
    const chance = (columns.precip_probability[h] || 0) + (precipType[h] === NONE ? 0 : 1000)
    if (chance > most) {
      most = chance
      likeliest = h
    }
  }
  if (amounts[FREEZING_RAIN]! > 0 && (Number.isNaN(ice) ? amounts[FREEZING_RAIN]! : ice) >= MIN_FREEZING_MM) {
    return FREEZING_RAIN
  }
  const total = weights.reduce((a, b) => a + b, 0)
  const share = MIN_MIX_SHARE * total
  if (weights[SNOW]! >= share && weights[RAIN]! >= share && share > 0) return WINTRY_MIX
  const least = LEAST_SHARE * Math.max(...weights)
  return byRank.find((type) => weights[type]! > 0 && weights[type]! >= least) ?? likelyType(forecast, likeliest)
}

/** The type of the hours from `from` to `to` if precipitation falls in them. */
export function wetType(forecast: Forecast, from: Instant, to: Instant): number {
  const range = hourRangeOf(forecast, from, to)
  return typeOf(forecast, range, Number.NaN, Number.POSITIVE_INFINITY, Number.NaN)
}

/** The type that an hour would have if precipitation fell in it. */
function likelyType({ columns, precipType }: Forecast, h: number): number {
  if (precipType[h] !== NONE) return nth(precipType, h)
  return typeAtSurface(likeliestType(columns, h), nth(columns.temperature, h), nth(columns.humidity, h))
}
