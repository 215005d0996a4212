import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type KeyRow, listKeys, lockAccount } from '../../sql/queries/keys.ts'
import { type AccountRow, claimIdempotency, settleIdempotency } from '../../sql/queries/sign-in.ts'
import type { Queries } from '../../sql/session.ts'
import { Problem } from '../problem.ts'
import { issueKey, planNamed } from './issue.ts'

/** Largest number of keys of an account that are not revoked. */
const MAX_KEYS_PER_ACCOUNT = 25
/** Keys that an account may create in 24 hours: revoked keys stay in the table and in the memory of every process. */
const MAX_KEYS_PER_DAY = 50

export interface AccountKeyRequest {
  readonly account: Pick<AccountRow, 'id' | 'plan'>
  /** 1 to 100 characters. */
  readonly name: string
  readonly channel: string
  /** Idempotency key: within 24 hours, requests with the same value create one key. */
  readonly once: string
  /** Hash of the request body; a different hash with the same `once` is a conflict. */
  readonly bodyHash: Buffer
  readonly now: Instant
}

/**
 * Creates a key of an account, within its limits.
 * @returns the record, and the key itself unless an earlier request with the same `once` created it
 * @throws Problem conflict, too-many-requests
 */
export function createAccountKey(
  database: Database,
  { account, name, channel, once, bodyHash, now }: AccountKeyRequest,
): Promise<{ key?: string; record: KeyRow }> {
  return database.transaction(async (tx) => {
    const before = await claimIdempotency(tx, account.id, once, bodyHash)
    if (before) {
      if (!before.prefix || Buffer.compare(Buffer.from(before.body_hash), bodyHash) !== 0) {
        throw new Problem(
          'conflict',
          '`Idempotency-Key` was used with another body within 24 hours. Send a new value to create another key.',
        )
      }
      return { record: await recordOf(tx, account.id, before.prefix) }
    }
    await lockAccount(tx, account.id)
    const keys = await listKeys(tx, account.id)
    if (keys.filter(({ revoked_at }) => !revoked_at).length >= MAX_KEYS_PER_ACCOUNT) {
      throw new Problem(
        'conflict',
        `This account has ${MAX_KEYS_PER_ACCOUNT} keys, the maximum. Revoke one before you create another.`,
      )
    }
    const recent = keys.filter(({ created_at }) => now - created_at.getTime() < 86_400_000)
    if (recent.length >= MAX_KEYS_PER_DAY) {
      throw new Problem(
        'too-many-requests',
        `This account has created ${MAX_KEYS_PER_DAY} keys within 24 hours, the maximum. Use or rename an existing key.`,
        { retryAfter: 3600 },
      )
    }
    const { key, prefix } = await issueKey(tx, { name, plan: planNamed(account.plan), channel, accountId: account.id })
    await settleIdempotency(tx, account.id, once, prefix)
    return { key, record: await recordOf(tx, account.id, prefix) }
  })
}

async function recordOf(tx: Queries, accountId: string, prefix: string): Promise<KeyRow> {
  const record = (await listKeys(tx, accountId)).find((key) => key.prefix === prefix)
  if (!record) throw new Error(`account ${accountId} has no key ${prefix}`)
  return record
}
