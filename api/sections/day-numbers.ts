import { bound, number } from '../present/members.ts'
import type { Quantity } from '../present/units.ts'
import type { DayRow, ShownHalf } from './day-row.ts'

const row = (name: string, quantity: Quantity, read: (row: DayRow) => number) => bound(name, number(quantity), read)
const period = (name: string, quantity: Quantity, read: (half: ShownHalf) => number) =>
  bound(name, number(quantity), read)
/** AirNow forecasts whole days, not halves. */
const notAvailable = () => Number.NaN

const extremes = [row('high', 'temperature', ({ high }) => high), row('low', 'temperature', ({ low }) => low)]

/** The numeric members of Daily, in the order of the answer. */
export const detailedNumbers = [
  ...extremes,
  row('feels_like_high', 'temperature', ({ feelsLikeHigh }) => feelsLikeHigh),
  row('feels_like_low', 'temperature', ({ feelsLikeLow }) => feelsLikeLow),
  row('precip_probability', 'percent', ({ wholeDay }) => wholeDay.precipProbability),
  row('precip_total', 'precip_amount', ({ wholeDay }) => wholeDay.precipTotal),
  row('precip_fallen', 'precip_amount', ({ wholeDay }) => wholeDay.precipFallen),
  row('snow_total', 'snow_amount', ({ wholeDay }) => wholeDay.snowTotal),
  row('ice_total', 'precip_amount', ({ wholeDay }) => wholeDay.iceTotal),
  row('wind_speed_max', 'wind_speed', ({ wholeDay }) => wholeDay.windSpeedMax),
  row('wind_gust_max', 'wind_speed', ({ wholeDay }) => wholeDay.windGust),
  row('wind_direction', 'direction', ({ wholeDay }) => wholeDay.windDirection),
  row('humidity_avg', 'percent', ({ wholeDay }) => wholeDay.humidity),
  row('cloud_cover_avg', 'percent', ({ wholeDay }) => wholeDay.cloudCover),
  row('uv_index_max', 'tenth', ({ wholeDay }) => wholeDay.uvMax),
  row('cape_max', 'whole', ({ wholeDay }) => wholeDay.cape),
  row('dew_point_max', 'temperature', ({ wholeDay }) => wholeDay.dewPointMax),
  row('dew_point_min', 'temperature', ({ wholeDay }) => wholeDay.dewPointMin),
  row('pressure_avg', 'pressure', ({ wholeDay }) => wholeDay.pressure),
  row('visibility_min', 'visibility', ({ wholeDay }) => wholeDay.visibilityMin),
  row('cloud_ceiling_min', 'altitude', ({ wholeDay }) => wholeDay.ceilingMin),
  row('thunderstorm_probability_max', 'percent', ({ wholeDay }) => wholeDay.thunder),
  row('solar_radiation_max', 'solar_radiation', ({ wholeDay }) => wholeDay.solarMax),
  row('snow_level', 'altitude', ({ wholeDay }) => wholeDay.snowLevel),
  row('aqi_max', 'whole', ({ aqiMax }) => aqiMax),
]

const conciseNames = new Set(['precip_probability', 'precip_total', 'snow_total', 'wind_speed_max', 'wind_gust_max'])
export const conciseNumbers = [...extremes, ...detailedNumbers.filter(({ name }) => conciseNames.has(name))]

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
const aqi = period('aqi', 'whole', notAvailable)
/** The numeric members of DailyPeriod after its temperature. */
export const nightNumbers = [...common, aqi]
export const dayNumbers = [...common, period('uv_index', 'tenth', ({ half }) => half.uvMax), aqi]
