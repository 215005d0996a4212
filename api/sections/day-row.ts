import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { atNight, type KnownWords, significance } from '../../ingest/domain/weather/conditions.ts'
import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'
import { NONE, SNOW, TYPE_AMOUNT, WINTRY_MIX } from '../../ingest/domain/weather/precip-type.ts'
import type { Forecast } from '../blend/columns.ts'
import { LEAST_AMOUNT } from '../blend/consistency.ts'
import { lastHour } from './axis-end.ts'
import { addPast, type DayPast, feelsLikeHigh, feelsLikeLow } from './day-past.ts'
import { highOf, lowOf } from './day-periods.ts'
import { emptySummary, type HalfSummary } from './half-summary.ts'
import { hourRangeOf } from './hour-range.ts'
import type { SectionContext } from './section.ts'
import { atLeast, atMost, joinHalves, summarizeHours, type WholeDay, wetType } from './summarize.ts'
import { halfWords } from './words.ts'

/** A half of a row with the members that are shown. */
export interface ShownHalf {
  readonly name: 'day' | 'night'
  readonly half: HalfSummary
  /** The extreme of the half, from its hours and NBM's 12-hour extreme. */
  temperature: number
  /** Whether the half is running and its extreme lies in the passed hours. */
  passed: boolean
  /** Feels-like temperature at the time of the extreme, K. */
  feelsLike: number
  words: KnownWords | undefined
}

/** A row of `daily`: its two halves, and both together. */
export interface DayRow {
  window: DayWindow
  /** Which half contains now: 0 neither, 1 the day, 2 the night. */
  active: number
  readonly day: HalfSummary
  readonly night: HalfSummary
  readonly wholeDay: WholeDay
  high: number
  low: number
  /** Greatest AQI that is forecast for the date. */
  aqiMax: number
  feelsLikeHigh: number
  feelsLikeLow: number
  words: KnownWords | undefined
  readonly shownDay: ShownHalf
  readonly shownNight: ShownHalf
}

const shownHalf = (name: 'day' | 'night'): ShownHalf => ({
  name,
  half: emptySummary(),
  temperature: Number.NaN,
  passed: false,
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
    wholeDay: emptySummary(),
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

/** Reused for each row, which avoids allocating a hundred numbers. */
const row = emptyRow()

/**
 * Builds the row of a window. The returned object is valid until the next call. In the row of the current day,
 * probabilities, amounts and words of the halves are for the remaining hours; high, low, totals, the greatest gust and
 * UV index are for the whole day.
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
  summarizeHours(forecast, dayFrom, window.nightfall, severe, day)
  summarizeHours(forecast, nightFrom, window.end, severe, night)
  const forecastEnd = lastHour(forecast) + HOUR
  const isDayCut = isCutOff(forecastEnd, dayFrom, window.nightfall)
  const isNightCut = isCutOff(forecastEnd, nightFrom, window.end)
  if (isDayCut) Object.assign(day, emptyHalf)
  if (isNightCut) Object.assign(night, emptyHalf)
  if (dayPassed && running) applyMeasured(day, running)
  joinHalves(dayPassed ? emptyHalf : day, night, row.wholeDay)
  if (running) addPast(row.wholeDay, running)
  if (isDayCut || isNightCut) Object.assign(row.wholeDay, unknownWhole)
  if (isDayCut) Object.assign(row.wholeDay, unknownSun)
  row.high = isDayCut ? Number.NaN : highOf(forecast, window, dayPassed ? emptyHalf : day, running)
  row.low = isNightCut ? Number.NaN : lowOf(forecast, window, night, running)
  const noon = isSunUp(context, window, 12)
  const evening = isSunUp(context, window, 22)
  fillShownHalf(forecast, shownDay, row.high, window.start, window.nightfall)
  fillShownHalf(forecast, shownNight, row.low, window.nightfall, window.end)
  shownDay.passed = row.active === 1 && row.high === running?.day.temperatureHigh
  shownNight.passed = row.active === 2 && row.low === running?.night.temperatureLow
  shownDay.words = halfWords(day, noon)
  shownNight.words = halfWords(night, evening)
  row.feelsLikeHigh = atLeast(shownDay.feelsLike, day.feelsLikeHigh)
  row.feelsLikeLow = atMost(shownNight.feelsLike, night.feelsLikeLow)
  if (running) {
    row.feelsLikeHigh = isDayCut ? Number.NaN : feelsLikeHigh(row.feelsLikeHigh, running)
    row.feelsLikeLow = isNightCut ? Number.NaN : feelsLikeLow(row.feelsLikeLow, running)
  }
  row.words = wholeWords(row, forecast, dayPassed)
  return row
}

const emptyHalf = emptySummary()

/** The sums and extremes of a row in which forecasts end: neither passed hours nor the other half represent the whole. */
const unknownWhole: Partial<WholeDay> = {
  windSpeedMax: Number.NaN,
  windGust: Number.NaN,
  precipProbability: Number.NaN,
  precipTotal: Number.NaN,
  snowTotal: Number.NaN,
  iceTotal: Number.NaN,
  dewPointMax: Number.NaN,
  dewPointMin: Number.NaN,
  thunder: Number.NaN,
}
const unknownSun: Partial<WholeDay> = { uvMax: Number.NaN, solarMax: Number.NaN }

/** Minimum share of a half that forecasts must cover. */
const LEAST_REACHED = 0.8

/**
 * Whether forecasts end within the half. Then the lowest temperature of its first hours is not its low, and their rain
 * is not its total.
 */
export function isCutOff(forecastEnd: Instant, from: Instant, to: Instant): boolean {
  return forecastEnd - from < LEAST_REACHED * (to - from)
}

function isSunUp({ zone, sky }: SectionContext, window: DayWindow, hour: number): boolean {
  return sky.sun(zone.at(window.day, hour)) > SUN_HORIZON
}

/**
 * Replaces the forecast of a half that has passed by measurements. Passed hours have no probability; their amounts are
 * measured or unknown.
 */
function applyMeasured(half: HalfSummary, { dry, complete }: DayPast): void {
  half.precipProbability = Number.NaN
  half.thunder = Number.NaN
  // Measured amounts determine the type: without a measurable amount the half was dry, whatever its probability was.
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
 * Sets the extreme of a half, with the feels-like temperature of the hour whose temperature is closest to it. If passed
 * hours do not count, the high is not assigned to a warmer passed hour. If forecasts cover only a few hours of the
 * half, only NBM's own extreme is known.
 */
function fillShownHalf(forecast: Forecast, half: ShownHalf, temperature: number, from: number, to: number): void {
  const { columns } = forecast
  const { first, lastInstant } = hourRangeOf(forecast, from, to)
  const distance = (h: number) => Math.abs(nth(columns.temperature, h) - temperature)
  let nearest = -1
  for (let h = first; h <= lastInstant; h++) {
    if (!Number.isNaN(distance(h)) && (nearest < 0 || distance(h) < distance(nearest))) nearest = h
  }
  half.temperature = temperature
  const isKnown = nearest >= 0 && half.half.hours > 0 && !Number.isNaN(temperature)
  const dewPoint = isKnown ? Math.min(temperature, nth(columns.dew_point, nearest)) : Number.NaN
  const humidity = Number.isNaN(dewPoint) ? Number.NaN : relativeHumidity(temperature, dewPoint)
  half.feelsLike = isKnown ? feelsLike(temperature, humidity, nth(columns.wind_speed, nearest)) : Number.NaN
}

/**
 * Returns the words of a row: those of the half with the more significant weather. If both are equally significant the
 * likelier half is used, or the heavier half if there are no chances. The words say so if that weather is only at
 * night. A row with an inch of snow mentions snow.
 */
function wholeWords(row: DayRow, forecast: Forecast, dayPassed: boolean): KnownWords | undefined {
  const { window, wholeDay, active, day, night, shownDay, shownNight } = row
  if (!day.hours || dayPassed) return shownNight.words && atNight(shownNight.words)
  if (!active && day.precipType === NONE && night.precipType === NONE && wholeDay.precipTotal >= TYPE_AMOUNT) {
    // The amount is measurable only in the sum of both halves.
    return halfWords({ ...day, precipType: wetType(forecast, window.start, window.end) }, true)
  }
  const [byDay, byNight] = ranksOf(row)
  const isOfNight = byNight > byDay || (byDay > 0 && byNight === byDay && isLikelierAtNight(row))
  const half = isOfNight ? night : day
  if (half.precipType === NONE) return shownDay.words
  // The chance word follows from the chance of the row.
  const named = { ...half, precipProbability: atLeast(half.precipProbability, wholeDay.precipProbability) }
  if (wholeDay.snowTotal >= NAMED_SNOW_MM && !namesSnow(half))
    return halfWords({ ...named, precipType: WINTRY_MIX }, true)
  const words = halfWords(named, true)
  return byNight > byDay && words ? atNight(words) : words
}

function isLikelierAtNight({ wholeDay, day, night }: DayRow): boolean {
  return Number.isNaN(wholeDay.precipProbability)
    ? weightOf(night) > weightOf(day)
    : night.precipProbability > day.precipProbability
}

/** Minimum weight of the half that determines the words of a row, as a share of the weight of the other half. */
const LEAST_WEIGHT = 0.5
/** Minimum ice, mm, that always counts, and minimum depth of snow, mm, that the words of a row mention. */
const ALWAYS_ICE_MM = 0.254
const NAMED_SNOW_MM = 25.4

const namesSnow = ({ precipType }: HalfSummary) => precipType === SNOW || precipType === WINTRY_MIX

/**
 * Returns the significance of both halves; 0 for a half without precipitation or with less than half of the weight of
 * the other. The weight is probability times amount. Severe thunder and ice always count, and so does the snow of a row
 * with an inch of it.
 */
function ranksOf({ wholeDay, day, night, shownDay, shownNight }: DayRow): [day: number, night: number] {
  const byDay = rankOf(day, shownDay.words)
  const byNight = rankOf(night, shownNight.words)
  if (byDay === 0 || byNight === 0 || byDay === byNight) return [byDay, byNight]
  const [significant, other] = byDay > byNight ? [day, night] : [night, day]
  const counts =
    (significant.severe && significant.thunder > 0) ||
    significant.iceTotal >= ALWAYS_ICE_MM ||
    (wholeDay.snowTotal >= NAMED_SNOW_MM && namesSnow(significant)) ||
    weightOf(significant) >= LEAST_WEIGHT * weightOf(other)
  if (counts) return [byDay, byNight]
  return byDay > byNight ? [0, byNight] : [byDay, 0]
}

function weightOf({ precipProbability, precipTotal }: HalfSummary): number {
  const chance = Number.isNaN(precipProbability) ? 100 : precipProbability
  return chance * Math.max(precipTotal || 0, LEAST_AMOUNT)
}

/**
 * Significance of the precipitation of a half; 0 without precipitation. Fog and sky are taken from the day half. Severe
 * thunder has the highest rank.
 */
function rankOf({ precipType, severe }: HalfSummary, words: KnownWords | undefined): number {
  if (precipType === NONE || !words) return 0
  return severe && words.thunder ? significance.freezingRain + 1 : words.significance
}

/**
 * The half that contains now: 1 the day, 06:00 to 17:59 of the row's date, 2 the night until 05:59 of the next date, 0
 * if now is not in the row.
 */
function activePeriod({ now }: SectionContext, window: DayWindow): number {
  if (now < window.start || now >= window.end) return 0
  return now < window.nightfall ? 1 : 2
}
