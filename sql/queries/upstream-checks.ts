import type { Queries, Transactions } from '../session.ts'

export type CheckState = 'passed' | 'warning' | 'failed'

/** The newest result of one check of upstream. */
export interface UpstreamCheckRow {
  readonly name: string
  readonly state: CheckState
  readonly detail: string
  readonly checked_at: Date
}

export interface UpstreamCheckRun {
  readonly began_at: Date
  readonly ended_at: Date | null
  readonly failure: string | null
}

/**
 * Records the start of a check of upstream, unless another check began within `everySeconds`. A check that did not end
 * is due again after `abandonedSeconds`.
 * @returns whether the caller must run the check
 */
export async function claimUpstreamCheck(
  db: Queries,
  everySeconds: number,
  abandonedSeconds: number,
): Promise<boolean> {
  const rows = await db.query(
    `insert into upstream_check_run as r (began_at) values (clock_timestamp())
     on conflict (only_row) do update set began_at = excluded.began_at
       where r.began_at <= clock_timestamp() - make_interval(secs => $1)
         or (coalesce(r.ended_at < r.began_at, true) and r.began_at <= clock_timestamp() - make_interval(secs => $2))
     returning r.began_at`,
    [everySeconds, abandonedSeconds],
  )
  return rows.length > 0
}

/** Replaces the results of the previous check of upstream. @param failure why the check ended early */
export async function endUpstreamCheck(
  db: Transactions,
  rows: readonly Omit<UpstreamCheckRow, 'checked_at'>[],
  failure: string | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (failure === null) await tx.query('delete from upstream_check')
    await tx.query(
      `insert into upstream_check (name, state, detail, checked_at)
       select name, state, left(detail, 1000), clock_timestamp()
       from jsonb_to_recordset($1::jsonb) as r(name text, state text, detail text)
       on conflict (name) do update set state = excluded.state, detail = excluded.detail, checked_at = excluded.checked_at`,
      [JSON.stringify(rows)],
    )
    await tx.query('update upstream_check_run set ended_at = clock_timestamp(), failure = left($1, 1000)', [failure])
  })
}

/** Returns the last check of upstream with its results, by name; undefined if none has begun. */
export async function lastUpstreamCheck(
  db: Queries,
): Promise<{ run: UpstreamCheckRun; checks: readonly UpstreamCheckRow[] } | undefined> {
  const [run] = await db.kysely.selectFrom('upstream_check_run').select(['began_at', 'ended_at', 'failure']).execute()
  if (!run) return undefined
  const checks = await db.kysely
    .selectFrom('upstream_check')
    .select(['name', 'state', 'detail', 'checked_at'])
    .orderBy('name')
    .execute()
  return { run, checks: checks as UpstreamCheckRow[] }
}
