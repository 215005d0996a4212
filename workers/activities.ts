import type { Config } from '../ingest/config.ts'
import type { DomainId } from '../ingest/domain/domain.ts'
import type { Instant } from '../ingest/domain/time.ts'
import type { ForecastReader } from '../ingest/domain/verification/forecast.ts'
import type { Lineage } from '../ingest/ports/lineage.ts'
import type { Upstream } from '../ingest/ports/upstream.ts'
import type { SecondSources } from '../ingest/steps/feeds/feed.ts'
import type { RunPorts } from '../ingest/steps/grid/grid-run.ts'
import type { PlannedFile } from '../ingest/steps/grid/plan.ts'
import type { StageStep } from '../ingest/steps/grid/run-loop.ts'

export interface RunInput {
  readonly dataset: string
  /** Domains that are processed together: several where one upstream file contains them. */
  readonly domains: readonly DomainId[]
  /** `2026-08-20T12Z` */
  readonly run: string
  /** Higher values run first, where the engine has priorities. */
  readonly urgency?: number
  /** A run before the served one: stored beside it, with what upstream has of it, after all newer work. */
  readonly past?: true
}

/** The activities as workflows see them: plain data in, plain data out, each idempotent. */
export interface Activities {
  /** Runs to work on now. `attempt` distinguishes further work on a run whose first workflow has ended. */
  newRuns(input: {
    dataset: string
    past?: true
  }): Promise<readonly (Omit<RunInput, 'dataset'> & { attempt?: string })[]>
  planStage(input: RunInput & { stage: number }): Promise<StageStep>
  sampleFile(input: RunInput & { stage: number; file: PlannedFile }): Promise<void>
  /** Builds the tiles of a stage, validates and publishes it. `again`: a file is corrupt and may still be replaced. */
  publishStage(input: RunInput & { stage: number }): Promise<{ last: boolean; again?: string }>
  sweepFrames(input: { dataset: string }): Promise<void>
  /** One sweep of a feed. `expiresAt`: when stored rows next expire by themselves. */
  sweepFeed(input: { dataset: string }): Promise<{ expiresAt: Instant | null; sweepNext: readonly string[] }>
  /** Expires rows, without reading upstream. */
  expireFeed(input: { dataset: string }): Promise<{ expiresAt: Instant | null }>
  /** Finds late runs, and counts the minutes in which each dataset is fresh. */
  checkLateness(): Promise<void>
  /** Keeps what is served at this hour at the stations, once an hour. */
  issueForecasts(): Promise<void>
  /** Compares the kept forecasts of days that have ended with what came. */
  scoreDays(): Promise<void>
  retire(): Promise<void>
}

/** Dependencies of the activities, and the callbacks of a worker. */
export interface ActivityDeps extends RunPorts {
  readonly upstream: Upstream
  readonly config: Config
  readonly clock: () => Instant
  readonly secondSources?: SecondSources
  /** Absent: none is sent. */
  readonly lineage?: Lineage
  /** Reads the served answers for verification; absent: none are kept. */
  readonly forecasts?: ForecastReader
  /** A step begins, progresses or ends: for displays, logs and metrics. */
  note(step: StepNote): void
}

export interface StepNote {
  readonly step: string
  readonly dataset?: string
  readonly domain?: string
  readonly run?: string
  readonly what?: string
  readonly done?: number
  readonly total?: number
}
