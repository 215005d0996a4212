import { WET_RATE } from '../../ingest/domain/echo.ts'
import { NONE, type PrecipWord, precipTypes, typeAtSurface, UNKNOWN } from '../../ingest/domain/precip-type.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { LightningAtPoint, NowcastAtPoint, NowcastPoint, RadarAtPoint } from '../contract.ts'
import type { Forecast, PresentWeather } from './columns.ts'

/** Lightning probability (percent) and distance of a flash (km) from which rain is called a thunderstorm. */
const MIN_STORM_PROBABILITY = 50
const MAX_STORM_DISTANCE_KM = 10
/** Percent: flashes within 30 km make thunder possible; it has not come here yet. */
const FLASHES_AROUND = 40
/** A model's probability of precipitation from which its hour counts as wet now, percent. */
const MIN_MODEL_PROBABILITY = 50

export interface PresentInputs {
  readonly now: Instant
  readonly radar: RadarAtPoint | undefined
  readonly lightning: LightningAtPoint | undefined
  readonly nowcast: NowcastAtPoint | undefined
  readonly forecast: Forecast | undefined
  /** Air at the point: K, percent; NaN where not known. */
  readonly temperature: number
  readonly humidity: number
}

export function presentWeather(inputs: PresentInputs): PresentWeather {
  const { forecast, now, lightning } = inputs
  const thunder = thunderOf(lightning)
  const observed = observedBy(inputs)
  if (observed) {
    const type = observed.wet ? typeAtSurface(observed.type, inputs.temperature, inputs.humidity) : NONE
    return {
      source: 'radar',
      type,
      rate: observed.wet ? observed.rate : 0,
      thunder,
      thunderstorm: stormOf(lightning, forecast),
    }
  }
  if (!forecast) return { source: 'none', type: NONE, rate: 0, thunder, thunderstorm: stormOf(lightning, forecast) }
  const h = runningHour(forecast, now)
  const amount = forecast.columns.precip_amount[h]!
  const wet = forecast.columns.precip_probability[h]! >= MIN_MODEL_PROBABILITY && amount > 0
  const type = wet ? typeAtSurface(forecast.precipType[h]!, inputs.temperature, inputs.humidity) : NONE
  return {
    source: 'model',
    type,
    rate: type === NONE ? 0 : amount,
    thunder,
    thunderstorm: stormOf(lightning, forecast),
  }
}

/** Index of the row whose interval contains now: it ends at the next full hour. */
export function runningHour(forecast: Forecast, now: Instant): number {
  return Math.min(forecast.count - 1, forecast.now + (now % HOUR === 0 ? 0 : 1))
}

function observedBy({ radar, nowcast, now }: PresentInputs): { wet: boolean; type: number; rate: number } | undefined {
  if (radar && radar.coverage !== 'no_coverage') {
    const rate = radar.precipRate ?? 0
    const wet = radar.coverage === 'value' && rate >= WET_RATE
    return { wet, type: codeOf(radar.precipType), rate }
  }
  const step = nowcast && stepAt(nowcast.points, now)
  if (!step || step.type === 'no_coverage') return undefined
  return { wet: step.type !== 'none', type: codeOf(step.type), rate: step.rate ?? 0 }
}

/** The last step that is not after `time`. */
export function stepAt(points: readonly NowcastPoint[], time: Instant): NowcastPoint | undefined {
  return points.findLast((point) => point.time <= time)
}

/** A wet type's code; `unknown` where none is given. */
export function codeOf(word: string | undefined): number {
  const code = precipTypes.indexOf((word ?? 'unknown') as PrecipWord)
  return code > NONE ? code : UNKNOWN
}

function thunderOf(lightning: LightningAtPoint | undefined): number {
  if (strikesHere(lightning)) return 100
  if ((lightning?.flashes ?? 0) > 0) return Math.max(FLASHES_AROUND, lightning?.probability ?? 0)
  if (lightning?.probability !== undefined) return lightning.probability
  return lightning?.flashes !== undefined || lightning?.density !== undefined ? 0 : Number.NaN
}

/** Outside the coverage of lightning networks the model decides, from 50 %. */
function stormOf(lightning: LightningAtPoint | undefined, forecast: Forecast | undefined): boolean {
  if (Number.isNaN(thunderOf(lightning))) {
    return forecast !== undefined && forecast.columns.thunderstorm_probability[forecast.now]! >= MIN_STORM_PROBABILITY
  }
  return strikesHere(lightning) || (lightning?.probability ?? 0) >= MIN_STORM_PROBABILITY
}

function strikesHere(lightning: LightningAtPoint | undefined): boolean {
  const { density = 0, flashes = 0, nearestKm = Number.POSITIVE_INFINITY } = lightning ?? {}
  return density > 0 || (flashes > 0 && nearestKm <= MAX_STORM_DISTANCE_KM)
}
