import { sql } from 'kysely'
import { deleteInBatches } from '../batches.ts'
import { firstRow } from '../first-row.ts'
import type { Queries, Transactions } from '../session.ts'

/** A row of `feed_state`. */
export interface FeedState {
  readonly feed: string
  readonly etag: string | null
  readonly last_modified: string | null
  readonly digest: string | null
  readonly updated: Date | null
  readonly looked_at: Date | null
  readonly confirmed_at: Date | null
  readonly failed_at: Date | null
  readonly failure: string | null
  /** Consecutive failed reads. */
  readonly failures: number
  readonly suspicious: boolean
  readonly version: number
  readonly born: Date
}

const columns = [
  'feed',
  'etag',
  'last_modified',
  'digest',
  'updated',
  'looked_at',
  'confirmed_at',
  'failed_at',
  'failure',
  'failures',
  'suspicious',
  'version',
  'born',
] as const
const ofFeed = columns.map((name) => `f.${name}`).join()

export async function feedState(db: Queries, feed: string): Promise<FeedState | undefined> {
  return db.kysely.selectFrom('feed_state').select(columns).where('feed', '=', feed).executeTakeFirst()
}

/** What one statement reads of a feed: its state, the database's clock, and the snapshot of the database in which it was read. */
export interface PolledFeed {
  readonly state: FeedState | undefined
  readonly now: Date
  /** A `pg_snapshot` as text. */
  readonly snapshot: string
}

/** Readers poll it, some of them every second, and open a transaction only if the version has changed. */
export async function pollFeed(db: Queries, feed: string): Promise<PolledFeed> {
  const rows = await db.query<FeedState & { now: Date; snapshot: string }>(
    `select ${ofFeed}, c.now, pg_current_snapshot()::text as snapshot
     from (select clock_timestamp() as now) c left join feed_state f on f.feed = $1`,
    [feed],
  )
  const row = firstRow(rows, 'feed state')
  return { state: row.feed === null ? undefined : row, now: row.now, snapshot: row.snapshot }
}

/** Returns all feeds whose name has a prefix, and the time of the database's clock. */
export async function feedStates(db: Queries, prefix: string): Promise<{ now: Date; feeds: FeedState[] }> {
  const rows = await db.query<FeedState & { now: Date }>(
    `select ${ofFeed}, c.now from (select clock_timestamp() as now) c left join feed_state f on starts_with(f.feed, $1)`,
    [prefix],
  )
  return { now: firstRow(rows, 'feed states').now, feeds: rows.filter((row) => row.feed !== null) }
}

/**
 * Returns the seconds since the newest confirmed read of each feed, whose name is the first segment of the keys of its
 * state.
 */
export async function feedAges(db: Queries): Promise<{ feed: string; seconds: number }[]> {
  return db.query(
    `select split_part(feed, '/', 1) as feed, extract(epoch from clock_timestamp() - max(confirmed_at))::float8 as seconds
     from feed_state where confirmed_at is not null group by 1`,
  )
}

/** A successful read of a feed. */
export interface ConfirmedRead {
  readonly etag?: string
  readonly lastModified?: string
  readonly digest?: string
  readonly updated?: Date
  readonly suspicious: boolean
  /** Number of rejected entries by reason. */
  readonly rejected: Readonly<Record<string, number>>
  /** New version number. Absent if nothing changed for readers. */
  readonly version?: number
  /** Why the first source could not be read, if the second source was read instead. */
  readonly failure?: string
  /** The source's own time of a copy that it no longer updates. Absent if the copy is up to date. */
  readonly frozenAt?: Date
}

/**
 * Records a confirmed read with the time of the database's clock. A frozen copy confirms the feed only up to its own
 * time.
 */
export async function markConfirmed(tx: Queries, feed: string, read: ConfirmedRead): Promise<void> {
  await tx.query(
    `insert into feed_state (feed, etag, last_modified, digest, updated, looked_at, confirmed_at, suspicious, rejected, version,
       failure, failed_at, failures)
     select $1, $2, $3, $4, $5::timestamptz, now, least(now, $10::timestamptz), $6::boolean, $7::jsonb, coalesce($8::bigint, 0), $9::text,
       case when $9::text is not null then now end, case when $9::text is null then 0 else 1 end
     from (select clock_timestamp() as now) c
     on conflict (feed) do update set etag = excluded.etag, last_modified = excluded.last_modified, digest = excluded.digest,
       updated = excluded.updated, looked_at = excluded.looked_at, confirmed_at = excluded.confirmed_at, failure = excluded.failure,
       failed_at = coalesce(excluded.failed_at, feed_state.failed_at),
       failures = case when excluded.failure is null then 0 else feed_state.failures + 1 end, suspicious = excluded.suspicious, rejected = excluded.rejected, version = coalesce($8::bigint, feed_state.version)`,
    [
      feed,
      read.etag ?? null,
      read.lastModified ?? null,
      read.digest ?? null,
      read.updated ?? null,
      read.suspicious,
      JSON.stringify(read.rejected),
      read.version ?? null,
      read.failure ?? null,
      read.frozenAt ?? null,
    ],
  )
}

/** Returns whether the last read used the second source because the first had failed. */
export function usesSecondSource({ failure, failed_at, confirmed_at }: FeedState): boolean {
  return failure !== null && failed_at !== null && confirmed_at?.getTime() === failed_at.getTime()
}

/** A copy that is older than its read by more than this is not current, ms. */
const OLD_COPY_MS = 600_000

/** Returns why the last read, which did not fail, does not confirm a feed; undefined if it does. */
export function oldCopyOf(state: FeedState): { readonly at: Date; readonly why: string } | undefined {
  const { failure, looked_at: at, confirmed_at: confirmed, etag, digest } = state
  if (failure !== null || at === null || confirmed === null || (etag ?? digest) === null) return undefined
  if (at.getTime() - confirmed.getTime() <= OLD_COPY_MS) return undefined
  return { at, why: `a cache serves a frozen copy: the last answer is a copy from ${confirmed.toISOString()}` }
}

/** Records that a document was unchanged; only the times are written. @param frozenAt as in `ConfirmedRead` */
export async function markUnchanged(tx: Queries, feed: string, frozenAt?: Date): Promise<void> {
  await tx.query(
    `update feed_state set looked_at = clock_timestamp(), confirmed_at = least(clock_timestamp(), $2::timestamptz), failure = null,
       failures = 0, suspicious = false
     where feed = $1`,
    [feed, frozenAt ?? null],
  )
}

/**
 * Records a failed read. Stored rows stay, and the next read requests the whole document, without validators.
 * @param times number of failures that the read counts as
 */
export async function markFailed(tx: Queries, feed: string, failure: string, times = 1): Promise<void> {
  await tx.query(
    `insert into feed_state (feed, looked_at, failed_at, failure, failures) values ($1, clock_timestamp(), clock_timestamp(), $2, $3)
     on conflict (feed) do update set looked_at = excluded.looked_at, failed_at = excluded.failed_at, failure = excluded.failure,
       failures = feed_state.failures + excluded.failures, etag = null, last_modified = null, digest = null`,
    [feed, failure, times],
  )
}

/**
 * Records that a document is not published, which is neither a confirmed read nor a failure. The record shows that
 * every file was requested. The next read requests the whole document.
 */
export async function markAbsent(tx: Queries, feed: string): Promise<void> {
  await tx.query(
    `insert into feed_state (feed, looked_at) values ($1, clock_timestamp())
     on conflict (feed) do update set looked_at = excluded.looked_at, failure = null, failures = 0, etag = null,
       last_modified = null, digest = null`,
    [feed],
  )
}

/** Returns a new version number. Readers reload the rows up to it. */
export async function nextVersion(tx: Queries): Promise<number> {
  return firstRow(await tx.query<{ version: number }>(`select nextval('change_version') as version`), 'nextval').version
}

export async function setVersion(tx: Queries, feed: string, version: number): Promise<void> {
  await tx.query(
    `insert into feed_state (feed, version) values ($1, $2)
     on conflict (feed) do update set version = greatest(feed_state.version, excluded.version)`,
    [feed, version],
  )
}

export interface RejectedEntry {
  readonly reason: string
  readonly id?: string
  readonly detail: string
}

/** Stores rejected entries, and counts repetitions. */
export async function storeRejected(tx: Queries, feed: string, rejected: readonly RejectedEntry[]): Promise<void> {
  if (rejected.length === 0) return
  await tx.query(
    `insert into rejected_entry (feed, reason, id, detail)
     select distinct $1, r.reason, coalesce(r.id, ''), left(r.detail, 300)
     from jsonb_to_recordset($2::jsonb) as r(reason text, id text, detail text)
     on conflict (feed, reason, id, detail) do update set times = rejected_entry.times + 1, seen_at = clock_timestamp()`,
    [feed, JSON.stringify(rejected)],
  )
}

/** Adds numbers of rejected entries to the counters by reason, for a feed whose rejected entries recur in every read. */
export async function countRejected(
  tx: Queries,
  feed: string,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  if (Object.keys(counts).length === 0) return
  await tx.query(
    `insert into rejected_entry (feed, reason, id, detail, times)
     select $1, r.key, '', 'counted', r.value::int from jsonb_each_text($2::jsonb) r where r.value::int > 0
     on conflict (feed, reason, id, detail)
       do update set times = rejected_entry.times + excluded.times, seen_at = clock_timestamp()`,
    [feed, JSON.stringify(counts)],
  )
}

/** Returns the number of rejected entries by feed and reason. */
export async function rejectedTotals(db: Queries): Promise<{ feed: string; reason: string; total: number }[]> {
  return db.kysely
    .selectFrom('rejected_entry')
    .select(['feed', 'reason', sql<number>`sum(times)::float8`.as('total')])
    .groupBy(['feed', 'reason'])
    .execute()
}

/** Removes the states whose names have a prefix and whose files were last requested before an instant. */
export async function removeFeedStates(db: Pick<Transactions, 'run'>, prefix: string, before: Date): Promise<void> {
  await deleteInBatches(
    db,
    `delete from feed_state where ctid = any(array(
       select ctid from feed_state where starts_with(feed, $1) and looked_at < $2 limit $3))`,
    [prefix, before],
  )
}

/** Makes readers forget what they know of every feed, for a database that was restored to an earlier point. */
export async function renewFeeds(db: Queries): Promise<void> {
  await db.query('update feed_state set born = clock_timestamp()')
}
