import { firstRow } from '../first-row.ts'
import type { Queries } from '../session.ts'

/** Takes or renews a lease for `seconds`, unless another process holds it. @returns whether `holder` has the lease */
export async function holdLease(db: Queries, name: string, holder: string, seconds: number): Promise<boolean> {
  const rows = await db.query(
    `insert into metrics_lease as l (name, holder, expires_at)
     values ($1, $2, clock_timestamp() + make_interval(secs => $3))
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
       where l.holder = excluded.holder or l.expires_at < clock_timestamp()
     returning l.holder`,
    [name, holder, seconds],
  )
  return rows.length > 0
}

/** Prefix of the name of the lease that each API process holds, by which processes count each other. */
const PROCESS = 'api process '

export interface FleetRow {
  /** Number of API processes, this one included. */
  readonly processes: number
  /** Roles that this process has now. */
  readonly roles: readonly string[]
}

/**
 * Renews the lease of an API process for `seconds`, takes or renews each role that no other process holds, and removes the leases of
 * processes that have ended without giving them back.
 */
export async function joinFleet(
  db: Queries,
  holder: string,
  roles: readonly string[],
  seconds: number,
): Promise<FleetRow> {
  const rows = await db.query<FleetRow & object>(
    `with gone as (
       delete from metrics_lease where ctid = any(array(
         select ctid from metrics_lease where starts_with(name, '${PROCESS}') and expires_at < clock_timestamp() and holder <> $1
         for update skip locked))
     ), held as (
       insert into metrics_lease as l (name, holder, expires_at)
       select name, $1, clock_timestamp() + make_interval(secs => $3) from unnest($2::text[]) as r (name) order by name
       on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
         where l.holder = excluded.holder or l.expires_at < clock_timestamp()
       returning l.name
     )
     select array(select name from held) as roles, 1 + (select count(*) from metrics_lease
       where starts_with(name, '${PROCESS}') and expires_at >= clock_timestamp() and holder <> $1)::int as processes`,
    [holder, [`${PROCESS}${holder}`, ...roles], seconds],
  )
  const { roles: held, processes } = firstRow(rows, 'metrics_lease')
  return { processes, roles: held.filter((name) => roles.includes(name)) }
}

/** Gives back all leases of a holder. */
export async function releaseLeases(db: Queries, holder: string): Promise<void> {
  await db.query('delete from metrics_lease where holder = $1', [holder])
}
