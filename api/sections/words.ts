import { nth } from '../../ingest/domain/nth.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky/sky.ts'
import {
  cloudWords,
  type KnownWords,
  knownWords,
  ownWords,
  type SkyState,
  snowStrength,
  THUNDER_POSSIBLE_CAPE,
  THUNDER_POSSIBLE_PROBABILITY,
  wordsOf,
} from '../../ingest/domain/weather/conditions.ts'
import { SNOW } from '../../ingest/domain/weather/precip-type.ts'
import type { Forecast } from '../blend/columns.ts'
import type { PastTable } from '../blend/past-table.ts'
import type { ChosenMembers } from '../present/members.ts'
import type { HalfSummary } from './half-summary.ts'

/** Reused for each hour and half. */
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
  observed: false,
}

/** Returns the words for an hour of the forecast; undefined if too little is known. */
export function hourWords(forecast: Forecast, h: number): KnownWords | undefined {
  const { columns: c } = forecast
  sky.cloudCover = nth(c.cloud_cover, h)
  sky.precipProbability = nth(c.precip_probability, h)
  sky.precipType = nth(forecast.precipType, h)
  const amount = nth(c.precip_amount, h)
  sky.precipAmount = sky.precipType === SNOW ? snowStrength(amount, nth(c.snow_amount, h)) : amount
  sky.thunder = nth(c.thunderstorm_probability, h)
  sky.observed = false
  sky.cape = nth(c.cape, h)
  sky.visibility = nth(c.visibility, h)
  sky.humidity = nth(c.humidity, h)
  sky.smoke = nth(c.smoke, h)
  sky.windSpeed = nth(c.wind_speed, h)
  sky.day = nth(forecast.sun, h) > SUN_HORIZON
  return wordsOf(sky)
}

/**
 * Returns the words for an hour that has passed, from analyses and measurements. They never mention thunder, which no
 * analysis has.
 * @param sun sine of the sun's altitude
 */
export function pastWords({ columns: c, precipType }: PastTable, h: number, sun: number): KnownWords | undefined {
  sky.cloudCover = c.cloud_cover[h]!
  sky.precipProbability = Number.NaN
  sky.precipAmount = c.precip_amount[h]!
  sky.precipType = precipType[h]!
  sky.thunder = Number.NaN
  sky.observed = true
  sky.cape = Number.NaN
  sky.visibility = c.visibility[h]!
  sky.humidity = c.humidity[h]!
  sky.smoke = Number.NaN
  sky.windSpeed = c.wind_speed[h]!
  sky.day = sun > SUN_HORIZON
  return wordsOf(sky)
}

/** Returns the words for a half day; undefined if none of its hours is known. @param day whether the sun is up */
export function halfWords(half: HalfSummary, day: boolean): KnownWords | undefined {
  if (!half.hours) return undefined
  sky.cloudCover = Math.round(half.cloudCover)
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
  sky.observed = false
  return wordsOf(sky)
}

/** Words for the clouds of a half. */
export function skyWords(half: HalfSummary, day: boolean): KnownWords | undefined {
  sky.cloudCover = Math.round(half.cloudCover)
  sky.day = day
  return cloudWords(sky)
}

const members = knownWords.map(({ conditions, icon }) => ({ conditions, icon }))

/** Members `conditions` and `icon` of an hour or a half; empty if `wordsCode` is 0. */
export const wordsMembers: ChosenMembers = { oneOf: [{}, ...members.slice(0, ownWords)] }
/** Members `conditions` and `icon` of a whole day. */
export const dayWordsMembers: ChosenMembers = { oneOf: [{}, ...members] }
/** Member `cloud_ceiling_unlimited`, for code 1. */
export const ceilingUnlimitedMembers: ChosenMembers = { oneOf: [{}, { cloud_ceiling_unlimited: true }] }
/** Code of words in `wordsMembers` and `dayWordsMembers`; 0 without words. */
export function wordsCode(words: KnownWords | undefined): number {
  return words ? words.code + 1 : 0
}

export function isThunderPossible(forecast: Forecast, h: number): boolean {
  return (
    nth(forecast.columns.thunderstorm_probability, h) >= THUNDER_POSSIBLE_PROBABILITY ||
    nth(forecast.columns.cape, h) >= THUNDER_POSSIBLE_CAPE
  )
}
