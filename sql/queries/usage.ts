import { deleteInBatches } from '../batches.ts'
import { firstRow } from '../first-row.ts'
import type { Queries, Transactions } from '../session.ts'

export interface UsageRow {
  readonly subject: string
  readonly tokens: number
  readonly tokens_at: Date
  readonly day: string
  readonly day_count: number
  readonly month: string
  readonly month_count: number
  readonly total: number
  readonly granted: number
}

/** Limits of a plan by period. */
export interface Windows {
  readonly minute: number
  readonly burst: number
  readonly day?: number
  readonly month?: number
  readonly total?: number
}

const columns = `subject, tokens, tokens_at, day::text as day, day_count, month::text as month, month_count, total, granted`

export async function usageOf(db: Queries, subject: string): Promise<UsageRow | undefined> {
  const [row] = await db.query<UsageRow>(`select ${columns} from key_usage where subject = $1`, [subject])
  return row
}

/**
 * Grants up to `want` calls to a subject by the database's clock, and counts them. Concurrent processes are serialized.
 * If `want` is 0 the usage is only read; if it is negative, calls are returned.
 */
export async function grantCalls(db: Queries, subject: string, windows: Windows, want: number): Promise<UsageRow> {
  await db.query(
    `insert into key_usage (subject, tokens, tokens_at, day, month)
     values ($1, $2, clock_timestamp(), (now() at time zone 'utc')::date, date_trunc('month', now() at time zone 'utc')::date)
     on conflict do nothing`,
    [subject, windows.burst],
  )
  const rows = await db.query<UsageRow>(
    `with clock as (
       select clock_timestamp() as at, (clock_timestamp() at time zone 'utc')::date as today,
              date_trunc('month', clock_timestamp() at time zone 'utc')::date as month
     ), held as (
       select * from key_usage where subject = $1 for update
     ), fresh as (
       select held.subject, clock.at, clock.today, clock.month as this_month, held.total,
              least($2::float8, held.tokens + greatest(0, extract(epoch from clock.at - held.tokens_at)::float8) * $3::float8) as tokens,
              case when held.day < clock.today then 0 else held.day_count end as day_count,
              case when held.month < clock.month then 0 else held.month_count end as month_count
       from held, clock
     ), grants as (
       select *, case when $7::int < 0 then $7::int else greatest(0, least($7::int, floor(tokens + 1e-9)::int, $4::bigint - day_count,
              $5::bigint - month_count, $6::bigint - total))::int end as n
       from fresh
     ), counted as (
       insert into usage_day as d (subject, day, calls) select subject, today, greatest(0, n) from grants where n <> 0
       on conflict (subject, day) do update set calls = greatest(0, d.calls + (select n from grants))
     )
     update key_usage u set tokens = least($2::float8, grants.tokens - grants.n), tokens_at = grants.at,
       day = grants.today, day_count = greatest(0, grants.day_count + grants.n),
       month = grants.this_month, month_count = greatest(0, grants.month_count + grants.n),
       total = greatest(0, grants.total + grants.n), granted = grants.n
     from grants where u.subject = grants.subject
     returning u.subject, u.tokens, u.tokens_at, u.day::text as day, u.day_count, u.month::text as month, u.month_count, u.total, u.granted`,
    [
      subject,
      windows.burst,
      windows.minute / 60,
      windows.day ?? null,
      windows.month ?? null,
      windows.total ?? null,
      want,
    ],
  )
  return firstRow(rows, 'update key_usage')
}

/** Adds the counts of a process. Each entry has its day, so that yesterday's calls are added to yesterday's total. */
export async function addUsage(
  db: Queries,
  entries: readonly { subject: string; tokens: number; at: Date; day: string; month: string; count: number }[],
): Promise<void> {
  if (!entries.length) return
  await db.query(
    `with counted as (
       insert into usage_day as d (subject, day, calls)
       select subject, day, greatest(0, calls) from unnest($1::text[], $4::date[], $5::bigint[]) as e (subject, day, calls)
       on conflict (subject, day) do update set calls = greatest(0, d.calls + (
         select e.calls from unnest($1::text[], $4::date[], $5::bigint[]) as e (subject, day, calls)
         where e.subject = d.subject and e.day = d.day))
     )
     insert into key_usage as u (subject, tokens, tokens_at, day, day_count, month, month_count, total)
     select * from unnest($1::text[], $2::float8[], $3::timestamptz[], $4::date[], $5::bigint[], $6::date[], $7::bigint[], $8::bigint[])
     on conflict (subject) do update set
       tokens = excluded.tokens, tokens_at = excluded.tokens_at,
       day = greatest(u.day, excluded.day), month = greatest(u.month, excluded.month),
       day_count = case when excluded.day > u.day then excluded.day_count when excluded.day = u.day then u.day_count + excluded.day_count else u.day_count end,
       month_count = case when excluded.month > u.month then excluded.month_count when excluded.month = u.month then u.month_count + excluded.month_count else u.month_count end,
       total = greatest(0, u.total + excluded.total)`,
    [
      entries.map((entry) => entry.subject),
      entries.map((entry) => entry.tokens),
      entries.map((entry) => entry.at),
      entries.map((entry) => entry.day),
      entries.map((entry) => entry.count),
      entries.map((entry) => entry.month),
      entries.map((entry) => entry.count),
      entries.map((entry) => entry.count),
    ],
  )
}

/** Number of days for which usage by day is stored: the current month and the previous month. */
const USAGE_DAYS = 62

/** Returns the total calls of some subjects for each UTC day of the last `days` days including today, oldest first. */
export async function usageByDay(
  db: Queries,
  subjects: readonly string[],
  days: number,
): Promise<{ day: string; calls: number }[]> {
  return db.query<{ day: string; calls: number }>(
    `select to_char(s.day, 'YYYY-MM-DD') as day, coalesce(sum(u.calls), 0)::bigint as calls
     from generate_series((now() at time zone 'utc')::date - ($2::int - 1), (now() at time zone 'utc')::date, interval '1 day') as s (day)
     left join usage_day u on u.day = s.day::date and u.subject = any($1::text[])
     group by s.day order by s.day`,
    [subjects, days],
  )
}

/** Removes old rows of usage by day. @returns their number */
export function removeUsageDays(db: Pick<Transactions, 'run'>): Promise<number> {
  return deleteInBatches(
    db,
    `delete from usage_day where ctid = any(array(
       select ctid from usage_day where day < (now() at time zone 'utc')::date - $1::int limit $2))`,
    [USAGE_DAYS],
  )
}
