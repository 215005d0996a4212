import type { KnownWords } from '../../ingest/domain/weather/conditions.ts'
import { FREEZING_RAIN, ICE_PELLETS, NONE, RAIN, SNOW, WINTRY_MIX } from '../../ingest/domain/weather/precip-type.ts'
import { type Units, units } from '../present/units.ts'
import type { HalfSummary } from './half-summary.ts'

/**
 * Narratives of half days, after NWS Directive 10-503: the hazard and its time, then sky and temperature, wind, new
 * snow, ice.
 */

const points = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'] as const
const winds = points.map((point) => `${capital(point)} wind`)

/** Name of a direction from 0 to 360 degrees, such as `southwest` for 225. */
export function compass(degrees: number): string {
  return points[Math.round(degrees / 45) % 8] ?? 'north'
}

/**
 * A stretch of a half, in hours of the local clock, 0 to 23. Without a first or last hour it begins or ends with the
 * half.
 */
export interface Stretch {
  readonly after?: number
  readonly before?: number
}

/** A type of precipitation that replaces the one before it, and the hour of the local clock after which it falls. */
export interface LaterType {
  readonly type: number
  readonly after: number
}

/** When most of the precipitation of a half falls. */
export interface Timing {
  readonly stretches: readonly Stretch[]
  /** The type that falls first, and the types that replace it, in order of time, if they do not alternate. */
  readonly change?: { readonly first: number; readonly later: readonly LaterType[] }
}

/** Input of the narrative of one half. */
export interface NarrativeInput {
  readonly name: 'day' | 'night'
  readonly words: KnownWords | undefined
  /** Words for the type that falls first, if another type replaces it. */
  readonly firstWords: KnownWords | undefined
  /** Words for the clouds alone, if `words` describe something else. */
  readonly sky: KnownWords | undefined
  /** K */
  readonly temperature: number
  /** Extreme of the remaining hours, K, if the extreme of the half has passed and differs from it; otherwise NaN. */
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
 * Probability (percent) of precipitation from which words are `likely` (NWS Directive 10-503). Beside such
 * precipitation, a sky with less than `MOSTLY_CLOUDY` percent of clouds is not mentioned.
 */
const LIKELY = 55
const MOSTLY_CLOUDY = 70
const MAX_LENGTH = 320
const MAX_SHORT_LENGTH = 160
/**
 * Wind below the first speed is light (3 mph); gusts are mentioned if they exceed the wind by the second speed (10
 * mph). Both are in m/s.
 */
const LIGHT_WIND_MPS = 1.34
const GUST_ABOVE_MPS = 4.47
/** Gusts that are mentioned even in a shortened text: 40 mph. */
const STRONG_GUST_MPS = 17.88
/** Least amounts of liquid and ice that are named, and the liquid that is named even in a shortened text, mm. */
const MIN_RAIN_MM = 2.5
const MUCH_RAIN_MM = 12.68
/** Least new snow that a narrative names, mm. */
export const MIN_SNOW_MM = 2.5
const MIN_ICE_MM = 0.254

/**
 * A shorter text is within its limit in every system of units; an amount in inches takes some 35 characters more than
 * in millimetres.
 */
const CERTAINLY_SHORT = 115
/**
 * Forms of a text, each shorter than the one before: all words; a shorter sky; only strong gusts; also no sky beside
 * precipitation; no rain of less than half an inch; one stretch of hours instead of two; no wind either.
 */
const FULL = 0
const SHORT_SKY = 1
const STRONG_GUSTS = 2
const NO_SKY = 3
const MUCH_RAIN = 4
const ONE_STRETCH = 5
const NO_WIND = 6
const FORMS = [FULL, SHORT_SKY, STRONG_GUSTS, NO_SKY, MUCH_RAIN, ONE_STRETCH, NO_WIND] as const
type NarrativeForm = (typeof FORMS)[number]

/**
 * Returns the sentences of a half; undefined if nothing is known about it. A text that would be too long in any system
 * of units is shortened in all systems.
 */
export function narrate(input: NarrativeInput, shown: Units): string | undefined {
  const full = textOf(input, shown, FULL)
  if (full.length < CERTAINLY_SHORT) return full || undefined
  const limit = limitOf(input)
  const isShort = (form: NarrativeForm) =>
    textOf(input, units.imperial, form).length < limit && textOf(input, units.metric, form).length < limit
  return textOf(input, shown, FORMS.find(isShort) ?? NO_WIND)
}

/** A half with several hazards may have a longer text. */
function limitOf({ half, words }: NarrativeInput): number {
  const isFrozen = half.snowTotal >= MIN_SNOW_MM
  const hazards =
    Number(isFrozen || half.precipType !== NONE) +
    Number(half.iceTotal >= MIN_ICE_MM && isFrozen) +
    Number(words?.thunder === true) +
    Number(half.windGust >= STRONG_GUST_MPS)
  return hazards > 1 ? MAX_LENGTH : MAX_SHORT_LENGTH
}

function textOf(input: NarrativeInput, shown: Units, form: NarrativeForm): string {
  const { half, words } = input
  const metric = shown.system !== 'imperial'
  const hazard = words !== undefined && half.precipType !== NONE ? hazardSentence(input, words, form) : undefined
  const severe = half.severe && words?.thunder ? 'Some storms could be severe.' : undefined
  const isUncertain = words !== undefined && /^(?:Slight )?Chance /.test(words.conditions)
  // A half that counts as dry may have the snow of a small chance.
  const newSnow = amountSentence(snowSentence(half, metric), isUncertain || half.precipType === NONE)
  // Otherwise the amount would contradict a hazard that names rain alone.
  const isAlone = half.precipType === RAIN && !/snow|mix/i.test(hazard ?? '')
  const snow =
    newSnow && isAlone ? `${isUncertain ? 'Snow may mix in.' : 'Mixed with snow at times.'} ${newSnow}` : newSnow
  const ice = amountSentence(iceSentence(half, metric), isUncertain)
  const frozen = snow && ice ? `${snow} ${ice}` : (snow ?? ice)
  // Beside snow or ice the liquid is left out, unless the half is one of rain, whose amount a reader looks for.
  const rain =
    frozen && half.precipType !== RAIN
      ? undefined
      : amountSentence(rainSentence(half, metric, form < MUCH_RAIN ? MIN_RAIN_MM : MUCH_RAIN_MM), isUncertain)
  const sky = skySentence(input, shown, hazard !== undefined, form)
  const wind = form < NO_WIND ? windSentence(half, shown, form < STRONG_GUSTS ? 0 : STRONG_GUST_MPS) : undefined
  return join(hazard, severe, sky, wind, frozen, rain)
}

/**
 * Says of an amount beside a mere chance that it is possible. It is the amount that falls if precipitation comes, and NWS text products
 * state accumulations only from 60 percent on.
 */
function amountSentence(sentence: string | undefined, isUncertain: boolean): string | undefined {
  return isUncertain && sentence !== undefined ? `${sentence.slice(0, -1)} possible.` : sentence
}

/**
 * Joins sentences. Each sentence is a parameter, because an answer has twenty of these texts, and creating a list for
 * each takes as long as the text itself.
 */
function join(hazard?: string, severe?: string, sky?: string, wind?: string, frozen?: string, rain?: string): string {
  return append(append(append(append(append(hazard ?? '', severe), sky), wind), frozen), rain)
}

function append(text: string, sentence: string | undefined): string {
  return sentence === undefined ? text : text ? `${text} ${sentence}` : sentence
}

const nouns = new Map([
  [RAIN, 'rain'],
  [SNOW, 'snow'],
  [FREEZING_RAIN, 'freezing rain'],
  [ICE_PELLETS, 'sleet'],
  [WINTRY_MIX, 'a wintry mix'],
])

/** A sentence such as `A slight chance of snow showers, mainly after 9 PM.` or `Rain, changing to sleet after 9 PM and to snow after 1 AM.` */
function hazardSentence({ timing, firstWords }: NarrativeInput, words: KnownWords, form: NarrativeForm): string {
  const change = timing?.change
  if (change) {
    const later = change.later.map(({ type, after }) => `to ${nouns.get(type)} after ${clock(after)}`)
    return `${phraseOf(firstWords ?? words)}, changing ${later.join(' and ')}.`
  }
  const stretches = timing?.stretches ?? []
  return `${phraseOf(words)}${timingText(form < ONE_STRETCH ? stretches : joined(stretches))}.`
}

/** Joins stretches to one; two stretches that together have both ends of the half stay apart. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const { after } = stretches[0] ?? {}
  const { before } = stretches.at(-1) ?? {}
  if (stretches.length < 2 || (after === undefined && before === undefined)) return stretches
  return [{ ...(after !== undefined && { after }), ...(before !== undefined && { before }) }]
}

const phrases = new Map<KnownWords, string>()

function phraseOf(words: KnownWords): string {
  let phrase = phrases.get(words)
  if (phrase === undefined) {
    const [precipitation = '', thunder] = words.conditions.toLowerCase().split(', ')
    phrase = capital(withChance(precipitation))
    if (thunder) phrase += `, with ${withChance(thunder)}`
    phrases.set(words, phrase)
  }
  return phrase
}

/** Changes `chance rain` to `a chance of rain`. */
function withChance(words: string): string {
  return words.replace(/^(slight chance|chance) /, 'a $1 of ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function timingText(stretches: readonly Stretch[]): string {
  const times = stretches.map(stretchText).filter(Boolean)
  return times.length > 0 ? `, mainly ${times.join(' and ')}` : ''
}

function stretchText({ after, before }: Stretch): string {
  if (after !== undefined && before !== undefined) return `between ${clock(after)} and ${clock(before)}`
  if (after !== undefined) return `after ${clock(after)}`
  return before === undefined ? '' : `before ${clock(before)}`
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
  form: NarrativeForm,
): string | undefined {
  // Precipitation that is likely, or has an amount and no chance, implies its clouds: a mean of few clouds beside it would contradict it.
  const isExpected = half.precipProbability >= LIKELY || Number.isNaN(half.precipProbability)
  const isImplied = behindHazard && (form >= NO_SKY || (isExpected && half.cloudCover < MOSTLY_CLOUDY))
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
  return form !== FULL ? `${text}, ${extreme} near ${degrees}.` : `${text}, with a ${extreme} near ${degrees}.`
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

function windSentence({ windSpeed, windGust, windDirection }: NarrativeInput['half'], units: Units, leastGust: number) {
  if (Number.isNaN(windSpeed)) return undefined
  if (windSpeed < LIGHT_WIND_MPS) return 'Light wind.'
  if (Number.isNaN(windDirection)) return undefined
  const label = units.system === 'imperial' ? 'mph' : units.system === 'metric' ? 'km/h' : 'm/s'
  const speed = rounded(units, 'wind_speed', windSpeed)
  const from = winds[Math.round(windDirection / 45) % 8] ?? 'Wind'
  const gust =
    windGust >= leastGust && windGust >= windSpeed + GUST_ABOVE_MPS ? rounded(units, 'wind_speed', windGust) : 0
  return `${from} around ${speed} ${label}${gust > 0 ? `, with gusts to ${gust} ${label}` : ''}.`
}

function rainSentence(
  { precipTotal, precipType, mostlyRain }: NarrativeInput['half'],
  metric: boolean,
  least: number,
): string | undefined {
  if (!(precipTotal >= least) || precipType === NONE) return undefined
  // "Precipitation" beside snow would be understood as its depth. A type that is not known may have been snow.
  const noun = precipType === SNOW ? 'Liquid equivalent' : precipType === RAIN ? 'Rain' : 'Precipitation'
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
 * Maximum difference, as a share of a named amount, at which an amount is "around" it. Other amounts lie between two
 * named amounts.
 */
const NEAR = 0.2

/**
 * Returns an amount in words, such as `around half an inch`, `between a quarter and half an inch`, `between 2 and 3
 * inches`.
 */
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

function snowSentence({ snowTotal }: NarrativeInput['half'], metric: boolean): string | undefined {
  if (!(snowTotal >= MIN_SNOW_MM)) return undefined
  if (metric)
    return snowTotal < 10 ? 'New snow of less than 1 cm.' : `New snow of about ${Math.round(snowTotal / 10)} cm.`
  const inches = snowTotal / 25.4
  if (inches < 0.4) return 'New snow of less than half an inch.'
  if (inches < 0.75) return 'New snow of around half an inch.'
  if (inches < 1.5) return 'New snow of around an inch.'
  const least = Math.min(Math.round(inches * 0.8), Math.floor(inches))
  return `New snow of ${least} to ${Math.max(least + 1, Math.round(inches * 1.2))} inches.`
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
