import type { KnownWords } from '../../ingest/domain/weather/conditions.ts'
import { FREEZING_RAIN, NONE, RAIN, SNOW, WINTRY_MIX } from '../../ingest/domain/weather/precip-type.ts'
import type { Units } from '../present/units.ts'
import type { HalfSummary } from './half-summary.ts'

/**
 * Narratives of halves of a day, after NWS Directive 10-503: the hazard and its time, then sky and temperature, wind,
 * new snow, ice.
 */

const points = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'] as const
const winds = points.map((point) => `${capital(point)} wind`)

/** Name of a direction from 0 to 360 degrees, such as `southwest` for 225. */
export function compass(degrees: number): string {
  return points[Math.round(degrees / 45) % 8] ?? 'north'
}

/** When most of the precipitation of a half falls: hours of the local clock, 0 to 23. */
export interface Timing {
  readonly after?: number
  readonly before?: number
}

/** Input of the narrative of one half. */
export interface NarrativeInput {
  readonly name: 'day' | 'night'
  readonly words: KnownWords | undefined
  /** Words for the clouds alone, if `words` name something else. */
  readonly sky: KnownWords | undefined
  /** K */
  readonly temperature: number
  /** Extreme of the remaining hours, K, if the extreme of the half has passed and differs from it; else NaN. */
  readonly remaining: number
  readonly timing: Timing | undefined
  readonly half: Pick<
    HalfSummary,
    | 'precipProbability'
    | 'cloudCover'
    | 'windSpeed'
    | 'windGust'
    | 'windDirection'
    | 'precipType'
    | 'mostlyRain'
    | 'precipTotal'
    | 'snowTotal'
    | 'iceTotal'
    | 'severe'
  >
}

/**
 * Beside precipitation of at least this probability (percent), at which words begin to be `likely` (NWS Directive
 * 10-503), a sky with less than `MOSTLY_CLOUDY` percent of clouds is not named.
 */
const LIKELY = 55
const MOSTLY_CLOUDY = 70
const MAX_LENGTH = 320
const MAX_SHORT_LENGTH = 160
/**
 * Wind below this speed is light (3 mph); gusts are named if they exceed the wind by the second speed (10 mph). Both
 * in m/s.
 */
const LIGHT_WIND_MPS = 1.34
const GUST_ABOVE_MPS = 4.47
/** Least amounts of liquid, snow and ice that are named, mm. */
const MIN_RAIN_MM = 2.5
const MIN_SNOW_MM = 2.5
const MIN_ICE_MM = 0.254

/** The sentences of a half; undefined if nothing is known about it. */
export function narrate(input: NarrativeInput, units: Units): string | undefined {
  const { half, words } = input
  const metric = units.system !== 'imperial'
  const hazard = words !== undefined && half.precipType !== NONE ? hazardSentence(input, words) : undefined
  const severe = half.severe && words?.thunder ? 'Some storms could be severe.' : undefined
  const snow = snowSentence(half, metric)
  const ice = iceSentence(half, metric)
  const frozen = snow && ice ? `${snow} ${ice}` : (snow ?? ice)
  const rain = frozen ? undefined : rainSentence(half, metric)
  const sky = skySentence(input, units, hazard !== undefined)
  const wind = windSentence(half, units, true)
  const maxLength =
    Number(snow !== undefined) + Number(ice !== undefined) + Number(severe !== undefined) > 1
      ? MAX_LENGTH
      : MAX_SHORT_LENGTH
  const full = join(hazard, severe, sky, wind, frozen, rain)
  if (full.length < maxLength) return full || undefined
  const shortSky = skySentence(input, units, hazard !== undefined, true)
  const shorter = join(hazard, severe, shortSky, wind, frozen)
  if (shorter.length < maxLength) return shorter
  return join(hazard, severe, shortSky, windSentence(half, units, false), frozen)
}

/**
 * Joins sentences. Each sentence is a parameter: an answer has twenty of these texts, and a list for each takes as
 * long as the text itself.
 */
function join(hazard?: string, severe?: string, sky?: string, wind?: string, frozen?: string, rain?: string): string {
  return append(append(append(append(append(hazard ?? '', severe), sky), wind), frozen), rain)
}

function append(text: string, sentence: string | undefined): string {
  return sentence === undefined ? text : text ? `${text} ${sentence}` : sentence
}

/** A sentence such as `A slight chance of snow showers, mainly after 9 PM.` */
function hazardSentence({ timing }: NarrativeInput, words: KnownWords): string {
  return `${phraseOf(words)}${timingText(timing)}.`
}

const phrases = new Map<KnownWords, string>()

function phraseOf(words: KnownWords): string {
  let phrase = phrases.get(words)
  if (phrase === undefined) {
    const lower = words.conditions.toLowerCase()
    if (lower.startsWith('slight chance ')) phrase = `A slight chance of ${lower.slice(14)}`
    else if (lower.startsWith('chance ')) phrase = `A chance of ${lower.slice(7)}`
    else phrase = capital(lower)
    phrases.set(words, phrase)
  }
  return phrase
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function timingText(timing: Timing | undefined): string {
  const { after, before } = timing ?? {}
  if (after !== undefined && before !== undefined) return `, mainly between ${clock(after)} and ${clock(before)}`
  if (after !== undefined) return `, mainly after ${clock(after)}`
  return before === undefined ? '' : `, mainly before ${clock(before)}`
}

function clock(hour: number): string {
  if (hour === 0) return 'midnight'
  if (hour === 12) return 'noon'
  return `${hour % 12} ${hour < 12 ? 'AM' : 'PM'}`
}

function skySentence(
  { name, words, sky, temperature, remaining, half }: NarrativeInput,
  units: Units,
  behindHazard: boolean,
  short = false,
): string | undefined {
  // Likely precipitation implies its clouds: a mean of few clouds beside it would read as a contradiction.
  const isImplied = behindHazard && half.precipProbability >= LIKELY && half.cloudCover < MOSTLY_CLOUDY
  const named = isImplied ? undefined : half.precipType === NONE ? words : sky
  const text = named && sentenceCase(named)
  if (Number.isNaN(temperature)) return text && `${text}.`
  const degrees = rounded(units, 'temperature', temperature)
  const extreme = name === 'day' ? 'high' : 'low'
  if (!Number.isNaN(remaining)) {
    const change = `temperatures ${extreme === 'high' ? 'falling' : 'rising'} to around ${rounded(units, 'temperature', remaining)}`
    return text ? `${text}, with ${change}.` : `${capital(change)}.`
  }
  if (!text) return `${extreme === 'high' ? 'High' : 'Low'} near ${degrees}.`
  return short ? `${text}, ${extreme} near ${degrees}.` : `${text}, with a ${extreme} near ${degrees}.`
}

function rounded(units: Units, quantity: 'temperature' | 'wind_speed', value: number): number {
  return Math.round(units.show(quantity, value) ?? Number.NaN)
}

const sentenceCased = new Map<KnownWords, string>()

function sentenceCase(words: KnownWords): string {
  let text = sentenceCased.get(words)
  if (text === undefined) {
    text = words.conditions.charAt(0) + words.conditions.slice(1).toLowerCase()
    sentenceCased.set(words, text)
  }
  return text
}

function windSentence({ windSpeed, windGust, windDirection }: NarrativeInput['half'], units: Units, gusts: boolean) {
  if (Number.isNaN(windSpeed)) return undefined
  if (windSpeed < LIGHT_WIND_MPS) return 'Light wind.'
  if (Number.isNaN(windDirection)) return undefined
  const label = units.system === 'imperial' ? 'mph' : units.system === 'metric' ? 'km/h' : 'm/s'
  const speed = rounded(units, 'wind_speed', windSpeed)
  const from = winds[Math.round(windDirection / 45) % 8] ?? 'Wind'
  const gust = gusts && windGust >= windSpeed + GUST_ABOVE_MPS ? rounded(units, 'wind_speed', windGust) : 0
  return `${from} around ${speed} ${label}${gust > 0 ? `, with gusts to ${gust} ${label}` : ''}.`
}

function rainSentence(
  { precipTotal, precipType, mostlyRain }: NarrativeInput['half'],
  metric: boolean,
): string | undefined {
  if (!(precipTotal >= MIN_RAIN_MM) || precipType === NONE) return undefined
  const noun =
    precipType === SNOW || precipType === WINTRY_MIX || precipType === FREEZING_RAIN ? 'Precipitation' : 'Rain'
  const amount = metric ? `around ${Math.round(precipTotal)} mm` : inchesOf(precipTotal / 25.4)
  return `${noun} ${amount}${mostlyRain ? ', mostly rain' : ''}.`
}

/** Named amounts: inches, the name, and the form of the name before `and` and a larger amount. */
const amounts = [
  [0.1, 'a tenth of an inch', 'a tenth'],
  [0.25, 'a quarter of an inch', 'a quarter'],
  [0.5, 'half an inch', 'half'],
  [0.75, 'three quarters of an inch', 'three quarters of an inch'],
  [1, 'an inch', '1'],
] as const
/**
 * Greatest difference, as a share of a named amount, at which an amount is "around" it. Other amounts lie between two
 * named ones.
 */
const NEAR = 0.2

/** An amount in words: `around half an inch`, `between a quarter and half an inch`, `between 2 and 3 inches`. */
function inchesOf(inches: number): string {
  const above = Math.max(
    1,
    amounts.findIndex(([amount]) => amount >= inches),
  )
  const low = (inches <= 1 && amounts[above - 1]) || wholeInches(Math.floor(inches))
  const high = (inches <= 1 && amounts[above]) || wholeInches(Math.floor(inches) + 1)
  const nearest = inches - low[0] <= high[0] - inches ? low : high
  const isNear = Math.abs(inches - nearest[0]) <= NEAR * nearest[0] || inches < low[0]
  return isNear ? `around ${nearest[1]}` : `between ${low[2]} and ${high[1]}`
}

function wholeInches(n: number) {
  return [n, n === 1 ? 'an inch' : `${n} inches`, String(n)] as const
}

function snowSentence({ snowTotal, precipType }: NarrativeInput['half'], metric: boolean): string | undefined {
  if (!(snowTotal >= MIN_SNOW_MM) || precipType === RAIN) return undefined
  if (metric)
    return snowTotal < 10 ? 'New snow of less than 1 cm.' : `New snow of about ${Math.round(snowTotal / 10)} cm.`
  const inches = snowTotal / 25.4
  if (inches < 0.5) return 'New snow of less than half an inch.'
  if (inches < 1.5) return 'New snow of around an inch.'
  return `New snow of ${Math.round(inches * 0.8)} to ${Math.max(Math.round(inches * 0.8) + 1, Math.round(inches * 1.2))} inches.`
}

function iceSentence({ iceTotal }: NarrativeInput['half'], metric: boolean): string | undefined {
  if (!(iceTotal >= MIN_ICE_MM)) return undefined
  if (metric) return iceTotal < 1 ? 'Ice of less than 1 mm.' : `Ice of about ${Math.round(iceTotal)} mm.`
  const inches = iceTotal / 25.4
  if (inches < 0.1) return 'Ice of less than a tenth of an inch.'
  return inches < 0.25
    ? 'Ice of up to a quarter of an inch.'
    : inches < 0.5
      ? 'Ice of up to half an inch.'
      : 'Ice of half an inch or more.'
}
