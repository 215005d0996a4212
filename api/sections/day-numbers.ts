import { membersText, readFrom } from '../present/members.ts'
import type { Quantity, Units } from '../present/units.ts'
import type { Fold } from './day-fold.ts'

/** A row of `daily`: its two halves, both as one, and the temperatures that NBM's extremes have their say in. */
export interface DayFolds {
  readonly day: Fold
  readonly night: Fold
  readonly whole: Fold
  readonly high: number
  readonly low: number
}

/** A half of it, and the extreme of its feels-like that belongs to it. */
export interface ShownHalf {
  readonly half: Fold
  readonly feelsLike: number
}

const row = (name: string, quantity: Quantity, of: (folds: DayFolds) => number) => readFrom(name, quantity, of)
const period = (name: string, quantity: Quantity, of: (shown: ShownHalf) => number) => readFrom(name, quantity, of)
/** Air quality is not held. */
const notHeld = () => Number.NaN

const extremes = [row('high', 'temperature', ({ high }) => high), row('low', 'temperature', ({ low }) => low)]

/** The numbers of Daily, in the order of the answer. */
const detailed = [
  ...extremes,
  row('feels_like_high', 'temperature', ({ day }) => day.feelsLikeHigh),
  row('feels_like_low', 'temperature', ({ night }) => night.feelsLikeLow),
  row('precip_probability', 'percent', ({ whole }) => whole.precipProbability),
  row('precip_total', 'precip_amount', ({ whole }) => whole.precipTotal),
  row('snow_total', 'snow_amount', ({ whole }) => whole.snowTotal),
  row('ice_total', 'precip_amount', ({ whole }) => whole.iceTotal),
  row('wind_speed_max', 'wind_speed', ({ whole }) => whole.windSpeedMax),
  row('wind_gust_max', 'wind_speed', ({ whole }) => whole.windGust),
  row('wind_direction', 'direction', ({ whole }) => whole.windDirection),
  row('humidity_avg', 'percent', ({ whole }) => whole.humidity),
  row('cloud_cover_avg', 'percent', ({ whole }) => whole.cloudCover),
  row('uv_index_max', 'tenth', ({ whole }) => whole.uvMax),
  row('cape_max', 'whole', ({ whole }) => whole.cape),
  row('dew_point_max', 'temperature', ({ whole }) => whole.dewPointMax),
  row('dew_point_min', 'temperature', ({ whole }) => whole.dewPointMin),
  row('pressure_avg', 'pressure', ({ whole }) => whole.pressure),
  row('visibility_min', 'visibility', ({ whole }) => whole.visibilityMin),
  row('cloud_ceiling_min', 'altitude', ({ whole }) => whole.ceilingMin),
  row('thunderstorm_probability_max', 'percent', ({ whole }) => whole.thunder),
  row('solar_radiation_max', 'solar_radiation', ({ whole }) => whole.solarMax),
  row('snow_level', 'altitude', ({ whole }) => whole.snowLevel),
  row('aqi_max', 'whole', notHeld),
]

const kept = new Set(['precip_probability', 'precip_total', 'snow_total', 'wind_speed_max', 'wind_gust_max'])
const concise = [...extremes, ...detailed.filter(({ name }) => kept.has(name))]

const common = [
  period('feels_like', 'temperature', ({ feelsLike }) => feelsLike),
  period('dew_point', 'temperature', ({ half }) => half.dewPoint),
  period('humidity', 'percent', ({ half }) => half.humidity),
  period('wind_speed', 'wind_speed', ({ half }) => half.windSpeed),
  period('wind_gust', 'wind_speed', ({ half }) => half.windGust),
  period('wind_direction', 'direction', ({ half }) => half.windDirection),
  period('pressure', 'pressure', ({ half }) => half.pressure),
  period('visibility', 'visibility', ({ half }) => half.visibilityMin),
  period('cloud_cover', 'percent', ({ half }) => half.cloudCover),
  period('cloud_ceiling', 'altitude', ({ half }) => half.ceilingMin),
  period('precip_probability', 'percent', ({ half }) => half.precipProbability),
  period('precip_total', 'precip_amount', ({ half }) => half.precipTotal),
  period('snow_total', 'snow_amount', ({ half }) => half.snowTotal),
  period('ice_total', 'precip_amount', ({ half }) => half.iceTotal),
  period('thunderstorm_probability', 'percent', ({ half }) => half.thunder),
  period('cape', 'whole', ({ half }) => half.cape),
]
const aqi = period('aqi', 'whole', notHeld)
/** The numbers of DailyPeriod behind its temperature. */
const night = [...common, aqi]
const day = [...common, period('uv_index', 'tenth', ({ half }) => half.uvMax), aqi]

/** The numbers of a row, as members with a comma before each. */
export function rowNumbers(folds: DayFolds, view: 'detailed' | 'concise', units: Units): string {
  return membersText(view === 'concise' ? concise : detailed, folds, units)
}

/** The numbers of a half but its temperature, likewise. */
export function periodNumbers(shown: ShownHalf, name: 'day' | 'night', units: Units): string {
  return membersText(name === 'day' ? day : night, shown, units)
}
