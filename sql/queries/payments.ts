import type { Queries } from '../session.ts'

export interface Authorization {
  /** Address and nonce in lower case. */
  readonly payer: string
  readonly nonce: string
}

/**
 * Reserves an authorization for one sale, and deletes up to 100 authorizations that ended over an hour ago.
 * @returns false if a process has already reserved it
 */
export async function reserveAuthorization(
  db: Queries,
  { payer, nonce }: Authorization,
  until: Date,
): Promise<boolean> {
  const reserved = await db.query<{ nonce: string }>(
    `with ended as (
       delete from payment where (payer, nonce) in
         (select payer, nonce from payment where valid_until < now() - interval '1 hour' limit 100)
     )
     insert into payment (payer, nonce, valid_until) values ($1, $2, $3) on conflict do nothing returning nonce`,
    [payer, nonce, until],
  )
  return reserved.length > 0
}

/** Releases an authorization because nothing was sold, so that it can be used again. */
export async function releaseAuthorization(db: Queries, { payer, nonce }: Authorization): Promise<void> {
  await db.query('delete from payment where payer = $1 and nonce = $2', [payer, nonce])
}
