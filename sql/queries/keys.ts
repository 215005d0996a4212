import { firstRow } from '../first-row.ts'
import type { Queries } from '../session.ts'
import { databaseNow } from './outbox.ts'

export interface KeyRow {
  readonly prefix: string
  readonly hash: Uint8Array
  readonly name: string
  readonly plan: string
  readonly scopes: readonly string[]
  readonly account_id: string | null
  readonly channel: string
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly changed_at: Date
}

const columns = 'prefix, hash, name, plan, scopes, account_id, channel, created_at, expires_at, revoked_at, changed_at'

export async function insertKey(
  db: Queries,
  key: {
    prefix: string
    hash: Uint8Array
    name: string
    plan: string
    accountId?: string
    channel: string
    expiresAt?: Date
    ticket?: Uint8Array
  },
): Promise<void> {
  await db.query(
    `insert into api_key (prefix, hash, name, plan, account_id, channel, expires_at, ticket) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      key.prefix,
      key.hash,
      key.name,
      key.plan,
      key.accountId ?? null,
      key.channel,
      key.expiresAt ?? null,
      key.ticket ?? null,
    ],
  )
}

/** Returns the keys that are valid and were changed last, at most `most`, and the time of the database's clock. */
export async function newestKeys(db: Queries, most: number): Promise<{ rows: KeyRow[]; now: Date }> {
  const now = await databaseNow(db)
  const rows = await db.query<KeyRow>(
    `select ${columns} from api_key
     where revoked_at is null and (expires_at is null or expires_at > clock_timestamp()) order by changed_at desc limit $1`,
    [most],
  )
  return { rows, now }
}

/**
 * Returns the keys changed since an instant of the database's clock, and the time of that clock, in one statement. The instants of two
 * calls overlap by ten seconds, because a slow transaction commits late.
 */
export async function changedKeys(db: Queries, since: Date): Promise<{ rows: KeyRow[]; now: Date }> {
  const rows = await db.query<{ now: Date } & (KeyRow | { prefix: null })>(
    `select c.now, k.* from (select clock_timestamp() as now) c left join (
       select ${columns} from api_key where changed_at > $1::timestamptz - interval '10 seconds') k on true order by changed_at`,
    [since],
  )
  const { now } = firstRow(rows, 'clock_timestamp')
  return { now, rows: rows.flatMap((row) => (row.prefix === null ? [] : [row])) }
}

/** Returns the keys with these hashes. */
export async function keysByHash(db: Queries, hashes: readonly Uint8Array[]): Promise<KeyRow[]> {
  return db.query<KeyRow>(`select ${columns} from api_key where hash = any($1::bytea[])`, [hashes])
}

/**
 * Locks an account until the transaction ends, so that concurrent requests for more keys are counted one after the
 * other.
 */
export async function lockAccount(tx: Queries, accountId: string): Promise<void> {
  await tx.query('select from account where id = $1 for update', [accountId])
}

export async function listKeys(db: Queries, accountId?: string): Promise<KeyRow[]> {
  return accountId
    ? db.query<KeyRow>(`select ${columns} from api_key where account_id = $1 order by created_at`, [accountId])
    : db.query<KeyRow>(`select ${columns} from api_key order by created_at`)
}

/** Returns the keys whose prefix begins with `prefix`. */
export async function keysByPrefix(db: Queries, prefix: string): Promise<KeyRow[]> {
  return db.query<KeyRow>(`select ${columns} from api_key where starts_with(prefix, $1) order by created_at`, [prefix])
}

/**
 * Revokes a key.
 * @param accountId if present, the key must belong to this account
 * @returns undefined if there is no such key
 */
export async function revokeKey(db: Queries, prefix: string, accountId?: string): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(
    `update api_key set revoked_at = coalesce(revoked_at, now()), changed_at = clock_timestamp()
     where prefix = $1 and ($2::text is null or account_id = $2) returning ${columns}`,
    [prefix, accountId],
  )
  return row
}

/**
 * Renames a key.
 * @param accountId if present, the key must belong to this account
 * @returns undefined if there is no such key
 */
export async function renameKey(
  db: Queries,
  prefix: string,
  name: string,
  accountId?: string,
): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(
    `update api_key set name = $2, changed_at = clock_timestamp()
     where prefix = $1 and ($3::text is null or account_id = $3) returning ${columns}`,
    [prefix, name, accountId],
  )
  return row
}

export async function countKeys(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*)::int as count from api_key')
  return row?.count ?? 0
}

/** Returns the trial key of a ticket, or undefined if the ticket is unknown or its key is claimed or revoked. */
export async function keyByTicket(db: Queries, ticket: Uint8Array): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(
    `select ${columns} from api_key where ticket = $1 and plan = 'trial' and revoked_at is null`,
    [ticket],
  )
  return row
}

/** Converts a trial key to a free key of an account. @returns false if the key is not a valid trial key */
export async function claimKey(db: Queries, prefix: string, accountId: string): Promise<boolean> {
  const rows = await db.query(
    `update api_key set plan = 'free', account_id = $2, ticket = null, changed_at = clock_timestamp()
     where prefix = $1 and plan = 'trial' and revoked_at is null returning prefix`,
    [prefix, accountId],
  )
  return rows.length > 0
}

/** Assigns a key without an account to an account. */
export async function adoptKey(db: Queries, prefix: string, accountId: string): Promise<void> {
  await db.query(
    'update api_key set account_id = $2, changed_at = clock_timestamp() where prefix = $1 and account_id is null',
    [prefix, accountId],
  )
}
