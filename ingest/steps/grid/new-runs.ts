import { runOf, storedRuns } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import { firstWholeRun } from './first-run.ts'
import { hasMore, type PlanPorts, planCompletion, type RunOf } from './grid-run.ts'
import { newestRun } from './plan.ts'
import { keyOf, type ServedRunStage, servedRun } from './publish.ts'

/** Time for which a started run is continued. A newer complete run is started beside it. */
const RESUME_WINDOW_MS = 3 * HOUR

/**
 * Number of runs that are still appearing upstream and are sampled file by file before their first stage is complete.
 */
const MAX_OPEN_RUNS = 2

/** Returns the groups of domains that are processed together because one file contains them all. */
export function domainGroups(dataset: GridDataset): readonly (readonly DomainId[])[] {
  const ids = dataset.domains.map(({ id }) => id)
  return dataset.shared ? [ids] : ids.map((id) => [id])
}

/**
 * Returns the runs to work on now: for each group the started run, the newest run that upstream has, and, if a run is
 * served, newer runs that upstream has in part. While no complete run is served, it is the newest complete run alone.
 * @throws Fault Refused if upstream cannot be listed
 */
export async function newRuns(ports: PlanPorts, dataset: GridDataset, now: Instant): Promise<RunOf[]> {
  const runs: RunOf[] = []
  for (const domains of domainGroups(dataset)) {
    const domain = nth(domains, 0)
    const served = await servedRun(ports.database, dataset.id, domain)
    const first = await firstWholeRun(ports, dataset, domain, served, now)
    if (first !== undefined) {
      runs.push({ domains, run: first })
      continue
    }
    const begun = await startedRun(ports.database, dataset, domain, served, now)
    if (begun !== undefined) runs.push({ domains, run: begun })
    const open: Instant[] = []
    try {
      const plan = await newestRun(ports.upstream, dataset, domain, now, begun ?? served?.run, undefined, open)
      const row = await runOf(ports.database, keyOf(plan))
      // The run was published completely in the meantime, because the listing took longer than the rest of the work.
      if (!row || row.state === 'claimed' || row.state === 'gone' || hasMore(plan, row))
        runs.push({ domains, run: plan.run })
    } catch (error) {
      if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
    }
    // Without a served run, the first complete run is more urgent than later runs.
    if (!served) continue
    const incomplete = begun === undefined && !runs.some((entry) => entry.domains === domains)
    if (incomplete && (await planCompletion(ports, dataset, { domains, run: served.run }, served.stage, now)))
      runs.push({ domains, run: served.run })
    runs.push(...open.slice(0, MAX_OPEN_RUNS).map((run) => ({ domains, run })))
  }
  return runs
}

/** Returns the run that was started and not finished: partly served, or claimed and newer than the served run. */
async function startedRun(
  database: Database,
  dataset: GridDataset,
  domain: DomainId,
  served: ServedRunStage | undefined,
  now: Instant,
): Promise<Instant | undefined> {
  const window = dataset.runs(now)
  const oldest = window.at(-1) ?? now
  for (const row of await storedRuns(database, dataset.id)) {
    const run = row.run.getTime()
    if (row.domain !== domain || run < oldest || (served && run < served.run)) continue
    if (now - row.claimed_at.getTime() > RESUME_WINDOW_MS) continue
    if (row.state === 'claimed') return run
    const stages = dataset.stages(run, domain)
    if (row.state === 'published' && served?.run === run && served.stage < stages.length - 1) return run
  }
  return undefined
}
