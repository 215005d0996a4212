import { pause } from '../../ingest/domain/pacer.ts'
import { dayTable, hasDayTable } from '../../ingest/domain/sky/ephemeris.ts'
import { DAY, type Instant } from '../../ingest/domain/time.ts'

/**
 * Computes sun and moon for the days of a period in advance, with pauses: sixteen days take 100 ms on a slow machine.
 */
export async function skyOfDays(from: Instant, to: Instant): Promise<void> {
  const first = Math.floor(from / DAY) - 1
  const missing = Array.from({ length: Math.floor(to / DAY) + 2 - first }, (_, i) => first + i).filter(
    (day) => !hasDayTable(day),
  )
  for (const day of missing) {
    await pause()
    dayTable(day)
  }
}
