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
  /** Where the key was requested: cli, device_flow, first, … */
  readonly channel: string
}

/** Creates a key and stores its hash. Returns the key, which is stored nowhere. */
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

/** Returns the claim ticket of a trial key. It is derived from the key's hash and therefore not stored. */
export function ticketOf(prefix: string, hash: Uint8Array): string {
  return createHmac('sha256', hash).update(`claim ${prefix}`).digest('base64url')
}

/** Creates the operator's first key, on the Professional plan; undefined if a key exists already. */
export async function firstKey(db: Queries): Promise<string | undefined> {
  if ((await countKeys(db)) > 0) return undefined
  return (await issueKey(db, { name: 'first key', plan: 'professional', channel: 'first' })).key
}

/** Revokes the only key whose prefix begins with a text. @throws Fault Invalid if no key or several keys do */
export async function revokeByPrefix(db: Queries, text: string): Promise<string> {
  const prefix = text.length > 17 && /^hx_(live|trial)_/.test(text) ? text.slice(0, text.indexOf('_', 3) + 9) : text
  if (!/^hx_(live|trial)_[A-Za-z0-9_-]+$/.test(prefix)) {
    throw new Fault(
      'Invalid',
      `keys revoke: the key must be a prefix such as hx_live_Ab3dE6gH, but was "${withoutKeys(text).slice(0, 40)}". See \`hexcast keys list\`.`,
    )
  }
  const keys = await keysByPrefix(db, prefix)
  const [key] = keys
  if (!key) throw new Fault('Invalid', `keys revoke: no key begins with ${prefix}. See \`hexcast keys list\`.`)
  if (keys.length > 1) {
    throw new Fault(
      'Invalid',
      `keys revoke: ${keys.length} keys begin with ${prefix} (${keys
        .slice(0, 5)
        .map((key) => key.prefix)
        .join(', ')}). Give more of the prefix.`,
    )
  }
  await revokeKey(db, key.prefix)
  return key.prefix
}

export function planNamed(text: string): PlanName {
  const plan = planNames.find((name) => name === text)
  if (!plan)
    throw new Fault(
      'Invalid',
      `--plan must be one of ${planNames.join(', ')}, but was "${text}". Change --plan and try again.`,
    )
  return plan
}
