import type { Instant } from '../ingest/domain/time.ts'
import type { PlannedFile } from '../ingest/steps/plan.ts'

export interface RunInput {
  readonly dataset: string
  /** `all` where one upstream file serves every domain. */
  readonly domain: string
  readonly run: string
}

export type StageStep =
  /** Everything that the run will ever have is published, or it will never be. */
  | { readonly state: 'done'; readonly why: string }
  /** Upstream has not written it yet. */
  | { readonly state: 'waiting'; readonly waitSeconds: number; readonly why: string }
  | { readonly state: 'ready'; readonly stage: number; readonly files: readonly PlannedFile[] }

/** The steps as workflows see them: plain data in, plain data out, each idempotent. */
export interface Activities {
  /** Runs that upstream may have and that readers do not see whole yet, the most wanted first. */
  newRuns(input: { dataset: string }): Promise<readonly { domain: string; run: string }[]>
  planStage(input: RunInput & { stage: number }): Promise<StageStep>
  sampleFile(input: RunInput & { stage: number; file: PlannedFile }): Promise<void>
  /** Weaves, checks and publishes a stage. */
  publishStage(input: RunInput & { stage: number }): Promise<{ last: boolean }>
  sweepFrames(input: { dataset: string }): Promise<void>
  sweepAlerts(): Promise<void>
  expireAlerts(): Promise<void>
  /** When the next alert ends; null where none is held. */
  nextExpiration(): Promise<{ at: Instant | null }>
  sweepOutlooks(): Promise<void>
  loadZones(): Promise<void>
  retire(): Promise<void>
}
