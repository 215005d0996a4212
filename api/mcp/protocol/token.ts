import type { Database } from '../../../ingest/ports/database.ts'
import { accountOf } from '../../../sql/queries/sign-in.ts'
import { planNamed } from '../../keys/issue.ts'
import { accountSubject } from '../../keys/ring.ts'
import type { Caller } from '../../route.ts'
import type { Issuer } from '../../sign-in/issuer.ts'

/** Looks up the account of an access token. Undefined for an unknown or expired token, and for a token of another resource. */
export function tokenCaller(
  issuer: Issuer,
  database: Database,
): (token: string, resource: string) => Promise<Caller | undefined> {
  return async (token, resource) => {
    const provider = issuer.at(resource.replace(/\/mcp$/, ''))
    const accessToken = await provider.AccessToken.find(token)
    if (!accessToken?.accountId || accessToken.isExpired) return undefined
    // The grant may have been revoked while the token was being issued.
    if (!accessToken.grantId || !(await provider.Grant.find(accessToken.grantId))) return undefined
    const audience = accessToken.aud
    if (Array.isArray(audience) ? !audience.includes(resource) : audience !== resource) return undefined
    const account = await accountOf(database, accessToken.accountId)
    if (!account) return undefined
    const subject = accountSubject(account.id)
    return {
      subject,
      prefix: subject,
      plan: planNamed(account.plan),
      scopes: (accessToken.scope ?? '').split(' '),
      accountId: account.id,
    }
  }
}
