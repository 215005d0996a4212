import type { Instant } from '../../ingest/domain/time.ts'
import type { ServedStates } from '../live/served-states.ts'

/**
 * Maximum number of builds of one answer while sources change. After a pause of the process, the first read of each of
 * a dozen sources counts as a change.
 */
const MAX_ATTEMPTS = 12
/**
 * Time limit of repeated builds, ms. An answer for many places takes seconds, and while runs arrive sources change more
 * often than that.
 */
const MAX_REMAKING_MS = 2000

/**
 * Builds an answer from data of a single instant. If a source changes during the build, the answer is built again for
 * the instant after the change, for at most two seconds. A request with `as_of` and that instant therefore reads the
 * same data.
 */
export async function ofOneMoment<T>(
  states: Pick<ServedStates, 'changes' | 'changedAt'> | undefined,
  requestedAt: Instant,
  build: (now: Instant) => Promise<T>,
): Promise<T> {
  const until = performance.now() + MAX_REMAKING_MS
  for (let attempt = 1; ; attempt++) {
    const changes = states?.changes
    const answer = await build(Math.max(requestedAt, states?.changedAt ?? 0))
    if (states?.changes === changes || attempt === MAX_ATTEMPTS || performance.now() > until) return answer
  }
}
