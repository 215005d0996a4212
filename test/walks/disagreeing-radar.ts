import type {
  AlertAtPoint,
  AlertsAtPoint,
  LightningAtPoint,
  NowcastAtPoint,
  PointAt,
  RadarAtPoint,
  Suppliers,
} from '../../api/contract.ts'
import { precipRateAt, weatherAt } from '../../infra/simulator/atmosphere.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { WET_RATE } from '../../ingest/domain/weather/echo.ts'
import { summarise } from '../../ingest/nowcast/summary.ts'
import { fallenType } from '../../ingest/nowcast/surface-type.ts'

/**
 * Radar, nowcast and lightning that disagree with the models. The place determines in which of four ways: the
 * simulator's weather displaced by half a degree; rain exactly where the model is dry, and none where it is wet; a scan
 * and an older nowcast that contradict each other; no coverage. Alerts are in force for heavy rain and, at some places,
 * for dry ground ahead of it.
 */

type Point = Pick<PointAt, 'lat' | 'lon' | 'now'>

const none = { warnings: [], freshness: [], degraded: false } as const
const MODES = ['displaced', 'opposite', 'older nowcast', 'opposite', 'unseen', 'displaced'] as const
/** Degrees. */
const DISPLACED = 0.6
/** Rates from barely wet to a cloudburst, mm/h, and how long each lasts, minutes. */
const RATES = [0.1, 0.4, 2, 12, 60]
const LASTS = [0, 15, 40, 90]

/** Returns a number that depends on the place alone. */
const seedOf = ({ lat, lon }: Point) => Math.abs(Math.round(lat * 1000) * 31 + Math.round(lon * 1000) * 17)
const modeOf = (at: Point) => nth(MODES, seedOf(at) % MODES.length)
const rounded = (rate: number) => (rate < WET_RATE ? 0 : Math.round(rate * 10) / 10)

function scanRate(at: Point, time: Instant): number {
  if (modeOf(at) !== 'opposite') return rounded(precipRateAt(at.lat, at.lon + DISPLACED, time))
  if (precipRateAt(at.lat, at.lon, at.now) >= WET_RATE) return 0
  const seed = seedOf(at)
  const lasts = nth(LASTS, Math.floor(seed / 7) % LASTS.length) * MINUTE
  return time - at.now <= lasts ? nth(RATES, Math.floor(seed / 41) % RATES.length) : 0
}

function nowcastRate(at: Point, time: Instant): number {
  if (modeOf(at) !== 'older nowcast') return scanRate(at, time)
  return rounded(precipRateAt(at.lat, at.lon - DISPLACED, time)) || (seedOf(at) % 5 === 0 ? 3 : 0)
}

function typeAt({ lat, lon }: Point, time: Instant) {
  const air = weatherAt(lat, lon, time)
  return fallenType(air.temperature < 275 ? 3 : 1, { temperature: air.temperature, wetBulb: air.temperature - 1 })
}

/** The alert ends half an hour from now; its times have the same form as in an answer. */
function stormWarning(now: Instant, event: string): AlertAtPoint {
  const [onset, ends] = [now - 5 * MINUTE, now + 30 * MINUTE]
  const time = (at: Instant) => new Date(at).toISOString()
  const head = { id: 'walk', event, severity: 'Severe', urgency: 'Immediate', certainty: 'Observed' }
  const rest = { ...head, onset: time(onset), ends: time(ends), expires: time(ends) }
  return { ...head, onset, ends, expiration: ends, rest, full: () => rest }
}

export const disagreeing: Suppliers = {
  async alerts(at): Promise<AlertsAtPoint> {
    const warned = seedOf(at) % 4 === 0 || scanRate(at, at.now - 3 * MINUTE) > 20
    const event = seedOf(at) % 2 === 0 ? 'Severe Thunderstorm Warning' : 'Tornado Warning'
    return { alerts: warned ? [stormWarning(at.now, event)] : [], ...none }
  },
  async radar(at): Promise<RadarAtPoint> {
    const scan = at.now - 3 * MINUTE
    const about = { validTime: scan, scanTime: scan, reflectivityProduct: 'mrms-reflectivity', ...none }
    if (modeOf(at) === 'unseen') return { ...about, coverage: 'no_coverage' }
    const rate = scanRate(at, scan)
    if (rate === 0) {
      const precip24h = seedOf(at) % 3 === 0 ? 0 : 4
      return { ...about, coverage: 'dry', precipRate: 0, precipType: 'none', precip24h }
    }
    return { ...about, coverage: 'value', precipRate: rate, precipType: typeAt(at, scan), precip24h: 12 }
  },
  async nowcast(at): Promise<NowcastAtPoint> {
    const anchor = at.now - (modeOf(at) === 'older nowcast' ? 11 : 3) * MINUTE
    const points = Array.from({ length: 19 }, (_, step) => {
      const time = anchor + step * 5 * MINUTE
      if (modeOf(at) === 'unseen') return { time, type: 'no_coverage' as const, dbz: 0 }
      const rate = nowcastRate(at, time)
      const type = rate > 0 ? typeAt(at, time) : ('none' as const)
      return { time, type, rate, dbz: rate > 0 ? 30 : 0, probability: rate > 0 ? 100 - 2 * step : 2 * step }
    })
    const steps = points.map(({ time, type, rate }) => ({ time, type, rate: rate ?? 0 }))
    const summary = summarise(steps, 5, at.now)
    return { anchor, product: 'mrms-precip-rate', points, summary, warnings: [], freshness: [] }
  },
  async scans(at) {
    const newest = at.now - 3 * MINUTE
    const times = Array.from({ length: 14 }, (_, i) => newest - (13 - i) * 10 * MINUTE)
    // At some places no totals are stored, as in the first minutes after a start.
    const stored = seedOf(at) % 4 === 1 || modeOf(at) === 'unseen' ? [] : times
    const since = async (from: Instant) =>
      stored.filter((time) => time > from - 10 * MINUTE).map((time) => ({ time, rate: scanRate(at, time) }))
    return { since }
  },
  async lightning(at): Promise<LightningAtPoint> {
    const rate = scanRate(at, at.now - 3 * MINUTE)
    // There is also lightning beside the rain, because a storm may pass at 20 km from a dry point.
    const beside = seedOf(at) % 9 === 0
    const flashes = rate > 6 ? 12 : rate > 2 || beside ? 1 : 0
    const probability = rate > 6 ? 100 : rate > 2 || beside ? 40 : 0
    return { flashes, nearestKm: rate > 6 ? 4 : 22, density: rate > 10 ? 0.2 : 0, probability, ...none }
  },
}
