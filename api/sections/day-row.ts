import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { atNight, type KnownWords, significance } from '../../ingest/domain/weather/conditions.ts'
import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'
import { NONE, TYPE_AMOUNT } from '../../ingest/domain/weather/precip-type.ts'
import type { Forecast } from '../blend/columns.ts'
import { lastHour } from './axis-end.ts'
import { atLeast, atMost, emptyFold, fold, join, type Whole, wetType } from './day-fold.ts'
import { addPast, type DayPast, feelsLikeHigh, feelsLikeLow } from './day-past.ts'
import { highOf, lowOf } from './day-periods.ts'
import { stretch } from './day-walk.ts'
import type { Fold } from './fold.ts'
import type { SectionContext } from './section.ts'
import { foldWords } from './words.ts'

/** A half of a row as it is shown. */
export interface ShownHalf {
  readonly name: 'day' | 'night'
  readonly half: Fold
  /** The extreme of the half, from its hours and NBM's 12-hour extreme. */
  temperature: number
  /** The half is running, and that extreme lies in its passed hours. */
  passed: boolean
  /** At the time of that extreme. */
  dewPoint: number
  humidity: number
  feelsLike: number
  words: KnownWords | undefined
}

/** A row of `daily`: its two halves, and both as one. */
export interface DayRow {
  window: DayWindow
  /** 0: not now, 1: its day is, 2: its night. */
  active: number
  readonly day: Fold
  readonly night: Fold
  readonly whole: Whole
  high: number
  low: number
  /** The largest AQI forecast for the date. */
  aqiMax: number
  feelsLikeHigh: number
  feelsLikeLow: number
  words: KnownWords | undefined
  readonly shownDay: ShownHalf
  readonly shownNight: ShownHalf
}

const shownHalf = (name: 'day' | 'night'): ShownHalf => ({
  name,
  half: emptyFold(),
  temperature: Number.NaN,
  passed: false,
  dewPoint: Number.NaN,
  humidity: Number.NaN,
  feelsLike: Number.NaN,
  words: undefined,
})

function emptyRow(): DayRow {
  const shownDay = shownHalf('day')
  const shownNight = shownHalf('night')
  return {
    window: { day: 0, relative: 0, start: 0, nightfall: 0, end: 0 },
    active: 0,
    day: shownDay.half,
    night: shownNight.half,
    whole: emptyFold(),
    high: Number.NaN,
    low: Number.NaN,
    aqiMax: Number.NaN,
    feelsLikeHigh: Number.NaN,
    feelsLikeLow: Number.NaN,
    words: undefined,
    shownDay,
    shownNight,
  }
}

/** Reused for each row, to avoid allocating its hundred numbers. */
const row = emptyRow()

/**
 * The row of a window; valid until the next is made. Of the current day, probabilities, amounts and words are of the hours still
 * to come; high, low, totals, the greatest gust and UV index are of the whole day.
 */
export function rowOf(
  context: SectionContext,
  forecast: Forecast,
  severe: Uint8Array,
  window: DayWindow,
  past: DayPast | undefined,
): DayRow {
  const { day, night, shownDay, shownNight } = row
  const running = past?.window === window ? past : undefined
  row.window = window
  row.active = activePeriod(context, window)
  const dayPassed = row.active === 2
  const from = running?.from ?? 0
  const dayFrom = Math.max(window.start, dayPassed ? 0 : from)
  const nightFrom = Math.max(window.nightfall, from)
  fold(forecast, dayFrom, window.nightfall, severe, day)
  fold(forecast, nightFrom, window.end, severe, night)
  const reach = lastHour(forecast) + HOUR
  if (isCutOff(reach, dayFrom, window.nightfall)) Object.assign(day, nothing)
  if (isCutOff(reach, nightFrom, window.end)) Object.assign(night, nothing)
  if (dayPassed) measure(day, running!)
  join(dayPassed ? nothing : day, night, row.whole)
  if (running) addPast(row.whole, running)
  row.high = highOf(forecast, window, dayPassed ? nothing : day, running)
  row.low = lowOf(forecast, window, night, running)
  const noon = sunUp(context, window, 12)
  const evening = sunUp(context, window, 22)
  shown(forecast, shownDay, row.high, window.start, window.nightfall)
  shown(forecast, shownNight, row.low, window.nightfall, window.end)
  shownDay.passed = row.active === 1 && row.high === running?.day.temperatureHigh
  shownNight.passed = row.active === 2 && row.low === running?.night.temperatureLow
  shownDay.words = foldWords(day, noon)
  shownNight.words = foldWords(night, evening)
  row.feelsLikeHigh = atLeast(shownDay.feelsLike, day.feelsLikeHigh)
  row.feelsLikeLow = atMost(shownNight.feelsLike, night.feelsLikeLow)
  if (running) {
    row.feelsLikeHigh = feelsLikeHigh(row.feelsLikeHigh, running)
    row.feelsLikeLow = feelsLikeLow(row.feelsLikeLow, running)
  }
  row.words = dayPassed ? shownNight.words : wholeWords(row, forecast)
  return row
}

const nothing = emptyFold()

/** Share of a half that forecasts must reach. */
const LEAST_REACHED = 0.8

/** Forecasts end within the half: the least of its first hours is no low, and their rain not that of the night. */
export function isCutOff(reach: Instant, from: Instant, to: Instant): boolean {
  return reach - from < LEAST_REACHED * (to - from)
}

function sunUp({ zone, sky }: SectionContext, window: DayWindow, hour: number): boolean {
  return sky.sun(zone.at(window.day, hour)) > SUN_HORIZON
}

/** Passed hours have no probability; their amounts are measured ones, or not known. */
function measure(half: Fold, { dry, complete }: DayPast): void {
  half.precipProbability = Number.NaN
  half.thunder = Number.NaN
  // What fell is known: without a measurable amount the half was dry, whatever its probability had been.
  if (complete.amounts && !(half.precipTotal >= TYPE_AMOUNT)) half.precipType = NONE
  if (half.precipType === NONE) half.thunderPossible = false
  if (complete.amounts) return
  const amount = dry ? 0 : Number.NaN
  half.precipTotal = amount
  half.precipPeak = amount
  half.snowTotal = amount
  half.iceTotal = amount
  half.precipType = NONE
}

/**
 * The half's extreme with dew point, humidity and feels-like of the hour that is nearest to it: where passed hours do not count, a warmer
 * one of them is not the hour of the high. Of a half that forecasts reach a few hours of, NBM's own extreme alone is known.
 */
function shown(forecast: Forecast, half: ShownHalf, temperature: number, from: number, to: number): void {
  const { columns } = forecast
  const { first, last } = stretch(forecast, from, to)
  const apart = (h: number) => Math.abs(columns.temperature[h]! - temperature)
  let at = -1
  for (let h = first; h <= last; h++) {
    if (!Number.isNaN(apart(h)) && (at < 0 || apart(h) < apart(at))) at = h
  }
  half.temperature = temperature
  const known = at >= 0 && half.half.hours > 0 && !Number.isNaN(temperature)
  half.dewPoint = known ? Math.min(temperature, columns.dew_point[at]!) : Number.NaN
  half.humidity = Number.isNaN(half.dewPoint) ? Number.NaN : relativeHumidity(temperature, half.dewPoint)
  half.feelsLike = known ? feelsLike(temperature, half.humidity, columns.wind_speed[at]!) : Number.NaN
}

/** The more significant weather of both halves; the likelier of equal ones. Marked where it is only at night. */
function wholeWords({ window, whole, active, day, night, shownDay, shownNight }: DayRow, forecast: Forecast) {
  if (!day.hours) return shownNight.words
  if (!active && day.precipType === NONE && night.precipType === NONE && whole.precipTotal >= TYPE_AMOUNT) {
    // Measurable in the sum of both halves only.
    return foldWords({ ...day, precipType: wetType(forecast, window.start, window.end) }, true)
  }
  const byDay = rankOf(day, shownDay.words)
  const byNight = rankOf(night, shownNight.words)
  if (byNight > byDay) return atNight(shownNight.words!)
  if (byDay === 0 || byNight < byDay) return shownDay.words
  return night.precipProbability > day.precipProbability ? foldWords(night, true) : shownDay.words
}

/** Significance of the weather of a half: precipitation only, fog and sky come from the day half. Severe thunder ranks highest. */
function rankOf({ precipType, severe }: Fold, words: KnownWords | undefined): number {
  if (precipType === NONE || !words) return 0
  return severe && words.thunder ? significance.freezingRain + 1 : words.significance
}

/** Day is 06:00 to 17:59 of the row's date, night until 05:59 of the next; 0 unless now is in the row. */
function activePeriod({ now }: SectionContext, window: DayWindow): number {
  if (now < window.start || now >= window.end) return 0
  return now < window.nightfall ? 1 : 2
}
