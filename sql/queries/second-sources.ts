import type { Queries } from '../session.ts'

/** A dataset that is read from its second source. */
export interface SecondSource {
  readonly dataset: string
  /** Host of the source. */
  readonly source: string
  /** Why the first source is not used. */
  readonly reason: string
  readonly since: Date
}

/**
 * Records that a dataset was read from its second source. The record expires after `forSeconds` unless it is renewed.
 */
export async function useSecondSource(
  db: Queries,
  { dataset, source, reason }: Pick<SecondSource, 'dataset' | 'source' | 'reason'>,
  forSeconds: number,
): Promise<void> {
  await db.query(
    `insert into second_source (dataset, source, reason, until) values ($1, $2, $3, now() + make_interval(secs => $4))
     on conflict (dataset) do update set source = excluded.source, reason = excluded.reason, until = excluded.until,
       since = case when second_source.until > now() and second_source.source = excluded.source
         then second_source.since else now() end`,
    [dataset, source, reason.slice(0, 300), forSeconds],
  )
}

/** Removes the record because the first source was read. */
export async function endSecondSource(db: Queries, dataset: string): Promise<void> {
  await db.query('delete from second_source where dataset = $1', [dataset])
}

export async function secondSources(db: Queries): Promise<SecondSource[]> {
  return db.query<SecondSource & Record<string, unknown>>(
    'select dataset, source, reason, since from second_source where until > now() order by dataset',
  )
}
