import type { RequestHandler } from 'express'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { HttpDeps } from '../http/deps.ts'
import type { Web } from './client-document.ts'
import { developerPages } from './developer.ts'
import { serverMetadata } from './endpoints.ts'
import { type Identity, outsideIdentity, ownIdentity } from './identity.ts'
import { type Issuer, openIssuer } from './issuer.ts'
import { openMail } from './mail.ts'
import { signIn } from './routes.ts'

export interface AccountDeps {
  readonly database: Database
  readonly clock: () => Instant
  readonly onError: (error: unknown) => void
  /** Network access for documents of sign-in clients; default: the internet. */
  readonly web?: Web
  readonly mailUrl?: string
  readonly publicUrl?: string
  /** URL of an external issuer that holds the accounts; default: the built-in issuer. */
  readonly authIssuer?: string
  readonly deviceCodeSeconds: number
}

/** The sign-in server, and the pages of accounts. */
export interface Accounts {
  readonly identity: Identity
  /** The built-in issuer; absent if an external issuer holds the accounts. */
  readonly issuer: Issuer | undefined
  /** Returns the handlers by path. */
  mounts(http: HttpDeps): Readonly<Record<string, RequestHandler>>
}

export async function openAccounts(deps: AccountDeps): Promise<Accounts> {
  const { database, clock, authIssuer } = deps
  const mailed = deps.mailUrl !== undefined
  const mail = await openMail(deps.mailUrl, database, mailFrom(deps.publicUrl))
  const issuer = authIssuer ? undefined : await openIssuer(deps)
  const identity = issuer ? ownIdentity(issuer, database) : await outsideIdentity(authIssuer ?? '', database)
  return {
    identity,
    issuer,
    mounts: (http) => ({
      '/developer': developerPages({ http, database, clock, mailed, outsideIssuer: authIssuer }),
      ...(issuer && {
        '/auth': signIn({ ...deps, issuer, mail, mailed }),
        '/.well-known/oauth-authorization-server/auth': serverMetadata(issuer),
      }),
    }),
  }
}

/** Returns the sender of mails, with the host of PUBLIC_URL or of this machine. */
function mailFrom(publicUrl: string | undefined): string {
  return `Hexcast <no-reply@${publicUrl ? new URL(publicUrl).hostname : 'localhost'}>`
}
