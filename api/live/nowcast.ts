import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { rateOf, reflectivityOf, WET_RATE } from '../../ingest/domain/weather/echo.ts'
import { STRETCH } from '../../ingest/nowcast/advection.ts'
import { nowcastBoxes, nowcastSteps, originsOf, spreadOf } from '../../ingest/nowcast/point.ts'
import { type StepType, summarise } from '../../ingest/nowcast/summary.ts'
import { fallenType } from '../../ingest/nowcast/surface-type.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import type { Frame, FrameView } from '../../ingest/tile/frame-read.ts'
import type { MetaWarning, NowcastAtPoint, NowcastPoint, PointAt } from '../contract.ts'
import type { RadarFrames } from './frames.ts'
import { FLAG, freshnessOf, MAX_SCAN_SKEW_MS, RATE, REFLECTIVITIES, SCAN_MAX_AGE_MS } from './radar.ts'
import type { Current } from './served-runs.ts'
import { surfaceAir } from './surface-air.ts'

const WITHOUT_MOTION = new Fault('Missing', 'nowcast: no radar scan with echo motion is available')

/**
 * The supplier of the nowcast at a point.
 * @throws Fault Missing without a scan of the last 15 minutes; `details.stale` is true if an older scan exists
 */
export function nowcastAt(
  radar: RadarFrames,
  current: Pick<Current, 'served'>,
): (at: PointAt) => Promise<NowcastAtPoint> {
  return async (at) => {
    const motion = await radar.motion(at.domain)
    if (!motion) throw WITHOUT_MOTION
    const { anchor, product, from, grid } = motion.head
    const { calibration } = motion.nodes
    const age = at.now - anchor
    if (age > SCAN_MAX_AGE_MS) {
      const detail = `the newest radar scan is ${Math.round(age / MINUTE)} minutes old`
      throw new Fault('Missing', `nowcast: ${detail}; the nowcast needs a scan of the last 15 minutes`, {
        stale: true,
        product,
      })
    }
    const pixel = pixelOf(grid, at.lat, at.lon)
    const origins = originsOf(motion.nodes, pixel)
    const spread = spreadOf(grid)
    const [scan, flag, echo] = await Promise.all([
      radar.at(product, at.domain, anchor),
      frameNear(radar, FLAG, at, anchor),
      echoFrame(radar, at, anchor),
    ])
    const boxes = nowcastBoxes(origins, spread)
    const narrow = nowcastBoxes(origins, { least: 0, perMinute: 0 })
    const [view, flags, echoes] = await Promise.all([scan.load(boxes), flag?.load(narrow), echo?.load(narrow)])
    const rates = rateReader(scan, view)
    const steps = nowcastSteps(origins, rates, spread, motion.nodes)
    const air = steps.some(({ rate }) => rate >= WET_RATE) ? await surfaceAir(current, at.cell, at.domain, anchor) : {}
    const points = steps.map(({ minutes, origin, rate, change, probability }): NowcastPoint => {
      const x = Math.round(origin.x)
      const y = Math.round(origin.y)
      const code = flags?.code(x, y) ?? 0
      const type: StepType = Number.isNaN(rate)
        ? 'no_coverage'
        : rate >= WET_RATE
          ? fallenType(flag && code >= 2 ? flag.value(code) : undefined, air)
          : 'none'
      return {
        time: anchor + minutes * MINUTE,
        type,
        rate: Number.isNaN(rate) ? undefined : rate,
        dbz: Number.isNaN(rate) ? 0 : dbzOf(rate, change, echo, echoes?.code(x, y) ?? 0),
        probability: Number.isNaN(probability) ? undefined : 100 * probability,
      }
    })
    return {
      anchor,
      product,
      points,
      summary: summarise(
        points.map(({ time, type, rate }) => ({ time, type, rate: rate ?? 0 })),
        STRETCH,
        at.now,
      ),
      warnings: warningsOf(points, from.length),
      freshness: [freshnessOf({ product, validTime: anchor })],
      ...(calibration && { calibration: { firstDay: calibration.firstDay, lastDay: calibration.lastDay } }),
    }
  }
}

/**
 * Returns the frame of a product that belongs to the scan at the anchor: the frame of the same time, otherwise the
 * newest frame within the allowed difference of time.
 */
async function frameNear(
  radar: RadarFrames,
  product: string,
  at: PointAt,
  anchor: Instant,
): Promise<Frame | undefined> {
  const time = radar.newestTime(product, at.domain)
  if (time === undefined) return undefined
  const exact = time > anchor ? await radar.find(product, at.domain, anchor) : undefined
  if (exact) return exact
  return Math.abs(time - anchor) <= MAX_SCAN_SKEW_MS ? radar.newest(product, at.domain) : undefined
}

async function echoFrame(radar: RadarFrames, at: PointAt, anchor: Instant): Promise<Frame | undefined> {
  for (const product of REFLECTIVITIES) {
    const frame = await frameNear(radar, product, at, anchor)
    if (frame) return frame
  }
  return undefined
}

/** Returns a function that reads the rate of a pixel, mm/h, from a scan of rate or reflectivity; NaN without coverage. */
function rateReader(scan: Frame, view: FrameView): (x: number, y: number) => number {
  const isRate = scan.head.product === RATE
  return (x, y) => {
    const code = view.code(x, y)
    if (code === 0) return Number.NaN
    if (code === 1) return 0
    const value = scan.value(code)
    return isRate ? value : rateOf(value)
  }
}

/**
 * Reflectivity, dBZ: that of the scan plus its change since then, or derived from the rate if there is no scan of
 * reflectivity.
 */
function dbzOf(rate: number, change: number, echo: Frame | undefined, code: number): number {
  if (echo && code >= 2) return Math.max(0, Math.round(2 * (echo.value(code) + change)) / 2)
  if (echo && code === 1 && rate < WET_RATE) return 0
  return rate > 0 ? Math.max(0, Math.round(2 * reflectivityOf(rate)) / 2) : 0
}

function warningsOf(points: readonly NowcastPoint[], frames: number): MetaWarning[] {
  const warnings: MetaWarning[] = []
  if (points.every(({ type }) => type === 'no_coverage')) {
    warnings.push({
      code: 'no_coverage',
      section: 'nowcast',
      detail: 'no radar covers the area from which echoes would arrive here',
    })
  }
  if (frames < 2) {
    const detail = 'only one scan is available: echoes are treated as stationary'
    warnings.push({ code: 'degraded', section: 'nowcast', detail })
  }
  return warnings
}
