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

/** Gives back all leases of a holder. */
export async function releaseLeases(db: Queries, holder: string): Promise<void> {
  await db.query('delete from metrics_lease where holder = $1', [holder])
}
