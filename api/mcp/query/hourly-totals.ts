import { AMOUNTS } from '../../../ingest/domain/dataset/history.ts'
import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import { pixelOf } from '../../../ingest/tile/frame.ts'
import { type Frame, stateOfCode } from '../../../ingest/tile/frame-read.ts'
import type { PointAt } from '../../contract.ts'
import type { RadarFrames } from '../../live/frames.ts'

/** Hourly totals corrected with more gauges, an hour or two late, and the first pass, 20 minutes after the hour. */
export const [HOURLY_TOTALS, HOURLY_TOTALS_PASS1] = AMOUNTS

/** The total of one hour at a point. */
export interface HourTotal {
  readonly state: 'no_coverage' | 'dry' | 'value'
  readonly mm: number
  readonly pass: 1 | 2
}

/** A sum of consecutive hours. */
export interface WindowTotal {
  /** `partial` if not every hour is stored; the amount is then absent. */
  readonly coverage: 'value' | 'dry' | 'no_coverage' | 'partial'
  readonly mm: number
  readonly hours: number
  /** Hours of the window that are stored. */
  readonly stored: number
  /** 1 if any hour is from the first pass. */
  readonly pass: 1 | 2
}

/** Returns hourly totals at a point, mm, the hour that ends at `end` first; undefined for an hour of which neither pass is stored. */
export async function hourlyTotals(
  radar: RadarFrames,
  at: PointAt,
  end: Instant,
  hours: number,
): Promise<(HourTotal | undefined)[]> {
  const totals: (HourTotal | undefined)[] = []
  for (let hour = 0; hour < hours; hour++) totals.push(await hourTotal(radar, at, end - hour * HOUR))
  return totals
}

async function hourTotal(radar: RadarFrames, at: PointAt, end: Instant): Promise<HourTotal | undefined> {
  for (const [product, pass] of [
    [HOURLY_TOTALS, 2],
    [HOURLY_TOTALS_PASS1, 1],
  ] as const) {
    const newest = radar.newestTime(product, at.domain)
    const frame = newest !== undefined && end <= newest ? await radar.find(product, at.domain, end) : undefined
    if (frame) return { ...(await valueAt(frame, at)), pass }
  }
  return undefined
}

async function valueAt(frame: Frame, { lat, lon }: PointAt): Promise<Omit<HourTotal, 'pass'>> {
  const pixel = pixelOf(frame.head.grid, lat, lon)
  const [x, y] = [Math.round(pixel.x), Math.round(pixel.y)]
  const code = (await frame.load([{ left: x, top: y, right: x, bottom: y }])).code(x, y)
  const state = stateOfCode(code)
  return { state, mm: state === 'value' ? (frame.value(code) ?? 0) : 0 }
}

export function sumOf(totals: readonly (HourTotal | undefined)[]): WindowTotal {
  const stored = totals.filter((total) => total !== undefined)
  const totalWith = (coverage: WindowTotal['coverage'], mm = 0): WindowTotal => ({
    coverage,
    mm,
    hours: totals.length,
    stored: stored.length,
    pass: stored.some(({ pass }) => pass === 1) ? 1 : 2,
  })
  if (stored.some(({ state }) => state === 'no_coverage')) return totalWith('no_coverage')
  if (stored.length < totals.length) return totalWith('partial')
  const isWet = stored.some(({ state }) => state === 'value')
  return totalWith(
    isWet ? 'value' : 'dry',
    stored.reduce((sum, { mm }) => sum + mm, 0),
  )
}
