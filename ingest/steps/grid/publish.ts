import type { TimingRow } from '../../../sql/queries/lateness.ts'
import type { OutboxMessage } from '../../../sql/queries/outbox.ts'
import { type Rollback, rollBack } from '../../../sql/queries/revisions.ts'
import {
  type Publication,
  pointerOf,
  publishRun,
  type RunKey,
  type RunOutcome,
  rejectRun,
  runOf,
} from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { type RunPublished, topics } from '../../domain/event.ts'
import { HOUR, type Instant, isoSeconds, runName } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import { traceparent } from '../../ports/trace.ts'
import type { BuiltStage } from './build-tiles.ts'
import type { RunPlan } from './plan.ts'
import type { RunVerdict } from './validate.ts'

/** The served run of a dataset in a domain. */
export interface ServedRunStage {
  readonly run: Instant
  readonly stage: number
  /** The last valid time of the run. */
  readonly until: Instant
}

export interface PublishRunOptions {
  /** Whether an incomplete run is published even if readers have a better run; for manual runs. */
  readonly partial?: boolean
}

/**
 * - `published`: the stage is now served
 * - `already`: this stage was already served
 * - `superseded`: a newer run is served, and this run is stored without being served
 * - `rejected`: the stage failed validation or is worse than the served run, which stays
 */
export interface Outcome {
  readonly state: RunOutcome
  readonly reasons: readonly string[]
}

export async function servedRun(
  database: Database,
  dataset: string,
  domain: DomainId,
): Promise<ServedRunStage | undefined> {
  const pointer = await pointerOf(database, dataset, domain)
  if (!pointer) return undefined
  const row = await runOf(database, pointer)
  const run = pointer.run.getTime()
  return { run, stage: pointer.stage, until: run + (row?.published_to ?? 0) * HOUR }
}

/** Returns whether a stage ends before the served run and would take hours away from readers. Such a run is published only at its end. */
export function stageIsWorthwhile(
  dataset: GridDataset,
  plan: Pick<RunPlan, 'run' | 'stage' | 'last'>,
  served: ServedRunStage | undefined,
  now: Instant,
): boolean {
  if (plan.last || !served || served.run >= plan.run) return true
  const stale = now - served.run > dataset.staleAfterSeconds * 1000
  return stale || plan.run + plan.stage.to * HOUR >= served.until
}

/** Returns the reasons not to publish a run: broken values, or an incomplete run that is not better than the served run. Empty if it may be published. */
export function rejectionReasons(
  dataset: GridDataset,
  plan: RunPlan,
  verdict: RunVerdict,
  served: ServedRunStage | undefined,
  now: Instant,
  options: PublishRunOptions = {},
): readonly string[] {
  if (verdict.reasons.length > 0) return verdict.reasons
  if (verdict.isNearlyComplete || options.partial || !served || served.run === plan.run) return []
  const stale = now - served.run > dataset.staleAfterSeconds * 1000
  return stale ? [] : [`incomplete, and ${runName(served.run)} is served: ${verdict.gaps.join('; ')}`]
}

/** Records a run as rejected with the reason; the served run stays. */
export async function reject(database: Database, plan: RunPlan, reasons: readonly string[]): Promise<Outcome> {
  await rejectRun(database, keyOf(plan), reasons.slice(0, 20).join('; '), leadsOf(plan))
  return { state: 'rejected', reasons }
}

/** Moves the pointer and adds the event to the outbox, in one transaction. */
export async function publish(
  database: Database,
  dataset: GridDataset,
  plan: RunPlan,
  verdict: RunVerdict,
  built: BuiltStage & { readonly revision: number },
  now: Instant,
): Promise<Outcome> {
  const publication: Publication = {
    ...keyOf(plan),
    stage: plan.stageNumber,
    revision: built.revision,
    publishedTo: plan.files.at(-1)?.leadHours ?? plan.stage.to,
    leads: leadsOf(plan),
    manifestKey: built.manifestKey,
    manifest: {
      stage: plan.stage.name,
      last: plan.last,
      leads: leadsOf(plan),
      lacking: verdict.missingOptional,
      gaps: [...verdict.gaps, ...verdict.variableGaps],
      objects: built.objects,
      bytes: built.bytes,
    },
    wanted: verdict.wanted,
    got: verdict.got,
    missing: verdict.missing,
    timings: timingsOf(dataset, plan),
  }
  const { stageNumber: stage } = plan
  const message = publishedMessage({ ...plan, stage, revision: built.revision }, now)
  return { state: await publishRun(database, publication, [message]), reasons: [] }
}

/** Returns the event that a stage and revision of a run are served. */
function publishedMessage(
  { dataset, domain, run, stage, revision }: Pick<RunPlan, 'dataset' | 'domain' | 'run'> & ServedNumbers,
  now: Instant,
): OutboxMessage {
  const payload: RunPublished = {
    dataset,
    domain,
    run: isoSeconds(run),
    stage,
    ...(revision > 0 && { revision }),
    at: isoSeconds(now),
  }
  return { topic: topics.runs.name, key: dataset, payload, trace: traceparent() }
}

interface ServedNumbers {
  readonly stage: number
  readonly revision: number
}

/**
 * Returns a run to the revision before, and announces it like a new run.
 * @returns undefined if no earlier revision of the run is stored
 */
export function rollBackRun(
  database: Database,
  { dataset, domain, run }: Pick<RunPlan, 'dataset' | 'domain' | 'run'>,
  now: Instant,
): Promise<Rollback | undefined> {
  return rollBack(database, { dataset, domain, run: new Date(run) }, ({ stage, revision }) => {
    const message = publishedMessage({ dataset, domain, run, stage, revision }, now)
    // Unlike a first publication, a rollback to revision 0 names it.
    return { ...message, payload: { ...(message.payload as RunPublished), revision } }
  })
}

function leadsOf({ files }: RunPlan): number[] {
  return files.map(({ leadHours }) => leadHours)
}

/** Returns Last-Modified of the first and the last file of each lead group in the plan. */
export function timingsOf(
  dataset: Pick<GridDataset, 'stages'>,
  plan: Pick<RunPlan, 'dataset' | 'domain' | 'run' | 'stageNumber' | 'files'>,
): TimingRow[] {
  const stages = dataset.stages(plan.run, plan.domain).slice(0, plan.stageNumber + 1)
  const run = new Date(plan.run)
  return stages.map(({ to }, stage) => {
    const from = stages[stage - 1]?.to ?? Number.NEGATIVE_INFINITY
    const files = plan.files.filter(({ leadHours }) => leadHours > from && leadHours <= to)
    const times = files.flatMap(({ modified }) => modified ?? [])
    const [first_seen, last_seen] = times.length > 0 ? [Math.min(...times), Math.max(...times)] : []
    return {
      dataset: plan.dataset,
      domain: plan.domain,
      stage,
      slot: run,
      run,
      first_seen: first_seen === undefined ? null : new Date(first_seen),
      last_seen: last_seen === undefined ? null : new Date(last_seen),
    }
  })
}

export function keyOf(plan: Pick<RunPlan, 'dataset' | 'domain' | 'run'>): RunKey {
  return { dataset: plan.dataset, domain: plan.domain, run: new Date(plan.run) }
}
