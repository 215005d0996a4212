import type { Queries } from '../session.ts'

/** State of the reads of a frame dataset, by the database's clock. A sweep is one read of all its listings. */
export interface FrameSweep {
  readonly dataset: string
  /** Seconds since the start of the sweep in progress; null if there is none. */
  readonly running_seconds: number | null
  readonly failing_since: Date | null
  readonly failure: string | null
}

/**
 * Records the start of a sweep of these datasets. The start of an earlier sweep that has not ended is not overwritten.
 */
export async function beginFrameSweep(db: Queries, datasets: readonly string[]): Promise<void> {
  await db.query(
    `insert into frame_sweep (dataset, began_at) select dataset, clock_timestamp() from jsonb_array_elements_text($1::jsonb) as d(dataset)
     on conflict (dataset) do update set began_at = excluded.began_at where frame_sweep.ended_at >= frame_sweep.began_at`,
    [JSON.stringify(datasets)],
  )
}

/** The result of a sweep for a dataset. */
export interface ListingOutcome {
  readonly dataset: string
  /** Why its listings failed; null if they succeeded, absent if nothing was listed. */
  readonly failure?: string | null
}

/** Records the end of a sweep of these datasets. */
export async function endFrameSweep(db: Queries, outcomes: readonly ListingOutcome[]): Promise<void> {
  const rows = outcomes.map(({ dataset, failure }) => ({ dataset, listed: failure !== undefined, failure }))
  await db.query(
    `update frame_sweep s set ended_at = clock_timestamp(),
       failing_since = case when not r.listed then s.failing_since
         when r.failure is not null then coalesce(s.failing_since, clock_timestamp()) end,
       failure = case when r.listed then left(r.failure, 300) else s.failure end
     from jsonb_to_recordset($1::jsonb) as r(dataset text, listed boolean, failure text) where r.dataset = s.dataset`,
    [JSON.stringify(rows)],
  )
}

export async function frameSweeps(db: Queries): Promise<FrameSweep[]> {
  return db.query<FrameSweep & Record<string, unknown>>(
    `select dataset, failing_since, failure,
       case when ended_at is null or ended_at < began_at then extract(epoch from clock_timestamp() - began_at)::float8 end
         as running_seconds
     from frame_sweep`,
  )
}
