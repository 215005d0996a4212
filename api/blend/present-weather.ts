import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { WET_RATE } from '../../ingest/domain/weather/echo.ts'
import { NONE, type PrecipWord, precipTypes, typeAtSurface, UNKNOWN } from '../../ingest/domain/weather/precip-type.ts'
import type { LightningAtPoint, NowcastAtPoint, NowcastPoint, RadarAtPoint } from '../contract.ts'
import type { Forecast, PresentWeather } from './columns.ts'

/** Lightning probability (percent) and distance of a flash (km) from which rain is called a thunderstorm. */
const MIN_STORM_PROBABILITY = 50
const MAX_STORM_DISTANCE_KM = 10
/** Percent: flashes within 30 km make thunder possible; it has not come here yet. */
const FLASHES_AROUND = 40
/** Percent at least within the polygon of a warning of a thunderstorm, where it rains and where it does not rain yet. */
const WARNED_AND_WET = 80
const WARNED_AND_DRY = 40
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
  /** Whether a tornado or severe thunderstorm warning is in force at the point: forecasters see the storm. */
  readonly warnedStorm: boolean
}

export function presentWeather(inputs: PresentInputs): PresentWeather {
  const falling = observedBy(inputs) ?? expectedBy(inputs)
  const { source, rate } = falling
  const type = falling.wet ? typeAtSurface(falling.type, inputs.temperature, inputs.humidity) : NONE
  const wet = type !== NONE
  return { source, type, rate: wet ? rate : 0, thunder: thunderOf(inputs, wet), thunderstorm: stormOf(inputs) }
}

/** Index of the row whose interval contains now: it ends at the next full hour. */
export function runningHour(forecast: Forecast, now: Instant): number {
  return Math.min(forecast.count - 1, forecast.now + (now % HOUR === 0 ? 0 : 1))
}

interface Falling {
  readonly source: PresentWeather['source']
  readonly wet: boolean
  readonly type: number
  readonly rate: number
}

function observedBy({ radar, nowcast, now }: PresentInputs): Falling | undefined {
  if (radar && radar.coverage !== 'no_coverage') {
    const rate = radar.precipRate ?? 0
    const wet = radar.coverage === 'value' && rate >= WET_RATE
    return { source: 'radar', wet, type: codeOf(radar.precipType), rate }
  }
  const step = nowcast && stepAt(nowcast.points, now)
  if (!step || step.type === 'no_coverage') return undefined
  return { source: 'radar', wet: step.type !== 'none', type: codeOf(step.type), rate: step.rate ?? 0 }
}

function expectedBy({ forecast, now }: PresentInputs): Falling {
  if (!forecast) return { source: 'none', wet: false, type: NONE, rate: 0 }
  const h = runningHour(forecast, now)
  const rate = forecast.columns.precip_amount[h]!
  const wet = forecast.columns.precip_probability[h]! >= MIN_MODEL_PROBABILITY && rate > 0
  return { source: 'model', wet, type: forecast.precipType[h]!, rate }
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

/** Percent; NaN where neither lightning networks nor warnings know of any. */
function thunderOf({ lightning, warnedStorm }: PresentInputs, wet: boolean): number {
  const seen = seenBy(lightning)
  if (!warnedStorm) return seen
  return Math.max(wet ? WARNED_AND_WET : WARNED_AND_DRY, Number.isNaN(seen) ? 0 : seen)
}

function seenBy(lightning: LightningAtPoint | undefined): number {
  if (strikesHere(lightning)) return 100
  if ((lightning?.flashes ?? 0) > 0) return Math.max(FLASHES_AROUND, lightning?.probability ?? 0)
  if (lightning?.probability !== undefined) return lightning.probability
  return lightning?.flashes !== undefined || lightning?.density !== undefined ? 0 : Number.NaN
}

/** Outside the coverage of lightning networks the model decides, from 50 %. */
function stormOf({ lightning, forecast, warnedStorm }: PresentInputs): boolean {
  if (warnedStorm) return true
  if (Number.isNaN(seenBy(lightning))) {
    return forecast !== undefined && forecast.columns.thunderstorm_probability[forecast.now]! >= MIN_STORM_PROBABILITY
  }
  return strikesHere(lightning) || (lightning?.probability ?? 0) >= MIN_STORM_PROBABILITY
}

function strikesHere(lightning: LightningAtPoint | undefined): boolean {
  const { density = 0, flashes = 0, nearestKm = Number.POSITIVE_INFINITY } = lightning ?? {}
  return density > 0 || (flashes > 0 && nearestKm <= MAX_STORM_DISTANCE_KM)
}
