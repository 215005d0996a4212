import type { Queries, Transactions } from '../session.ts'
import { addToOutbox, type OutboxMessage } from './outbox.ts'
import { type Pointer, type RunKey, storeReplaced } from './runs.ts'

/** A revision of a run that another revision replaced. */
export interface ReplacedRevision extends RunKey {
  readonly revision: number
}

/** The run of the first three parameters. */
const OF_RUN = 'dataset = $1 and domain = $2 and run = $3'

/** Returns the number of the next revision of a run. A number is never given to two publications, also after a rollback. */
export async function nextRevision(db: Queries, key: RunKey): Promise<number> {
  const [row] = await db.query<{ revision: number }>(
    `select max(revision) + 1 as revision from (
       select revision from run where ${OF_RUN} union all select revision from run_revision where ${OF_RUN}) as known`,
    [key.dataset, key.domain, key.run],
  )
  return row?.revision ?? 0
}

export interface Rollback {
  readonly from: number
  readonly to: number
  /** Whether the run is served, so that the pointer moved. */
  readonly served: boolean
}

/**
 * Returns a run to the revision that was served before (of those that were not rolled back themselves): its row, the pointer if the run is served, and the event, in one transaction.
 * This is the only change that moves a pointer back.
 * @param messageOf returns the event about the revision that is published again
 * @returns undefined if no earlier revision of the run is stored
 */
export async function rollBack(
  db: Transactions,
  key: RunKey,
  messageOf: (restored: { readonly revision: number; readonly stage: number }) => OutboxMessage,
): Promise<Rollback | undefined> {
  const run = [key.dataset, key.domain, key.run] as const
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ revision: number }>(
      `select revision from run where ${OF_RUN} and state = 'published' for update`,
      run,
    )
    if (!row) return undefined
    const [before] = await tx.query<StoredRevision>(
      `delete from run_revision where ${OF_RUN} and revision = (
         select max(revision) from run_revision
         where ${OF_RUN} and revision < $4 and removed_at is null and not rolled_back)
       returning revision, stage, published_to, manifest_key, manifest, wanted, got, missing`,
      [...run, row.revision],
    )
    if (!before) return undefined
    const served = await restore(tx, key, before)
    await addToOutbox(tx, [messageOf(before)])
    return { from: row.revision, to: before.revision, served }
  })
}

interface StoredRevision {
  readonly revision: number
  readonly stage: number
  readonly published_to: number | null
  readonly manifest_key: string
  readonly manifest: unknown
  readonly wanted: number
  readonly got: number
  readonly missing: number
}

/** @returns whether the run is served */
async function restore(tx: Queries, key: RunKey, before: StoredRevision): Promise<boolean> {
  const { revision, stage, published_to, manifest_key, manifest, wanted, got, missing } = before
  const run = [key.dataset, key.domain, key.run] as const
  const [pointer] = await tx.query<{ stage: number }>(`select stage from pointer where ${OF_RUN} for update`, run)
  await storeReplaced(tx, key, revision, pointer?.stage ?? stage, { isRollback: true })
  await tx.query(
    `update run set revision = $4, published_to = $5, manifest_key = $6, manifest = $7::jsonb, wanted = $8, got = $9, missing = $10
     where ${OF_RUN}`,
    [...run, revision, published_to, manifest_key, JSON.stringify(manifest), wanted, got, missing],
  )
  await tx.query(`set local hexcast.rollback = 'on'`)
  await tx.query(
    `update pointer set stage = $4, revision = $5, manifest_key = $6, published_at = now() where ${OF_RUN}`,
    [...run, stage, revision, manifest_key],
  )
  return pointer !== undefined
}

/**
 * Marks the replaced revisions of a dataset that were replaced before an instant and that a rollback cannot need. A
 * rollback returns to the revision before the one that a run has, so this revision is stored as long as the run.
 * Remove their objects afterwards.
 * @param limit maximum number of revisions
 */
export async function retireRevisions(
  db: Transactions,
  dataset: string,
  before: Date,
  limit: number,
): Promise<ReplacedRevision[]> {
  return db.transaction(async (tx) => {
    // The locks of the rows of the runs let no rollback choose one of these revisions meanwhile.
    await tx.query(
      `select from run where dataset = $1 and (domain, run) in (
         select domain, run from run_revision where dataset = $1 and replaced_at < $2 and removed_at is null)
       order by domain, run for update`,
      [dataset, before],
    )
    return tx.query<{ dataset: string; domain: string; run: Date; revision: number }>(
      `update run_revision set removed_at = now() where (dataset, domain, run, revision) in (
         select old.dataset, old.domain, old.run, old.revision from run_revision old join run on
           (run.dataset, run.domain, run.run) = (old.dataset, old.domain, old.run)
         where old.dataset = $1 and old.replaced_at < $2 and old.removed_at is null and old.revision <> run.revision
           and old.revision is distinct from (
             select max(revision) from run_revision target
             where (target.dataset, target.domain, target.run) = (run.dataset, run.domain, run.run)
               and target.revision < run.revision and target.removed_at is null and not target.rolled_back)
         order by old.replaced_at limit $3)
       returning dataset, domain, run, revision`,
      [dataset, before, limit],
    )
  })
}

/**
 * Removes the pointer to a publication whose objects were lost, unless the pointer has moved. Its run counts as gone,
 * so that it is taken from upstream again, by a workflow with a new name.
 */
export async function forgetPublication(db: Transactions, pointer: Pointer): Promise<void> {
  const key = [pointer.dataset, pointer.domain, pointer.run]
  await db.transaction(async (tx) => {
    const removed = await tx.query(
      `delete from pointer where dataset = $1 and domain = $2 and run = $3 and manifest_key = $4 returning run`,
      [...key, pointer.manifest_key],
    )
    if (removed.length === 0) return
    await tx.query(
      `update run set state = 'gone', reason = 'its objects were lost', ended_at = clock_timestamp(), published_at = null,
         published_to = null, manifest = null, manifest_key = null
       where dataset = $1 and domain = $2 and run = $3`,
      key,
    )
  })
}
