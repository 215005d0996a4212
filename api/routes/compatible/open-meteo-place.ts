import { SUN_HORIZON, skyAt } from '../../../ingest/domain/sky/sky.ts'
import { DAY, dateText, floorTo, HOUR, type Instant } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { HourValue, WeatherValue } from '../../answer/value.ts'
import type { TypedAnswer, Weather } from '../../answer/weather.ts'
import { round } from '../../present/units.ts'
import { Problem } from '../../problem.ts'
import { resolve } from '../../query/location.ts'
import { displayed, parseWeather } from '../../query/query.ts'
import { axesOf, currentName, type ForecastQuery, type LocalTimes } from './open-meteo-query.ts'
import {
  type DayHours,
  daily,
  type ForecastQuantity,
  type HourlyName,
  type HourRows,
  hourly,
  scaleOf,
} from './open-meteo-variables.ts'

/** Largest numbers of rows before the running hour, of rows from it on, and of days in an answer. */
const MAX_PAST_ROWS = 72
const MAX_ROWS = 336
const MAX_DAYS = 14

/** Values of a variable for each time of a section: numbers in the requested unit, instants for the sun. */
export interface ForecastColumn {
  readonly name: string
  readonly label: string
  readonly isTime: boolean
  readonly values: readonly (number | null)[]
}

export interface ForecastSection {
  readonly axis: LocalTimes
  readonly columns: readonly ForecastColumn[]
}

/** Columns with one value, for an instant. */
export interface PresentColumns {
  readonly at: Instant
  readonly columns: readonly ForecastColumn[]
}

/** The offset that holds now, which all times of an answer have, with its names. */
export interface AnswerClock {
  readonly timezone: string
  readonly abbreviation: string
  /** Local time minus UTC, ms. */
  readonly offset: number
}

/** The forecast for one place. */
export interface PlaceForecast {
  readonly weather: WeatherValue
  readonly clock: AnswerClock
  readonly hourly: ForecastSection
  readonly daily: ForecastSection
  readonly current: PresentColumns | undefined
  readonly currentWeather: PresentColumns | undefined
  readonly answers: readonly TypedAnswer[]
}

/** @param name a name of tzdb, `auto` or `GMT` @throws Problem for an unknown name */
function clockOf(name: string, lat: number, lon: number, now: Instant): AnswerClock {
  if (name.toUpperCase() === 'GMT') return { timezone: 'GMT', abbreviation: 'GMT', offset: 0 }
  const zoneName = name === 'auto' ? resolve({ kind: 'point', lat, lon }).place.timezone : name
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zoneName, timeZoneName: 'short' })
  } catch {
    throw new Problem(
      'bad-request',
      `Invalid timezone: ${displayed(name)}. Use a name such as America/Denver, or auto.`,
    )
  }
  // The name in its usual spelling: other spellings would fill the cache of zones.
  const timezone = format.resolvedOptions().timeZone
  const abbreviation = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? timezone
  return { timezone, abbreviation, offset: zone(timezone).offset(now) }
}

/** Returns the offset without a fraction of an hour, because values are read at full hours of UTC: with an offset of half an hour, at the hour before. */
const readOffset = ({ offset }: AnswerClock): number => Math.trunc(offset / HOUR) * HOUR

interface PlaceAnswers {
  readonly metric: TypedAnswer
  readonly imperial: TypedAnswer | undefined
}

/** Fetches the answer in metric units, and in imperial units too if a unit of the request is one of these. */
async function answersFor(
  weather: Weather,
  { lat, lon }: { readonly lat: number; readonly lon: number },
  { units: { temperature, wind, precipitation }, ...query }: ForecastQuery,
  [from, to]: readonly [Instant, Instant],
  now: Instant,
): Promise<PlaceAnswers> {
  const running = floorTo(now, HOUR)
  const within = (least: number, value: number, most: number) => String(Math.min(most, Math.max(least, value)))
  const hasHours = query.hourly.length > 0 || query.daily.length > 0 || query.current.length > 0 || query.currentWeather
  const parameters = {
    lat: String(lat),
    lon: String(lon),
    include: ['current', ...(hasHours ? ['hourly'] : []), ...(query.daily.length > 0 ? ['daily'] : [])].join(),
    past_hours: within(0, Math.floor((running - from) / HOUR) + 1, MAX_PAST_ROWS),
    hourly_hours: within(1, Math.ceil((to - running) / HOUR), MAX_ROWS),
    days: within(1, Math.ceil((to - running) / DAY) + 1, MAX_DAYS),
  }
  const isImperial = temperature === 'fahrenheit' || wind === 'mph' || precipitation === 'inch'
  const [metric, imperial] = await Promise.all([
    weather.value(parseWeather({ ...parameters, units: 'metric' }), now),
    isImperial ? weather.value(parseWeather({ ...parameters, units: 'imperial' }), now) : undefined,
  ])
  return { metric, imperial }
}

/** Returns the first instant and the last instant that the sections read. */
function periodOf(axes: readonly LocalTimes[], offset: number): [Instant, Instant] {
  const used = axes.filter(({ count }) => count > 0)
  const ends = used.map(({ first, count, step }) => first + count * step - offset)
  return [Math.min(...used.map(({ first }) => first - offset)), Math.max(...ends)]
}

/** Reads values of one place by time. */
class Reader {
  readonly #query: ForecastQuery
  readonly #metric: WeatherValue
  readonly #imperial: WeatherValue | undefined
  readonly #rows: ReadonlyMap<Instant, readonly [metric: HourValue, imperial: HourValue | undefined]>
  readonly #running: Instant
  readonly #sun: (at: Instant) => number

  constructor(query: ForecastQuery, { metric, imperial }: PlaceAnswers, now: Instant) {
    this.#query = query
    this.#metric = metric.value
    this.#imperial = imperial?.value
    const others = new Map(imperial?.value.hourly?.map((row) => [row.time, row]))
    this.#rows = new Map(metric.value.hourly?.map((row) => [Date.parse(row.time), [row, others.get(row.time)]]))
    this.#running = floorTo(now, HOUR)
    const { lat, lon } = metric.value.location
    this.#sun = skyAt(lat, lon).sun
  }

  hour(name: HourlyName, at: Instant): number | null {
    const rows = this.#rows.get(at)
    // Most hours of a long period have no row; only `is_day` needs none.
    if (!rows && name !== 'is_day') return null
    const [metric = {}, imperial] = rows ?? []
    return this.#shown(name, at, metric, imperial, 1)
  }

  /** Members of `current`, then of the running hour for what `current` does not have. Amounts are the radar's rate for a time. */
  now(name: HourlyName, at: Instant, seconds: number): number | null {
    const [metric, imperial] = this.#rows.get(this.#running + HOUR) ?? []
    const { quantity } = hourly[name]
    const isAmount = quantity === 'precipitation' || quantity === 'snowfall'
    const members = (value: WeatherValue | undefined, row: HourValue | undefined) =>
      ({ ...row, ...value?.current, precip_amount: value?.current?.precip_rate, snow_amount: null }) as HourRows['own']
    const factor = isAmount ? seconds / 3600 : 1
    return this.#shown(name, at, members(this.#metric, metric), members(this.#imperial, imperial), factor)
  }

  /** Returns the 24 hours from midnight by the clock of the axis, and the sun of its date. */
  day(midnight: Instant, date: string): DayHours {
    const days = this.#metric.daily ?? []
    const eventIn = (name: 'sunrise' | 'sunset'): number | null => {
      const times = days.map(({ astro }) => Date.parse(astro?.[name] ?? ''))
      return times.find((at) => at >= midnight && at < midnight + DAY) ?? null
    }
    const hours = Array.from({ length: 24 }, (_, hour) => midnight + hour * HOUR)
    return {
      all: (name) => hours.map((at) => this.hour(name, at)),
      values: (name) => {
        const counted = hourly[name].forecastOnly ? hours.filter((at) => at > this.#running) : hours
        const values = counted.map((at) => this.hour(name, at))
        return values.length > 0 && values.every((value) => value !== null) ? values : null
      },
      sunrise: eventIn('sunrise'),
      sunset: eventIn('sunset'),
      daylight: days.find((day) => day.date === date)?.astro?.day_length ?? null,
    }
  }

  /** Returns the value of a variable in the requested unit, rounded; null if the rows have none. */
  #shown(
    name: HourlyName,
    at: Instant,
    metric: HourRows['metric'],
    imperial: HourRows['own'] | undefined,
    factor: number,
  ): number | null {
    const { quantity, value } = hourly[name]
    const scale = scaleOf(quantity, this.#query.units)
    const own = (scale.system === 'imperial' ? imperial : metric) ?? {}
    const elevation = this.#metric.location.elevation ?? null
    const number = value({ own, metric, elevation, isDay: () => this.#sun(at) > SUN_HORIZON })
    return typeof number === 'number' ? round(number * scale.factor * factor, scale.digits) : null
  }
}

function columnOf(
  name: string,
  quantity: ForecastQuantity,
  query: ForecastQuery,
  values: ForecastColumn['values'],
): ForecastColumn {
  if (quantity === 'time') return { name, label: query.timeformat, isTime: true, values }
  const { label, digits } = scaleOf(quantity, query.units)
  return { name, label, isTime: false, values: values.map((value) => (value === null ? null : round(value, digits))) }
}

/** Seconds for which amounts of `current` are: a quarter of an hour, as Open-Meteo has them in the US. */
export const CURRENT_SECONDS = 900

/** The members of `current_weather`, with the variables that have their values. */
const legacyCurrent: Readonly<Record<string, HourlyName>> = {
  temperature: 'temperature_2m',
  windspeed: 'wind_speed_10m',
  winddirection: 'wind_direction_10m',
  is_day: 'is_day',
  weathercode: 'weather_code',
}

/** @throws Fault Missing outside the coverage; Problem for an unknown zone or a period that is too long */
export async function forecastAt(
  weather: Weather,
  place: ForecastQuery['places'][number],
  query: ForecastQuery,
  now: Instant,
): Promise<PlaceForecast> {
  const clock = clockOf(place.timezone, place.lat, place.lon, now)
  const offset = readOffset(clock)
  const axes = axesOf(query.span, now + offset)
  const period = periodOf([axes.hourly, axes.daily, { first: now + offset, count: 1, step: HOUR }], offset)
  const answers = await answersFor(weather, place, query, period, now)
  const reader = new Reader(query, answers, now)
  const value = answers.metric.value
  const at = value.current && Date.parse(value.current.time)
  const hourlyColumn = (
    name: string,
    valuesFor: (variable: HourlyName) => ForecastColumn['values'],
    variable = currentName(name),
  ) => columnOf(name, hourly[variable as HourlyName].quantity, query, valuesFor(variable as HourlyName))
  const present = (names: readonly (readonly [name: string, variable: string])[]) =>
    at === undefined || names.length === 0
      ? undefined
      : {
          at,
          columns: names.map(([name, variable]) =>
            hourlyColumn(name, (column) => [reader.now(column, at, CURRENT_SECONDS)], variable),
          ),
        }
  const hours = timesOf(axes.hourly)
  const days = timesOf(axes.daily).map((local) => reader.day(local - offset, dateText(local / DAY)))
  return {
    weather: value,
    clock,
    answers: [answers.metric, ...(answers.imperial ? [answers.imperial] : [])],
    current: present(query.current.map((name) => [name, currentName(name)])),
    currentWeather: query.currentWeather ? present(Object.entries(legacyCurrent)) : undefined,
    hourly: {
      axis: axes.hourly,
      columns: query.hourly.map((name) =>
        hourlyColumn(name, (variable) => hours.map((local) => reader.hour(variable, local - offset))),
      ),
    },
    daily: {
      axis: axes.daily,
      columns: query.daily.flatMap((name) => {
        const variable = daily[currentName(name)]
        return variable ? columnOf(name, variable.quantity, query, days.map(variable.value)) : []
      }),
    },
  }
}

export const timesOf = ({ first, count, step }: LocalTimes): number[] =>
  Array.from({ length: count }, (_, i) => first + i * step)
