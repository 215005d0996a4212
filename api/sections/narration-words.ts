import { HOUR } from '../../ingest/domain/time.ts'

/** The grammar of `narrations`: deterministic sentences from the values that the answer shows. */

type MaybeNumber = number | null | undefined

export interface NarrationUnits {
  /** Unit of temperature: `°F` or `°C`. */
  readonly temperature: string
  /** Unit of wind speed: `mph` or `km/h`. */
  readonly speed: string
  /** Unit of the rate of precipitation: `in/h` or `mm/h`. */
  readonly rate: string
  /** Unit of distance: `miles` or `km`. */
  readonly distance: string
  /** Half of the unit of distance in words. */
  readonly halfDistance: string
  /** Factors that convert the limits below, which are imperial. */
  readonly perFahrenheit: number
  readonly perMph: number
  readonly perMile: number
  readonly perInch: number
}

export const imperialNarration: NarrationUnits = {
  temperature: '°F',
  speed: 'mph',
  rate: 'in/h',
  distance: 'miles',
  halfDistance: 'half a mile',
  perFahrenheit: 1,
  perMph: 1,
  perMile: 1,
  perInch: 1,
}

export const metricNarration: NarrationUnits = {
  temperature: '°C',
  speed: 'km/h',
  rate: 'mm/h',
  distance: 'km',
  halfDistance: '500 m',
  perFahrenheit: 5 / 9,
  perMph: 1.609344,
  perMile: 1.609344,
  perInch: 25.4,
}

/** Members of `current` as the answer shows them. */
export interface NarratedNow {
  /** The same members in imperial units, which the limits use; if absent, the limits use the members of this object. */
  readonly imperial?: Omit<NarratedNow, 'imperial'>
  readonly conditions?: string | null | undefined
  readonly temperature?: MaybeNumber
  readonly feels_like?: MaybeNumber
  readonly wind_speed?: MaybeNumber
  readonly wind_gust?: MaybeNumber
  readonly wind_direction?: MaybeNumber
  readonly precip_type?: string | null | undefined
  readonly precip_rate?: MaybeNumber
  readonly visibility?: MaybeNumber
  readonly aqi?: MaybeNumber
  readonly aqi_category?: string | null | undefined
}

/** Events of the alerts in effect at the point, the most severe first. */
export type NarratedAlerts = readonly string[]

const FEELS_DIFFERENCE_F = 3
const CALM_MPH = 3
const GUST_ABOVE_MPH = 10
const POOR_VISIBILITY_MILES = 3
const POOR_AIR_AQI = 101
const STEADY_RANGE_F = 4
const GUSTY_MPH = 25
const WET_PERCENT = 15

const MIN_LENGTH = 20
const MAX_LENGTH = 400

/** Sentences about current conditions; undefined if too little is known for a sentence. */
export function narrateNow(now: NarratedNow, alerts: NarratedAlerts, units: NarrationUnits): string | undefined {
  const sentences: string[] = []
  const { temperature, feels_like, visibility, aqi, aqi_category } = now
  const by = now.imperial ?? now
  const limits = now.imperial ? imperialNarration : units
  const words = now.conditions ? capital(now.conditions) : undefined
  const degrees = temperature == null ? undefined : `${roundToInteger(temperature)}${units.temperature}`
  if (words || degrees) sentences.push(`${[words, degrees].filter(Boolean).join(', ')}.`)
  if (feels_like != null && by.temperature != null && by.feels_like != null) {
    const difference = Math.abs(by.feels_like - by.temperature)
    if (difference >= FEELS_DIFFERENCE_F * limits.perFahrenheit) {
      sentences.push(`Feels like ${roundToInteger(feels_like)}${units.temperature}.`)
    }
  }
  const wind = windSentence(now, units)
  if (wind) sentences.push(wind)
  const precipitation = fallingSentence(now, units)
  if (precipitation) sentences.push(precipitation)
  if (visibility != null && by.visibility != null && by.visibility < POOR_VISIBILITY_MILES * limits.perMile) {
    sentences.push(`Visibility ${distanceWords(visibility, units)}.`)
  }
  if (aqi != null && aqi >= POOR_AIR_AQI && aqi_category) {
    sentences.push(`Air quality is ${aqi_category.toLowerCase()} (AQI ${roundToInteger(aqi)}).`)
  }
  const [first, ...more] = alerts
  if (first) sentences.push(`${first}${more.length > 0 ? ` and ${more.length} more` : ''} in effect.`)
  return joined(sentences)
}

/** Minimum rate that is mentioned, inches an hour. */
const LEAST_RATE_INCHES = 0.005

/** The sentence about the rate at which precipitation falls now; undefined if the rate rounds to zero. */
export function fallingSentence(
  { precip_type, precip_rate, imperial }: Pick<NarratedNow, 'precip_type' | 'precip_rate' | 'imperial'>,
  units: NarrationUnits,
): string | undefined {
  const least = LEAST_RATE_INCHES * (imperial ? 1 : units.perInch)
  const rate = imperial ? imperial.precip_rate : precip_rate
  if (precip_rate == null || rate == null || rate < least) return undefined
  const type = typeWords(precip_type)
  return type && `${capital(type)} falling at ${Number(precip_rate.toFixed(precip_rate < 10 ? 2 : 1))} ${units.rate}.`
}

/**
 * Shorter distances are worded "less than", because rounding must show neither a better visibility than it is nor 0.
 */
const WHOLE_DISTANCE = 0.95

/** `2 miles`, `1 mile`, `less than 1 mile`, `less than half a mile`. */
function distanceWords(distance: number, units: NarrationUnits): string {
  if (distance < 0.5) return `less than ${units.halfDistance}`
  const rounded = roundToInteger(distance)
  const words = `${rounded} ${rounded === 1 ? units.distance.replace(/s$/, '') : units.distance}`
  return distance < WHOLE_DISTANCE ? `less than ${words}` : words
}

function windSentence(now: NarratedNow, units: NarrationUnits): string | undefined {
  const { wind_speed: speed, wind_gust: gust, wind_direction: direction } = now
  const by = now.imperial ?? now
  const limits = now.imperial ? imperialNarration : units
  if (speed == null || by.wind_speed == null) return undefined
  const isCalm = by.wind_speed < CALM_MPH * limits.perMph
  if (!isCalm && direction == null) return undefined
  const steady =
    isCalm || direction == null ? 'calm' : `from the ${compass(direction)} at ${roundToInteger(speed)} ${units.speed}`
  const hasGusts =
    gust != null && by.wind_gust != null && by.wind_gust - by.wind_speed >= GUST_ABOVE_MPH * limits.perMph
  return `Wind ${steady}${hasGusts ? `, gusting to ${roundToInteger(gust)} ${units.speed}` : ''}.`
}

/** Members of a row of `hourly` as the answer shows them. */
export interface NarratedHour {
  /** Milliseconds since 1970. */
  readonly time: number
  /**
   * Temperature and gust in imperial units, which the limits use; if absent, the limits use the members of this object.
   */
  readonly imperial?: { readonly temperature?: MaybeNumber; readonly wind_gust?: MaybeNumber }
  readonly conditions?: string | null | undefined
  readonly temperature?: MaybeNumber
  readonly precip_probability?: MaybeNumber
  readonly precip_type?: string | null | undefined
  readonly wind_gust?: MaybeNumber
  readonly thunder_possible?: boolean | null | undefined
  readonly thunderstorm_probability?: MaybeNumber
}

const HOURS = 12
/** If fewer hours of the current part of the day remain, a sentence about the next part follows. */
const MIN_PART_HOURS = 4

/**
 * Sentences about the next twelve hours; undefined if too little is known for a sentence.
 * @param rows of `hourly` from the running hour on
 * @param hourOf hour 0-23 on the clock of the place
 */
export function narrateNext(
  rows: readonly NarratedHour[],
  hourOf: (instant: number) => number,
  units: NarrationUnits,
): string | undefined {
  const rowsAhead = rows.slice(0, HOURS)
  const sentences: string[] = []
  const clock = (instant: number) => {
    const hour = hourOf(instant)
    return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
  }
  const [first, second] = partsOf(rowsAhead, hourOf)
  for (const part of first && first.rows.length < MIN_PART_HOURS ? [first, second] : [first]) {
    if (!part) continue
    const words = [conditionsOf(part.rows)?.toLowerCase(), temperatureWords(part.rows, clock, units)].filter(Boolean)
    if (words.length > 0) sentences.push(`${part.name}: ${words.join(', ')}.`)
  }
  const wet = wetSentence(rowsAhead, clock)
  if (wet) sentences.push(wet)
  const thunder = thunderSentence(rowsAhead, clock)
  if (thunder) sentences.push(thunder)
  const gust = Math.max(...rowsAhead.map((row) => row.wind_gust ?? -Infinity))
  const isGusty = rowsAhead.some(
    ({ imperial, wind_gust }) =>
      ((imperial ?? { wind_gust }).wind_gust ?? 0) >= GUSTY_MPH * (imperial ? 1 : units.perMph),
  )
  if (isGusty) sentences.push(`Wind gusts to ${roundToInteger(gust)} ${units.speed}.`)
  return joined(sentences)
}

function timeOfDay(hour: number): string {
  if (hour < 6 || hour >= 22) return 'Tonight'
  return hour < 12 ? 'This morning' : hour < 18 ? 'This afternoon' : 'This evening'
}

/**
 * Groups rows by the part of the day, so that a sentence is only about the part that it mentions. The row at the
 * boundary belongs to both parts.
 */
function partsOf(
  rows: readonly NarratedHour[],
  hourOf: (instant: number) => number,
): { name: string; rows: NarratedHour[] }[] {
  const parts: { name: string; rows: NarratedHour[] }[] = []
  let isTomorrow = false
  let previousHour = 0
  for (const row of rows) {
    const hour = hourOf(row.time)
    isTomorrow ||= hour < previousHour
    previousHour = hour
    const partOfToday = timeOfDay(hour)
    const name = isTomorrow && partOfToday === 'This morning' ? 'Tomorrow morning' : partOfToday
    const last = parts.at(-1)
    last?.rows.push(row)
    if (last?.name !== name) parts.push({ name, rows: [row] })
  }
  return parts
}

/**
 * The conditions of most rows; of equally frequent conditions, the first. If these mention precipitation, the
 * conditions of the row with the greatest chance are used, so that "slight chance rain" does not stand beside rain that
 * is expected.
 */
function conditionsOf(rows: readonly NarratedHour[]): string | undefined {
  const groups = Map.groupBy(
    rows.filter(({ conditions }) => conditions),
    ({ conditions }) => conditions ?? '',
  )
  const [most] = [...groups].sort(([, a], [, b]) => b.length - a.length)
  if (!most) return undefined
  const chanceOf = ({ precip_probability }: NarratedHour) => precip_probability ?? 0
  const isWet = most[1].some((row) => chanceOf(row) >= WET_PERCENT)
  if (!isWet) return most[0]
  const likeliest = [...groups.values()].flat().reduce((a, b) => (chanceOf(b) > chanceOf(a) ? b : a))
  return likeliest.conditions ?? most[0]
}

function temperatureWords(
  rows: readonly NarratedHour[],
  clock: (instant: number) => string,
  units: NarrationUnits,
): string | undefined {
  const knownRows = rows.flatMap(({ time, temperature, imperial }) => {
    if (temperature == null) return []
    const degrees = imperial?.temperature
    return { time, temperature, degrees: degrees ?? temperature / units.perFahrenheit }
  })
  const [first] = knownRows
  if (!first) return undefined
  const highest = knownRows.reduce((a, b) => (b.degrees > a.degrees ? b : a))
  const lowest = knownRows.reduce((a, b) => (b.degrees < a.degrees ? b : a))
  if (highest.degrees - lowest.degrees < STEADY_RANGE_F) {
    return `near ${roundToInteger(first.temperature)}${units.temperature}`
  }
  const isRising = highest.degrees - first.degrees >= first.degrees - lowest.degrees
  const extreme = isRising ? highest : lowest
  return `${isRising ? 'rising' : 'falling'} to ${roundToInteger(extreme.temperature)}${units.temperature} by ${clock(extreme.time)}`
}

function wetSentence(rows: readonly NarratedHour[], clock: (instant: number) => string): string | undefined {
  const hours = rows.flatMap((row) => (row.precip_probability == null ? [] : [{ row, chance: row.precip_probability }]))
  if (hours.length === 0) return undefined
  const knownRows = hours.map(({ row }) => row)
  const chances = hours.map(({ chance }) => chance)
  const most = Math.max(...chances)
  if (most < WET_PERCENT) return rows.some((row) => row.thunder_possible) ? 'Mostly dry.' : 'Dry.'
  const chance = most < 30 ? 'slight chance' : most < 60 ? 'chance' : most < 80 ? 'likely' : 'expected'
  const type = typeWords(mainType(knownRows, chances)) ?? 'precipitation'
  return `${capital(type)} ${chance} (${roundToInteger(most)} percent)${mainly(knownRows, chances, clock)}.`
}

/** A type is mentioned if at most this share of the main hours has another type. */
const OTHER_TYPES = 0.25

/** The type that falls in the main hours; `unknown` if it changes among them, as from rain to snow. */
function mainType(rows: readonly NarratedHour[], chances: readonly number[]): string | null | undefined {
  const least = mainChance(chances)
  const mainRows = rows.filter(({ precip_type }, i) => (chances[i] ?? 0) >= least && precip_type !== 'none')
  const counts = new Map<string | null | undefined, number>()
  for (const { precip_type } of mainRows) counts.set(precip_type, (counts.get(precip_type) ?? 0) + 1)
  const [type, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [undefined, 0])
  return mainRows.length - count <= OTHER_TYPES * mainRows.length ? type : 'unknown'
}

/** Minimum chance (percent) of a main hour. */
const mainChance = (chances: readonly number[]) => Math.max(WET_PERCENT, Math.max(...chances) / 2)

/** Returns a sentence that thunderstorms are `possible`, or, if thunder is likelier, how likely and when. */
function thunderSentence(rows: readonly NarratedHour[], clock: (instant: number) => string): string | undefined {
  if (!rows.some((row) => row.thunder_possible)) return undefined
  // Thunder comes with precipitation, so an hour has no greater chance of thunder than of precipitation.
  const chances = rows.map((row) => Math.min(row.thunderstorm_probability ?? 0, row.precip_probability ?? 100))
  const most = Math.max(...chances)
  if (most < 60) return 'Thunderstorms possible.'
  return `Thunderstorms ${most < 80 ? 'likely' : 'expected'}${mainly(rows, chances, clock)}.`
}

/**
 * The hours with at least half of the greatest chance, such as `, mainly 8 PM to 11 PM`; empty if they form more than
 * two periods or include all rows.
 */
function mainly(rows: readonly NarratedHour[], chances: readonly number[], clock: (instant: number) => string): string {
  const least = mainChance(chances)
  const periods: { from: number; to: number; begin: number; end: number }[] = []
  for (const [i, { time }] of rows.entries()) {
    if ((chances[i] ?? 0) < least) continue
    // A row is for the hour that ends at its time.
    const [begin, end] = [time - HOUR, time]
    const last = periods.at(-1)
    if (last?.to === i - 1) Object.assign(last, { to: i, end })
    else periods.push({ from: i, to: i, begin, end })
  }
  if (periods.length > 2 || periods.some(({ from, to }) => to - from === rows.length - 1)) return ''
  const named = periods.map(({ begin, end }) => {
    const [begins, ends] = [clock(begin), clock(end)]
    // The repeated hour at the end of daylight saving time has the same name twice.
    return begins === ends ? `around ${begins}` : `${begins} to ${ends}`
  })
  return `, mainly ${named.join(' and ')}`
}

const types: Readonly<Record<string, string>> = {
  rain: 'rain',
  snow: 'snow',
  freezing_rain: 'freezing rain',
  ice_pellets: 'ice pellets',
  wintry_mix: 'a wintry mix',
  unknown: 'precipitation',
}

function typeWords(type: string | null | undefined): string | undefined {
  return type == null ? 'precipitation' : types[type]
}

const directions = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']

function compass(degrees: number): string {
  return directions[Math.round((((degrees % 360) + 360) % 360) / 45) % 8] ?? 'north'
}

/** Rounds to a whole number; −0 becomes 0. */
function roundToInteger(value: number): number {
  return Math.round(value) + 0
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Joins sentences to a text of 20 to 400 characters; undefined if that is not possible. If the text is too long,
 * sentences are dropped beginning with the last but one, so that the first and the last, which mentions an alert,
 * remain.
 */
function joined(sentences: readonly string[]): string | undefined {
  const remaining = [...sentences]
  while (remaining.length > 1 && remaining.join(' ').length > MAX_LENGTH) remaining.splice(remaining.length - 2, 1)
  const text = remaining.join(' ').replace(/[^\x20-\x7e°…]/g, '')
  return text.length >= MIN_LENGTH && text.length <= MAX_LENGTH ? text : undefined
}
