import type { Database } from '../../../ingest/ports/database.ts'
import { accountOf } from '../../../sql/queries/sign-in.ts'
import { planNamed } from '../../keys/issue.ts'
import { accountSubject } from '../../keys/ring.ts'
import type { Caller } from '../../route.ts'
import type { Issuer } from '../../sign-in/issuer.ts'

/** The account of an access token of our issuer. Undefined for an unknown or expired token, or one for another resource. */
export function tokenCaller(
  issuer: Issuer,
  database: Database,
): (token: string, resource: string) => Promise<Caller | undefined> {
  return async (token, resource) => {
    const provider = issuer.at(resource.replace(/\/mcp$/, ''))
    const found = await provider.AccessToken.find(token)
    if (!found?.accountId || found.isExpired) return undefined
    // The grant was revoked while the token was being issued.
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
