import type { Instant } from '../../ingest/domain/time.ts'
import type { ServedStates } from '../live/served-states.ts'

/**
 * Answers that are made in the place of one during which a source changed. After a pause of the process the first read of each of a dozen
 * sources counts as a change.
 */
const MAX_ATTEMPTS = 12
/** ms; one of many places takes seconds, and sources change more often than that while runs come in. */
const MAX_REMAKING_MS = 2000

/**
 * An answer of one moment: one during which a source changed is made again, for the instant after the change, for two seconds at most. So
 * `as_of` its instant finds what it was made of.
 */
export async function ofOneMoment<T>(
  states: Pick<ServedStates, 'changes' | 'changedAt'> | undefined,
  asked: Instant,
  make: (now: Instant) => Promise<T>,
): Promise<T> {
  const until = performance.now() + MAX_REMAKING_MS
  for (let attempt = 1; ; attempt++) {
    const changes = states?.changes
    const answer = await make(Math.max(asked, states?.changedAt ?? 0))
    if (states?.changes === changes || attempt === MAX_ATTEMPTS || performance.now() > until) return answer
  }
}
