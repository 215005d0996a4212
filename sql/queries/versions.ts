import { deleteInBatches, inBatches } from '../batches.ts'
import { firstRow } from '../first-row.ts'
import type { Queries, Transactions } from '../session.ts'

/** The state that a source of the API served from an instant of the API's clock on, as a snapshot of the database. */
export interface ServedState {
  readonly source: string
  readonly since: number
  /** A `pg_snapshot` as text. */
  readonly snapshot: string
  /** How far the database's clock is ahead of the API's clock, ms. */
  readonly clockLead: number
  /** Time of the last read before this state, if that read was late; otherwise undefined. */
  readonly unreadSince?: number | undefined
}

/** The state that a source served at an instant. */
export interface StateAt extends ServedState {
  /** When the source had last been read. */
  readonly readAt: number
}

/** A snapshot of the past, and the clock that statements in it use. */
export interface PastState {
  readonly snapshot: string
  readonly clock: () => Date
}

/** Runs `work` in one snapshot of the database and passes the snapshot as text. */
export function readSnapshot<T>(db: Transactions, work: (tx: Queries, snapshot: string) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
    return work(tx, firstRow(rows, 'pg_current_snapshot').snapshot)
  }, 'snapshot')
}

/**
 * Makes the following statements of this transaction read the versions that are visible in a past snapshot, with its
 * clock.
 */
export async function enterPast(tx: Queries, { snapshot, clock }: PastState): Promise<void> {
  await tx.query(
    `select set_config('hexcast.snapshot', $1, true), set_config('hexcast.clock', $2, true),
       set_config('search_path', quote_ident(current_schema() || '_past') || ', ' || current_setting('search_path') || ', pg_catalog', true)`,
    [snapshot, clock().toISOString()],
  )
}

export async function putServedStates(db: Queries, states: readonly ServedState[]): Promise<void> {
  await db.query(
    `insert into served_state (source, since, snapshot, clock_lead_ms, unread_since)
     select r.source, to_timestamp(r.since / 1000.0), r.snapshot::pg_snapshot, r."clockLead", to_timestamp(r."unreadSince" / 1000.0)
     from jsonb_to_recordset($1::jsonb)
       as r(source text, since numeric, snapshot text, "clockLead" int, "unreadSince" numeric)
     on conflict (source, since) do update set snapshot = excluded.snapshot, clock_lead_ms = excluded.clock_lead_ms,
       unread_since = excluded.unread_since`,
    [JSON.stringify(states)],
  )
}

/** The sources that have states, by one lookup in the index for each: the table has millions of rows, and a dozen sources. */
const SOURCES = `recursive sources as (
       (select source from served_state order by source limit 1)
       union all
       select (select s.source from served_state s where s.source > sources.source order by s.source limit 1)
       from sources where sources.source is not null)`

/** Returns the state that each source served at an instant. */
export async function servedStatesAt(db: Queries, at: Date): Promise<StateAt[]> {
  const rows = await db.query<{
    source: string
    since: Date
    snapshot: string
    clock_lead_ms: number
    unread_since: Date | null
  }>(
    `with ${SOURCES}
     select s.source, s.since, s.snapshot::text as snapshot, s.clock_lead_ms, later.unread_since
     from sources cross join lateral (
       select * from served_state e where e.source = sources.source and e.since <= $1 order by e.since desc limit 1) s
     left join lateral (select unread_since from served_state l where l.source = s.source and l.since > $1 order by l.since limit 1) later
       on later.unread_since <= $1`,
    [at],
  )
  return rows.map(({ source, snapshot, since, clock_lead_ms, unread_since }) => ({
    source,
    snapshot,
    since: since.getTime(),
    clockLead: clock_lead_ms,
    readAt: (unread_since ?? at).getTime(),
  }))
}

/** Returns the first instant for which the state of every source is stored, or null if there is none. */
export async function historyStart(db: Queries): Promise<Date | null> {
  const [row] = await db.query<{ start: Date | null }>(
    `with ${SOURCES}
     select max(first.since) as start from sources
     cross join lateral (select s.since from served_state s where s.source = sources.source order by s.since limit 1) first`,
  )
  return row?.start ?? null
}

/**
 * Removes the states from before an instant, except the state that was served at that instant, and the versions of rows
 * that no remaining state contains.
 * @returns the number of removed versions
 */
export async function removeOldVersions(db: Transactions, before: Date): Promise<number> {
  // The states are removed first, because without its state no answer can need a version any more.
  await deleteInBatches(
    db,
    `delete from served_state where ctid = any(array(
       select s.ctid from served_state s where s.since < $1 and exists (
         select from served_state later where later.source = s.source and later.since > s.since and later.since <= $1)
       limit $2))`,
    [before],
  )
  return inBatches(async (most) => {
    const rows = await db.query<{ removed: number }>(
      `select forget_versions(coalesce((select min(pg_snapshot_xmin(snapshot)) from served_state), pg_current_xact_id()), $1)
         as removed`,
      [most],
    )
    return firstRow(rows, 'forget_versions').removed
  })
}

/**
 * Restarts the history of versions if the database was restored from a dump, which restarts its transaction numbers.
 * @returns whether the history was restarted
 */
export async function restartHistory(db: Transactions): Promise<boolean> {
  const rows = await db.query<{ foreign: boolean }>(
    `select exists (select from served_state where pg_snapshot_xmin(snapshot) > pg_snapshot_xmax(pg_current_snapshot())) as foreign`,
  )
  const { foreign } = firstRow(rows, 'served_state')
  if (foreign) await db.query('select begin_versions()')
  return foreign
}
