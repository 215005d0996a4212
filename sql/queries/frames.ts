import type { Queries } from '../session.ts'

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
