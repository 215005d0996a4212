import type { Quarantined } from '../../domain/quarantine.ts'
import type { Instant } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Upstream } from '../../ports/upstream.ts'

export interface SecondSources {
  /** Atom index of the active alerts. */
  readonly alerts?: string
  /** Folder of the hourly files of METARs, ending with a slash. */
  readonly metar?: string
}

/** Dependencies of a sweep. */
export interface FeedDeps {
  readonly database: Database
  readonly upstream: Upstream
  readonly objects: Objects
  readonly clock: () => Instant
  /** Rows were added to the outbox: the relay may publish them now. */
  readonly notify?: () => void
  /** Addresses that are read while the first source of a feed fails; absent: none. */
  readonly secondSources?: SecondSources
  /** Records what is not published; absent: only the feed's state has it. Never called within a transaction. */
  readonly quarantine?: (entry: Quarantined) => Promise<void>
}

export interface FeedOutcome {
  /** Lines for the operator: what changed, what was rejected and why. Empty: nothing to report. */
  readonly notes: readonly string[]
  /** When stored rows next expire by themselves: `expire` is called then, also while upstream is unreachable. */
  readonly nextExpiration?: Instant
  /** Ids of feeds to sweep next: alerts name zones whose geometry is not loaded yet. */
  readonly sweepNext?: readonly string[]
}

/**
 * A source that is read by conditional requests and has no runs: alerts, outlooks, observations, texts. Every sweep is idempotent: a read,
 * a
 * pure decision, and one transaction with the rows, the events (outbox) and the feed's state.
 */
export interface Feed {
  /** Id of the dataset in the catalog; a supporting feed (`zones`) has another id. */
  readonly id: string
  /** Rows in `feed_state` belong to the feed where they have this name or begin with it and a slash. */
  readonly stateKey: string
  readonly pollSeconds: number
  /** Swept also where `DATASETS` does not list it: answers depend on it. */
  readonly required?: boolean
  /** @throws Fault, or any error: the feed then counts as failed and is retried at the next tick */
  sweep(deps: FeedDeps): Promise<FeedOutcome>
  /** Expires rows by the database's clock. */
  expire?(deps: FeedDeps): Promise<Pick<FeedOutcome, 'nextExpiration'>>
  /** Removes rows that are no longer needed. @returns how many */
  retire?(deps: FeedDeps): Promise<number>
}
