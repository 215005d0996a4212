import type { Instant } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Upstream } from '../../ports/upstream.ts'

/** What a sweep of a feed may use. */
export interface FeedDeps {
  readonly database: Database
  readonly upstream: Upstream
  readonly objects: Objects
  readonly clock: () => Instant
  /** Rows were added to the outbox: the relay may publish them at once. */
  readonly notify?: () => void
}

export interface FeedOutcome {
  /** Lines for the operator: what changed, what was rejected and why. Empty: nothing to report. */
  readonly notes: readonly string[]
  /** When stored rows next end by themselves: `expire` is called then, also while upstream is away. */
  readonly nextExpiration?: Instant
  /** Ids of feeds to sweep right away: alerts name zones whose shapes are not loaded yet. */
  readonly sweepNext?: readonly string[]
}

/**
 * What is read by conditional requests and has no runs: alerts, outlooks, observations, texts. Every sweep is idempotent: a read, a
 * pure decision, and one transaction with the rows, the events (outbox) and the feed's state.
 */
export interface Feed {
  /** Id of the dataset in the catalog; a supporting feed (`zones`) has an id of its own. */
  readonly id: string
  /** Rows in `feed_state` belong to the feed where they are this name or begin with it and a slash. */
  readonly stateKey: string
  readonly pollSeconds: number
  /** Swept also where `DATASETS` does not list it: no answer is right without it. */
  readonly required?: boolean
  /** @throws Fault, or any error: the feed then counts as failed and is retried at the next tick */
  sweep(deps: FeedDeps): Promise<FeedOutcome>
  /** Ends what is over by the database's clock. */
  expire?(deps: FeedDeps): Promise<Pick<FeedOutcome, 'nextExpiration'>>
  /** Removes rows that nobody reads any more. @returns how many */
  retire?(deps: FeedDeps): Promise<number>
}
