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

export function highest(values: Float64Array, from: number, to: number): number {
  let most = Number.NaN
  for (let i = from; i <= to; i++) if (!(values[i]! <= most) && !Number.isNaN(values[i]!)) most = values[i]!
  return most
}

export function lowest(values: Float64Array, from: number, to: number): number {
  let least = Number.NaN
  for (let i = from; i <= to; i++) if (!(values[i]! >= least) && !Number.isNaN(values[i]!)) least = values[i]!
  return least
}

export function mean(values: Float64Array, from: number, to: number): number {
  let sum = 0
  let count = 0
  for (let i = from; i <= to; i++) {
    if (Number.isNaN(values[i]!)) continue
    sum += values[i]!
    count++
  }
  return count ? sum / count : Number.NaN
}

export function total(values: Float64Array, from: number, to: number): number {
  let sum = Number.NaN
  for (let i = from; i <= to; i++) if (!Number.isNaN(values[i]!)) sum = (Number.isNaN(sum) ? 0 : sum) + values[i]!
  return sum
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
    for (let j = 0; j < times.length; j++) {
      if (times[j]! <= from) continue
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

/** A half of a row, or a whole one: canonical units, NaN where no source speaks. */
export interface Fold {
  readonly hours: number
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

const FOG = 1000

export function fold(forecast: Forecast, from: Instant, to: Instant, severe: Uint8Array): Fold {
  const c = forecast.columns
  const { first, last, firstEnd, lastEnd } = stretch(forecast, from, to)
  const precipProbability = atLeast(
    highest(c.precip_probability, firstEnd, lastEnd),
    period(forecast, 'precip_probability_12h', 12, from, to, 9),
  )
  const precipTotal = total(c.precip_amount, firstEnd, lastEnd)
  const way = meanWay(c.wind_direction, c.wind_speed, first, last)
  let known = 0
  for (let h = first; h <= last; h++) if (!Number.isNaN(c.temperature[h]!)) known++
  return {
    hours: known,
    temperatureHigh: highest(c.temperature, first, last),
    temperatureLow: lowest(c.temperature, first, last),
    feelsLikeHigh: highest(c.feels_like, first, last),
    feelsLikeLow: lowest(c.feels_like, first, last),
    windSpeed: mean(c.wind_speed, first, last),
    windSpeedMax: highest(c.wind_speed, first, last),
    windGust: highest(c.wind_gust, first, last),
    windDirection: directionOf(way.east, way.north),
    windEast: way.east,
    windNorth: way.north,
    precipProbability: precipTotal > 0 && precipProbability < 1 ? 1 : precipProbability,
    precipTotal,
    precipPeak: highest(c.precip_amount, firstEnd, lastEnd),
    snowTotal: total(c.snow_amount, firstEnd, lastEnd),
    iceTotal: total(c.ice_amount, firstEnd, lastEnd),
    precipType: typeOf(forecast, firstEnd, lastEnd, precipProbability, precipTotal),
    humidity: mean(c.humidity, first, last),
    cloudCover: mean(c.cloud_cover, first, last),
    dewPoint: mean(c.dew_point, first, last),
    dewPointMax: highest(c.dew_point, first, last),
    dewPointMin: lowest(c.dew_point, first, last),
    visibilityMin: lowest(c.visibility, first, last),
    visibilityTypical: typicalVisibility(c.visibility, first, last),
    pressure: mean(c.pressure, first, last),
    ceilingMin: lowest(c.cloud_ceiling, first, last),
    uvMax: highest(c.uv_index, first, last),
    thunder: highest(c.thunderstorm_probability, firstEnd, lastEnd),
    cape: highest(c.cape, first, last),
    solarMax: highest(c.solar_radiation, first, last),
    snowLevel: lowest(c.snow_level, first, last),
    smoke: mean(c.smoke, first, last),
    severe: marked(severe, first, last),
  }
}

function marked(hours: Uint8Array, first: number, last: number): boolean {
  for (let h = first; h <= last; h++) if (hours[h]) return true
  return false
}

/** Both halves as one row: sums and extremes of both, means by the hours of each. */
export function joined(forecast: Forecast, window: DayWindow, day: Fold, night: Fold): Fold {
  const hours = day.hours + night.hours
  const most = (a: number, b: number) => atLeast(a, b)
  const least = (a: number, b: number) => -atLeast(-a, -b)
  const sum = (a: number, b: number) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b)
  const average = (a: number, b: number) =>
    Number.isNaN(a) ? b : Number.isNaN(b) ? a : (a * day.hours + b * night.hours) / hours
  const east = sum(day.windEast, night.windEast)
  const north = sum(day.windNorth, night.windNorth)
  const { firstEnd, lastEnd } = stretch(forecast, window.start, window.end)
  const precipProbability = most(day.precipProbability, night.precipProbability)
  const precipTotal = sum(day.precipTotal, night.precipTotal)
  return {
    hours,
    temperatureHigh: most(day.temperatureHigh, night.temperatureHigh),
    temperatureLow: least(day.temperatureLow, night.temperatureLow),
    feelsLikeHigh: most(day.feelsLikeHigh, night.feelsLikeHigh),
    feelsLikeLow: least(day.feelsLikeLow, night.feelsLikeLow),
    windSpeed: average(day.windSpeed, night.windSpeed),
    windSpeedMax: most(day.windSpeedMax, night.windSpeedMax),
    windGust: most(day.windGust, night.windGust),
    windDirection: directionOf(east, north),
    windEast: east,
    windNorth: north,
    precipProbability,
    precipTotal,
    precipPeak: most(day.precipPeak, night.precipPeak),
    snowTotal: sum(day.snowTotal, night.snowTotal),
    iceTotal: sum(day.iceTotal, night.iceTotal),
    precipType: typeOf(forecast, firstEnd, lastEnd, precipProbability, precipTotal),
    humidity: average(day.humidity, night.humidity),
    cloudCover: average(day.cloudCover, night.cloudCover),
    dewPoint: average(day.dewPoint, night.dewPoint),
    dewPointMax: most(day.dewPointMax, night.dewPointMax),
    dewPointMin: least(day.dewPointMin, night.dewPointMin),
    visibilityMin: least(day.visibilityMin, night.visibilityMin),
    visibilityTypical: least(day.visibilityTypical, night.visibilityTypical),
    pressure: average(day.pressure, night.pressure),
    ceilingMin: least(day.ceilingMin, night.ceilingMin),
    uvMax: most(day.uvMax, night.uvMax),
    thunder: most(day.thunder, night.thunder),
    cape: most(day.cape, night.cape),
    solarMax: most(day.solarMax, night.solarMax),
    snowLevel: least(day.snowLevel, night.snowLevel),
    smoke: average(day.smoke, night.smoke),
    severe: day.severe || night.severe,
  }
}

/** Of whole degrees, which the closed columns hold. */
const sines = Float64Array.from({ length: 360 }, (_, degrees) => Math.sin((degrees * Math.PI) / 180))
const cosines = Float64Array.from({ length: 360 }, (_, degrees) => Math.cos((degrees * Math.PI) / 180))

/** Sum of the directions' unit vectors, each weighing its speed. */
function meanWay(directions: Float64Array, speeds: Float64Array, first: number, last: number) {
  let east = 0
  let north = 0
  for (let h = first; h <= last; h++) {
    const direction = directions[h]!
    if (Number.isNaN(direction)) continue
    const weight = Number.isNaN(speeds[h]!) ? 1 : speeds[h]! + 0.1
    east += weight * sines[direction]!
    north += weight * cosines[direction]!
  }
  return { east, north }
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

/** A third of the hours in fog makes a foggy half; else what is seen on average. */
function typicalVisibility(values: Float64Array, first: number, last: number): number {
  let foggy = 0
  for (let i = first; i <= last; i++) if (values[i]! <= FOG) foggy++
  return foggy * 3 >= last - first + 1 && foggy > 0
    ? lowest(values, first, last)
    : Math.max(FOG + 1, mean(values, first, last))
}

/** The type with the greatest amount; where nothing is measurable, that of the likeliest hour. */
function typeOf(forecast: Forecast, first: number, last: number, probability: number, sum: number): number {
  if (!(probability >= TYPE_PROBABILITY) && !(sum >= TYPE_AMOUNT)) return NONE
  const amounts = new Float64Array(8)
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
  const window = sign > 0 ? highest(temperature, first, last) : lowest(temperature, first, last)
  if (Number.isNaN(window) || sign * window <= sign * own) return sign > 0 ? Math.max(value, own) : Math.min(value, own)
  return own + sign * Math.max(0, sign * (value - window))
}
