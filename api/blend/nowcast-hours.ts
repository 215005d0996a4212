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
  alignHour,
  alignSnow,
  MAX_DRY_THUNDER,
  raiseChance,
  SHOWN_AMOUNT,
  SHOWN_PROBABILITY,
  scaleFrozen,
  TRACE,
} from './consistency.ts'
import { describedAmount, fallenUntil, hourAmount, minuteRates, STEP_MS } from './hour-amounts.ts'
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
/**
 * Smallest probability (percent) of the running hour while precipitation is observed: if the precipitation continues
 * until the end of the hour, and if it ends earlier.
 */
const CONTINUING_MS = 30 * MINUTE
const OBSERVED_PROBABILITY = 80
const ENDING_PROBABILITY = 50
/** Minutes of the hour that ended last that scans must describe for its amount to count as measured. */
const MEASURED_MINUTES = 50

/** The rows from now on that differ from the models, and what changed them. */
export interface BlendedRows {
  readonly first: number
  readonly last: number
  /** Whether precipitation was changed by scans or by the nowcast. */
  readonly byRadar: boolean
  /** What precipitation is after the measured minutes. Without a nowcast, rain of the newest scan is assumed to continue. */
  readonly afterwards: 'nowcast' | 'continued' | 'models'
  /** Whether thunder was changed by lightning or by a warning of a storm. */
  readonly byThunder: boolean
}

/**
 * Blends radar and lightning into the running hour and the two after it, and measures the hour that ended last; columns
 * are changed in place. An amount is for the hour that ends at the row's time: measured, then by the steps of the
 * nowcast, then by the model; the probability of the running hour is of the whole hour too. Type and thunder are for the
 * remaining part of the hour. The nowcast has weight 1 now and 0 at 120 minutes.
 * @param scans rates of the running hour and the hour before
 * @returns which rows were changed, and by what; undefined if none was
 */
export function blendNowcast(
  forecast: Draft,
  present: PresentWeather,
  nowcast: NowcastAtPoint | undefined,
  now: Instant,
  scans: readonly ScanRate[] = [],
): BlendedRows | undefined {
  const isWet = present.source === 'radar' && present.type !== NONE
  const coveredPoints = nowcast ? coveredSteps(nowcast) : []
  const steps = coveredPoints.length === 0 && isWet ? continuedSteps(present, now) : coveredPoints
  const thisHour = forecast.start + forecast.now * HOUR
  const minutes = minuteRates(thisHour - HOUR, BLENDED_ROWS * 60, now, steps, scans)
  forecast.scanned = minutes.subarray(0, 60).filter((rate) => !Number.isNaN(rate)).length >= MEASURED_MINUTES
  const passedMinutes = Math.floor((now - thisHour) / MINUTE)
  settleLastHour(forecast, minutes, thisHour)
  let changed: BlendedRows | undefined
  for (let k = 1; k < BLENDED_ROWS && forecast.now + k < forecast.count; k++) {
    const h = forecast.now + k
    const time = thisHour + k * HOUR
    const rowSteps = stepsOf(steps, time, now)
    const weight = rowSteps.reduce((sum, { share }) => sum + share, 0)
    const observed = isWet && k === 1 ? present : undefined
    const rain = observed !== undefined || rowSteps.length > 0
    const before = forecast.columns.precip_amount[h]!
    const amount = hourAmount(minutes, k * 60, before)
    let type = forecast.precipType[h]!
    let chance = Number.NaN
    if (rain) {
      type = blendTypes(forecast.columns, h, typesOf(rowSteps, weight, observed), type, 1 - weight)
      const model = forecast.columns.precip_probability[h]!
      const expected = k === 1 ? fallenUntil(minutes, 60, 60) : Number.NaN
      chance = blendProbability(forecast, h, weight, rowSteps, observed, expected)
      if (observed) raiseToObserved(forecast.columns, h, steps, now, expected)
      if (k === 1) addUnmeasured(forecast.columns, h, model, minutes.subarray(60, 60 + passedMinutes))
    }
    const described = describedAmount(minutes, k * 60)
    if (rain || described.minutes > 0) forecast.blendedHours?.push({ h, weight, chance, ...described })
    const fallen = k === 1 ? fallenUntil(minutes, 60, passedMinutes) : 0
    if (fallen >= MEASURABLE) {
      // The row represents the whole hour, and it has rained in that hour.
      forecast.columns.precip_probability[h] = 100
      if (type === NONE) type = typeAtSurface(UNKNOWN, forecast.columns.temperature[h]!, forecast.columns.humidity[h]!)
    }
    const differs = amount !== before && !Number.isNaN(amount)
    if (rain || differs) setAmount(forecast, h, amount, weight, type, observed)
    const thunder = blendThunder(forecast, h, Math.max(now, time - HOUR) / 2 + time / 2 - now, present)
    // The amount of the running hour may already have fallen, so it is no evidence for the remaining minutes.
    if (k > 1) raiseChance(forecast.columns, h)
    const hasWetStep = rowSteps.some(({ step: { rate = 0 } }) => rate > 0)
    if (rain) raiseToAmount(forecast.columns, h, hasWetStep)
    // Flashes nearby make thunder possible in the running hour even if it is dry.
    alignHour(forecast.columns, h, k === 1 && present.thunder > 0 ? MAX_DRY_THUNDER : 0)
    if (observed) alignRowSky(forecast, h, observed)
    alignRowSky(
      forecast,
      h,
      steps.findLast((step) => step.time <= time && step.time + STEP_MS > time),
    )
    const isMeasured = differs || fallen >= MEASURABLE
    if (rain || isMeasured || thunder)
      changed = {
        first: changed?.first ?? h,
        last: h,
        byRadar: rain || isMeasured || changed?.byRadar === true,
        afterwards: coveredPoints.length > 0 ? 'nowcast' : isWet ? 'continued' : 'models',
        byThunder: thunder || changed?.byThunder === true,
      }
  }
  forecast.present = present
  return changed
}

/**
 * Replaces the amount of the last completed hour by its measured amount: from the accumulation, or from scans until the
 * accumulation arrives.
 */
function settleLastHour(forecast: Draft, minutes: Float64Array, thisHour: Instant): void {
  const { columns, now: h, passed, precipType } = forecast
  const accumulated = passed?.amount(thisHour) ?? Number.NaN
  const before = columns.precip_amount[h]!
  const amount = Number.isNaN(accumulated) ? hourAmount(minutes, 0, before) : accumulated
  if (forecast.scanned || !Number.isNaN(accumulated)) columns.precip_probability[h] = amount >= MEASURABLE ? 100 : 0
  if (amount !== before || !Number.isNaN(accumulated)) setAmount(forecast, h, amount, 0, precipType[h]!, undefined)
  fillFrozenOfPassed(columns, h, precipType[h]!)
}

/**
 * Makes the sky of a row consistent with the precipitation at its time, which is observed or in a wet step of the
 * nowcast.
 */
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

/** Steps for a place without a nowcast. They assume that the observed precipitation continues for half an hour. */
function continuedSteps({ rate }: PresentWeather, now: Instant): NowcastPoint[] {
  const type = 'unknown' as const
  return Array.from({ length: 6 }, (_, i) => ({ time: now + i * STEP_MS, type, rate, dbz: 0 }))
}

/**
 * A step of the nowcast and its share of a row, 0 to 1: the part of the row that it covers, multiplied by its weight.
 */
interface RowStep {
  readonly step: NowcastPoint
  readonly share: number
}

/**
 * Returns the steps that determine a row's probability, including the step that covers now. Their weight decreases with
 * lead; minutes of the row without a step have no weight.
 */
function stepsOf(points: readonly NowcastPoint[], time: Instant, now: Instant): RowStep[] {
  const from = Math.max(now, time - HOUR)
  const covered = points.filter((point) => point.time + STEP_MS > from && point.time < time)
  return covered.map((step) => {
    const [begin, end] = [Math.max(from, step.time), Math.min(time, step.time + STEP_MS)]
    const weight = Math.max(0, 1 - ((begin + end) / 2 - now) / BLEND_END)
    return { step, share: ((end - begin) / (time - from)) * weight }
  })
}

/** @returns the probability of the nowcast, percent */
function blendProbability(
  { columns }: Draft,
  h: number,
  weight: number,
  steps: readonly RowStep[],
  present: PresentWeather | undefined,
  expected: number,
): number {
  const odds = measurableProbability(steps, weight, present, expected)
  const model = columns.precip_probability[h]!
  columns.precip_probability[h] = Math.round(Number.isNaN(model) ? odds : weight * odds + (1 - weight) * model)
  return odds
}

/**
 * Raises the chance of the running hour to that of precipitation which is observed now.
 * @param amount what has been measured and what the nowcast brings in the whole hour, mm
 */
function raiseToObserved(
  { precip_probability }: Draft['columns'],
  h: number,
  steps: readonly NowcastPoint[],
  now: Instant,
  amount: number,
) {
  const next = steps.filter(({ time }) => time + STEP_MS > now && time < now + CONTINUING_MS)
  const goesOn = next.every(({ type }) => type !== 'none')
  const least = goesOn ? OBSERVED_PROBABILITY : ENDING_PROBABILITY
  precip_probability[h] = Math.max(precip_probability[h]!, least, Math.round(measurableChance(amount)))
}

/**
 * Adds the model's chance for the minutes of the running hour that have passed without a measurement: the row is of the
 * whole hour.
 * @param model the model's chance for the hour, percent
 * @param passed rates of the passed minutes
 */
function addUnmeasured(
  { precip_probability }: Draft['columns'],
  h: number,
  model: number,
  passed: Readonly<Float64Array>,
): void {
  const unmeasured = passed.filter(Number.isNaN).length
  if (!(model > 0) || unmeasured === 0) return
  const dry = (1 - model / 100) ** (unmeasured / 60) * (1 - precip_probability[h]! / 100)
  precip_probability[h] = Math.round(100 * (1 - dry))
}

/** A row with at least a tenth of an inch (mm) from steps of the nowcast has at least this chance (percent). */
const TENTH_OF_AN_INCH = 2.54
const CHANCE_OF_TENTH = 25

/**
 * Raises the chance of a row to the least that its words may have beside its amount, or that a row may have in which a
 * step of the nowcast is wet.
 */
function raiseToAmount({ precip_probability, precip_amount }: Draft['columns'], h: number, hasWetStep: boolean): void {
  const amount = precip_amount[h]!
  const ofSteps = hasWetStep ? SHOWN_PROBABILITY : 0
  const least = amount >= TENTH_OF_AN_INCH ? CHANCE_OF_TENTH : amount >= MEASURABLE ? TYPE_PROBABILITY : ofSteps
  if (precip_probability[h]! < least) precip_probability[h] = least
}

/** The types of a row's steps, each weighted by its probability. The observed type replaces that of the first step. */
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
 * @param likeliest the type if anything falls; NONE if only the probabilities of types determine it
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
  let amount = present ? Math.max(newAmount || 0, TRACE) : newAmount
  if (amount < TRACE || Number.isNaN(amount)) amount = 0
  columns.precip_amount[h] = amount
  const leastProbability = amount >= SHOWN_AMOUNT ? SHOWN_PROBABILITY : amount > 0 ? 1 : 0
  const probability = Math.max(columns.precip_probability[h]!, leastProbability)
  columns.precip_probability[h] = probability
  let type: number = NONE
  if (present) type = typeAtSurface(present.type, columns.temperature[h]!, columns.humidity[h]!)
  else if (probability >= TYPE_PROBABILITY || amount >= TYPE_AMOUNT) {
    type = likeliest === NONE ? likeliestType(columns, h) : likeliest
    type = typeAtSurface(type, columns.temperature[h]!, columns.humidity[h]!)
  }
  precipType[h] = type
  if (type !== likeliestType(columns, h)) moveToType(columns, h, type, 1)
  scaleFrozen(columns, h, before, type)
  // In proportion to the weight of the radar, freezing rain has no snow and snow has no ice.
  const excluded = type === FREEZING_RAIN ? columns.snow_amount : type === SNOW ? columns.ice_amount : undefined
  if (excluded && excluded[h]! > 0) excluded[h] = excluded[h]! * (1 - weight)
  alignSnow(columns, h)
}

/** Least measurable amount of an hour, mm, and how sharply an expected amount decides whether it is reached. */
const MEASURABLE = 0.254
const SHARPNESS = 5
/** Chance (percent) that an hour with an expected amount (mm) has a measurable one. */
const measurableChance = (amount: number) => 100 / (1 + (MEASURABLE / amount) ** SHARPNESS)

/** Most percentage points by which the chance of a row may differ from the weighted mean of its steps and the model. */
const MAX_DIFFERENCE = 14

/**
 * Probability (percent) that an hour has a measurable amount. Steps give the probability of 0.1 mm/h or more; the
 * amount decides, as far as a reader of both would not be misled.
 * @param expected amount of the whole hour, mm; if NaN, the mean rate of the steps stands for it
 */
function measurableProbability(
  steps: readonly RowStep[],
  weight: number,
  present: PresentWeather | undefined,
  expected: number,
): number {
  let [wetProbability, rate] = [0, 0]
  for (const [i, { step, share }] of steps.entries()) {
    const observed = i === 0 ? present : undefined
    const part = share / weight
    wetProbability += part * (observed ? 100 : (step.probability ?? (step.type === 'none' ? 0 : 100)))
    rate += part * (observed?.rate ?? step.rate ?? 0)
  }
  if (present && steps.length === 0) [wetProbability, rate] = [100, present.rate]
  const most = MAX_DIFFERENCE / weight
  const chance = measurableChance(Number.isNaN(expected) ? rate : expected)
  return Math.min(100, wetProbability + most, Math.max(0, wetProbability - most, chance))
}

/**
 * Blends observed thunder into a row. In the running hour observed thunder counts in full.
 * @param lead lead of the middle of the remaining part of the hour, ms
 */
function blendThunder({ columns, first }: Draft, h: number, lead: number, present: PresentWeather): boolean {
  const isStorm = h === first && present.source === 'radar' && present.type !== NONE && present.thunderstorm
  const thunder = isStorm ? 100 : present.thunder
  const weight = 1 - lead / BLEND_END
  if (Number.isNaN(thunder) || weight <= 0) return false
  const model = columns.thunderstorm_probability[h]!
  const blended = Number.isNaN(model) ? thunder : weight * thunder + (1 - weight) * model
  columns.thunderstorm_probability[h] = Math.round(h === first ? Math.max(thunder, blended) : blended)
  return true
}
