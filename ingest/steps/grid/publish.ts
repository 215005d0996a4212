import { failRun, type Publication, pointerOf, publishRun, type RunKey, runOf } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { topics } from '../../domain/event.ts'
import { HOUR, type Instant, isoSeconds, runName } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import { traceparent } from '../../ports/trace.ts'
import type { Woven } from './build-tiles.ts'
import type { RunPlan } from './plan.ts'
import type { Verdict } from './validate.ts'

/** What readers see of a dataset in a domain now. */
export interface Served {
  readonly run: Instant
  readonly stage: number
  /** Its last valid time. */
  readonly until: Instant
}

export interface PublishOptions {
  /** Publish what is less than whole even where readers have something better: by hand. */
  readonly partial?: boolean
}

/**
 * - `published`: readers see it from now on
 * - `held`: they saw this very stage before
 * - `older`: a newer run is served; this one is held beside it
 * - `aside`: it did not pass the gate, or is less than what readers have; they stay on that
 */
export interface Outcome {
  readonly state: 'published' | 'held' | 'older' | 'aside'
  readonly reasons: readonly string[]
}

export async function servedRun(database: Database, dataset: string, domain: DomainId): Promise<Served | undefined> {
  const pointer = await pointerOf(database, dataset, domain)
  if (!pointer) return undefined
  const row = await runOf(database, pointer)
  const run = pointer.run.getTime()
  return { run, stage: pointer.stage, until: run + (row?.published_to ?? 0) * HOUR }
}

/** A stage that ends before what readers have would take hours away from them: the run is then published at its end only. */
export function stageIsWorthwhile(
  dataset: GridDataset,
  plan: Pick<RunPlan, 'run' | 'stage' | 'last'>,
  served: Served | undefined,
  now: Instant,
): boolean {
  if (plan.last || !served || served.run >= plan.run) return true
  const stale = now - served.run > dataset.staleAfterSeconds * 1000
  return stale || plan.run + plan.stage.to * HOUR >= served.until
}

/** Whether a run may be shown: nothing in it is broken, and it is whole, or better than what readers have. */
export function admit(
  dataset: GridDataset,
  plan: RunPlan,
  verdict: Verdict,
  served: Served | undefined,
  now: Instant,
  options: PublishOptions = {},
): readonly string[] {
  if (verdict.reasons.length > 0) return verdict.reasons
  if (verdict.whole || options.partial || !served || served.run === plan.run) return []
  const stale = now - served.run > dataset.staleAfterSeconds * 1000
  return stale ? [] : [`less than whole, and ${runName(served.run)} is served: ${verdict.gaps.join('; ')}`]
}

/** Keeps a run aside with the reason: readers stay on what they have. */
export async function rejectRun(database: Database, plan: RunPlan, reasons: readonly string[]): Promise<Outcome> {
  await failRun(database, keyOf(plan), reasons.slice(0, 20).join('; '), leadsOf(plan))
  return { state: 'aside', reasons }
}

/** Moves the pointer, and says so through the outbox, in one transaction. */
export async function publish(
  database: Database,
  dataset: GridDataset,
  plan: RunPlan,
  verdict: Verdict,
  built: Woven,
  now: Instant,
): Promise<Outcome> {
  const publication: Publication = {
    ...keyOf(plan),
    stage: plan.stageNumber,
    publishedTo: plan.files.at(-1)?.leadHours ?? plan.stage.to,
    leads: leadsOf(plan),
    manifestKey: built.manifestKey,
    manifest: {
      stage: plan.stage.name,
      last: plan.last,
      leads: leadsOf(plan),
      lacking: verdict.lacking,
      gaps: verdict.gaps,
      objects: built.objects,
      bytes: built.bytes,
    },
    wanted: verdict.wanted,
    got: verdict.got,
    missing: verdict.missing,
  }
  const said = {
    topic: topics.runs.name,
    key: dataset.id,
    payload: {
      dataset: dataset.id,
      domain: plan.domain,
      run: isoSeconds(plan.run),
      stage: plan.stageNumber,
      at: isoSeconds(now),
    },
    trace: traceparent(),
  }
  const moved = await publishRun(database, publication, [said])
  return { state: moved === 'moved' ? 'published' : moved, reasons: [] }
}

function leadsOf({ files }: RunPlan): number[] {
  return files.map(({ leadHours }) => leadHours)
}

export function keyOf(plan: Pick<RunPlan, 'dataset' | 'domain' | 'run'>): RunKey {
  return { dataset: plan.dataset, domain: plan.domain, run: new Date(plan.run) }
}
