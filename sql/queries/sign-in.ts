import { firstRow } from '../first-row.ts'
import type { Queries } from '../session.ts'

/** Number of old rows that one call removes; each call adds at most one row. */
const REMOVED_AT_ONCE = 1_000

type OidcPayload = Record<string, unknown>

export interface OidcRow {
  readonly id: string
  readonly payload: OidcPayload
  readonly consumed_at: Date | null
  readonly expires_at: Date | null
}

/** Columns other than the id by which an authorization record can be looked up. */
export type OidcIndex = 'user_code' | 'uid'

export async function putRecord(
  db: Queries,
  model: string,
  id: string,
  payload: OidcPayload,
  seconds: number | undefined,
): Promise<void> {
  await db.query(
    `insert into oidc_record (model, id, payload, grant_id, user_code, uid, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7::float8))
     on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
       user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
    [
      model,
      id,
      JSON.stringify(payload),
      text(payload['grantId']),
      text(payload['userCode']),
      text(payload['uid']),
      seconds ?? null,
    ],
  )
}

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/**
 * Returns a record, even if it expired within the last hour, so that its bearer receives the error "expired" and not
 * "unknown".
 */
export async function recordOf(db: Queries, model: string, id: string): Promise<OidcRow | undefined> {
  const [row] = await db.query<OidcRow>(
    'select id, payload, consumed_at, expires_at from oidc_record where model = $1 and id = $2',
    [model, id],
  )
  return row
}

export async function recordBy(
  db: Queries,
  model: string,
  index: OidcIndex,
  value: string,
): Promise<OidcRow | undefined> {
  const column = index === 'uid' ? 'uid' : 'user_code'
  const [row] = await db.query<OidcRow>(
    `select id, payload, consumed_at, expires_at from oidc_record where model = $1 and ${column} = $2 order by expires_at desc limit 1`,
    [model, value],
  )
  return row
}

/** Marks a record as used. @returns false if it was already used */
export async function consumeRecord(db: Queries, model: string, id: string): Promise<boolean> {
  const rows = await db.query(
    'update oidc_record set consumed_at = now() where model = $1 and id = $2 and consumed_at is null returning id',
    [model, id],
  )
  return rows.length > 0
}

export async function removeRecord(db: Queries, model: string, id: string): Promise<void> {
  await db.query('delete from oidc_record where model = $1 and id = $2', [model, id])
}

export async function revokeGrant(db: Queries, grantId: string): Promise<void> {
  await db.query('delete from oidc_record where grant_id = $1', [grantId])
}

/** Extends a record to `seconds` from now if it would end within half of that time. */
export async function extendRecord(db: Queries, model: string, id: string, seconds: number): Promise<void> {
  await db.query(
    `update oidc_record set expires_at = now() + make_interval(secs => $3::float8)
     where model = $1 and id = $2 and expires_at < now() + make_interval(secs => $3::float8 / 2)`,
    [model, id, seconds],
  )
}

/** Removes some expired records; later calls remove more. */
export async function removeExpiredRecords(db: Queries): Promise<void> {
  await db.query(
    `delete from oidc_record where ctid = any(array(
       select ctid from oidc_record where expires_at < now() - interval '1 hour' limit $1))`,
    [REMOVED_AT_ONCE],
  )
}

/**
 * Returns a value that is generated once for all processes, such as signing keys. The first process to store it wins.
 */
export async function generateOnce(db: Queries, id: string, make: () => OidcPayload): Promise<OidcPayload> {
  const stored = await recordOf(db, 'Once', id)
  if (stored) return stored.payload
  await db.query(`insert into oidc_record (model, id, payload) values ('Once', $1, $2) on conflict do nothing`, [
    id,
    JSON.stringify(make()),
  ])
  const row = await recordOf(db, 'Once', id)
  return firstRow(row ? [row] : [], `oidc_record "${id}"`).payload
}

export interface AccountRow {
  readonly id: string
  readonly email: string
  readonly email_verified: boolean
  readonly plan: string
}

/**
 * Creates or updates the account of an issuer's subject, and returns it. The issuer '' is our own, whose subject is the
 * email address. `plan` applies only to a new account.
 */
export async function ensureAccount(
  db: Queries,
  account: { id: string; email: string; verified: boolean; issuer: string; subject: string; plan?: string },
): Promise<AccountRow> {
  const rows = await db.query<AccountRow>(
    `insert into account (id, email, email_verified, issuer, subject, plan) values ($1, $2, $3, $4, $5, $6)
     on conflict (issuer, subject) do update set email = excluded.email, email_verified = account.email_verified or excluded.email_verified
     returning id, email, email_verified, plan`,
    [account.id, account.email, account.verified, account.issuer, account.subject, account.plan ?? 'free'],
  )
  return firstRow(rows, 'insert into account')
}

export async function accountOf(db: Queries, id: string): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>('select id, email, email_verified, plan from account where id = $1', [id])
  return row
}

/** The earlier use of an idempotency key. */
export interface IdempotentCall {
  readonly body_hash: Uint8Array
  readonly prefix: string | null
}

/** Claims an idempotency key for an account. @returns its earlier use within 24 h, or undefined if it is new */
export async function claimIdempotency(
  db: Queries,
  accountId: string,
  key: string,
  bodyHash: Uint8Array,
): Promise<IdempotentCall | undefined> {
  await db.query(
    `delete from idempotency where ctid = any(array(
       select ctid from idempotency where created_at < now() - interval '24 hours' limit $1))`,
    [REMOVED_AT_ONCE],
  )
  const rows = await db.query(
    'insert into idempotency (account_id, key, body_hash) values ($1, $2, $3) on conflict do nothing returning key',
    [accountId, key, bodyHash],
  )
  if (rows.length) return undefined
  const [stored] = await db.query<IdempotentCall>(
    'select body_hash, prefix from idempotency where account_id = $1 and key = $2',
    [accountId, key],
  )
  return stored
}

export async function settleIdempotency(db: Queries, accountId: string, key: string, prefix: string): Promise<void> {
  await db.query('update idempotency set prefix = $3 where account_id = $1 and key = $2', [accountId, key, prefix])
}
