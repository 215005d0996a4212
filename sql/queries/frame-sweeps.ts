import type { Queries } from '../session.ts'

/** The state of the sweeps of a dataset of frames, by the database's clock. */
export interface FrameSweep {
  readonly dataset: string
  /** Seconds since a sweep began that has not ended; null: none is under way. */
  readonly running_seconds: number | null
  readonly failing_since: Date | null
  readonly failure: string | null
}

/** A sweep of these datasets begins. The beginning of an earlier one that has not ended stays. */
export async function beginFrameSweep(db: Queries, datasets: readonly string[]): Promise<void> {
  await db.query(
    `insert into frame_sweep (dataset, began_at) select dataset, clock_timestamp() from jsonb_array_elements_text($1::jsonb) as d(dataset)
     on conflict (dataset) do update set began_at = excluded.began_at where frame_sweep.ended_at >= frame_sweep.began_at`,
    [JSON.stringify(datasets)],
  )
}

/** What a sweep found of a dataset: why its listings failed, null where they were answered; absent where nothing was listed. */
export interface ListingOutcome {
  readonly dataset: string
  readonly failure?: string | null
}

/** A sweep of these datasets has ended. */
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
