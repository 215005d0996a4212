import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type KeyRow, listKeys, lockAccount } from '../../sql/queries/keys.ts'
import { type AccountRow, claimIdempotency, settleIdempotency } from '../../sql/queries/sign-in.ts'
import { Problem } from '../problem.ts'
import { issueKey, planNamed } from './issue.ts'

/** Keys that are not revoked, by account. */
const MAX_KEYS_PER_ACCOUNT = 25
/** Keys that an account may make in 24 hours: revoked ones stay in the table, and in the memory of every process. */
const MAX_KEYS_PER_DAY = 50

export interface AccountKeyRequest {
  readonly account: Pick<AccountRow, 'id' | 'plan'>
  /** 1 to 100 characters. */
  readonly name: string
  readonly channel: string
  /** Idempotency key: the same one makes one key within 24 hours. */
  readonly once: string
  /** Of everything that the caller asked for; another with the same `once` is a conflict. */
  readonly bodyHash: Buffer
  readonly now: Instant
}

/**
 * Creates a key of an account, within its limits.
 * @returns the record, and the key itself unless `once` has made it before
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
          'Idempotency-Key: it was used with another body within 24 hours. Use a new one for another key.',
        )
      }
      const made = (await listKeys(tx, account.id)).find(({ prefix }) => prefix === before.prefix)
      return { record: made! }
    }
    await lockAccount(tx, account.id)
    const keys = await listKeys(tx, account.id)
    if (keys.filter(({ revoked_at }) => !revoked_at).length >= MAX_KEYS_PER_ACCOUNT) {
      throw new Problem('conflict', `This account has ${MAX_KEYS_PER_ACCOUNT} keys. Revoke one before making another.`)
    }
    const recent = keys.filter(({ created_at }) => now - created_at.getTime() < 86_400_000)
    if (recent.length >= MAX_KEYS_PER_DAY) {
      throw new Problem(
        'too-many-requests',
        `This account has made ${MAX_KEYS_PER_DAY} keys within 24 hours. Rename or keep the keys it has.`,
        { retryAfter: 3600 },
      )
    }
    const { key, prefix } = await issueKey(tx, { name, plan: planNamed(account.plan), channel, accountId: account.id })
    await settleIdempotency(tx, account.id, once, prefix)
    const made = (await listKeys(tx, account.id)).find((one) => one.prefix === prefix)
    return { key, record: made! }
  })
}
