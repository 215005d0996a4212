import type { Queries } from '../session.ts'

/** A run or frame that was published, and when. */
export interface PublishedRow {
  readonly dataset: string
  readonly run: Date
  readonly manifest_key: string
  readonly published_at: Date | null
}

/**
 * Returns the published runs and frames of datasets in a domain with reference times in a period including both ends,
 * newest first.
 */
export async function publishedBetween(
  db: Queries,
  datasets: readonly string[],
  domain: string,
  from: Date,
  to: Date,
): Promise<PublishedRow[]> {
  return db.query<PublishedRow & Record<string, unknown>>(
    `select dataset, run, manifest_key, published_at from run
     where dataset = any($1::text[]) and domain = $2 and run between $3 and $4
       and state = 'published' and manifest_key is not null
     order by run desc`,
    [[...datasets], domain, from, to],
  )
}

/** Returns the first stored reference time of the datasets in any domain, or null if there is none. */
export async function firstPublished(db: Queries, datasets: readonly string[]): Promise<Date | null> {
  const [row] = await db.query<{ first: Date | null }>(
    `select min(run) as first from run where dataset = any($1::text[]) and state = 'published' and manifest_key is not null`,
    [[...datasets]],
  )
  return row?.first ?? null
}

/** Returns the published runs of a dataset in a domain, newest first. */
export async function publishedRuns(
  db: Queries,
  dataset: string,
  domain: string,
  offset: number,
  limit: number,
): Promise<PublishedRow[]> {
  return db.query<PublishedRow & Record<string, unknown>>(
    `select dataset, run, manifest_key, published_at from run
     where dataset = $1 and domain = $2 and state = 'published' and manifest_key is not null
     order by run desc offset $3 limit $4`,
    [dataset, domain, offset, limit],
  )
}

export async function publishedRunOf(
  db: Queries,
  dataset: string,
  domain: string,
  run: Date,
): Promise<PublishedRow | undefined> {
  return (await publishedBetween(db, [dataset], domain, run, run))[0]
}

/** Returns every published run of the datasets, newest first. */
export async function publishedTimes(
  db: Queries,
  datasets: readonly string[],
): Promise<{ dataset: string; domain: string; run: Date }[]> {
  return db.query(
    `select dataset, domain, run from run
     where dataset = any($1::text[]) and state = 'published' and manifest_key is not null order by run desc`,
    [[...datasets]],
  )
}

/**
 * Returns the first and last published run and their number for each dataset and domain, for datasets with too many
 * rows to list.
 */
export async function publishedSpans(
  db: Queries,
  datasets: readonly string[],
): Promise<{ dataset: string; domain: string; first: Date; last: Date; count: number }[]> {
  return db.query(
    `select dataset, domain, min(run) as first, max(run) as last, count(*)::int as count from run
     where dataset = any($1::text[]) and state = 'published' and manifest_key is not null group by dataset, domain`,
    [[...datasets]],
  )
}
