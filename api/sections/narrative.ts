import type { KnownWords } from '../../ingest/domain/conditions.ts'
import { choice, type Form, form, number, perUnits } from '../present/form.ts'
import type { Page } from '../present/page.ts'
import type { Units } from '../present/units.ts'
import type { Fold } from './day-fold.ts'
import { conditionsBlank, wordsCode } from './words.ts'

const points = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'] as const

/** `southwest` of 225. */
export function compass(degrees: number): string {
  return points[pointOf(degrees)]!
}

function pointOf(degrees: number): number {
  return Math.round(degrees / 45) % 8
}

/** A half of a day, of which is told. */
export interface Told {
  readonly name: 'day' | 'night'
  readonly words: KnownWords | undefined
  readonly temperature: number
  readonly half: Pick<
    Fold,
    'windSpeed' | 'windGust' | 'windDirection' | 'precipProbability' | 'precipTotal' | 'snowTotal'
  >
}

/** What a sentence begins with: as the first of plain text, as the first of a member of JSON, behind another. */
const lead = choice(['', ',"narrative":"', ' '])
export const AS_TEXT = 0
export const AS_MEMBER = 1
const FOLLOWING = 2

const near = choice([', with a high near ', ', with a low near ', 'High near ', 'Low near '])
const winds = choice(points.map((point) => `${point[0]!.toUpperCase()}${point.slice(1)} wind around `))

const sentencesOf = perUnits((units) => {
  const speed = units.labels.wind_speed
  const depth = units.labels.precip_amount
  return {
    sky: form([lead, conditionsBlank, '.'], units),
    temperature: form([lead, conditionsBlank, near, number('whole'), '.'], units),
    lightWind: form([lead, 'Light wind.'], units),
    wind: form([lead, winds, number('whole'), ` ${speed}.`], units),
    gusts: form([lead, winds, number('whole'), ` ${speed}, with gusts to `, number('whole'), ` ${speed}.`], units),
    chance: form([lead, 'Chance of precipitation ', number('whole'), '%.'], units),
    snow: form([lead, 'New snow of about ', number('snow_amount'), ` ${depth}.`], units),
    precipitation: form([lead, 'Precipitation of about ', number('millimetre'), ` ${depth}.`], units),
  }
})

/**
 * Writes a sentence or three about a half of a day, in the asked units. Canonical values, NaN where unknown.
 * @param opening `AS_TEXT` or `AS_MEMBER`: then what was written ends within the quotes
 * @returns whether there was anything to say
 */
export function tell(page: Page, told: Told, units: Units, opening: number): boolean {
  const sentences = sentencesOf(units)
  let first = opening
  const say = (sentence: Form, ...values: number[]) => {
    sentence.values[0] = first
    for (let i = 0; i < values.length; i++) sentence.values[i + 1] = values[i]!
    page.put(sentence)
    first = FOLLOWING
  }
  // What is shown has its decimals; what is told is rounded from that.
  const whole = (quantity: 'temperature' | 'wind_speed', value: number) => Math.round(units.show(quantity, value)!)
  const { words, half } = told
  if (!Number.isNaN(told.temperature)) {
    const how = (words ? 0 : 2) + (told.name === 'day' ? 0 : 1)
    say(sentences.temperature, wordsCode(words), how, whole('temperature', told.temperature))
  } else if (words) say(sentences.sky, wordsCode(words))
  if (!Number.isNaN(half.windSpeed) && !Number.isNaN(half.windDirection)) {
    const speed = whole('wind_speed', half.windSpeed)
    const from = pointOf(half.windDirection)
    if (speed < 3) say(sentences.lightWind)
    else if (half.windGust > half.windSpeed * 1.4) {
      say(sentences.gusts, from, speed, whole('wind_speed', half.windGust))
    } else say(sentences.wind, from, speed)
  }
  if (half.precipProbability >= 15) say(sentences.chance, half.precipProbability)
  if (half.snowTotal >= 10) say(sentences.snow, half.snowTotal)
  else if (half.precipTotal >= 2.5) {
    say(sentences.precipitation, Math.round(units.show('precip_amount', half.precipTotal)! * 100) / 100)
  }
  return first === FOLLOWING
}
