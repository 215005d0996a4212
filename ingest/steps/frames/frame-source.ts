import type { FrameDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import type { Quarantined } from '../../domain/quarantine.ts'
import type { Instant } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Pool } from '../pool-tasks.ts'

export interface FramePorts {
  readonly upstream: Upstream
  readonly objects: Objects
  readonly database: Database
  readonly pool: Pool
  /** Stores rejected files; without it, only the frame's row has the reason. */
  readonly quarantine?: (entry: Quarantined) => Promise<void>
  /** Called after rows were added to the outbox, so that the relay publishes them now. */
  readonly notify?: () => void
}

/** Result of a sweep of a dataset. */
export interface FrameOutcome {
  readonly dataset: string
  readonly published: readonly { readonly domain: DomainId; readonly time: Instant }[]
  /** Names of frames that were superseded before they were fetched. */
  readonly superseded: readonly string[]
  /** Invalid files with the reasons. */
  readonly rejected: readonly string[]
  /** Domains that could not be listed, with the reasons; the next sweep tries again. */
  readonly failures: readonly string[]
  /**
   * Whether a domain had no stored frame before. Its past frames are then fetched after the newest frames of the other
   * sources.
   */
  readonly isFirst?: boolean
}

/** A mutable outcome to which the domains of a dataset add. */
export interface DomainOutcome {
  readonly published: FrameOutcome['published'][number][]
  readonly superseded: string[]
  readonly rejected: string[]
  readonly failures: string[]
  isFirst?: boolean
}

/** Verifies the nowcast against the frame of a domain at this time. */
export type Judge = (domain: DomainId, time: Instant) => void

/** A source of observed frames (radar, lightning, storms), found by listing. Every sweep is idempotent. */
export interface FrameSource<D extends FrameDataset = FrameDataset> {
  readonly dataset: D
  /** Fetches and publishes frames that are newer than the served frames. */
  sweep(ports: FramePorts, dataset: D, now: Instant): Promise<FrameOutcome>
  /** Derives data from new frames: motion, for which it fetches missing earlier frames, and totals of past hours. */
  followUp?(ports: FramePorts, dataset: D, now: Instant, sweep: FrameOutcome, judge: Judge): Promise<FrameOutcome>
}
