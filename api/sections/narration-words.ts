import { HOUR } from '../../ingest/domain/time.ts'

/** Grammar of `narrations`: deterministic sentences from presented values alone. */

type MaybeNumber = number | null | undefined

export interface NarrationUnits {
  /** `°F`, `°C` */
  readonly temperature: string
  /** `mph`, `km/h` */
  readonly speed: string
  /** `in/h`, `mm/h` */
  readonly rate: string
  /** `miles`, `km` */
  readonly distance: string
  /** Half of it in words. */
  readonly halfDistance: string
  /** Limits below are imperial; these convert them. */
  readonly perFahrenheit: number
  readonly perMph: number
  readonly perMile: number
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
}

/** Members of `current` as the answer gives them. */
export interface NarratedNow {
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

/** Current conditions; undefined where too little is known for a sentence. */
export function narrateNow(now: NarratedNow, alerts: NarratedAlerts, units: NarrationUnits): string | undefined {
  const sentences: string[] = []
  const { temperature, feels_like, visibility, aqi, aqi_category } = now
  const words = now.conditions ? capital(now.conditions) : undefined
  const degrees = temperature == null ? undefined : `${whole(temperature)}${units.temperature}`
  if (words || degrees) sentences.push(`${[words, degrees].filter(Boolean).join(', ')}.`)
  if (temperature != null && feels_like != null) {
    const difference = Math.abs(feels_like - temperature)
    if (difference >= FEELS_DIFFERENCE_F * units.perFahrenheit) {
      sentences.push(`Feels like ${whole(feels_like)}${units.temperature}.`)
    }
  }
  const wind = windSentence(now, units)
  if (wind) sentences.push(wind)
  const falling = fallingSentence(now, units)
  if (falling) sentences.push(falling)
  if (visibility != null && visibility < POOR_VISIBILITY_MILES * units.perMile) {
    sentences.push(`Visibility ${distanceWords(visibility, units)}.`)
  }
  if (aqi != null && aqi >= POOR_AIR_AQI && aqi_category) {
    sentences.push(`Air quality is ${aqi_category.toLowerCase()} (AQI ${whole(aqi)}).`)
  }
  const [first, ...others] = alerts
  if (first) sentences.push(`${first}${others.length > 0 ? ` and ${others.length} more` : ''} in effect.`)
  return joined(sentences)
}

/** What falls now at which rate; undefined below the two decimals of the rate. */
export function fallingSentence(
  { precip_type, precip_rate }: Pick<NarratedNow, 'precip_type' | 'precip_rate'>,
  units: NarrationUnits,
): string | undefined {
  if (precip_rate == null || precip_rate < 0.005) return undefined
  const type = typeWords(precip_type)
  return type && `${capital(type)} falling at ${precip_rate.toFixed(2)} ${units.rate}.`
}

/** Rounding to a whole number must not name a better visibility than a mile or kilometre, nor 0. */
const WHOLE_DISTANCE = 0.95

/** `2 miles`, `1 mile`, `less than 1 mile`, `less than half a mile`. */
function distanceWords(distance: number, units: NarrationUnits): string {
  if (distance < 0.5) return `less than ${units.halfDistance}`
  const rounded = whole(distance)
  const words = `${rounded} ${rounded === 1 ? units.distance.replace(/s$/, '') : units.distance}`
  return distance < WHOLE_DISTANCE ? `less than ${words}` : words
}

function windSentence(now: NarratedNow, units: NarrationUnits): string | undefined {
  const { wind_speed: speed, wind_gust: gust, wind_direction: direction } = now
  if (speed == null) return undefined
  const calm = speed < CALM_MPH * units.perMph
  if (!calm && direction == null) return undefined
  const steady = calm ? 'calm' : `from the ${compass(direction!)} at ${whole(speed)} ${units.speed}`
  const gusts = gust != null && gust - speed >= GUST_ABOVE_MPH * units.perMph
  return `Wind ${steady}${gusts ? `, gusting to ${whole(gust)} ${units.speed}` : ''}.`
}

/** Members of a row of `hourly` as the answer gives it. */
export interface NarratedHour {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly conditions?: string | null | undefined
  readonly temperature?: MaybeNumber
  readonly precip_probability?: MaybeNumber
  readonly precip_type?: string | null | undefined
  readonly wind_gust?: MaybeNumber
  readonly thunder_possible?: boolean | null | undefined
  readonly thunderstorm_probability?: MaybeNumber
}

const HOURS = 12
/** A part of the day with less is followed by a sentence about the next one. */
const MIN_PART_HOURS = 4

/**
 * What the next twelve hours bring; undefined where too little is known for a sentence.
 * @param rows of `hourly` from the current hour on
 * @param hourOf hour 0-23 on the clock of the place
 */
export function narrateNext(
  rows: readonly NarratedHour[],
  hourOf: (instant: number) => number,
  units: NarrationUnits,
): string | undefined {
  const next = rows.slice(0, HOURS)
  const sentences: string[] = []
  const clock = (instant: number) => {
    const hour = hourOf(instant)
    return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
  }
  const [first, second] = partsOf(next, hourOf)
  for (const part of first && first.rows.length < MIN_PART_HOURS ? [first, second] : [first]) {
    const words = part && [mostFrequent(part.rows)?.toLowerCase(), temperatureWords(part.rows, clock, units)]
    if (words?.some(Boolean)) sentences.push(`${part!.name}: ${words.filter(Boolean).join(', ')}.`)
  }
  const wet = wetSentence(next, clock)
  if (wet) sentences.push(wet)
  const thunder = thunderSentence(next, clock)
  if (thunder) sentences.push(thunder)
  const gust = Math.max(...next.map((row) => row.wind_gust ?? -Infinity))
  if (gust >= GUSTY_MPH * units.perMph) sentences.push(`Wind gusts to ${whole(gust)} ${units.speed}.`)
  return joined(sentences)
}

function timeOfDay(hour: number): string {
  if (hour < 6 || hour >= 22) return 'Tonight'
  return hour < 12 ? 'This morning' : hour < 18 ? 'This afternoon' : 'This evening'
}

/** Rows by the part of the day: no sentence speaks of a later part than the one it names. The row at the end belongs to both. */
function partsOf(
  rows: readonly NarratedHour[],
  hourOf: (instant: number) => number,
): { name: string; rows: NarratedHour[] }[] {
  const parts: { name: string; rows: NarratedHour[] }[] = []
  let midnight = false
  for (const [i, row] of rows.entries()) {
    const hour = hourOf(row.time)
    midnight ||= i > 0 && hour < hourOf(rows[i - 1]!.time)
    const own = timeOfDay(hour)
    const name = midnight && own === 'This morning' ? 'Tomorrow morning' : own
    const last = parts.at(-1)
    last?.rows.push(row)
    if (last?.name !== name) parts.push({ name, rows: [row] })
  }
  return parts
}

/** The conditions of most rows; of equally frequent ones those that come first. */
function mostFrequent(rows: readonly NarratedHour[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { conditions } of rows) if (conditions) counts.set(conditions, (counts.get(conditions) ?? 0) + 1)
  let best: string | undefined
  for (const [conditions, count] of counts) if (count > (best === undefined ? 0 : counts.get(best)!)) best = conditions
  return best
}

function temperatureWords(
  rows: readonly NarratedHour[],
  clock: (instant: number) => string,
  units: NarrationUnits,
): string | undefined {
  const known = rows.filter((row) => row.temperature != null)
  const first = known[0]
  if (!first) return undefined
  const highest = known.reduce((a, b) => (b.temperature! > a.temperature! ? b : a))
  const lowest = known.reduce((a, b) => (b.temperature! < a.temperature! ? b : a))
  if (highest.temperature! - lowest.temperature! < STEADY_RANGE_F * units.perFahrenheit) {
    return `near ${whole(first.temperature!)}${units.temperature}`
  }
  const rising = highest.temperature! - first.temperature! >= first.temperature! - lowest.temperature!
  const extreme = rising ? highest : lowest
  return `${rising ? 'rising' : 'falling'} to ${whole(extreme.temperature!)}${units.temperature} by ${clock(extreme.time)}`
}

function wetSentence(rows: readonly NarratedHour[], clock: (instant: number) => string): string | undefined {
  const known = rows.filter((row) => row.precip_probability != null)
  if (known.length === 0) return undefined
  const chances = known.map((row) => row.precip_probability!)
  const most = Math.max(...chances)
  if (most < WET_PERCENT) return 'Dry.'
  const chance = most < 30 ? 'slight chance' : most < 60 ? 'chance' : most < 80 ? 'likely' : 'expected'
  const type = typeWords(mainType(known, chances)) ?? 'precipitation'
  return `${capital(type)} ${chance} (${whole(most)} percent)${mainly(known, chances, clock)}.`
}

/** A type is named where no more than this share of the main hours has another. */
const OTHER_TYPES = 0.25

/** What falls in the main hours: unknown where it changes in their midst, as from rain to snow. */
function mainType(rows: readonly NarratedHour[], chances: readonly number[]): string | null | undefined {
  const least = mainChance(chances)
  const falling = rows.filter(({ precip_type }, i) => chances[i]! >= least && precip_type !== 'none')
  const counts = new Map<string | null | undefined, number>()
  for (const { precip_type } of falling) counts.set(precip_type, (counts.get(precip_type) ?? 0) + 1)
  const [type, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [undefined, 0])
  return falling.length - count <= OTHER_TYPES * falling.length ? type : 'unknown'
}

/** Percent from which an hour is one of the main ones. */
const mainChance = (chances: readonly number[]) => Math.max(WET_PERCENT, Math.max(...chances) / 2)

/** `possible` without numbers; where thunder is likelier, how likely and when. */
function thunderSentence(rows: readonly NarratedHour[], clock: (instant: number) => string): string | undefined {
  if (!rows.some((row) => row.thunder_possible)) return undefined
  // Thunder comes with precipitation: an hour that is dry, or wet less likely, has no more of it.
  const chances = rows.map((row) => Math.min(row.thunderstorm_probability ?? 0, row.precip_probability ?? 100))
  const most = Math.max(...chances)
  if (most < 60) return 'Thunderstorms possible.'
  return `Thunderstorms ${most < 80 ? 'likely' : 'expected'}${mainly(rows, chances, clock)}.`
}

/** `, mainly 8 PM to 11 PM`: the hours with at least half of the greatest chance, in at most two stretches; else empty. */
function mainly(rows: readonly NarratedHour[], chances: readonly number[], clock: (instant: number) => string): string {
  const least = mainChance(chances)
  const stretches: [from: number, to: number][] = []
  for (const [i, chance] of chances.entries()) {
    if (chance < least) continue
    const last = stretches.at(-1)
    if (last?.[1] === i - 1) last[1] = i
    else stretches.push([i, i])
  }
  if (stretches.length > 2 || stretches[0]![1] - stretches[0]![0] === rows.length - 1) return ''
  const named = stretches.map(([from, to]) => {
    // A row is the hour that ends at its time; the first is the hour of now.
    const begins = clock(from === 0 ? rows[0]!.time : rows[from]!.time - HOUR)
    const ends = clock(to === 0 ? rows[0]!.time + HOUR : rows[to]!.time)
    // The hour that the clock goes back has its name twice.
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
  return directions[Math.round((((degrees % 360) + 360) % 360) / 45) % 8]!
}

/** −0 is 0. */
function whole(value: number): number {
  return Math.round(value) + 0
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Whole sentences of 20 to 400 characters in total; the first, and the last, which names an alert, are dropped last. */
function joined(sentences: readonly string[]): string | undefined {
  const kept = [...sentences]
  while (kept.length > 1 && kept.join(' ').length > MAX_LENGTH) kept.splice(kept.length - 2, 1)
  const text = kept.join(' ').replace(/[^\x20-\x7e°…]/g, '')
  return text.length >= MIN_LENGTH && text.length <= MAX_LENGTH ? text : undefined
}
