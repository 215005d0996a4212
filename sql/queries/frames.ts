import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'

export interface FrameRow {
  readonly dataset: string
  readonly domain: string
  readonly run: Date
  readonly manifest_key: string | null
}

/** Returns frames of a dataset that are older than an instant and to which no pointer refers, oldest first. */
export async function agedFrames(db: Queries, dataset: string, before: Date, most = 5_000): Promise<FrameRow[]> {
  return db.query<FrameRow & Record<string, unknown>>(
    `select r.dataset, r.domain, r.run, r.manifest_key from run r
     where r.dataset = $1 and r.run < $2
       and not exists (select from pointer p where p.dataset = r.dataset and p.domain = r.domain and p.run = r.run)
     order by r.run limit $3`,
    [dataset, before, most],
  )
}

/** Returns the object keys of frames that are older than an instant and to which a pointer still refers. */
export async function pointedFrameKeys(db: Queries, dataset: string, before: Date): Promise<string[]> {
  const rows = await db.query<{ manifest_key: string }>(
    'select manifest_key from pointer where dataset = $1 and run < $2',
    [dataset, before],
  )
  return rows.map(({ manifest_key }) => manifest_key)
}

/**
 * Deletes the rows of frames whose objects were removed. There are some 20,000 frames a day, so only their scores are
 * stored for longer.
 */
export async function forgetFrames(db: Queries, dataset: string, frames: readonly FrameRow[]): Promise<void> {
  await db.query(
    `delete from run r using unnest($2::text[], $3::timestamptz[]) as aged (domain, run)
     where r.dataset = $1 and r.domain = aged.domain and r.run = aged.run
       and not exists (select from pointer p where p.dataset = r.dataset and p.domain = r.domain and p.run = r.run)`,
    [dataset, frames.map(({ domain }) => domain), frames.map(({ run }) => run)],
  )
}

/** Returns the times of the published frames of a product, ascending, ms. */
export async function storedFrameTimes(db: Queries, dataset: string, domain: string): Promise<number[]> {
  const rows = await db.query<{ run: Date }>(
    "select run from run where dataset = $1 and domain = $2 and state = 'published' order by run",
    [dataset, domain],
  )
  return rows.map(({ run }) => run.getTime())
}

/** Hits, misses and false alarms of one verified forecast. */
export interface ScoreRow {
  readonly domain: string
  readonly lead: number
  readonly threshold: number
  readonly hits: number
  readonly misses: number
  readonly falseAlarms: number
}

/**
 * Stores the scores of the forecasts that were verified with the frame at `valid`. A repeated call for the same frame
 * changes nothing.
 */
export async function addScores(db: Queries, domain: string, valid: Date, rows: readonly ScoreRow[]): Promise<void> {
  for (const { lead, threshold, hits, misses, falseAlarms } of rows) {
    await db.query(
      `insert into nowcast_score (domain, valid, lead, threshold, hits, misses, false_alarms)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [domain, valid, lead, threshold, hits, misses, falseAlarms],
    )
  }
}

/** Returns whether the forecasts for a frame are already verified. */
export async function isScored(db: Queries, domain: string, valid: Date): Promise<boolean> {
  const rows = await db.query('select 1 from nowcast_score where domain = $1 and valid = $2 limit 1', [domain, valid])
  return rows.length > 0
}

export interface RunningScore {
  readonly domain: string
  readonly lead: number
  readonly threshold: number
  readonly csi: number | null
  /** Number of verified frames. */
  readonly frames: number
}

/** Returns the critical success index (CSI) by domain, lead and threshold over the last hours. */
export async function runningScores(db: Queries, hours: number): Promise<RunningScore[]> {
  return db.query<RunningScore & Record<string, unknown>>(
    `select domain, lead, threshold,
            sum(hits)::float8 / nullif(sum(hits + misses + false_alarms), 0) as csi, count(*)::int as frames
     from nowcast_score where valid > now() - make_interval(hours => $1::int)
     group by domain, lead, threshold order by domain, threshold, lead`,
    [hours],
  )
}

/** Deletes scores of frames that are older than `keepHours`. @returns their number */
export function removeOldScores(db: Pick<Transactions, 'run'>, keepHours: number): Promise<number> {
  return deleteInBatches(
    db,
    `delete from nowcast_score where ctid = any(array(
       select ctid from nowcast_score where valid < now() - make_interval(hours => $1::int) limit $2))`,
    [keepHours],
  )
}
