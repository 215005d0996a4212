import { runOf } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { type Instant, MINUTE } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { newestRun, planRun } from './plan.ts'
import type { ServedRunStage } from './publish.ts'

/** Number of runs before the newest that are looked at. */
const RUNS_BACK = 2
/** Time for which newer runs wait for the first complete run. After it, they are taken beside it. */
const LONGEST_MS = 15 * MINUTE

/**
 * Returns the run that a dataset takes first while it serves no complete run: the newest run that upstream has to its
 * end. The newest of all is often still being written, and its later days would be absent until then.
 * @param served the run that is served in part, if there is one
 * @returns undefined if a complete run is served, if upstream has none, or if the run could not be completed in time
 * @throws Fault Refused if upstream cannot be listed
 */
export async function firstWholeRun(
  { upstream, database }: { readonly upstream: Upstream; readonly database: Database },
  dataset: GridDataset,
  domain: DomainId,
  served: ServedRunStage | undefined,
  now: Instant,
): Promise<Instant | undefined> {
  if (served && served.stage === dataset.stages(served.run, domain).length - 1) return undefined
  try {
    const newest = (await newestRun(upstream, dataset, domain, now)).run
    const earlier = dataset.runs(now).filter((run) => run < newest && dataset.leads(run, domain).length > 0)
    for (const run of [newest, ...earlier.slice(0, RUNS_BACK)]) {
      if (served && run < served.run) return undefined
      const stages = dataset.stages(run, domain)
      if (stages.length === 1) return undefined
      if (!(await isListedToItsEnd(upstream, dataset, run, domain, stages.length - 1, now))) continue
      const row = await runOf(database, { dataset: dataset.id, domain, run: new Date(run) })
      const isOpen = !row || row.state === 'claimed' || row.state === 'published'
      return isOpen && (!row || now - row.claimed_at.getTime() <= LONGEST_MS) ? run : undefined
    }
  } catch (error) {
    if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
  }
  return undefined
}

async function isListedToItsEnd(
  upstream: Upstream,
  dataset: GridDataset,
  run: Instant,
  domain: DomainId,
  lastStage: number,
  now: Instant,
): Promise<boolean> {
  try {
    await planRun(upstream, dataset, run, domain, lastStage, now)
    return true
  } catch (error) {
    if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
    return false
  }
}
