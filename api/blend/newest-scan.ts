import type { Instant } from '../../ingest/domain/time.ts'
import { reflectivityOf, WET_RATE } from '../../ingest/domain/weather/echo.ts'
import { STRETCH } from '../../ingest/nowcast/advection.ts'
import { type StepType, summarise } from '../../ingest/nowcast/summary.ts'
import type { NowcastAtPoint, NowcastPoint, RadarAtPoint } from '../contract.ts'

/**
 * Replaces the nowcast step that covers now by the newest scan. The step is that scan or an older scan moved by up to
 * 15 minutes, and may contradict `radar` and `current`.
 */
export function withNewestScan(nowcast: NowcastAtPoint, radar: RadarAtPoint | undefined, now: Instant): NowcastAtPoint {
  const { points } = nowcast
  const at = points.findLastIndex(({ time }) => time <= now)
  const step = at < 0 ? undefined : points[at]
  if (!step || radar?.scanTime === undefined || radar.coverage === 'no_coverage') return nowcast
  const rate = radar.coverage === 'value' ? (radar.precipRate ?? 0) : 0
  const wet = rate >= WET_RATE
  if (step.type !== 'no_coverage' && wet === (step.type !== 'none')) return nowcast
  const observed: NowcastPoint = {
    time: step.time,
    type: wet ? wetType(radar, points) : 'none',
    rate: wet ? rate : 0,
    dbz: wet ? (radar.reflectivity ?? Math.round(2 * reflectivityOf(rate)) / 2) : 0,
    probability: wet ? 100 : 0,
  }
  const changed = points.with(at, observed)
  const steps = changed.map(({ time, type, rate: of }) => ({ time, type, rate: of ?? 0 }))
  return { ...nowcast, points: changed, summary: summarise(steps, STRETCH, now) }
}

/** The type in the scan; if the scan has none, the type of the first wet step. */
function wetType({ precipType }: RadarAtPoint, points: readonly NowcastPoint[]): StepType {
  if (precipType === 'ice_pellets') return 'wintry_mix'
  if (precipType && precipType !== 'none') return precipType
  return points.find(({ type }) => type !== 'none' && type !== 'no_coverage')?.type ?? 'unknown'
}
