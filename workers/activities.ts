import type { Config } from '../ingest/config.ts'
import type { DomainId } from '../ingest/domain/domain.ts'
import type { Instant } from '../ingest/domain/time.ts'
import type { ForecastReader } from '../ingest/domain/verification/forecast.ts'
import type { Lineage } from '../ingest/ports/lineage.ts'
import type { Upstream } from '../ingest/ports/upstream.ts'
import type { SecondSources } from '../ingest/steps/feeds/feed.ts'
import type { RunPorts } from '../ingest/steps/grid/grid-run.ts'
import type { PlannedFile } from '../ingest/steps/grid/plan.ts'
import type { FilesDone, StageStep } from '../ingest/steps/grid/run-loop.ts'

export interface RunInput {
  readonly dataset: string
  /** Domains that are processed together: more than one if an upstream file contains several. */
  readonly domains: readonly DomainId[]
  /** Reference time of the run, such as `2026-08-20T12Z`. */
  readonly run: string
  /** Runs with a higher urgency are processed first. */
  readonly urgency?: number
  /**
   * Set for a run that is older than the served run. Its files that upstream still has are processed after all newer
   * work, and it is stored without being served.
   */
  readonly past?: true
  /** Set if one of the domains has no served run yet. The later stages then do not wait for the first stages of other datasets. */
  readonly unserved?: true
}

/** The activities that workflows call. Each takes and returns plain data and is idempotent. */
export interface Activities {
  /** Lists the runs to process now. `attempt` distinguishes further work on a run whose first workflow has ended. */
  newRuns(input: {
    dataset: string
    past?: true
  }): Promise<readonly (Omit<RunInput, 'dataset'> & { attempt?: string })[]>
  planStage(input: RunInput & { stage: number }): Promise<StageStep>
  /** `progress` is for displays: the files of the stage that were sampled when this step began. */
  sampleFile(input: RunInput & { stage: number; file: PlannedFile; progress?: FilesDone }): Promise<void>
  /**
   * Builds the tiles of a stage, validates and publishes it. If a file is corrupt and upstream may still replace it,
   * the stage is not published yet and `again` gives the reason.
   */
  publishStage(input: RunInput & { stage: number }): Promise<{ last: boolean; again?: string }>
  /** Fetches and publishes the new frames of a family. */
  sweepFrames(input: { dataset: string }): Promise<void>
  /**
   * Reads a feed once. `expiresAt` is when stored rows next expire; `sweepNext` lists the feeds to read after this one.
   */
  sweepFeed(input: { dataset: string }): Promise<{ expiresAt: Instant | null; sweepNext: readonly string[] }>
  /** Expires rows without reading upstream. */
  expireFeed(input: { dataset: string }): Promise<{ expiresAt: Instant | null }>
  /** Records late runs, and counts the minutes in which each dataset is fresh. */
  checkLateness(): Promise<void>
  /** Checks once a day whether upstream has what ingestion expects. */
  checkUpstream(): Promise<void>
  /** Stores the served forecasts at the stations, once an hour, for verification. */
  issueForecasts(): Promise<void>
  /** Compares the stored forecasts for days that have ended with the observations. */
  scoreDays(): Promise<void>
  /** Removes data that is no longer needed. */
  retire(): Promise<void>
}

/** Dependencies of the activities, and the callbacks of a worker. */
export interface ActivityDeps extends RunPorts {
  readonly upstream: Upstream
  readonly config: Config
  readonly clock: () => Instant
  readonly secondSources?: SecondSources
  /** Whether the weather is simulated, in which case upstream is not checked. */
  readonly simulated?: boolean
  /** If absent, no lineage events are sent. */
  readonly lineage?: Lineage
  /** Reads the served forecasts for verification. If absent, no forecasts are stored. */
  readonly forecasts?: ForecastReader
  /** Called when a step begins, progresses or ends, for the display. */
  note(step: StepNote): void
}

/** A progress message of a step. */
export interface StepNote {
  readonly step: string
  readonly dataset?: string
  readonly domain?: string
  readonly run?: string
  /** Number of the run's stage that was published. */
  readonly stage?: number
  /** Text for the operator. */
  readonly detail?: string
  /** Number of files that were finished since the last log line. */
  readonly done?: number
  /** Files of the stage. */
  readonly total?: number
}
