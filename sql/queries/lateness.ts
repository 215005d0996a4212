import {
  CATCH_UP_SECONDS,
  type Delays,
  type Expectation,
  expectationOf,
  TIMING_DAYS,
} from '../../ingest/domain/run/lateness.ts'
import { DAY, type Instant } from '../../ingest/domain/time.ts'
import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'
import { addToOutbox, type OutboxMessage } from './outbox.ts'

/** When the files of a lead group appeared upstream, and when it was served. */
export interface TimingRow {
  readonly dataset: string
  readonly domain: string
  readonly stage: number
  readonly slot: Date
  readonly run: Date
  readonly first_seen: Date | null
  readonly last_seen: Date | null
  /** If absent, the current time of the database's clock is stored. */
  readonly served_at?: Date | null
}

/** Records lead groups that are now served. If a group was already recorded as served, its time is unchanged. */
export async function recordServed(tx: Queries, rows: readonly TimingRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `insert into run_timing (dataset, domain, stage, slot, run, first_seen, last_seen, served_at)
     select dataset, domain, stage, slot, run, first_seen, last_seen, coalesce(served_at, clock_timestamp())
     from jsonb_to_recordset($1::jsonb) as r(dataset text, domain text, stage smallint, slot timestamptz, run timestamptz,
       first_seen timestamptz, last_seen timestamptz, served_at timestamptz)
     on conflict (dataset, domain, stage, slot) do update
       set first_seen = excluded.first_seen, last_seen = excluded.last_seen, served_at = excluded.served_at
       where run_timing.served_at is null`,
    [JSON.stringify(rows)],
  )
}

/** Returns the expectation of a dataset, domain and lead group (0 for frames). */
export type Expectations = (
  dataset: { readonly id: string; readonly latencySeconds: number },
  domain: string,
  stage: number,
) => Expectation

/** Derives expectations from the delays of every lead group. Runs that our own outage delayed do not count. */
export async function learnExpectations(db: Queries, now: Instant): Promise<Expectations> {
  const rows = await db.query<{
    dataset: string
    domain: string
    stage: number
    count: number
    since: Date
    p50: number
    p95: number
  }>(
    `select dataset, domain, stage, count(*)::int as count, min(run) as since,
       percentile_cont(0.5) within group (order by extract(epoch from served_at - run)::float8) as p50,
       percentile_cont(0.95) within group (order by extract(epoch from served_at - run)::float8) as p95
     from run_timing
     where slot >= $1 and served_at is not null and served_at - coalesce(last_seen, served_at) <= make_interval(secs => $2)
     group by dataset, domain, stage`,
    [new Date(now - TIMING_DAYS * DAY), CATCH_UP_SECONDS],
  )
  const delays = new Map<string, Delays>(
    rows.map((row) => [`${row.dataset}/${row.domain}/${row.stage}`, { ...row, since: row.since.getTime() }]),
  )
  return (dataset, domain, stage) =>
    expectationOf(dataset.latencySeconds, delays.get(`${dataset.id}/${domain}/${stage}`), now)
}

export interface LateRow {
  readonly dataset: string
  readonly domain: string
  readonly stage: number
  readonly run: Date
  readonly due_at: Date
}

/**
 * Records late runs and adds their events to the outbox, in one transaction. A run that is already recorded as late in
 * any stage is left out.
 * @returns the newly recorded runs
 */
export async function recordLate<Row extends LateRow>(
  db: Transactions,
  late: readonly Row[],
  at: Date,
  messageOf: (row: Row) => OutboxMessage,
): Promise<readonly Row[]> {
  if (late.length === 0) return []
  return db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtext('late runs'))")
    const recorded = await tx.query<{ dataset: string; domain: string; run: Date }>(
      'select dataset, domain, run from run_timing where late_at is not null and slot >= $1',
      [new Date(Math.min(...late.map(({ run }) => run.getTime())))],
    )
    const keyOf = (row: { dataset: string; domain: string; run: Date }) =>
      `${row.dataset}/${row.domain}/${row.run.getTime()}`
    const recordedKeys = new Set(recorded.map(keyOf))
    const unrecorded = late.filter((row) => !recordedKeys.has(keyOf(row)))
    if (unrecorded.length === 0) return []
    await tx.query(
      `insert into run_timing (dataset, domain, stage, slot, run, due_at, late_at)
       select dataset, domain, stage, run, run, due_at, $2::timestamptz
       from jsonb_to_recordset($1::jsonb) as r(dataset text, domain text, stage smallint, run timestamptz, due_at timestamptz)
       on conflict (dataset, domain, stage, slot) do update set due_at = excluded.due_at, late_at = excluded.late_at`,
      [JSON.stringify(unrecorded), at],
    )
    await addToOutbox(tx, unrecorded.map(messageOf))
    return unrecorded
  })
}

export interface FreshnessCheck {
  readonly dataset: string
  readonly domain: string
  readonly fresh: boolean
}

/** Counts one minute for each dataset. A repeated call for the same minute changes nothing. */
export async function countFreshness(db: Queries, checks: readonly FreshnessCheck[], minute: Date): Promise<void> {
  if (checks.length === 0) return
  await db.query(
    `insert into freshness_day (dataset, domain, day, checked, fresh, first_at, last_at)
     select dataset, domain, ($2::timestamptz at time zone 'UTC')::date, 1, fresh::int, $2, $2
     from jsonb_to_recordset($1::jsonb) as r(dataset text, domain text, fresh boolean)
     on conflict (dataset, domain, day) do update set checked = freshness_day.checked + 1,
       fresh = freshness_day.fresh + excluded.fresh, last_at = excluded.last_at
       where freshness_day.last_at < excluded.last_at`,
    [JSON.stringify(checks), minute],
  )
}

/** Returns when the freshness of each dataset was first checked. */
export async function watchedSince(db: Queries): Promise<{ dataset: string; domain: string; since: Date }[]> {
  return db.query('select dataset, domain, min(first_at) as since from freshness_day group by dataset, domain')
}

export interface FreshnessRow {
  readonly dataset: string
  readonly domain: string
  /** UTC date, such as `2026-08-20`. */
  readonly day: string
  readonly checked: number
  readonly fresh: number
}

export async function freshnessDays(db: Queries, since: Date): Promise<FreshnessRow[]> {
  return db.query<FreshnessRow & Record<string, unknown>>(
    `select dataset, domain, day::text as day, checked, fresh from freshness_day
     where day >= ($1::timestamptz at time zone 'UTC')::date`,
    [since],
  )
}

export interface LateEntry extends LateRow {
  readonly late_at: Date
  readonly served_at: Date | null
}

/** Returns the late runs since an instant, newest first, at most `most`. */
export async function lateEntries(db: Queries, since: Date, most: number): Promise<LateEntry[]> {
  return db.query<LateEntry & Record<string, unknown>>(
    `select dataset, domain, stage, run, due_at, late_at, served_at from run_timing
     where late_at >= $1 order by late_at desc, dataset, domain limit $2`,
    [since, most],
  )
}

export interface FailureRow {
  readonly dataset: string
  readonly domain: string
  readonly run: Date
  readonly reason: string | null
  readonly at: Date
}

/**
 * Returns the runs and frames that were rejected since an instant, newest first, at most three for each dataset and
 * domain.
 */
export async function rejectedRuns(db: Queries, since: Date): Promise<FailureRow[]> {
  return db.query<FailureRow & Record<string, unknown>>(
    `select dataset, domain, run, reason, at from (
       select dataset, domain, run, reason, ended_at as at,
         row_number() over (partition by dataset, domain order by ended_at desc) as place
       from run where state = 'rejected' and ended_at >= $1
     ) r where place <= 3 order by dataset, domain, at desc`,
    [since],
  )
}

/** Deletes timings and days of freshness from before an instant. @returns the number of rows */
export async function removeTimings(db: Pick<Transactions, 'run'>, before: Date): Promise<number> {
  const timings = await deleteInBatches(
    db,
    'delete from run_timing where ctid = any(array(select ctid from run_timing where slot < $1 limit $2))',
    [before],
  )
  const days = await deleteInBatches(
    db,
    `delete from freshness_day where ctid = any(array(
       select ctid from freshness_day where day < ($1::timestamptz at time zone 'UTC')::date limit $2))`,
    [before],
  )
  return timings + days
}
