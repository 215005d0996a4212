import { sql } from 'kysely'
import type { Queries, Transactions } from '../session.ts'
import { recordServed, type TimingRow } from './lateness.ts'
import { addToOutbox, type OutboxMessage } from './outbox.ts'

/** Key of a run of a dataset in a domain ('' if the dataset has no domains). */
export interface RunKey {
  readonly dataset: string
  readonly domain: string
  readonly run: Date
}

export type RunState = 'claimed' | 'published' | 'rejected' | 'gone' | 'retired'

/**
 * Outcome of publishing a run, a stage of a run or a frame. If it is rejected, the served run or frame stays in place.
 */
export type RunOutcome = 'published' | 'already' | 'superseded' | 'rejected'

export interface RunRow extends RunKey {
  readonly state: RunState
  readonly reason: string | null
  readonly wanted: number
  readonly got: number
  readonly missing: number
  readonly published_to: number | null
  /** Leads that were published or rejected; null if neither has happened yet. */
  readonly leads: readonly number[] | null
  readonly manifest_key: string | null
  /** 0 for the first publication of a run; each republication has the next number. */
  readonly revision: number
  readonly claimed_at: Date
  readonly published_at: Date | null
  readonly ended_at: Date | null
}

export interface Pointer extends RunKey {
  readonly stage: number
  readonly revision: number
  readonly manifest_key: string
  readonly published_at: Date
}

export interface Publication extends RunKey {
  /** Number of the stage, from 0. A later stage contains the earlier stages. */
  readonly stage: number
  /** Number of the republication; 0 (or absent) for the first publication. */
  readonly revision?: number
  /** Lead hour up to which the run is served. */
  readonly publishedTo: number
  /** Leads of a model run. A publication of the same stage with more leads replaces it. */
  readonly leads?: readonly number[]
  readonly manifestKey: string
  readonly manifest: unknown
  readonly wanted: number
  readonly got: number
  readonly missing: number
  /** When its files appeared upstream. Recorded if the pointer moves. */
  readonly timings?: readonly TimingRow[]
}

const columns = [
  'dataset',
  'domain',
  'run',
  'state',
  'reason',
  'wanted',
  'got',
  'missing',
  'published_to',
  'manifest_key',
  'revision',
  'claimed_at',
  'published_at',
  'ended_at',
] as const
const leads = sql<number[] | null>`manifest -> 'leads'`.as('leads')

/** Records that a run is in progress, and returns its row. A published run stays published. */
export async function claimRun(db: Queries, key: RunKey): Promise<RunRow> {
  const row = await db.kysely
    .insertInto('run')
    .values({ ...key, state: 'claimed' })
    .onConflict((conflict) =>
      conflict.columns(['dataset', 'domain', 'run']).doUpdateSet({
        state: sql<string>`case when run.state in ('rejected', 'gone', 'claimed') then 'claimed' else run.state end`,
        reason: null,
      }),
    )
    .returning([...columns, sql<number[] | null>`run.manifest -> 'leads'`.as('leads')])
    .executeTakeFirstOrThrow()
  return row as RunRow
}

/**
 * Claims a run like `claimRun`. If the run is new or was gone, the same transaction adds the message that it has
 * started.
 */
export async function startRun(db: Transactions, key: RunKey, message: OutboxMessage): Promise<RunRow> {
  return db.transaction(async (tx) => {
    const added = await tx.query(
      `insert into run (dataset, domain, run, state) values ($1, $2, $3, 'claimed') on conflict do nothing returning run`,
      [key.dataset, key.domain, key.run],
    )
    const [removedUpstream] = await tx.query(
      `select from run where dataset = $1 and domain = $2 and run = $3 and state = 'gone' for update`,
      [key.dataset, key.domain, key.run],
    )
    const row = await claimRun(tx, key)
    if (added.length > 0 || removedUpstream) await addToOutbox(tx, [message])
    return row
  })
}

/**
 * Publishes a run, a further stage of it, its next revision, or the same stage with more leads, and adds the messages to
 * the outbox, in one transaction. The pointer moves forward in the order of run, stage and revision. The messages are
 * also added if a stored run that is not served gets another revision.
 * @returns `published` if it is now served, `already` if this stage was served before, `superseded` if a newer run is
 * served and this run is only stored
 */
export async function publishRun(
  db: Transactions,
  publication: Publication,
  messages: readonly OutboxMessage[],
): Promise<RunOutcome> {
  const { dataset, domain, run, stage, revision = 0, manifestKey, leads: list = [] } = publication
  return db.transaction(async (tx) => {
    // If two processes complete the same stage, the lock lets the second compare its leads with those that the first
    // has written.
    const stored = await tx.kysely
      .selectFrom('run')
      .select(leads)
      .where('dataset', '=', dataset)
      .where('domain', '=', domain)
      .where('run', '=', run)
      .forUpdate()
      .executeTakeFirst()
    const hasMoreLeads = stored?.leads != null && list.length > stored.leads.length
    const before = await pointerOf(tx, dataset, domain)
    const stageBefore = before?.run.getTime() === run.getTime() ? before.stage : stage
    const moved = await tx.kysely
      .insertInto('pointer')
      .values({ dataset, domain, run, stage, revision, manifest_key: manifestKey })
      .onConflict((conflict) =>
        conflict
          .columns(['dataset', 'domain'])
          .doUpdateSet({ run, stage, revision, manifest_key: manifestKey, published_at: sql<Date>`now()` })
          .where(
            sql<boolean>`(excluded.run, excluded.stage, excluded.revision) > (pointer.run, pointer.stage, pointer.revision)
              or (excluded.run, excluded.stage, excluded.revision) = (pointer.run, pointer.stage, pointer.revision)
                and ${hasMoreLeads}`,
          ),
      )
      .returning('dataset')
      .executeTakeFirst()
    const served = moved ? undefined : await pointerOf(tx, dataset, domain)
    const isServedRun = served?.run.getTime() === run.getTime()
    // The row of a served run names what the pointer names, also when two encoders publish the same stage.
    const recorded = isServedRun ? false : await recordPublished(tx, publication, stageBefore, moved !== undefined)
    if (moved) await recordServed(tx, publication.timings ?? [])
    if (moved || (recorded && revision > 0)) await addToOutbox(tx, messages)
    return moved ? 'published' : isServedRun ? 'already' : 'superseded'
  })
}

/**
 * Writes a publication to the row of its run. If it is not served, a row with as much of the run stays. A publication of
 * another revision that it replaces is stored for a rollback.
 * @returns whether the row was written
 */
async function recordPublished(
  tx: Queries,
  publication: Publication,
  stageBefore: number,
  isServed: boolean,
): Promise<boolean> {
  const { dataset, domain, run, revision = 0, publishedTo, manifestKey, manifest, wanted, got, missing } = publication
  const { leads: list = [] } = publication
  await storeReplaced(tx, { dataset, domain, run }, revision, stageBefore)
  const fields = {
    revision,
    state: 'published',
    reason: null,
    wanted,
    got,
    missing,
    published_to: publishedTo,
    manifest_key: manifestKey,
    manifest: JSON.stringify(manifest),
    upstream_at: newestOf(publication.timings),
  }
  const written = await tx.kysely
    .insertInto('run')
    .values({ dataset, domain, run, ...fields, published_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['dataset', 'domain', 'run'])
        .doUpdateSet({ ...fields, published_at: sql<Date>`coalesce(run.published_at, now())` })
        .where(
          sql<boolean>`${isServed} or run.state <> 'published' or run.revision < ${revision}
            or run.revision = ${revision} and (coalesce(run.published_to, -1), coalesce(jsonb_array_length(run.manifest -> 'leads'), 0))
              < (${publishedTo}::integer, ${list.length}::integer)`,
        ),
    )
    .returning('dataset')
    .executeTakeFirst()
  return written !== undefined
}

/**
 * Stores the publication that the row of a run has, before a publication of another revision replaces it. Call it in
 * the transaction that replaces it.
 * @param stage number of the stage that the row has
 * @param isRollback whether a rollback replaces it, so that no later rollback returns to it
 */
export async function storeReplaced(
  tx: Queries,
  key: RunKey,
  revision: number,
  stage: number,
  { isRollback = false } = {},
): Promise<void> {
  await tx.query(
    `insert into run_revision (dataset, domain, run, revision, stage, published_to, manifest_key, manifest, wanted, got, missing, rolled_back)
     select dataset, domain, run, revision, $5, published_to, manifest_key, manifest, wanted, got, missing, $6
     from run where dataset = $1 and domain = $2 and run = $3 and state = 'published' and manifest_key is not null and revision <> $4
     on conflict (dataset, domain, run, revision) do update set stage = excluded.stage, published_to = excluded.published_to,
       manifest_key = excluded.manifest_key, manifest = excluded.manifest, wanted = excluded.wanted, got = excluded.got,
       missing = excluded.missing, replaced_at = now(), removed_at = null, rolled_back = excluded.rolled_back`,
    [key.dataset, key.domain, key.run, revision, stage, isRollback],
  )
}

function newestOf(timings: readonly TimingRow[] = []): Date | null {
  const times = timings.flatMap(({ last_seen }) => last_seen?.getTime() ?? [])
  return times.length > 0 ? new Date(Math.max(...times)) : null
}

/**
 * Ends the work on a run that failed validation (`rejected`) or that upstream no longer has (`gone`). A published run
 * stays published.
 * @param leads the leads that were validated; with more leads the run may be validated again
 */
export async function endRun(
  db: Queries,
  key: RunKey,
  state: 'rejected' | 'gone',
  reason: string,
  leads?: readonly number[],
): Promise<void> {
  const manifest = leads && JSON.stringify({ leads })
  await db.kysely
    .insertInto('run')
    .values({ ...key, state, reason, ended_at: sql<Date>`now()`, manifest })
    .onConflict((conflict) =>
      conflict.columns(['dataset', 'domain', 'run']).doUpdateSet({
        state: sql<string>`case when run.state = 'published' then run.state else excluded.state end`,
        manifest: sql`case when run.state = 'published' then run.manifest else coalesce(excluded.manifest, run.manifest) end`,
        reason,
        ended_at: sql<Date>`now()`,
      }),
    )
    .execute()
}

export function rejectRun(db: Queries, key: RunKey, reason: string, leads?: readonly number[]): Promise<void> {
  return endRun(db, key, 'rejected', reason, leads)
}

const pointerColumns = ['dataset', 'domain', 'run', 'stage', 'revision', 'manifest_key', 'published_at'] as const

/** Returns every pointer. The pointers refer to the served runs. */
export async function pointers(db: Queries): Promise<Pointer[]> {
  return db.kysely.selectFrom('pointer').select(pointerColumns).orderBy('dataset').orderBy('domain').execute()
}

/** Returns the newest run or frame that upstream listed of each dataset in each domain, whether or not it was published. */
export async function newestRuns(
  db: Queries,
  datasets: readonly { readonly dataset: string; readonly domain: string }[],
): Promise<{ dataset: string; domain: string; run: Date }[]> {
  return db.query(
    `select d.dataset, d.domain, r.run from jsonb_to_recordset($1::jsonb) as d(dataset text, domain text)
     cross join lateral (
       select run from run where dataset = d.dataset and domain = d.domain and state <> 'gone' order by run desc limit 1
     ) r`,
    [JSON.stringify(datasets)],
  )
}

/** A pointer, with the data that its run lacked when it was published. */
export interface ServedRow extends Pointer {
  readonly lacking: readonly string[]
  readonly gaps: readonly string[]
  /** Last-Modified of its newest upstream file. */
  readonly upstream_at: Date | null
}

export async function servedRuns(db: Queries): Promise<ServedRow[]> {
  const words = (member: string) => sql<string[]>`coalesce(run.manifest -> ${sql.lit(member)}, '[]'::jsonb)`
  return db.kysely
    .selectFrom('pointer')
    .leftJoin('run', (join) =>
      join
        .onRef('run.dataset', '=', 'pointer.dataset')
        .onRef('run.domain', '=', 'pointer.domain')
        .onRef('run.run', '=', 'pointer.run'),
    )
    .select(pointerColumns.map((name) => `pointer.${name}` as const))
    .select(['run.upstream_at', words('lacking').as('lacking'), words('gaps').as('gaps')])
    .orderBy('pointer.dataset')
    .orderBy('pointer.domain')
    .execute()
}

export async function pointerOf(db: Queries, dataset: string, domain: string): Promise<Pointer | undefined> {
  return db.kysely
    .selectFrom('pointer')
    .select(pointerColumns)
    .where('dataset', '=', dataset)
    .where('domain', '=', domain)
    .executeTakeFirst()
}

/** Returns the runs of one or several datasets whose tiles may still be stored, newest first. */
export async function storedRuns(db: Queries, datasets: string | readonly string[]): Promise<RunRow[]> {
  const rows = await db.kysely
    .selectFrom('run')
    .select([...columns, leads])
    .where('dataset', 'in', [datasets].flat())
    .where('state', 'in', ['published', 'claimed', 'rejected'])
    .orderBy('run', 'desc')
    .execute()
  return rows as RunRow[]
}

/** Returns the states of all runs of a dataset since a reference time, including failed and removed runs. */
export async function runStatesSince(
  db: Queries,
  dataset: string,
  from: Date,
): Promise<{ domain: string; run: Date; state: string }[]> {
  return db.kysely
    .selectFrom('run')
    .select(['domain', 'run', 'state'])
    .where('dataset', '=', dataset)
    .where('run', '>=', from)
    .execute()
}

export async function runOf(db: Queries, key: RunKey): Promise<RunRow | undefined> {
  const row = await db.kysely
    .selectFrom('run')
    .select([...columns, leads])
    .where('dataset', '=', key.dataset)
    .where('domain', '=', key.domain)
    .where('run', '=', key.run)
    .executeTakeFirst()
  return row as RunRow | undefined
}

export async function manifestOf(db: Queries, key: RunKey): Promise<unknown> {
  const row = await db.kysely
    .selectFrom('run')
    .select('manifest')
    .where('dataset', '=', key.dataset)
    .where('domain', '=', key.domain)
    .where('run', '=', key.run)
    .executeTakeFirst()
  return row?.manifest ?? undefined
}

/**
 * Marks a run as retired before its tiles are removed; only its row remains. A served run is never retired.
 * @returns whether the run was retired
 */
export async function retireRun(db: Queries, key: RunKey): Promise<boolean> {
  const rows = await db.query(
    `with retired as (
       update run set state = 'retired', ended_at = now()
       where dataset = $1 and domain = $2 and run = $3
         and not exists (select from pointer p where p.dataset = run.dataset and p.domain = run.domain and p.run = run.run)
       returning dataset, domain, run
     ), forgotten as (
       delete from run_revision using retired
       where (run_revision.dataset, run_revision.domain, run_revision.run) = (retired.dataset, retired.domain, retired.run)
     ) select dataset from retired`,
    [key.dataset, key.domain, key.run],
  )
  return rows.length > 0
}
