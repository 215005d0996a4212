import type { Instant } from '../../ingest/domain/time.ts'
import type { ClimateStation, StationNormals } from '../../ingest/domain/weather/climate.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import type { FeedAge, Suppliers } from '../contract.ts'
import type { Current } from './served-runs.ts'
import type { ServedStates } from './served-states.ts'

/**
 * Reads the normals of the first of these stations that has temperatures, from upstream if they are not stored yet.
 * `bin` injects the function, because the API imports no decoder. @returns undefined if none of the stations has
 * temperatures
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
  /** Announces changes; if absent, changes are detected only by polling. */
  readonly events?: Events | undefined
  readonly clock: () => Instant
  /** The served runs, and the generations of cached answers, which a source increments when its data have changed. */
  readonly current: Current
  /**
   * Seconds between reads of a feed, by id of its dataset; a feed without an entry uses the interval of its dataset.
   */
  readonly feedPollSeconds: Readonly<Record<string, number>>
  /** Returns true if this installation ingests a dataset; if absent, it ingests all. */
  readonly takes?: (dataset: string) => boolean
  /** Records which state of the database is served; if absent, nothing is recorded. */
  readonly states?: ServedStates
  /** If absent, only stored normals are used. */
  readonly normals?: NormalsReader
  /** Logs a failed read, for example `report('alerts could not be read')(error)`. */
  report(message: string): (error: unknown) => void
}

/** A source of current data (alerts, outlooks, radar, observations), read from the database and object store and kept in memory. */
export interface LiveSource {
  /** Functions that supply its data at a point to the sections. */
  readonly suppliers: Suppliers
  /** When each of its datasets was last confirmed, for `/readyz` and `/v1/catalog`. */
  ages?(now: Instant): readonly FeedAge[]
  /** Notes for the operator, shown in `/readyz`. */
  notes?(now: Instant): readonly string[]
  /** Reads new data now, without waiting for the next poll. */
  read?(): Promise<void>
  close?(): Promise<void>
}
