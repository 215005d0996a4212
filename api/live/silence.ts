import type { Dataset, GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { newestPrefix } from '../../ingest/domain/dataset/prefix.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { dueOf, type Expectation, NOTHING_SERVED } from '../../ingest/domain/run/lateness.ts'
import { type Instant, isoSeconds, SECOND } from '../../ingest/domain/time.ts'
import type { FrameSweep } from '../../sql/queries/frame-sweeps.ts'

/** The known state of the listings of a dataset in a domain. */
export interface ListingFacts {
  readonly now: Instant
  /** When the freshness of the dataset was first checked. */
  readonly watchedSince: Instant | undefined
  /** Reference time of the newest run or frame that was listed, published or not. */
  readonly newest: Instant | undefined
  readonly sweep: FrameSweep | undefined
  readonly expectation: (stage: number) => Expectation
}

/** Why nothing new arrives from a source. */
export interface SourceProblem {
  readonly since: Instant
  readonly detail: string
  /** Whether the listings have no new key, although the source answers. */
  readonly silent: boolean
}

/**
 * Upper limit, s: a sweep (listing and reading the new frames of a source) ends within four minutes, and its activity
 * within five.
 */
const MAX_SWEEP_SECONDS = 300

/**
 * Returns why no new run or frame arrives: the source does not answer, the sweep does not end, or its listings have had
 * no key since the start or for longer than the age limit of the dataset.
 */
export function sourceProblem(dataset: Dataset, domain: DomainId, facts: ListingFacts): SourceProblem | undefined {
  const { now, sweep } = facts
  if (sweep?.failing_since) return { since: sweep.failing_since.getTime(), detail: sweep.failure ?? '', silent: false }
  const running = sweep?.running_seconds ?? 0
  if (running > MAX_SWEEP_SECONDS) {
    const detail = `the search for new frames has run for ${Math.round(running)} s and should end within ${MAX_SWEEP_SECONDS} s; restart the worker`
    return { since: now - running * SECOND, detail, silent: false }
  }
  return silence(dataset, domain, facts)
}

function silence(dataset: Dataset, domain: DomainId, facts: ListingFacts): SourceProblem | undefined {
  const { now, newest, watchedSince } = facts
  const staleMs = dataset.staleAfterSeconds * SECOND
  const place = newestPrefix(dataset, domain, now)
  if (!place) return undefined
  const where = (key: string) =>
    `the bucket ${place.bucket} lists ${key} of ${dataset.id}/${domain} under ${place.prefix}`
  const todo = 'check that a worker is running and that the key has not moved (`hexcast doctor --live`)'
  if (newest !== undefined) {
    if (now - newest <= staleMs) return undefined
    const detail = `${where('no new key')}, and the newest listed key is of ${isoSeconds(newest)}; ${todo}`
    return { since: newest + staleMs, detail, silent: true }
  }
  if (watchedSince === undefined || !isOverdue(dataset, domain, facts, watchedSince)) return undefined
  return {
    since: watchedSince,
    detail: `${where('no key')}, and has listed none since the start; ${todo}`,
    silent: true,
  }
}

/** Returns whether a run or frame should have arrived since the start. */
function isOverdue(
  dataset: Dataset,
  domain: DomainId,
  { now, expectation }: ListingFacts,
  watchedSince: Instant,
): boolean {
  if (dataset.kind === 'frame') return now - watchedSince > dataset.staleAfterSeconds * SECOND
  const due = dueOf(dataset as GridDataset, domain, NOTHING_SERVED, expectation, now)
  return (
    due.some(({ lateAt }) => lateAt > watchedSince && lateAt <= now) ||
    now - watchedSince > dataset.staleAfterSeconds * SECOND
  )
}
