import {
  FREEZING_RAIN,
  NONE,
  SNOW,
  TYPE_AMOUNT,
  TYPE_PROBABILITY,
  typeAtSurface,
  UNKNOWN,
} from '../../ingest/domain/precip-type.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import type { NowcastAtPoint, NowcastPoint } from '../contract.ts'
import { closeFrozen, TRACE } from './closure.ts'
import type { Forecast, PresentWeather } from './columns.ts'
import { codeOf } from './present-weather.ts'
import { moveToType } from './type-probabilities.ts'

/** The model has its whole weight back at this lead. */
export const BLEND_END = 120 * MINUTE
/** Rows that begin before that: the current hour and two more. */
const BLENDED_ROWS = 3
/** The row of the current hour describes this interval from now on. */
const CURRENT_ROW_MS = 30 * MINUTE
/** Percent, at least, of the current hour while precipitation is observed and goes on for 30 minutes, and where it ends before. */
const OBSERVED_PROBABILITY = 80
const ENDING_PROBABILITY = 60

/**
 * Blends what radar and lightning networks report into the first rows: weight 1 now, 0 at 120 minutes. Columns are changed in place.
 * @returns the rows that were changed, first and last
 */
export function blendNowcast(
  forecast: Forecast,
  present: PresentWeather,
  nowcast: NowcastAtPoint | undefined,
  now: Instant,
): { first: number; last: number } | undefined {
  const wet = present.source === 'radar' && present.type !== NONE
  let changed: { first: number; last: number } | undefined
  for (let k = 0; k < BLENDED_ROWS && forecast.now + k < forecast.count; k++) {
    const h = forecast.now + k
    const time = forecast.start + h * HOUR
    const weight = 1 - Math.max(0, time - now) / BLEND_END
    if (weight <= 0) break
    const steps = nowcast ? stepsOf(nowcast.points, k, time, now) : []
    const observed = wet && k <= 1
    const rain = observed || steps.length > 0
    if (rain && k === 0) forecast.nowFromRadar = true
    if (rain) blendRain(forecast, h, weight, steps, observed ? present : undefined)
    const thunder = blendThunder(forecast, h, weight, present)
    if (rain || thunder) changed = { first: changed?.first ?? h, last: h }
  }
  forecast.present = present
  return changed
}

/** Steps with radar coverage within the interval of a row, including the step that covers now. */
function stepsOf(points: readonly NowcastPoint[], k: number, time: Instant, now: Instant): NowcastPoint[] {
  const to = k === 0 ? now + CURRENT_ROW_MS : time
  const from = k <= 1 ? (points.findLast((point) => point.time <= now)?.time ?? now) - 1 : time - HOUR
  return points.filter((point) => point.time > from && point.time <= to && point.type !== 'no_coverage')
}

function blendRain(
  forecast: Forecast,
  h: number,
  weight: number,
  steps: readonly NowcastPoint[],
  present: PresentWeather | undefined,
): void {
  const { columns, precipType } = forecast
  const mix = (seen: number, model: number) => (Number.isNaN(model) ? seen : weight * seen + (1 - weight) * model)
  const rates = steps.map(({ rate }) => rate ?? 0)
  if (present && rates.length > 0) rates[0] = present.rate
  const rate = rates.length > 0 ? rates.reduce((a, b) => a + b, 0) / rates.length : present!.rate
  const odds = measurable(steps, rate, present)
  const before = columns.precip_amount[h]!
  let probability = Math.round(mix(odds, columns.precip_probability[h]!))
  const ofNow = present && h === forecast.now
  if (ofNow) {
    const goesOn = steps.every(({ type }) => type !== 'none')
    probability = Math.max(goesOn ? OBSERVED_PROBABILITY : ENDING_PROBABILITY, probability)
  }
  let amount = mix(rate, before)
  if (ofNow) amount = Math.max(amount, TRACE)
  if (amount < TRACE || Number.isNaN(amount)) amount = 0
  if (amount > 0 && probability === 0) probability = 1
  columns.precip_probability[h] = probability
  columns.precip_amount[h] = amount
  forecast.bounds.precipitation[h] = 0
  const wettest = steps.filter(({ type }) => type !== 'none').sort((a, b) => (b.rate ?? 0) - (a.rate ?? 0))[0]
  const model = precipType[h]!
  let type: number = NONE
  if (ofNow) type = present.type
  else if (probability >= TYPE_PROBABILITY || amount >= TYPE_AMOUNT) {
    type = present?.type ?? (wettest ? codeOf(wettest.type) : model === NONE ? UNKNOWN : model)
    type = typeAtSurface(type, columns.temperature[h]!, columns.humidity[h]!)
  }
  precipType[h] = type
  if (present || wettest || type !== model) moveToType(columns, h, type, weight)
  closeFrozen(columns, h, before, type)
  // By as much as the radar decides it, freezing rain brings no snow and snow no ice.
  const other = type === FREEZING_RAIN ? columns.snow_amount : type === SNOW ? columns.ice_amount : undefined
  if (other && other[h]! > 0) other[h] = other[h]! * (1 - weight)
}

/** mm in an hour from which precipitation is measurable, and how sharply the nowcast's rate decides on it. */
const MEASURABLE = 0.254
const SHARPNESS = 3
/** Share of its probability that a stretch without rain at the point itself has. */
const NEARBY = 0.35

/** Percent: that a stretch is wet by a measurable amount. Steps are likely to be wet from 0.1 mm/h on, which is less. */
function measurable(steps: readonly NowcastPoint[], rate: number, present: PresentWeather | undefined): number {
  const sum = steps.reduce((total, { probability, type }, i) => {
    if (i === 0 && present) return total + 100
    return total + (probability ?? (type === 'none' ? 0 : 100))
  }, 0)
  const wet = steps.length > 0 ? sum / steps.length : 100
  const enough = 1 / (1 + (MEASURABLE / rate) ** SHARPNESS)
  return wet * (NEARBY + (1 - NEARBY) * enough)
}

function blendThunder({ columns, bounds }: Forecast, h: number, weight: number, { thunder }: PresentWeather): boolean {
  if (Number.isNaN(thunder)) return false
  const model = columns.thunderstorm_probability[h]!
  columns.thunderstorm_probability[h] = Math.round(
    Number.isNaN(model) ? thunder : weight * thunder + (1 - weight) * model,
  )
  bounds.thunder[h] = 0
  return true
}
