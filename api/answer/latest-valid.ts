import type { Instant } from '../../ingest/domain/time.ts'
import type { OpenRun } from '../../ingest/tile/read.ts'

const latest = new WeakMap<OpenRun, Instant | undefined>()

/** The last valid time of a run; undefined if it has no variables. */
export function latestOf(run: OpenRun): Instant | undefined {
  let newest = latest.get(run)
  if (newest === undefined) {
    for (const { times } of run.variables.values()) {
      const last = times.at(-1)
      if (last !== undefined && (newest === undefined || last > newest)) newest = last
    }
    latest.set(run, newest)
  }
  return newest
}
