import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { NONE, TYPE_AMOUNT, TYPE_PROBABILITY } from '../../ingest/domain/precip-type.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'

/** Index ranges of a stretch of time: instants in `[from, to)`, intervals that end in `(from, to]`. */
export interface Stretch {
  readonly first: number
  readonly last: number
  readonly firstEnd: number
  readonly lastEnd: number
}

export function stretch(forecast: Forecast, from: Instant, to: Instant): Stretch {
  const a = Math.ceil((from - forecast.start) / HOUR)
  const b = Math.ceil((to - forecast.start) / HOUR)
  return {
    first: Math.max(0, a),
    last: Math.min(forecast.count, b) - 1,
    firstEnd: Math.max(0, a + 1),
    lastEnd: Math.min(forecast.count - 1, b),
  }
}

/** What a walk over some hours of a column found; each walk says it anew. */
interface Walked {
  /** Hours with a value. */
  known: number
  /** NaN without one. */
  most: number
  least: number
  mean: number
  /** NaN without one. */
  total: number
}

const walked: Walked = { known: 0, most: Number.NaN, least: Number.NaN, mean: Number.NaN, total: Number.NaN }

export function walk(values: Float64Array, from: number, to: number): Readonly<Walked> {
  let known = 0
  let most = -Infinity
  let least = Infinity
  let sum = 0
  for (let i = from; i <= to; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) continue
    known++
    sum += value
    if (value > most) most = value
    if (value < least) least = value
  }
  walked.known = known
  walked.most = known ? most : Number.NaN
  walked.least = known ? least : Number.NaN
  walked.mean = known ? sum / known : Number.NaN
  walked.total = known ? sum : Number.NaN
  return walked
}

/** Hours of an interval of `hours` that ends at `end` inside `[from, to]`. */
function shared(end: Instant, hours: number, from: Instant, to: Instant): number {
  return (Math.min(end, to) - Math.max(end - hours * HOUR, from)) / HOUR
}

/** NBM's interval that fits a stretch best and shares at least `least` hours with it; NaN where there is none. */
function bestPeriod(
  forecast: Forecast,
  variable: string,
  hours: number,
  from: Instant,
  to: Instant,
  least: number,
): { value: number; end: Instant } {
  let best = least - 1e-9
  let value = Number.NaN
  let end = Number.NaN
  for (const run of forecast.periods) {
    const series = run.variables.get(variable)
    if (!series) continue
    const { times, values } = series
    for (let j = firstAfter(times, from); j < times.length; j++) {
      if (times[j]! - hours * HOUR >= to) break
      const common = shared(times[j]!, hours, from, to)
      if (common > best && !Number.isNaN(values[j]!)) {
        best = common
        value = values[j]!
        end = times[j]!
      }
    }
  }
  return { value, end }
}

/** The place of the first time after `at`. */
function firstAfter(times: ArrayLike<number>, at: Instant): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= at) low = middle + 1
    else high = middle
  }
  return low
}

export function period(
  forecast: Forecast,
  variable: string,
  hours: number,
  from: Instant,
  to: Instant,
  least: number,
): number {
  return bestPeriod(forecast, variable, hours, from, to, least).value
}

/** A half of a row: canonical units, NaN where no source speaks. */
export interface Fold {
  /** With a temperature. */
  hours: number
  temperatureHigh: number
  temperatureLow: number
  feelsLikeHigh: number
  feelsLikeLow: number
  windSpeed: number
  windSpeedMax: number
  windGust: number
  windDirection: number
  /** The wind's way over all hours, for the mean of two halves. */
  windEast: number
  windNorth: number
  precipProbability: number
  precipTotal: number
  precipPeak: number
  snowTotal: number
  iceTotal: number
  precipType: number
  humidity: number
  cloudCover: number
  dewPoint: number
  dewPointMax: number
  dewPointMin: number
  visibilityMin: number
  visibilityTypical: number
  pressure: number
  ceilingMin: number
  uvMax: number
  thunder: number
  cape: number
  solarMax: number
  snowLevel: number
  smoke: number
  severe: boolean
}

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
    humidity: none,
    cloudCover: none,
    dewPoint: none,
    dewPointMax: none,
    dewPointMin: none,
    visibilityMin: none,
    visibilityTypical: none,
    pressure: none,
    ceilingMin: none,
    uvMax: none,
    thunder: none,
    cape: none,
    solarMax: none,
    snowLevel: none,
    smoke: none,
    severe: false,
  }
}

const FOG = 1000

/** Folds the hours from `from` to `to`. @param into is filled anew, and returned */
export function fold(forecast: Forecast, from: Instant, to: Instant, severe: Uint8Array, into = emptyFold()): Fold {
  const c = forecast.columns
  const { first, last, firstEnd, lastEnd } = stretch(forecast, from, to)
  let seen = walk(c.temperature, first, last)
  into.hours = seen.known
  into.temperatureHigh = seen.most
  into.temperatureLow = seen.least
  seen = walk(c.feels_like, first, last)
  into.feelsLikeHigh = seen.most
  into.feelsLikeLow = seen.least
  seen = walk(c.wind_speed, first, last)
  into.windSpeed = seen.mean
  into.windSpeedMax = seen.most
  into.windGust = walk(c.wind_gust, first, last).most
  foldWay(c.wind_direction, c.wind_speed, first, last, into)
  into.windDirection = directionOf(into.windEast, into.windNorth)
  seen = walk(c.precip_amount, firstEnd, lastEnd)
  into.precipTotal = seen.total
  into.precipPeak = seen.most
  const probability = atLeast(
    walk(c.precip_probability, firstEnd, lastEnd).most,
    period(forecast, 'precip_probability_12h', 12, from, to, 9),
  )
  into.precipProbability = into.precipTotal > 0 && probability < 1 ? 1 : probability
  into.precipType = typeOf(forecast, firstEnd, lastEnd, probability, into.precipTotal)
  into.snowTotal = walk(c.snow_amount, firstEnd, lastEnd).total
  into.iceTotal = walk(c.ice_amount, firstEnd, lastEnd).total
  into.humidity = walk(c.humidity, first, last).mean
  into.cloudCover = walk(c.cloud_cover, first, last).mean
  seen = walk(c.dew_point, first, last)
  into.dewPoint = seen.mean
  into.dewPointMax = seen.most
  into.dewPointMin = seen.least
  seen = walk(c.visibility, first, last)
  into.visibilityMin = seen.least
  into.visibilityTypical = typicalVisibility(seen, c.visibility, first, last)
  into.pressure = walk(c.pressure, first, last).mean
  into.ceilingMin = walk(c.cloud_ceiling, first, last).least
  into.uvMax = walk(c.uv_index, first, last).most
  into.thunder = walk(c.thunderstorm_probability, firstEnd, lastEnd).most
  into.cape = walk(c.cape, first, last).most
  into.solarMax = walk(c.solar_radiation, first, last).most
  into.snowLevel = walk(c.snow_level, first, last).least
  into.smoke = walk(c.smoke, first, last).mean
  into.severe = marked(severe, first, last)
  return into
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
  | 'uvMax'
  | 'thunder'
  | 'cape'
  | 'solarMax'
  | 'snowLevel'
  | 'severe'
>

/** Sums and extremes of both halves, means by the hours of each. @param into is filled anew */
export function join(day: Fold, night: Fold, into: Whole): void {
  const average = (a: number, b: number) => (a * day.hours + b * night.hours) / (day.hours + night.hours)
  const mean = (a: number, b: number) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : average(a, b))
  into.windSpeedMax = atLeast(day.windSpeedMax, night.windSpeedMax)
  into.windGust = atLeast(day.windGust, night.windGust)
  into.windDirection = directionOf(sum(day.windEast, night.windEast), sum(day.windNorth, night.windNorth))
  into.precipProbability = atLeast(day.precipProbability, night.precipProbability)
  into.precipTotal = sum(day.precipTotal, night.precipTotal)
  into.snowTotal = sum(day.snowTotal, night.snowTotal)
  into.iceTotal = sum(day.iceTotal, night.iceTotal)
  into.humidity = mean(day.humidity, night.humidity)
  into.cloudCover = mean(day.cloudCover, night.cloudCover)
  into.dewPointMax = atLeast(day.dewPointMax, night.dewPointMax)
  into.dewPointMin = atMost(day.dewPointMin, night.dewPointMin)
  into.visibilityMin = atMost(day.visibilityMin, night.visibilityMin)
  into.pressure = mean(day.pressure, night.pressure)
  into.ceilingMin = atMost(day.ceilingMin, night.ceilingMin)
  into.uvMax = atLeast(day.uvMax, night.uvMax)
  into.thunder = atLeast(day.thunder, night.thunder)
  into.cape = atLeast(day.cape, night.cape)
  into.solarMax = atLeast(day.solarMax, night.solarMax)
  into.snowLevel = atMost(day.snowLevel, night.snowLevel)
  into.severe = day.severe || night.severe
}

/** Of whole degrees, which the closed columns hold. */
const sines = Float64Array.from({ length: 360 }, (_, degrees) => Math.sin((degrees * Math.PI) / 180))
const cosines = Float64Array.from({ length: 360 }, (_, degrees) => Math.cos((degrees * Math.PI) / 180))

/** Sum of the directions' unit vectors, each weighing its speed. */
function foldWay(directions: Float64Array, speeds: Float64Array, first: number, last: number, into: Fold): void {
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

function atLeast(a: number, b: number): number {
  if (Number.isNaN(a)) return b
  return Number.isNaN(b) ? a : Math.max(a, b)
}

function atMost(a: number, b: number): number {
  if (Number.isNaN(a)) return b
  return Number.isNaN(b) ? a : Math.min(a, b)
}

function sum(a: number, b: number): number {
  if (Number.isNaN(a)) return b
  return Number.isNaN(b) ? a : a + b
}

/** A third of the hours in fog makes a foggy half; else what is seen on average. */
function typicalVisibility(seen: Readonly<Walked>, values: Float64Array, first: number, last: number): number {
  let foggy = 0
  if (seen.least <= FOG) for (let i = first; i <= last; i++) if (values[i]! <= FOG) foggy++
  return foggy * 3 >= last - first + 1 && foggy > 0 ? seen.least : Math.max(FOG + 1, seen.mean)
}

/** Of each type, in the half that is looked at. */
const amounts = new Float64Array(8)

/** The type with the greatest amount; where nothing is measurable, that of the likeliest hour. */
function typeOf(forecast: Forecast, first: number, last: number, probability: number, sum: number): number {
  if (!(probability >= TYPE_PROBABILITY) && !(sum >= TYPE_AMOUNT)) return NONE
  amounts.fill(0)
  let likeliest = NONE
  let most = -1
  for (let h = first; h <= last; h++) {
    const type = forecast.precipType[h]!
    if (type === NONE) continue
    amounts[type]! += forecast.columns.precip_amount[h] || 0
    const chance = forecast.columns.precip_probability[h] || 0
    if (chance > most) {
      most = chance
      likeliest = type
    }
  }
  let greatest = likeliest
  for (let type = 1; type < amounts.length; type++) if (amounts[type]! > amounts[greatest]!) greatest = type
  return greatest
}

export function highOf(forecast: Forecast, window: DayWindow, day: Fold): number {
  return extreme(forecast, 'temperature_max_12h', window.start, window.nightfall, day.temperatureHigh, 1)
}

export function lowOf(forecast: Forecast, window: DayWindow, night: Fold): number {
  return extreme(forecast, 'temperature_min_12h', window.nightfall, window.end, night.temperatureLow, -1)
}

/**
 * NBM's extreme for a half, widened by an hourly row that goes beyond it. NBM's windows end at 00Z and 12Z whatever the
 * local clock: 11 hours of one are the half's own in Eastern time, 8 in Hawaii. Where the hours show that the window's
 * extreme lies in its part outside of the half (a front in the early morning), only what NBM goes beyond those hours
 * counts, upon the half's own hours.
 * @param sign 1 for the highest, -1 for the lowest
 */
function extreme(forecast: Forecast, variable: string, from: Instant, to: Instant, own: number, sign: 1 | -1): number {
  const { value, end } = bestPeriod(forecast, variable, 12, from, to, 8)
  if (Number.isNaN(value)) return own
  if (Number.isNaN(own)) return value
  const { temperature } = forecast.columns
  const first = Math.max(0, Math.round((end - 12 * HOUR - forecast.start) / HOUR))
  const last = Math.min(forecast.count - 1, Math.round((end - forecast.start) / HOUR))
  const { most, least } = walk(temperature, first, last)
  const window = sign > 0 ? most : least
  if (Number.isNaN(window) || sign * window <= sign * own) return sign > 0 ? Math.max(value, own) : Math.min(value, own)
  return own + sign * Math.max(0, sign * (value - window))
}
