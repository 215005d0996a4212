import { nth } from '../nth.ts'
import type { QuarantineReason } from '../quarantine.ts'
import type { MonitorHour } from './air-quality.ts'

const POLLUTANTS = ['pm25', 'ozone', 'pm10'] as const

/** Minimum number of monitors whose median is representative. */
const MIN_MONITORS = 30
/** Maximum change of the national median within an hour. At a single monitor, ozone may double in a morning hour. */
const MAX_FACTOR = 2.5
/** Index that is added to both indexes, so that small values such as 2 and 5 count as similar. */
const CALM_INDEX = 10
const MIN_SHARE_WITH_VALUE = 0.2

export interface PollutantDoubt {
  readonly variable: string
  readonly reason: QuarantineReason
  readonly detail: string
}

/**
 * Returns the pollutants of a file that are not plausible next to the previous hour at the same monitors: another scale, another column, or
 * no values. They are removed from every row.
 */
export function withoutDoubtful(
  rows: readonly MonitorHour[],
  before: readonly MonitorHour[],
): { readonly rows: readonly MonitorHour[]; readonly doubts: readonly PollutantDoubt[] } {
  const known = new Map(rows.map((row) => [row.id, row]))
  const doubts: PollutantDoubt[] = []
  for (const name of POLLUTANTS) {
    const expected = before.flatMap((row) => {
      const old = row[name]
      return old === null ? [] : [{ old, now: known.get(row.id)?.[name] ?? null }]
    })
    if (expected.length < MIN_MONITORS) continue
    const factors = expected.flatMap(({ old, now }) => (now === null ? [] : (now + CALM_INDEX) / (old + CALM_INDEX)))
    if (factors.length < expected.length * MIN_SHARE_WITH_VALUE) {
      const detail = `${name}: expected values of about ${expected.length} monitors, but found ${factors.length}`
      doubts.push({ variable: name, reason: 'missing', detail })
      continue
    }
    const median = nth(
      factors.sort((a, b) => a - b),
      factors.length >> 1,
    )
    if (median < MAX_FACTOR && median > 1 / MAX_FACTOR) continue
    const detail = `${name}: values are ${median.toFixed(1)} times those of the previous hour at ${factors.length} monitors, which is not plausible`
    doubts.push({ variable: name, reason: 'jump', detail })
  }
  if (doubts.length === 0) return { rows, doubts }
  const without = Object.fromEntries(doubts.map(({ variable }) => [variable, null]))
  return { rows: rows.map((row) => ({ ...row, ...without })), doubts }
}
