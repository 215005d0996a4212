import type { Database } from '../../ingest/ports/database.ts'

/** Where pg-boss keeps its jobs. */
export const JOB_SCHEMA = 'work'

/** Puts an active job down until `at`, behind others by `back`; it counts as no failure. */
export async function postponeJob(
  db: Pick<Database, 'query'>,
  queue: string,
  id: string,
  at: Date,
  back = 0,
): Promise<void> {
  await db.query(
    `update ${JOB_SCHEMA}.job set state = 'retry', start_after = $3, priority = priority - $4, started_on = null, heartbeat_on = null
     where name = $1 and id = $2::uuid and state = 'active'`,
    [queue, id, at, back],
  )
}

/** Jobs that a dead process held are free again. Only for the one owner of an embedded database, before it takes work. */
export async function releaseJobs(db: Pick<Database, 'query'>): Promise<number> {
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

export async function jobCounts(db: Pick<Database, 'query'>): Promise<JobCounts> {
  const [row] = await db.query<{ waiting: number; running: number; failed: number }>(
    `select count(*) filter (where state in ('created', 'retry')) as waiting,
            count(*) filter (where state = 'active') as running,
            count(*) filter (where state = 'failed') as failed
     from ${JOB_SCHEMA}.job where name not like '\\_\\_pgboss%'`,
  )
  return { waiting: Number(row.waiting), running: Number(row.running), failed: Number(row.failed) }
}
