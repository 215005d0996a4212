import { createHash } from 'node:crypto'
import { Fault } from '../../ingest/domain/fault.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type AccountRow, accountOf, ensureAccount } from '../../sql/queries/sign-in.ts'
import { DEVICE_CLIENT, type Issuer } from './issuer.ts'

/** Where device codes and tokens are given, and whose an access token is. */
export interface Identity {
  /** Address of the issuer. */
  issuer(base: string): string
  places(base: string): { clientId: string; deviceEndpoint: string; tokenEndpoint: string }
  /** The account of an access token of the device grant; undefined where the token is none. @throws Fault Refused */
  accountOf(token: string, base: string): Promise<AccountRow | undefined>
}

/** Our own issuer. */
export function ownIdentity(issuer: Issuer, database: Database): Identity {
  return {
    issuer: (base) => `${base}/auth`,
    places: (base) => ({
      clientId: DEVICE_CLIENT,
      deviceEndpoint: `${base}/auth/device_authorization`,
      tokenEndpoint: `${base}/auth/token`,
    }),
    async accountOf(token, base) {
      const found = await issuer.at(base).AccessToken.find(token)
      // A token for the tool server makes no keys.
      if (!found?.accountId || found.clientId !== DEVICE_CLIENT) return undefined
      return accountOf(database, found.accountId)
    },
  }
}

interface Discovered {
  readonly device_authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
}

const PATIENCE = 5000

/** An outside issuer: its own pages sign in, its userinfo says who it was and whether the email is verified. */
export async function outsideIdentity(address: string, database: Database): Promise<Identity> {
  const issuer = address.replace(/\/$/, '')
  const discovered = (await asked(`${issuer}/.well-known/openid-configuration`)) as Partial<Discovered> | undefined
  for (const name of ['device_authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'] as const) {
    if (typeof discovered?.[name] !== 'string') {
      throw new Fault(
        'Invalid',
        `AUTH_ISSUER: wanted an issuer whose discovery document names its ${name}, got none at ${issuer}.`,
      )
    }
  }
  const places = discovered as Discovered
  return {
    issuer: () => issuer,
    places: () => ({
      clientId: DEVICE_CLIENT,
      deviceEndpoint: places.device_authorization_endpoint,
      tokenEndpoint: places.token_endpoint,
    }),
    async accountOf(token) {
      const person = await asked(places.userinfo_endpoint, token)
      if (!person || typeof person['sub'] !== 'string') return undefined
      const id = `acc_${createHash('sha256').update(`${issuer} ${person['sub']}`).digest('base64url').slice(0, 22)}`
      return ensureAccount(database, {
        id,
        email: String(person['email'] ?? ''),
        verified: person['email_verified'] === true,
        issuer,
        subject: person['sub'],
      })
    },
  }
}

/** JSON of an address; undefined where it refuses the token. */
async function asked(url: string, token?: string): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(PATIENCE),
    })
    if (response.status === 401 || response.status === 403) return undefined
    if (!response.ok) throw new Error(`status ${response.status}`)
    return (await response.json()) as Record<string, unknown>
  } catch (error) {
    throw new Fault(
      'Refused',
      `${url}: wanted an answer of the outside issuer, got ${(error as Error).message}.`,
      {},
      error,
    )
  }
}
