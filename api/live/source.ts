import type { Instant } from '../../ingest/domain/time.ts'
import type { ClimateStation, StationNormals } from '../../ingest/domain/weather/climate.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import type { FeedAge, Suppliers } from '../contract.ts'
import type { Current } from './served-runs.ts'
import type { ServedStates } from './served-states.ts'

/**
 * The normals of the first of these stations that has temperatures, read from upstream where they are not stored yet. Injected by `bin`,
 * because the API imports no decoder.
 */
export type NormalsReader = (
  from: { readonly objects: Objects; readonly database: Database; readonly simulated: boolean },
  stations: readonly ClimateStation[],
  signal: AbortSignal,
) => Promise<StationNormals | undefined>

/** Dependencies of a live source. */
export interface LiveDeps {
  readonly database: Database
  readonly objects: Objects
  /** Absent: changes are found by polling alone. */
  readonly events?: Events | undefined
  readonly clock: () => Instant
  /** Served runs, and the cache generations that a source increments when its data have changed. */
  readonly current: Current
  /** Seconds between reads of a feed by id of its dataset; where absent the dataset's own. */
  readonly feedPollSeconds: Readonly<Record<string, number>>
  /** Whether this installation takes a dataset; absent: all. */
  readonly takes?: (dataset: string) => boolean
  /** Absent: what is served is not recorded. */
  readonly states?: ServedStates
  /** Absent: only normals that are stored are given. */
  readonly normals?: NormalsReader
  /** Logs a failed read: `report('alerts could not be read')(error)`. */
  report(what: string): (error: unknown) => void
}

/** Current data (alerts, outlooks, radar, observations), read from the stores of the workers and kept in memory. */
export interface LiveSource {
  /** Its data at a point for the sections, under the names of `Suppliers`. */
  readonly suppliers: Suppliers
  /** When each of its datasets was last confirmed: for `/readyz` and `/v1/catalog`. */
  ages?(now: Instant): readonly FeedAge[]
  /** Notes for the operator, in `/readyz`. */
  notes?(now: Instant): readonly string[]
  /** Reads what is new, now. */
  read?(): Promise<void>
  close?(): Promise<void>
}
