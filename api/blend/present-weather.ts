import { nth } from '../../ingest/domain/nth.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { WET_RATE } from '../../ingest/domain/weather/echo.ts'
import { NONE, type PrecipWord, precipTypes, typeAtSurface, UNKNOWN } from '../../ingest/domain/weather/precip-type.ts'
import type { LightningAtPoint, NowcastAtPoint, NowcastPoint, RadarAtPoint } from '../contract.ts'
import type { Forecast, PresentWeather } from './columns.ts'

/**
 * Minimum lightning probability (percent), and maximum distance of a flash (km), at which rain is reported as a
 * thunderstorm.
 */
const MIN_STORM_PROBABILITY = 50
const MAX_STORM_DISTANCE_KM = 10
/** Probability of thunder (percent) while there are flashes within 30 km but none at the point. */
const FLASHES_AROUND = 40
/**
 * Minimum probability of thunder (percent) within the polygon of a thunderstorm warning, while it rains and while it
 * does not rain yet.
 */
const WARNED_AND_WET = 80
const WARNED_AND_DRY = 40
/** Minimum probability of precipitation (percent) at which the model's hour counts as wet now. */
const MIN_MODEL_PROBABILITY = 50

export interface PresentInputs {
  readonly now: Instant
  readonly radar: RadarAtPoint | undefined
  readonly lightning: LightningAtPoint | undefined
  readonly nowcast: NowcastAtPoint | undefined
  readonly forecast: Forecast | undefined
  /** Air at the point: K and percent; NaN if not known. */
  readonly temperature: number
  readonly humidity: number
  /**
   * Whether a tornado or severe thunderstorm warning is in force at the point, which means that forecasters see the
   * storm.
   */
  readonly warnedStorm: boolean
}

/** Returns what falls at the point now, and whether it thunders. */
export function presentWeather(inputs: PresentInputs): PresentWeather {
  const precipitation = observedPrecipitation(inputs) ?? expectedPrecipitation(inputs)
  const { source, rate } = precipitation
  const type = precipitation.wet ? typeAtSurface(precipitation.type, inputs.temperature, inputs.humidity) : NONE
  const wet = type !== NONE
  return { source, type, rate: wet ? rate : 0, thunder: thunderOf(inputs, wet), thunderstorm: stormOf(inputs) }
}

interface Precipitation {
  readonly source: PresentWeather['source']
  readonly wet: boolean
  readonly type: number
  readonly rate: number
}

function observedPrecipitation({ radar, nowcast, now }: PresentInputs): Precipitation | undefined {
  if (radar && radar.coverage !== 'no_coverage') {
    const rate = radar.precipRate ?? 0
    const wet = radar.coverage === 'value' && rate >= WET_RATE
    return { source: 'radar', wet, type: codeOf(radar.precipType), rate }
  }
  const step = nowcast && stepAt(nowcast.points, now)
  if (!step || step.type === 'no_coverage') return undefined
  return { source: 'radar', wet: step.type !== 'none', type: codeOf(step.type), rate: step.rate ?? 0 }
}

function expectedPrecipitation({ forecast }: PresentInputs): Precipitation {
  if (!forecast) return { source: 'none', wet: false, type: NONE, rate: 0 }
  const h = forecast.first
  const rate = nth(forecast.columns.precip_amount, h)
  const wet = nth(forecast.columns.precip_probability, h) >= MIN_MODEL_PROBABILITY && rate > 0
  return { source: 'model', wet, type: nth(forecast.precipType, h), rate }
}

/** Returns the last step at or before `time`. */
export function stepAt(points: readonly NowcastPoint[], time: Instant): NowcastPoint | undefined {
  return points.findLast((point) => point.time <= time)
}

/** Returns the code of a wet type; the code of `unknown` if the word is absent or not a wet type. */
export function codeOf(word: string | undefined): number {
  const code = precipTypes.indexOf((word ?? 'unknown') as PrecipWord)
  return code > NONE ? code : UNKNOWN
}

/** Probability of thunder, percent; NaN if there is no warning and no lightning network covers the point. */
function thunderOf({ lightning, warnedStorm }: PresentInputs, wet: boolean): number {
  const observed = observedThunder(lightning)
  if (!warnedStorm) return observed
  return Math.max(wet ? WARNED_AND_WET : WARNED_AND_DRY, Number.isNaN(observed) ? 0 : observed)
}

function observedThunder(lightning: LightningAtPoint | undefined): number {
  if (strikesHere(lightning)) return 100
  if ((lightning?.flashes ?? 0) > 0) return Math.max(FLASHES_AROUND, lightning?.probability ?? 0)
  if (lightning?.probability !== undefined) return lightning.probability
  return lightning?.flashes !== undefined || lightning?.density !== undefined ? 0 : Number.NaN
}

/**
 * Whether rain is reported as a thunderstorm. Outside the coverage of lightning networks the model decides, from 50 %
 * on.
 */
function stormOf({ lightning, forecast, warnedStorm }: PresentInputs): boolean {
  if (warnedStorm) return true
  if (Number.isNaN(observedThunder(lightning))) {
    return (
      forecast !== undefined && nth(forecast.columns.thunderstorm_probability, forecast.first) >= MIN_STORM_PROBABILITY
    )
  }
  return strikesHere(lightning) || (lightning?.probability ?? 0) >= MIN_STORM_PROBABILITY
}

function strikesHere(lightning: LightningAtPoint | undefined): boolean {
  const { density = 0, flashes = 0, nearestKm = Number.POSITIVE_INFINITY } = lightning ?? {}
  return density > 0 || (flashes > 0 && nearestKm <= MAX_STORM_DISTANCE_KM)
}
