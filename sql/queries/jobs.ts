import { firstRow } from '../first-row.ts'
import type { Transactions } from '../session.ts'

/** The database schema of pg-boss. */
export const JOB_SCHEMA = 'work'

/** An active job of this process. `startedOn` changes when another process takes the job over. */
export interface OwnedJob {
  readonly queue: string
  readonly id: string
  readonly startedOn: Date
}

/**
 * Postpones an active job until `at` and lowers its priority by `back`. This does not count as a failure. A job that
 * another process took over is unchanged.
 */
export async function postponeJob(
  db: Pick<Transactions, 'query'>,
  { queue, id, startedOn }: OwnedJob,
  at: Date,
  back = 0,
): Promise<void> {
  await db.query(
    `update ${JOB_SCHEMA}.job set state = 'retry', start_after = $3, priority = priority - $4, started_on = null, heartbeat_on = null
     where name = $1 and id = $2::uuid and state = 'active' and date_trunc('milliseconds', started_on) = $5`,
    [queue, id, at, back, startedOn],
  )
}

/** Ends an active job as failed, without a retry. A job that another process took over is unchanged. */
export async function failJob(
  db: Pick<Transactions, 'query'>,
  { queue, id, startedOn }: OwnedJob,
  message: string,
): Promise<void> {
  await db.query(
    `update ${JOB_SCHEMA}.job set state = 'failed', completed_on = now(), output = $4::jsonb
     where name = $1 and id = $2::uuid and state = 'active' and date_trunc('milliseconds', started_on) = $3`,
    [queue, id, startedOn, JSON.stringify({ message })],
  )
}

/** Lets the postponed jobs whose names have a prefix run now. @returns their number */
export async function advanceJobs(db: Pick<Transactions, 'query'>, queue: string, prefix: string): Promise<number> {
  const rows = await db.query(
    `update ${JOB_SCHEMA}.job set start_after = now()
     where name = $1 and state = 'retry' and start_after > now() and starts_with(singleton_key, $2) returning id`,
    [queue, prefix],
  )
  return rows.length
}

/** Returns whether a job of this name has completed. The queue keeps completed jobs for an hour. */
export async function hasCompleted(
  db: Pick<Transactions, 'query'>,
  queue: string,
  singletonKey: string,
): Promise<boolean> {
  const rows = await db.query(
    `select id from ${JOB_SCHEMA}.job where name = $1 and singleton_key = $2 and state = 'completed' limit 1`,
    [queue, singletonKey],
  )
  return rows.length > 0
}

/** Returns the queues that have jobs whose time has come, with the number of these jobs. */
export async function queuesWithDueJobs(db: Pick<Transactions, 'query'>): Promise<{ name: string; jobs: number }[]> {
  return db.query(
    `select name, count(*) as jobs from ${JOB_SCHEMA}.job where state < 'active' and start_after <= now() group by name`,
  )
}

/**
 * Returns whether a job is active in the process that started it at `startedOn`, or in any process if `startedOn` is
 * absent.
 */
export async function ownsJob(
  db: Pick<Transactions, 'query'>,
  queue: string,
  id: string,
  startedOn?: Date,
): Promise<boolean> {
  const rows = await db.query(
    `select id from ${JOB_SCHEMA}.job where name = $1 and id = $2::uuid and state = 'active'
     and ($3::timestamptz is null or date_trunc('milliseconds', started_on) = $3)`,
    [queue, id, startedOn ?? null],
  )
  return rows.length > 0
}

/** Releases all active jobs. Only the single owner of an embedded database may call this, before it starts work. */
export async function releaseJobs(db: Pick<Transactions, 'query'>): Promise<number> {
  const rows = await db.query(
    `update ${JOB_SCHEMA}.job set state = 'retry', start_after = now(), started_on = null, heartbeat_on = null
     where state = 'active' and name not like '\\_\\_pgboss%' returning id`,
  )
  return rows.length
}

export interface JobCounts {
  readonly waiting: number
  readonly running: number
  readonly failed: number
}

export async function jobCounts(db: Pick<Transactions, 'query'>): Promise<JobCounts> {
  const rows = await db.query<{ waiting: number; running: number; failed: number }>(
    `select count(*) filter (where state in ('created', 'retry')) as waiting,
            count(*) filter (where state = 'active') as running,
            count(*) filter (where state = 'failed') as failed
     from ${JOB_SCHEMA}.job where name not like '\\_\\_pgboss%'`,
  )
  const row = firstRow(rows, 'job counts')
  return { waiting: Number(row.waiting), running: Number(row.running), failed: Number(row.failed) }
}
