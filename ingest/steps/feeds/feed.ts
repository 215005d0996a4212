import type { Quarantined } from '../../domain/quarantine.ts'
import type { Instant } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Upstream } from '../../ports/upstream.ts'

export interface SecondSources {
  /** Addresses of second sources of the active alerts, in the order in which they are read: Atom indices and map services. */
  readonly alerts?: readonly string[]
  /** Address of the folder of hourly METAR files, ending with a slash. */
  readonly metar?: string
}

/** Dependencies of a sweep. */
export interface FeedDeps {
  readonly database: Database
  readonly upstream: Upstream
  readonly objects: Objects
  readonly clock: () => Instant
  /** Called after rows were added to the outbox, so that the relay publishes them now. */
  readonly notify?: () => void
  /** Addresses that are read while the first source of a feed fails; none by default. */
  readonly secondSources?: SecondSources
  /** Stores rejected documents and rows; without it, only the feed's state has the reason. It is never called within a transaction. */
  readonly quarantine?: (entry: Quarantined) => Promise<void>
}

export interface FeedOutcome {
  /** Lines for the operator with changes, rejections and reasons; empty if there is nothing to report. */
  readonly notes: readonly string[]
  /** When stored rows expire next. `expire` is called at that time, even while upstream is unreachable. */
  readonly nextExpiration?: Instant
  /** Ids of feeds to sweep next, such as `zones` after alerts named zones without geometry. */
  readonly sweepNext?: readonly string[]
}

/**
 * A source that is read by conditional requests and has no runs: alerts, outlooks, observations, texts. Every sweep is idempotent. It has a
 * read, a pure decision, and one transaction with the rows, the events (outbox) and the feed's state.
 */
export interface Feed {
  /** Id of the dataset in the catalog; a supporting feed (`zones`) has another id. */
  readonly id: string
  /** A row of `feed_state` belongs to the feed if its name equals this, or begins with this and a slash. */
  readonly stateKey: string
  readonly pollSeconds: number
  /** Whether the feed is swept even if `DATASETS` does not list it, because answers depend on it. */
  readonly required?: boolean
  /** @throws Fault or any other error; the feed then counts as failed and is retried at the next tick */
  sweep(deps: FeedDeps): Promise<FeedOutcome>
  /** Expires rows by the database's clock. */
  expire?(deps: FeedDeps): Promise<Pick<FeedOutcome, 'nextExpiration'>>
  /** Removes rows that are no longer needed. @returns their number */
  retire?(deps: FeedDeps): Promise<number>
}
