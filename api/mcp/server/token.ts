import type { Database } from '../../../ingest/ports/database.ts'
import { accountOf } from '../../../sql/queries/sign-in.ts'
import { planNamed } from '../../keys/issue.ts'
import { accountSubject } from '../../keys/ring.ts'
import type { Caller } from '../../route.ts'
import type { Issuer } from '../../sign-in/issuer.ts'

/** Who an access token of our issuer speaks for. Undefined: it is none, has ended, or was given for another resource. */
export function tokenCaller(
  issuer: Issuer,
  database: Database,
): (token: string, resource: string) => Promise<Caller | undefined> {
  return async (token, resource) => {
    const provider = issuer.at(resource.replace(/\/mcp$/, ''))
    const found = await provider.AccessToken.find(token)
    if (!found?.accountId || found.isExpired) return undefined
    // A token that was being made while its grant was taken back.
    if (!found.grantId || !(await provider.Grant.find(found.grantId))) return undefined
    const audience = found.aud
    if (Array.isArray(audience) ? !audience.includes(resource) : audience !== resource) return undefined
    const account = await accountOf(database, found.accountId)
    if (!account) return undefined
    const subject = accountSubject(account.id)
    return {
      subject,
      prefix: subject,
      plan: planNamed(account.plan),
      scopes: (found.scope ?? '').split(' '),
      accountId: account.id,
    }
  }
}
