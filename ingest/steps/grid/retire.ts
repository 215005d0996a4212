import { retireRevisions } from '../../../sql/queries/revisions.ts'
import { pointers, retireRun, storedRuns } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { type Instant, parseRun } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { revisionOfKey, runPrefix } from '../../tile/key.ts'
import { slabPrefix } from './sample.ts'

/** Time during which readers that opened a run before the pointer moved may still read it. */
const GRACE_SECONDS = 900
/** Extra time for runs older than their dataset's retention, which `hexcast backfill` may have claimed. */
const BACKFILL_SECONDS = 6 * 3600

/**
 * Removes runs that are not served and that are older than both the retention of their dataset and the history of
 * answers. @returns their number
 */
export async function retireRuns(
  ports: { readonly database: Database; readonly objects: Objects; readonly slabs: Objects },
  dataset: Pick<GridDataset, 'id' | 'keepSeconds'>,
  now: Instant,
  historySeconds = 0,
): Promise<number> {
  const served = new Set(
    (await pointers(ports.database)).map(({ dataset: id, domain, run }) => `${id}/${domain}/${run.getTime()}`),
  )
  let retired = 0
  for (const row of await storedRuns(ports.database, dataset.id)) {
    const run = row.run.getTime()
    const touched = (row.published_at ?? row.ended_at ?? row.claimed_at).getTime()
    if (served.has(`${dataset.id}/${row.domain}/${run}`)) continue
    if (now - run < (dataset.keepSeconds + historySeconds) * 1000 || now - touched < GRACE_SECONDS * 1000) continue
    // The row is removed first, so that no reader opens the run. If this process ends here, `removeOrphans` removes the tiles.
    if (!(await retireRun(ports.database, row))) continue
    const domain = row.domain as DomainId
    for (const [store, prefix] of [
      [ports.objects, `${runPrefix(dataset.id, domain, run)}/`],
      [ports.slabs, slabPrefix(dataset.id, domain, run)],
      [ports.slabs, slabPrefix(dataset.id, domain, run).replace(/^slabs/, 'corrupt')],
    ] as const) {
      for await (const { key } of store.list(prefix)) await store.remove(key)
    }
    retired++
  }
  await removeRevisions(ports, dataset.id, new Date(now - (GRACE_SECONDS + historySeconds) * 1000))
  await removeSlabs(ports, dataset, served, now)
  return retired
}

/** Maximum number of replaced revisions whose objects one retirement of a dataset removes. */
const MAX_REVISIONS = 100

/**
 * Removes the objects of revisions that were replaced before an instant, except the revision to which a rollback
 * returns. The rows are marked first, so that no rollback chooses them. If this process ends here, the objects are
 * removed with their run.
 */
async function removeRevisions(
  { database, objects }: { readonly database: Database; readonly objects: Objects },
  dataset: string,
  before: Date,
): Promise<void> {
  for (const { domain, run, revision } of await retireRevisions(database, dataset, before, MAX_REVISIONS)) {
    for await (const { key } of objects.list(`${runPrefix(dataset, domain as DomainId, run.getTime())}/`))
      if (revisionOfKey(key) === revision) await objects.remove(key)
  }
}

/**
 * Removes the slabs of runs that will not be completed: runs that never had enough files to be published, and runs that
 * are stored only for the history of answers. A completely published run has no slabs.
 */
async function removeSlabs(
  { database, slabs }: { readonly database: Database; readonly slabs: Objects },
  { id, keepSeconds }: Pick<GridDataset, 'id' | 'keepSeconds'>,
  served: ReadonlySet<string>,
  now: Instant,
): Promise<void> {
  const needed = (await storedRuns(database, id)).filter(
    ({ domain, run, claimed_at }) =>
      served.has(`${id}/${domain}/${run.getTime()}`) || now - claimed_at.getTime() < BACKFILL_SECONDS * 1000,
  )
  const known = new Set(needed.map(({ domain, run }) => slabPrefix(id, domain as DomainId, run.getTime())))
  for await (const { key } of slabs.list(`slabs/v1/${id}/`)) {
    const run = parseRun(key.split('/')[4] ?? '')
    const prefix = key.slice(0, key.lastIndexOf('/') + 1)
    if (now - run >= keepSeconds * 1000 && !known.has(prefix)) await slabs.remove(key)
  }
}
