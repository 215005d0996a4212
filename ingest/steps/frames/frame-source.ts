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
  /** Records what is not published; absent: only the frame's row has it. */
  readonly quarantine?: (entry: Quarantined) => Promise<void>
  /** Rows were added to the outbox: the relay may publish them now. */
  readonly notify?: () => void
}

/** Result of one sweep of a dataset. */
export interface FrameOutcome {
  readonly dataset: string
  readonly published: readonly { readonly domain: DomainId; readonly time: Instant }[]
  /** Names of frames that were superseded before they were fetched. */
  readonly superseded: readonly string[]
  /** Invalid files, each with the reason. */
  readonly rejected: readonly string[]
  /** Domains that could not be listed, each with the reason; the next sweep tries again. */
  readonly failures: readonly string[]
  /** Nothing was stored in a domain before: what follows comes after the newest frames of the other sources. */
  readonly isFirst?: boolean
}

/** An outcome that the domains of a dataset add to. */
export interface DomainOutcome {
  readonly published: FrameOutcome['published'][number][]
  readonly superseded: string[]
  readonly rejected: string[]
  readonly failures: string[]
  isFirst?: boolean
}

/** Verifies the nowcast with the frame of a domain at a time. */
export type Judge = (domain: DomainId, time: Instant) => void

/** A source of observed frames (radar, lightning, storms), found by listing. Every sweep is idempotent. */
export interface FrameSource<D extends FrameDataset = FrameDataset> {
  readonly dataset: D
  /** Fetches and publishes what is newer than the served frames. */
  sweep(ports: FramePorts, dataset: D, now: Instant): Promise<FrameOutcome>
  /** Makes what new frames allow: motion with the frames it needs, and totals of past hours. */
  followUp?(ports: FramePorts, dataset: D, now: Instant, sweep: FrameOutcome, judge: Judge): Promise<FrameOutcome>
}
