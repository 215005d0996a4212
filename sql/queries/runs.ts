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
  readonly claimed_at: Date
  readonly published_at: Date | null
  readonly ended_at: Date | null
}

export interface Pointer extends RunKey {
  readonly stage: number
  readonly manifest_key: string
  readonly published_at: Date
}

export interface Publication extends RunKey {
  /** Number of the stage, from 0. A later stage contains the earlier stages. */
  readonly stage: number
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
 * Publishes a run, a further stage of it, or the same stage with more leads, and adds the messages to the outbox, in
 * one transaction.
 * @returns `published` if it is now served, `already` if this stage was served before, `superseded` if a newer run is
 * served and this run is only stored
 */
export async function publishRun(
  db: Transactions,
  publication: Publication,
  messages: readonly OutboxMessage[],
): Promise<RunOutcome> {
  const { dataset, domain, run, stage, manifestKey, leads: list = [] } = publication
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
    const moved = await tx.kysely
      .insertInto('pointer')
      .values({ dataset, domain, run, stage, manifest_key: manifestKey })
      .onConflict((conflict) =>
        conflict
          .columns(['dataset', 'domain'])
          .doUpdateSet({ run, stage, manifest_key: manifestKey, published_at: sql<Date>`now()` })
          .where(
            sql<boolean>`(excluded.run, excluded.stage) > (pointer.run, pointer.stage)
              or (excluded.run, excluded.stage) = (pointer.run, pointer.stage) and ${hasMoreLeads}`,
          ),
      )
      .returning('dataset')
      .executeTakeFirst()
    await recordPublished(tx, publication)
    if (moved) {
      await recordServed(tx, publication.timings ?? [])
      await addToOutbox(tx, messages)
      return 'published'
    }
    const served = await pointerOf(tx, dataset, domain)
    return served && served.run.getTime() === run.getTime() ? 'already' : 'superseded'
  })
}

async function recordPublished(tx: Queries, publication: Publication): Promise<void> {
  const {
    dataset,
    domain,
    run,
    publishedTo,
    manifestKey,
    manifest,
    wanted,
    got,
    missing,
    leads: list = [],
  } = publication
  const fields = {
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
  await tx.kysely
    .insertInto('run')
    .values({ dataset, domain, run, ...fields, published_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['dataset', 'domain', 'run'])
        .doUpdateSet({ ...fields, published_at: sql<Date>`coalesce(run.published_at, now())` })
        .where(
          sql<boolean>`coalesce(run.published_to, -1) < ${publishedTo}
            or run.published_to = ${publishedTo} and coalesce(jsonb_array_length(run.manifest -> 'leads'), 0) <= ${list.length}`,
        ),
    )
    .execute()
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

/** Returns every pointer. The pointers refer to the served runs. */
export async function pointers(db: Queries): Promise<Pointer[]> {
  return db.kysely.selectFrom('pointer').selectAll().orderBy('dataset').orderBy('domain').execute()
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
    .selectAll('pointer')
    .select(['run.upstream_at', words('lacking').as('lacking'), words('gaps').as('gaps')])
    .orderBy('pointer.dataset')
    .orderBy('pointer.domain')
    .execute()
}

export async function pointerOf(db: Queries, dataset: string, domain: string): Promise<Pointer | undefined> {
  return db.kysely
    .selectFrom('pointer')
    .selectAll()
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
    `update run set state = 'retired', ended_at = now()
     where dataset = $1 and domain = $2 and run = $3
       and not exists (select from pointer p where p.dataset = run.dataset and p.domain = run.domain and p.run = run.run)
     returning dataset`,
    [key.dataset, key.domain, key.run],
  )
  return rows.length > 0
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
