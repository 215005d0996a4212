import type { AlertFeed } from '../../decode/alert/record.ts'
import type { AlertHead } from '../../domain/alert/alert.ts'

/** A read of a second source of alerts. */
export interface SecondRead {
  readonly feed: AlertFeed
  /** Heads of listed messages that are stored; they are not read again. */
  readonly standing: readonly AlertHead[]
  /** Why the read does not confirm the feed: some listed messages are not read yet. Later sweeps read them. */
  readonly doubt?: string
  /** Whether an alert may still be in force although the source does not list its message. */
  readonly addsOnly?: boolean
  /** Seconds since a cache received or confirmed this copy (header Age). */
  readonly ageSeconds?: number
}
