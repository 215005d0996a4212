import {
  type KnownWords,
  knownWords,
  type SkyState,
  THUNDER_POSSIBLE_CAPE,
  THUNDER_POSSIBLE_PROBABILITY,
  wordsOf,
} from '../../ingest/domain/conditions.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky.ts'
import type { Forecast } from '../blend/columns.ts'
import { choice } from '../present/form.ts'
import type { Fold } from './day-fold.ts'

/** What is looked at, filled anew for each hour and half. */
const sky: { -readonly [K in keyof SkyState]: SkyState[K] } = {
  cloudCover: Number.NaN,
  precipProbability: Number.NaN,
  precipAmount: Number.NaN,
  precipType: 0,
  thunder: Number.NaN,
  cape: Number.NaN,
  visibility: Number.NaN,
  humidity: Number.NaN,
  smoke: Number.NaN,
  windSpeed: Number.NaN,
  day: false,
}

/** What an hour of the forecast looks like, in words. */
export function hourWords(forecast: Forecast, h: number): KnownWords | undefined {
  const c = forecast.columns
  sky.cloudCover = c.cloud_cover[h]!
  sky.precipProbability = c.precip_probability[h]!
  sky.precipAmount = c.precip_amount[h]!
  sky.precipType = forecast.precipType[h]!
  sky.thunder = c.thunderstorm_probability[h]!
  sky.cape = c.cape[h]!
  sky.visibility = c.visibility[h]!
  sky.humidity = c.humidity[h]!
  sky.smoke = c.smoke[h]!
  sky.windSpeed = c.wind_speed[h]!
  sky.day = forecast.sun[h]! > SUN_HORIZON
  return wordsOf(sky)
}

/** What a half of a day looks like, in words; undefined where no hour of it is known. @param day whether the sun is up in it */
export function foldWords(half: Fold, day: boolean): KnownWords | undefined {
  if (!half.hours) return undefined
  sky.cloudCover = half.cloudCover
  sky.precipProbability = half.precipProbability
  sky.precipAmount = half.precipPeak
  sky.precipType = half.precipType
  sky.thunder = half.thunder
  sky.cape = half.cape
  sky.visibility = half.visibilityTypical
  sky.humidity = half.humidity
  sky.smoke = half.smoke
  sky.windSpeed = half.windSpeed
  sky.day = day
  return wordsOf(sky)
}

/** Members `conditions` and `icon`, or nothing where `wordsCode` knows none. */
export const wordsBlank = choice([
  '',
  ...knownWords.map(({ conditions, icon }) => `,"conditions":"${conditions}","icon":"${icon}"`),
])
/** The words of conditions alone, likewise. */
export const conditionsBlank = choice(['', ...knownWords.map(({ conditions }) => conditions)])

export function wordsCode(words: KnownWords | undefined): number {
  return words ? words.code + 1 : 0
}

export function thunderPossible(forecast: Forecast, h: number): boolean {
  return (
    forecast.columns.thunderstorm_probability[h]! >= THUNDER_POSSIBLE_PROBABILITY ||
    forecast.columns.cape[h]! >= THUNDER_POSSIBLE_CAPE
  )
}
