import { createHmac } from 'node:crypto'
import { Fault } from '../../ingest/domain/fault.ts'
import { withoutKeys } from '../../ingest/domain/redact.ts'
import { countKeys, insertKey, keysByPrefix, revokeKey } from '../../sql/queries/keys.ts'
import type { Queries } from '../../sql/session.ts'
import type { PlanName } from '../route.ts'
import { planNames } from './plan.ts'
import { hashOf, newSecret } from './secret.ts'

export interface IssueKeyRequest {
  readonly name: string
  readonly plan: PlanName
  readonly expiresAt?: Date
  readonly accountId?: string
  /** cli, device_flow, first, … */
  readonly channel: string
}

/** Creates a key and stores its hash. The key itself is returned and stored nowhere. */
export async function issueKey(db: Queries, request: IssueKeyRequest): Promise<{ key: string; prefix: string }> {
  const { key, prefix, hash } = newSecret(request.plan === 'trial' ? 'trial' : 'live')
  await insertKey(db, {
    prefix,
    hash,
    name: request.name,
    plan: request.plan,
    channel: request.channel,
    ...(request.accountId && { accountId: request.accountId }),
    ...(request.expiresAt && { expiresAt: request.expiresAt }),
    ...(request.plan === 'trial' && { ticket: hashOf(ticketOf(prefix, hash)) }),
  })
  return { key, prefix }
}

/** The claim ticket of a trial key: derived from the key's hash, so it need not be stored. */
export function ticketOf(prefix: string, hash: Uint8Array): string {
  return createHmac('sha256', hash).update(`claim ${prefix}`).digest('base64url')
}

/** The operator's first key, on the Professional plan; undefined where there are keys already. */
export async function firstKey(db: Queries): Promise<string | undefined> {
  if ((await countKeys(db)) > 0) return undefined
  return (await issueKey(db, { name: 'first key', plan: 'professional', channel: 'first' })).key
}

/** Revokes the one key whose prefix begins so. @throws Fault Invalid where none or several do */
export async function revokeByPrefix(db: Queries, text: string): Promise<string> {
  const prefix = text.length > 17 && /^hx_(live|trial)_/.test(text) ? text.slice(0, text.indexOf('_', 3) + 9) : text
  if (!/^hx_(live|trial)_[A-Za-z0-9_-]+$/.test(prefix)) {
    throw new Fault(
      'Invalid',
      `keys revoke: wanted a prefix such as hx_live_Ab3dE6gH, got "${withoutKeys(text).slice(0, 40)}". See hexcast keys list.`,
    )
  }
  const found = await keysByPrefix(db, prefix)
  if (found.length === 0)
    throw new Fault('Invalid', `keys revoke: no key begins with ${prefix}. See hexcast keys list.`)
  if (found.length > 1) {
    throw new Fault(
      'Invalid',
      `keys revoke: ${found.length} keys begin with ${prefix} (${found
        .slice(0, 5)
        .map((key) => key.prefix)
        .join(', ')}); give more of it.`,
    )
  }
  await revokeKey(db, found[0]!.prefix)
  return found[0]!.prefix
}

export function planNamed(text: string): PlanName {
  const plan = planNames.find((name) => name === text)
  if (!plan) throw new Fault('Invalid', `--plan: wanted ${planNames.join(', ')}; got "${text}".`)
  return plan
}
