import type { Instant } from '../../ingest/domain/time.ts'
import type { OpenRun } from '../../ingest/tile/read.ts'

const latest = new WeakMap<OpenRun, Instant | undefined>()

/** The last valid time of a run. */
export function latestOf(run: OpenRun): Instant | undefined {
  let found = latest.get(run)
  if (found === undefined) {
    for (const { times } of run.variables.values()) {
      const last = times[times.length - 1]
      if (last !== undefined && !(last <= found!)) found = last
    }
    latest.set(run, found)
  }
  return found
}
