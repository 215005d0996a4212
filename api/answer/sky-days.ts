import { dayTable, hasDayTable } from '../../ingest/domain/ephemeris.ts'
import type { MaybePromise } from '../../ingest/domain/maybe-promise.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { DAY, type Instant } from '../../ingest/domain/time.ts'

/** Makes sun and moon of a period's days before they are needed, with pauses: those of sixteen days take 100 ms on a slow machine. */
export function skyOfDays(from: Instant, to: Instant): MaybePromise<void> {
  const first = Math.floor(from / DAY) - 1
  const missing = Array.from({ length: Math.floor(to / DAY) + 2 - first }, (_, i) => first + i).filter(
    (day) => !hasDayTable(day),
  )
  return missing.length === 0 ? undefined : build(missing)
}

async function build(days: readonly number[]): Promise<void> {
  for (const day of days) {
    await pause()
    dayTable(day)
  }
}
