import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { THUNDER_POSSIBLE_CAPE, THUNDER_POSSIBLE_PROBABILITY } from '../../ingest/domain/weather/conditions.ts'
import {
  FREEZING_RAIN,
  NONE,
  RAIN,
  SNOW,
  TYPE_AMOUNT,
  TYPE_PROBABILITY,
  typeAtSurface,
  WINTRY_MIX,
} from '../../ingest/domain/weather/precip-type.ts'
import type { Forecast } from '../blend/columns.ts'
import { likeliestType } from '../blend/type-probabilities.ts'
import { period } from './day-periods.ts'
import { highest, known, lowest, mean as meanOf, type Stretch, stretch, total } from './day-walk.ts'
import type { Fold } from './fold.ts'

export function emptyFold(): Fold {
  const none = Number.NaN
  return {
    hours: 0,
    temperatureHigh: none,
    temperatureLow: none,
    feelsLikeHigh: none,
    feelsLikeLow: none,
    windSpeed: none,
    windSpeedMax: none,
    windGust: none,
    windDirection: none,
    windEast: none,
    windNorth: none,
    precipProbability: none,
    precipTotal: none,
    precipPeak: none,
    snowTotal: none,
    iceTotal: none,
    precipType: NONE,
    mostlyRain: false,
    humidity: none,
    cloudCover: none,
    dewPointMax: none,
    dewPointMin: none,
    visibilityMin: none,
    visibilityTypical: none,
    pressure: none,
    ceilingMin: none,
    ceilingUnlimited: false,
    uvMax: none,
    thunder: none,
    thunderPossible: false,
    cape: none,
    solarMax: none,
    snowLevel: none,
    smoke: none,
    severe: false,
  }
}

const FOG_VISIBILITY_M = 1000

/** Folds the hours from `from` to `to`. @param into is overwritten and returned */
export function fold(
  forecast: Forecast,
  from: Instant,
  to: Instant,
  severe: Uint8Array | undefined,
  into = emptyFold(),
): Fold {
  const { columns } = forecast
  const within = stretch(forecast, from, to)
  const { first, last } = within
  const spoken = spokenOf(forecast, from, to, within)
  into.hours = known(columns.temperature, first, last)
  into.temperatureHigh = highest(columns.temperature, first, last)
  into.temperatureLow = lowest(columns.temperature, first, last)
  into.feelsLikeHigh = highest(columns.feels_like, first, last)
  into.feelsLikeLow = lowest(columns.feels_like, first, last)
  into.windSpeed = meanOf(columns.wind_speed, first, last)
  into.windSpeedMax = highest(columns.wind_speed, first, last)
  into.windGust = highest(columns.wind_gust, first, last)
  foldWay(forecast, first, last, into)
  into.windDirection = directionOf(into.windEast, into.windNorth)
  foldPrecipitation(forecast, within, spoken, period(forecast, 'precip_probability_12h', 12, from, to, 9), into)
  into.humidity = meanOf(columns.humidity, first, last)
  into.cloudCover = meanOf(columns.cloud_cover, first, last)
  into.dewPointMax = highest(columns.dew_point, first, last)
  into.dewPointMin = lowest(columns.dew_point, first, last)
  into.visibilityMin = lowest(columns.visibility, first, last)
  into.visibilityTypical = typicalVisibility(forecast, into.visibilityMin, first, last)
  into.pressure = ofReached(meanOf, columns.pressure, { ...within, firstEnd: first, lastEnd: last })
  into.ceilingMin = lowest(columns.cloud_ceiling, first, last)
  into.ceilingUnlimited = Number.isNaN(into.ceilingMin) && marked(forecast.ceilingUnlimited, first, last)
  into.cape = highest(columns.cape, first, last)
  const { thunderstorm_probability } = columns
  const thunder = thunderOf(forecast, highest(thunderstorm_probability, spoken.firstEnd, spoken.lastEnd), from, to)
  const reached = !Number.isNaN(ofReached(highest, thunderstorm_probability, spoken))
  into.thunder = reached ? thunder : thunderOf(forecast, Number.NaN, from, to)
  // One hour is enough for it to be possible.
  into.thunderPossible = thunder >= THUNDER_POSSIBLE_PROBABILITY || into.cape >= THUNDER_POSSIBLE_CAPE
  const noon = highestSun(forecast, first, last)
  into.uvMax = Number.isNaN(columns.uv_index[noon]!) ? Number.NaN : highest(columns.uv_index, first, last)
  into.solarMax = Number.isNaN(columns.solar_radiation[noon]!)
    ? Number.NaN
    : highest(columns.solar_radiation, first, last)
  into.snowLevel = lowest(columns.snow_level, first, last)
  into.smoke = meanOf(columns.smoke, first, last)
  into.severe = severe !== undefined && marked(severe, first, last)
  return into
}

/** Hours whose probability and type count: the first row's are of what is to come where it speaks of the next 30 minutes; its amount has fallen. */
function spokenOf(forecast: Forecast, from: Instant, to: Instant, within: Stretch): Stretch {
  const { nowFromRadar, now, start } = forecast
  const thisHour = start + now * HOUR
  if (!nowFromRadar || (from !== thisHour && to !== thisHour)) return within
  return from === thisHour ? { ...within, firstEnd: now } : { ...within, lastEnd: now - 1 }
}

/** @param spoken hours whose probability counts @param ofPeriod NBM's probability for the whole half */
function foldPrecipitation(forecast: Forecast, within: Stretch, spoken: Stretch, ofPeriod: number, into: Fold): void {
  const { precip_amount, precip_probability, snow_amount, ice_amount } = forecast.columns
  const { firstEnd, lastEnd } = within
  const amount = total(precip_amount, firstEnd, lastEnd)
  // What falls now is no less so where little is known of the hours after it.
  const { nowFromRadar, now } = forecast
  const fallsNow = nowFromRadar && spoken.firstEnd <= now && now <= spoken.lastEnd && precip_amount[now]! > 0
  const most = fallsNow
    ? highest(precip_probability, spoken.firstEnd, spoken.lastEnd)
    : ofReached(highest, precip_probability, spoken)
  const probability = atMost(atLeast(most, Math.round(ofPeriod)), jointProbability(forecast, spoken, most))
  into.precipProbability = amount > 0 && probability < 1 ? 1 : probability
  into.precipTotal = amount
  into.precipPeak = highest(precip_amount, firstEnd, lastEnd)
  into.snowTotal = ofReached(total, snow_amount, within)
  const type = typeOf(forecast, within, spoken, probability, amount)
  into.precipType = type === RAIN && into.snowTotal >= MIN_MIX_SNOW_MM ? WINTRY_MIX : type
  into.mostlyRain = type === FREEZING_RAIN && amounts[RAIN]! > amounts[FREEZING_RAIN]!
  into.iceTotal = ofReached(total, ice_amount, within)
}

/** Share of the hours of a stretch that must have a value of a source which ends within it: those of its first hours do not speak for it. */
const LEAST_KNOWN = 0.8

/** A statistic of the intervals of a stretch; NaN where too few of them have a value. */
function ofReached(
  statistic: (values: Float64Array, from: number, to: number) => number,
  values: Float64Array,
  { firstEnd, lastEnd }: Stretch,
): number {
  const enough = known(values, firstEnd, lastEnd) >= LEAST_KNOWN * (lastEnd - firstEnd + 1)
  return enough ? statistic(values, firstEnd, lastEnd) : Number.NaN
}

/** Percent: at most this probability that any hour is wet, given those of the hours; NaN where an hour's is not known. */
function jointProbability({ columns }: Forecast, { firstEnd, lastEnd }: Stretch, most: number): number {
  let dry = 1
  for (let h = firstEnd; h <= lastEnd; h++) dry *= 1 - columns.precip_probability[h]! / 100
  return Math.max(most, Math.ceil(100 * (1 - dry)))
}

const thunderPeriods = [12, 6, 3].map((hours) => ({ variable: `thunderstorm_probability_${hours}h`, hours }))

/** Percent; that of the longest interval inside, and never less than an hour's. */
function thunderOf(forecast: Forecast, ofHours: number, from: Instant, to: Instant): number {
  const { columns, now, start, present } = forecast
  // Lightning that is observed is in the row of the current hour.
  const observed = from === start + now * HOUR && !Number.isNaN(present?.thunder ?? Number.NaN)
  const most = observed ? atLeast(ofHours, columns.thunderstorm_probability[now]!) : ofHours
  for (const { variable, hours } of thunderPeriods) {
    const value = period(forecast, variable, hours, from, to, hours)
    if (!Number.isNaN(value)) return Math.round(atLeast(most, value))
  }
  return most
}

/** The hour of the highest sun: peaks are only known with its value. */
export function highestSun({ sun }: Forecast, first: number, last: number): number {
  let highest = first
  for (let h = first + 1; h <= last; h++) if (sun[h]! > sun[highest]!) highest = h
  return highest
}

function marked(hours: Uint8Array, first: number, last: number): boolean {
  for (let h = first; h <= last; h++) if (hours[h]) return true
  return false
}

/** Both halves as one row, as far as a row shows it. */
export type Whole = Pick<
  Fold,
  | 'windSpeedMax'
  | 'windGust'
  | 'windDirection'
  | 'precipProbability'
  | 'precipTotal'
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

/** Sums and extremes of both halves, means by the hours of each. @param into is overwritten */
export function join(day: Fold, night: Fold, into: Whole): void {
  into.windSpeedMax = atLeast(day.windSpeedMax, night.windSpeedMax)
  into.windGust = atLeast(day.windGust, night.windGust)
  into.windDirection = directionOf(sum(day.windEast, night.windEast), sum(day.windNorth, night.windNorth))
  into.precipProbability = ofBoth(atLeast, 'precipProbability', day, night)
  into.precipTotal = sum(day.precipTotal, night.precipTotal)
  into.snowTotal = ofBoth(sum, 'snowTotal', day, night)
  into.iceTotal = ofBoth(sum, 'iceTotal', day, night)
  into.humidity = mean(day.humidity, day.hours, night.humidity, night.hours)
  into.cloudCover = mean(day.cloudCover, day.hours, night.cloudCover, night.hours)
  into.dewPointMax = atLeast(day.dewPointMax, night.dewPointMax)
  into.dewPointMin = atMost(day.dewPointMin, night.dewPointMin)
  into.visibilityMin = atMost(day.visibilityMin, night.visibilityMin)
  into.pressure = mean(day.pressure, day.hours, night.pressure, night.hours)
  into.ceilingMin = atMost(day.ceilingMin, night.ceilingMin)
  into.ceilingUnlimited = Number.isNaN(into.ceilingMin) && (day.ceilingUnlimited || night.ceilingUnlimited)
  into.uvMax = day.hours && Number.isNaN(day.uvMax) ? Number.NaN : atLeast(day.uvMax, night.uvMax)
  into.thunder = ofBoth(atLeast, 'thunder', day, night)
  into.thunderPossible = day.thunderPossible || night.thunderPossible
  into.cape = atLeast(day.cape, night.cape)
  // The day's peak must be known: that of the night cannot replace it.
  into.solarMax = Number.isNaN(day.solarMax) ? day.solarMax : atLeast(day.solarMax, night.solarMax)
  into.snowLevel = atMost(day.snowLevel, night.snowLevel)
  into.severe = day.severe || night.severe
}

/** NaN where a half that has hours has no value: the other one does not speak for it. */
function ofBoth(
  statistic: (a: number, b: number) => number,
  name: 'precipProbability' | 'snowTotal' | 'iceTotal' | 'thunder',
  day: Fold,
  night: Fold,
): number {
  const unknown = (half: Fold) => half.hours > 0 && Number.isNaN(half[name])
  return unknown(day) || unknown(night) ? Number.NaN : statistic(day[name], night[name])
}

/** Of two means over so many hours each. */
function mean(a: number, hoursOfA: number, b: number, hoursOfB: number): number {
  if (Number.isNaN(a)) return b
  return Number.isNaN(b) ? a : (a * hoursOfA + b * hoursOfB) / (hoursOfA + hoursOfB)
}

/** Sines of whole degrees: directions are rounded by then. */
const sines = Float64Array.from({ length: 360 }, (_, degrees) => Math.sin((degrees * Math.PI) / 180))
const cosines = Float64Array.from({ length: 360 }, (_, degrees) => Math.cos((degrees * Math.PI) / 180))

/** Vector sum of the wind. */
function foldWay(forecast: Forecast, first: number, last: number, into: Fold): void {
  const { wind_direction: directions, wind_speed: speeds } = forecast.columns
  let east = 0
  let north = 0
  for (let h = first; h <= last; h++) {
    const direction = directions[h]!
    if (Number.isNaN(direction)) continue
    const weight = Number.isNaN(speeds[h]!) ? 1 : speeds[h]! + 0.1
    east += weight * sines[direction]!
    north += weight * cosines[direction]!
  }
  into.windEast = east
  into.windNorth = north
}

/** NaN where the winds cancel out or none is known. */
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

/** Fog where a third of the hours have it, else the mean visibility. */
function typicalVisibility({ columns }: Forecast, least: number, first: number, last: number): number {
  const { visibility } = columns
  let foggy = 0
  if (least <= FOG_VISIBILITY_M) for (let i = first; i <= last; i++) if (visibility[i]! <= FOG_VISIBILITY_M) foggy++
  return foggy * 3 >= last - first + 1 && foggy > 0
    ? least
    : Math.max(FOG_VISIBILITY_M + 1, meanOf(visibility, first, last))
}

/** Amount by type in the current half. */
const amounts = new Float64Array(8)

/** Freezing rain names a half from this amount, mm; rain and snow that each have this share of it are a mix. */
const MIN_FREEZING_MM = 0.254
const MIN_MIX_SHARE = 0.3
/** Depth of new snow, mm, from which a half is not called rain alone. */
const MIN_MIX_SNOW_MM = 12.7

/**
 * Freezing rain from a measurable amount, a mix of rain and snow, else the type with the greatest amount; where nothing is
 * measurable, that of the likeliest hour. NONE only without probability and amount.
 */
function typeOf(forecast: Forecast, within: Stretch, spoken: Stretch, probability: number, sum: number): number {
  if (!(probability >= TYPE_PROBABILITY) && !(sum >= TYPE_AMOUNT)) return NONE
  const { columns, precipType } = forecast
  amounts.fill(0)
  for (let h = within.firstEnd; h <= within.lastEnd; h++) amounts[precipType[h]!]! += columns.precip_amount[h] || 0
  let likeliest = spoken.firstEnd
  let most = -1
  for (let h = spoken.firstEnd; h <= spoken.lastEnd; h++) {
    const chance = (columns.precip_probability[h] || 0) + (precipType[h] === NONE ? 0 : 1000)
    if (chance > most) {
      most = chance
      likeliest = h
    }
  }
  if (amounts[FREEZING_RAIN]! >= MIN_FREEZING_MM) return FREEZING_RAIN
  const share = MIN_MIX_SHARE * sum
  if (amounts[SNOW]! >= share && amounts[RAIN]! >= share && share > 0) return WINTRY_MIX
  let greatest = NONE
  for (let type = 1; type < amounts.length; type++) {
    if (amounts[type]! > 0 && !(amounts[greatest]! >= amounts[type]! && greatest !== NONE)) greatest = type
  }
  return greatest === NONE ? likelyType(forecast, likeliest) : greatest
}

/** The type of a stretch that is wet as a whole. */
export function wetType(forecast: Forecast, from: Instant, to: Instant): number {
  const within = stretch(forecast, from, to)
  return typeOf(forecast, within, within, Number.NaN, Number.POSITIVE_INFINITY)
}

/** The type that an hour would have if it were wet. */
function likelyType({ columns, precipType }: Forecast, h: number): number {
  if (precipType[h] !== NONE) return precipType[h]!
  return typeAtSurface(likeliestType(columns, h), columns.temperature[h]!, columns.humidity[h]!)
}
