import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'

/** What the database counts for a subject. */
export interface UsageRow {
  readonly subject: string
  /** Calls in the bucket `age` seconds ago; negative if processes together have granted more than the plan. */
  readonly tokens: number
  readonly age: number
  readonly day: string
  readonly day_count: number
  readonly month: string
  readonly month_count: number
  readonly total: number
}

/** Number of calls that a process has counted for a key or account on one day (UTC), less the refunded ones. */
export interface UsageChange {
  readonly subject: string
  readonly calls: number
  readonly day: string
  readonly month: string
  /** Size of the bucket, and calls that it gains each second. */
  readonly burst: number
  readonly perSecond: number
}

const columns = `u.subject, u.tokens, extract(epoch from clock_timestamp() - u.tokens_at)::float8 as age, u.day::text as day, u.day_count,
  u.month::text as month, u.month_count, u.total`

export async function usagesOf(db: Queries, subjects: readonly string[]): Promise<UsageRow[]> {
  if (subjects.length === 0) return []
  return db.query<UsageRow & object>(`select ${columns} from key_usage u where u.subject = any($1::text[])`, [subjects])
}

/**
 * Adds the calls that a process has granted, even if they exceed a limit, and returns the sums over all processes. Buckets refill by the
 * database's clock. Each subject may occur once.
 */
export async function addUsage(db: Queries, changes: readonly UsageChange[]): Promise<UsageRow[]> {
  if (changes.length === 0) return []
  // Rows are locked in the order of subjects, so that two processes do not deadlock.
  return db.query<UsageRow & object>(
    `with given as materialized (
       select * from unnest($1::text[], $2::bigint[], $3::date[], $4::date[], $5::float8[], $6::float8[])
         as g (subject, calls, day, month, burst, per_second)
     ), counted as (
       insert into usage_day as d (subject, day, calls) select subject, day, greatest(0, calls) from given order by subject
       on conflict (subject, day) do update set calls = greatest(0, d.calls + (select g.calls from given g where g.subject = d.subject))
     )
     insert into key_usage as u (subject, tokens, tokens_at, day, day_count, month, month_count, total)
     select subject, burst - calls, clock_timestamp(), day, greatest(0, calls), month, greatest(0, calls), greatest(0, calls)
     from given order by subject
     on conflict (subject) do update set
       (tokens, tokens_at, day, day_count, month, month_count, total) = (
         select least(g.burst, u.tokens + greatest(0, extract(epoch from clock_timestamp() - u.tokens_at)::float8) * g.per_second - g.calls),
           clock_timestamp(), greatest(u.day, g.day),
           case when g.day > u.day then greatest(0, g.calls) when g.day = u.day then greatest(0, u.day_count + g.calls) else u.day_count end,
           greatest(u.month, g.month),
           case when g.month > u.month then greatest(0, g.calls) when g.month = u.month then greatest(0, u.month_count + g.calls)
             else u.month_count end,
           greatest(0, u.total + g.calls)
         from given g where g.subject = u.subject)
     returning ${columns}`,
    [
      changes.map(({ subject }) => subject),
      changes.map(({ calls }) => calls),
      changes.map(({ day }) => day),
      changes.map(({ month }) => month),
      changes.map(({ burst }) => burst),
      changes.map(({ perSecond }) => perSecond),
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
