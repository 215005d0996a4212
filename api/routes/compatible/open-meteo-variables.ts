import { RAIN, SNOW, typeOfAir } from '../../../ingest/domain/weather/precip-type.ts'
import type { HourValue } from '../../answer/value.ts'
import { weatherCodeOf } from './weather-code.ts'

/** The variables of Open-Meteo's forecast that the typed answer has, with their units (https://open-meteo.com/en/docs). */

export interface ForecastUnits {
  readonly temperature: 'celsius' | 'fahrenheit'
  readonly wind: 'kmh' | 'mph' | 'ms' | 'kn'
  readonly precipitation: 'mm' | 'inch'
}

/** Conversion of a number of an answer to a number of this interface: `system` is the answer that needs the fewest conversions. */
export interface ForecastScale {
  readonly system: 'metric' | 'imperial'
  readonly label: string
  readonly factor: number
  readonly digits: number
}

const fixed = (label: string, digits: number, factor = 1): ForecastScale => ({
  system: 'metric',
  label,
  factor,
  digits,
})
const imperial = (label: string, digits: number, factor = 1): ForecastScale => ({
  system: 'imperial',
  label,
  factor,
  digits,
})

const winds: Readonly<Record<ForecastUnits['wind'], ForecastScale>> = {
  kmh: fixed('km/h', 1),
  ms: fixed('m/s', 2, 1 / 3.6),
  kn: fixed('kn', 1, 1 / 1.852),
  mph: imperial('mp/h', 1),
}

/** Quantities of variables. Answers have visibility in km or miles, and the depth of snow in mm or inches. */
const quantities = {
  temperature: ({ temperature }) => (temperature === 'fahrenheit' ? imperial('°F', 1) : fixed('°C', 1)),
  wind: ({ wind }) => winds[wind],
  precipitation: ({ precipitation }) => (precipitation === 'inch' ? imperial('inch', 3) : fixed('mm', 2)),
  snowfall: ({ precipitation }) => (precipitation === 'inch' ? imperial('inch', 3) : fixed('cm', 2, 0.1)),
  visibility: ({ precipitation }) => (precipitation === 'inch' ? imperial('ft', 0, 5280) : fixed('m', 0, 1000)),
  percent: () => fixed('%', 0),
  direction: () => fixed('°', 0),
  pressure: () => fixed('hPa', 1),
  energy: () => fixed('J/kg', 0),
  index: () => fixed('', 2),
  flag: () => fixed('', 0),
  code: () => fixed('wmo code', 0),
  hours: () => fixed('h', 0),
  seconds: () => fixed('s', 0),
} as const satisfies Record<string, (units: ForecastUnits) => ForecastScale>

export type ForecastQuantity = keyof typeof quantities | 'time'

/** @param quantity any but `time` */
export const scaleOf = (quantity: Exclude<ForecastQuantity, 'time'>, units: ForecastUnits): ForecastScale =>
  quantities[quantity](units)

/** A row of both answers, with values that a row does not have. Rows of `current` have the members that they share with hours. */
export interface HourRows {
  /** The row in the system of units of the variable. */
  readonly own: Partial<HourValue>
  readonly metric: Partial<HourValue>
  /** Height of the ground above sea level, m. */
  readonly elevation: number | null
  readonly isDay: () => boolean
}

export interface HourlyVariable {
  readonly quantity: Exclude<ForecastQuantity, 'time'>
  /** Whether hours that have passed never have the variable, because no analysis has it. */
  readonly forecastOnly?: true
  readonly value: (moment: HourRows) => number | null | undefined
}

const zeroCelsius = 273.15
/** Lapse rate of the standard atmosphere, K/m, and its exponent g / (R · lapse rate). */
const LAPSE = 0.0065
const EXPONENT = 5.2559

/** Returns the pressure at the ground from the pressure at sea level, by the standard atmosphere with the temperature of the hour. */
function surfacePressure({ metric: { pressure, temperature }, elevation }: HourRows): number | null {
  if (typeof pressure !== 'number' || typeof temperature !== 'number' || elevation === null) return null
  const drop = LAPSE * elevation
  return pressure * (1 - drop / (temperature + zeroCelsius + drop)) ** EXPONENT
}

/** Returns whether an amount falls as liquid or ice, as snow, or as a mix, whose shares are not known. */
function phaseOf({ precip_type: type, temperature, humidity }: Partial<HourValue>): 'liquid' | 'snow' | 'mix' {
  if (type === 'snow') return 'snow'
  if (type === 'rain' || type === 'freezing_rain' || type === 'ice_pellets') return 'liquid'
  if (type !== 'none' || typeof temperature !== 'number') return 'mix'
  // For amounts below the threshold of a type, the temperature of the air decides.
  const byAir = typeOfAir(temperature + zeroCelsius, humidity ?? Number.NaN)
  return byAir === RAIN ? 'liquid' : byAir === SNOW ? 'snow' : 'mix'
}

function rain({ own: { precip_amount: amount }, metric }: HourRows): number | null {
  if (typeof amount !== 'number') return null
  if (amount === 0) return 0
  const phase = phaseOf(metric)
  return phase === 'mix' ? null : phase === 'liquid' ? amount : 0
}

/** Returns the depth of new snow; 0 in an hour without a depth, such as one that has passed, if nothing or only liquid falls. */
function snowfall({ own, metric }: HourRows): number | null {
  if (typeof own.snow_amount === 'number') return own.snow_amount
  if (typeof own.precip_amount !== 'number') return null
  return own.precip_amount === 0 || phaseOf(metric) === 'liquid' ? 0 : null
}

const member = (quantity: HourlyVariable['quantity'], name: keyof HourValue, forecastOnly?: true): HourlyVariable => ({
  quantity,
  ...(forecastOnly && { forecastOnly }),
  value: ({ own }) => own[name] as number | null | undefined,
})

export const hourlyVariables = {
  temperature_2m: member('temperature', 'temperature'),
  relative_humidity_2m: member('percent', 'humidity'),
  dew_point_2m: member('temperature', 'dew_point'),
  apparent_temperature: member('temperature', 'feels_like'),
  precipitation_probability: member('percent', 'precip_probability', true),
  precipitation: member('precipitation', 'precip_amount'),
  rain: { quantity: 'precipitation', value: rain },
  snowfall: { quantity: 'snowfall', value: snowfall },
  weather_code: { quantity: 'code', forecastOnly: true, value: ({ metric }) => weatherCodeOf(metric) },
  pressure_msl: member('pressure', 'pressure', true),
  surface_pressure: { quantity: 'pressure', forecastOnly: true, value: surfacePressure },
  cloud_cover: member('percent', 'cloud_cover'),
  cloud_cover_low: member('percent', 'cloud_cover_low', true),
  cloud_cover_mid: member('percent', 'cloud_cover_mid', true),
  cloud_cover_high: member('percent', 'cloud_cover_high', true),
  visibility: member('visibility', 'visibility'),
  wind_speed_10m: member('wind', 'wind_speed'),
  wind_direction_10m: member('direction', 'wind_direction'),
  wind_gusts_10m: member('wind', 'wind_gust'),
  uv_index: member('index', 'uv_index', true),
  is_day: { quantity: 'flag', value: ({ isDay }) => (isDay() ? 1 : 0) },
  cape: member('energy', 'cape', true),
} as const satisfies Record<string, HourlyVariable>

export type HourlyName = keyof typeof hourlyVariables
export const hourly: Readonly<Record<HourlyName, HourlyVariable>> = hourlyVariables

/** The hours of a local day, from 0:00 to 23:00, and its sun. */
export interface DayHours {
  /** Returns the values of the hours; with `forecastOnly`, hours that have passed are left out. Null if the day lacks an hour. */
  values(name: HourlyName): readonly number[] | null
  /** Returns the values of all 24 hours. */
  all(name: HourlyName): readonly (number | null)[]
  /** Instants, ms, or seconds; null if the day has none. */
  readonly sunrise: number | null
  readonly sunset: number | null
  readonly daylight: number | null
}

export interface DailyVariable {
  readonly quantity: ForecastQuantity
  readonly value: (day: DayHours) => number | null
}

const folds = {
  max: (values: readonly number[]) => Math.max(...values),
  min: (values: readonly number[]) => Math.min(...values),
  mean: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length,
  sum: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0),
} as const

const folded = (name: HourlyName, fold: keyof typeof folds): DailyVariable => ({
  quantity: hourly[name].quantity,
  value: (day) => {
    const values = day.values(name)
    return values && folds[fold](values)
  },
})

function dominantDirection(day: DayHours): number | null {
  const speeds = day.values('wind_speed_10m')
  if (!speeds) return null
  const directions = day.all('wind_direction_10m')
  let [east, north] = [0, 0]
  for (const [i, speed] of speeds.entries()) {
    const direction = directions[i]
    // Calm and variable wind has no direction.
    if (typeof direction !== 'number') continue
    const angle = (direction * Math.PI) / 180
    east += speed * Math.sin(angle)
    north += speed * Math.cos(angle)
  }
  if (Math.hypot(east, north) < 1e-6) return null
  return (Math.round((Math.atan2(east, north) * 180) / Math.PI) + 360) % 360
}

const spread = [
  'temperature_2m',
  'apparent_temperature',
  'relative_humidity_2m',
  'dew_point_2m',
  'precipitation_probability',
  'pressure_msl',
  'surface_pressure',
  'cloud_cover',
  'visibility',
  'wind_speed_10m',
  'wind_gusts_10m',
  'cape',
] as const satisfies readonly HourlyName[]

export const daily: Readonly<Record<string, DailyVariable>> = {
  weather_code: folded('weather_code', 'max'),
  ...Object.fromEntries(
    spread.flatMap((name) =>
      (['max', 'min', 'mean'] as const).map((fold) => [`${name}_${fold}`, folded(name, fold)] as const),
    ),
  ),
  uv_index_max: folded('uv_index', 'max'),
  precipitation_sum: folded('precipitation', 'sum'),
  rain_sum: folded('rain', 'sum'),
  snowfall_sum: folded('snowfall', 'sum'),
  precipitation_hours: {
    quantity: 'hours',
    value: (day) => day.values('precipitation')?.filter((amount) => amount > 0).length ?? null,
  },
  wind_direction_10m_dominant: { quantity: 'direction', value: dominantDirection },
  sunrise: { quantity: 'time', value: ({ sunrise }) => sunrise },
  sunset: { quantity: 'time', value: ({ sunset }) => sunset },
  daylight_duration: { quantity: 'seconds', value: ({ daylight }) => daylight },
}

/** Earlier names of variables, which Open-Meteo still takes; the answer repeats the name of the request. */
export const earlierNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    relativehumidity: 'relative_humidity',
    dewpoint: 'dew_point',
    weathercode: 'weather_code',
    cloudcover: 'cloud_cover',
    windspeed: 'wind_speed',
    winddirection: 'wind_direction',
    windgusts: 'wind_gusts',
  }).flatMap(([before, after]) =>
    [...Object.keys(hourly), ...Object.keys(daily)]
      .filter((name) => name.startsWith(after))
      .map((name) => [before + name.slice(after.length), name] as const),
  ),
)
