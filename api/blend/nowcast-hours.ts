import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import {
  FREEZING_RAIN,
  NONE,
  SNOW,
  TYPE_AMOUNT,
  TYPE_PROBABILITY,
  typeAtSurface,
  UNKNOWN,
} from '../../ingest/domain/weather/precip-type.ts'
import type { NowcastAtPoint, NowcastPoint, ScanRate } from '../contract.ts'
import type { Draft, PresentWeather } from './columns.ts'
import {
  alignClouds,
  alignHour,
  cappedThunder,
  raiseChance,
  SHOWN_AMOUNT,
  SHOWN_PROBABILITY,
  scaleFrozen,
  TRACE,
} from './consistency.ts'
import { fallenUntil, hourAmount, minuteRates, STEP_MS } from './hour-amounts.ts'
import { fillFrozenOfPassed } from './measured-amounts.ts'
import { codeOf } from './present-weather.ts'
import { blendTypes, likeliestType, moveToType, type WeightedType } from './type-probabilities.ts'
import { alignSky, changeSky } from './wet-sky.ts'

/** Lead from which the model has the whole weight. */
export const BLEND_END = 120 * MINUTE
/** Lead of the last step of the nowcast after its scan. */
const NOWCAST_END = 90 * MINUTE
/** Number of rows that radar changes: the hour that ended last, the running hour, and two more. */
const BLENDED_ROWS = 4
/** Probability and type of the first row are for this interval from now on. */
const CURRENT_ROW_MS = 30 * MINUTE
/**
 * Least probability (percent) of the current hour while precipitation is observed: if it continues for 30 minutes, and
 * if it ends earlier.
 */
const OBSERVED_PROBABILITY = 80
const ENDING_PROBABILITY = 75
/** Minutes of the last hour that scans must describe for its amount to count as measured. */
const MEASURED_MINUTES = 50

/**
 * Blends radar and lightning into the first rows; columns are changed in place. An amount is for the hour that ends at
 * the row's time: measured, then by the steps of the nowcast, then by the model. Probability, type and thunder are for
 * the remaining part of the hour, with weight 1 for the nowcast now and 0 at 120 minutes.
 * @param scans rates of the running hour and the hour before
 * @returns the first and last row that were changed; undefined if none was
 */
export function blendNowcast(
  forecast: Draft,
  present: PresentWeather,
  nowcast: NowcastAtPoint | undefined,
  now: Instant,
  scans: readonly ScanRate[] = [],
): { first: number; last: number } | undefined {
  const isWet = present.source === 'radar' && present.type !== NONE
  const coveredPoints = nowcast ? coveredSteps(nowcast) : []
  const steps = coveredPoints.length === 0 && isWet ? continuedSteps(present, now) : coveredPoints
  const thisHour = forecast.start + forecast.now * HOUR
  const minutes = minuteRates(thisHour - HOUR, BLENDED_ROWS * 60, now, steps, scans)
  forecast.scanned = minutes.subarray(0, 60).filter((rate) => !Number.isNaN(rate)).length >= MEASURED_MINUTES
  let changed: { first: number; last: number } | undefined
  for (let k = 0; k < BLENDED_ROWS && forecast.now + k < forecast.count; k++) {
    const h = forecast.now + k
    const time = thisHour + k * HOUR
    const rowSteps = stepsOf(steps, k, time, now)
    const weight = k === 0 ? 1 : rowSteps.reduce((sum, { share }) => sum + share, 0)
    const observed = isWet && k <= 1 ? present : undefined
    const rain = observed !== undefined || rowSteps.length > 0
    if (rain && k === 0) forecast.nowFromRadar = true
    const measured = k === 0 ? (forecast.passed?.amount(time) ?? Number.NaN) : Number.NaN
    const before = forecast.columns.precip_amount[h]!
    const amount = Number.isNaN(measured) ? hourAmount(minutes, k * 60, before) : measured
    let type = forecast.precipType[h]!
    if (rain) {
      type = blendTypes(forecast.columns, h, typesOf(rowSteps, weight, observed), type, 1 - weight)
      blendProbability(forecast, h, weight, rowSteps, observed)
    } else if (!Number.isNaN(measured)) {
      forecast.columns.precip_probability[h] = measured >= MEASURABLE ? 100 : 0
    }
    const fallen = k === 1 ? fallenUntil(minutes, 60, (now - thisHour) / MINUTE) : 0
    if (fallen >= MEASURABLE) {
      // The row is of the whole hour, in which it has rained.
      forecast.columns.precip_probability[h] = 100
      if (type === NONE) type = typeAtSurface(UNKNOWN, forecast.columns.temperature[h]!, forecast.columns.humidity[h]!)
    }
    const differs = amount !== before && !Number.isNaN(amount)
    if (rain || differs || !Number.isNaN(measured)) setAmount(forecast, h, amount, weight, type, observed)
    if (k === 0) fillFrozenOfPassed(forecast.columns, h, forecast.precipType[h]!)
    const thunder = k < 3 && blendThunder(forecast, h, 1 - Math.max(0, time - now) / BLEND_END, present)
    // The first row has the amount of the hour that ended and the chance of the next 30 minutes.
    // The amount of the running hour may have fallen already, which says nothing about its remaining minutes.
    if (k > 1) raiseChance(forecast.columns, h)
    if (k > 0) alignHour(forecast.columns, h)
    else alignFirstRow(forecast.columns, h)
    const stepThen = steps.findLast((step) => step.time <= time && step.time + STEP_MS > time)
    alignRowSky(forecast, h, k === 0 ? (isWet ? present : undefined) : stepThen)
    if (rain || thunder) changed = { first: changed?.first ?? h, last: h }
  }
  forecast.present = present
  return changed
}

/** Aligns the first row, whose thunder may come from flashes nearby. */
function alignFirstRow(columns: Draft['columns'], h: number): void {
  const { thunderstorm_probability: thunder, precip_probability: chance } = columns
  thunder[h] = cappedThunder(thunder[h]!, chance[h]!)
  alignClouds(columns, h)
}

/** Makes the sky of a row agree with what falls at its time: what is observed, or a wet step of the nowcast. */
function alignRowSky(
  { columns, precipType, ceilingUnlimited }: Draft,
  h: number,
  falling: PresentWeather | NowcastPoint | undefined,
): void {
  const type = precipType[h]!
  if (!falling || falling.type === 'none' || type === NONE) return
  changeSky(columns, h, (sky) => alignSky(sky, type, falling.rate ?? 0))
  ceilingUnlimited[h] = 0
}

function coveredSteps({ anchor, points }: NowcastAtPoint): NowcastPoint[] {
  return points.filter(({ time, type }) => type !== 'no_coverage' && time <= anchor + NOWCAST_END)
}

/** Steps for a place without a nowcast: the observed precipitation continues for half an hour. */
function continuedSteps({ rate }: PresentWeather, now: Instant): NowcastPoint[] {
  const type = 'unknown' as const
  return Array.from({ length: 6 }, (_, i) => ({ time: now + i * STEP_MS, type, rate, dbz: 0 }))
}

/** A step of the nowcast and its share of a row: the part of the row that it covers times its weight, 0 to 1. */
interface RowStep {
  readonly step: NowcastPoint
  readonly share: number
}

/**
 * Returns the steps that determine a row's probability, including the step that covers now. Their weight falls with the
 * lead, and minutes of the row without a step have no weight; in the first row all steps have the same share.
 */
function stepsOf(points: readonly NowcastPoint[], k: number, time: Instant, now: Instant): RowStep[] {
  const from = k === 0 ? now : Math.max(now, time - HOUR)
  const to = k === 0 ? now + CURRENT_ROW_MS : time
  const covered = points.filter((point) => point.time + STEP_MS > from && point.time < to)
  return covered.map((step) => {
    const [begin, end] = [Math.max(from, step.time), Math.min(to, step.time + STEP_MS)]
    const weight = Math.max(0, 1 - ((begin + end) / 2 - now) / BLEND_END)
    return { step, share: k === 0 ? 1 / covered.length : ((end - begin) / (to - from)) * weight }
  })
}

function blendProbability(
  { columns, now }: Draft,
  h: number,
  weight: number,
  steps: readonly RowStep[],
  present: PresentWeather | undefined,
): void {
  const odds = measurableProbability(steps, weight, present)
  const model = columns.precip_probability[h]!
  let probability = Math.round(Number.isNaN(model) ? odds : weight * odds + (1 - weight) * model)
  if (present && h === now) {
    const goesOn = steps.every(({ step }) => step.type !== 'none')
    probability = Math.max(goesOn ? OBSERVED_PROBABILITY : ENDING_PROBABILITY, probability)
  }
  columns.precip_probability[h] = probability
}

/** The types of a row's steps, each weighted by its probability. What is observed replaces the first step. */
function typesOf(steps: readonly RowStep[], weight: number, present: PresentWeather | undefined): WeightedType[] {
  if (present && steps.length === 0) return [{ type: present.type, weight: 100 * weight }]
  return steps.map(({ step: { type, probability = 100 }, share }, i) => {
    if (present && i === 0) return { type: present.type, weight: 100 * share }
    if (type === 'none') return { type: NONE, weight: 0 }
    return { type: present && type === 'unknown' ? present.type : codeOf(type), weight: probability * share }
  })
}

/**
 * Sets the amount of a row, and the type, snow, ice and probability that follow from it.
 * @param likeliest the type if anything falls; NONE if only the probabilities of types tell it
 */
function setAmount(
  forecast: Draft,
  h: number,
  newAmount: number,
  weight: number,
  likeliest: number,
  present: PresentWeather | undefined,
): void {
  const { columns, precipType } = forecast
  const before = columns.precip_amount[h]!
  const isObserved = present && h === forecast.now
  let amount = isObserved ? Math.max(newAmount || 0, TRACE) : newAmount
  if (amount < TRACE || Number.isNaN(amount)) amount = 0
  columns.precip_amount[h] = amount
  const leastProbability = amount >= SHOWN_AMOUNT ? SHOWN_PROBABILITY : amount > 0 ? 1 : 0
  const probability = Math.max(columns.precip_probability[h]!, leastProbability)
  columns.precip_probability[h] = probability
  let type: number = NONE
  if (isObserved) type = present.type
  else if (probability >= TYPE_PROBABILITY || amount >= TYPE_AMOUNT) {
    type = likeliest === NONE ? likeliestType(columns, h) : likeliest
    type = typeAtSurface(type, columns.temperature[h]!, columns.humidity[h]!)
  }
  precipType[h] = type
  if (type !== likeliestType(columns, h)) moveToType(columns, h, type, 1)
  scaleFrozen(columns, h, before, type)
  // In proportion to the weight of the radar, freezing rain brings no snow and snow no ice.
  const excluded = type === FREEZING_RAIN ? columns.snow_amount : type === SNOW ? columns.ice_amount : undefined
  if (excluded && excluded[h]! > 0) excluded[h] = excluded[h]! * (1 - weight)
}

/** Least measurable amount of an hour, mm, and how sharply the rate of the nowcast decides whether it is reached. */
const MEASURABLE = 0.254
const SHARPNESS = 3
/** Share of its probability that a period has if it does not rain at the point itself. */
const NEARBY = 0.35

/** Most percentage points by which the chance of a row may be less than the weighted mean of its steps and the model. */
const MAX_BELOW_STEPS = 14

/**
 * Probability (percent) that a period has a measurable amount. Steps give the probability of 0.1 mm/h or more, which
 * is less than measurable, so light steps count less, as far as a reader of both would not be misled.
 */
function measurableProbability(steps: readonly RowStep[], weight: number, present: PresentWeather | undefined): number {
  let [wetProbability, rate] = [0, 0]
  for (const [i, { step, share }] of steps.entries()) {
    const observed = i === 0 ? present : undefined
    const part = share / weight
    wetProbability += part * (observed ? 100 : (step.probability ?? (step.type === 'none' ? 0 : 100)))
    rate += part * (observed?.rate ?? step.rate ?? 0)
  }
  if (present && steps.length === 0) [wetProbability, rate] = [100, present.rate]
  const enough = 1 / (1 + (MEASURABLE / rate) ** SHARPNESS)
  return Math.max(wetProbability * (NEARBY + (1 - NEARBY) * enough), wetProbability - MAX_BELOW_STEPS / weight)
}

function blendThunder({ columns }: Draft, h: number, weight: number, { thunder }: PresentWeather): boolean {
  if (Number.isNaN(thunder)) return false
  const model = columns.thunderstorm_probability[h]!
  columns.thunderstorm_probability[h] = Math.round(
    Number.isNaN(model) ? thunder : weight * thunder + (1 - weight) * model,
  )
  return true
}
