import { createHash } from 'node:crypto'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { Fault } from '../../ingest/domain/fault.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type AccountRow, accountOf, ensureAccount } from '../../sql/queries/sign-in.ts'
import { DEVICE_CLIENT, type Issuer } from './issuer.ts'

/** Endpoints of device codes and tokens, and the account of an access token. */
export interface Identity {
  /** Address of the issuer. */
  issuer(base: string): string
  places(base: string): { clientId: string; deviceEndpoint: string; tokenEndpoint: string }
  /** The account of an access token of the device grant; undefined for an invalid token. @throws Fault Refused */
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
      // A token for the tool server must not create keys.
      if (!found?.accountId || found.clientId !== DEVICE_CLIENT) return undefined
      return accountOf(database, found.accountId)
    },
  }
}

interface Discovered {
  readonly issuer?: string
  readonly device_authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  /** Of an access token that is a JWT (RFC 9068). */
  readonly jwks_uri?: string
  /** Of any other (RFC 7662). */
  readonly introspection_endpoint?: string
}

const MAX_ANSWER_BYTES = 262_144

const FETCH_TIMEOUT_MS = 5000

/** An external issuer: signs users in on its own pages; its userinfo has the account and whether the email is verified. */
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
  if (!places.introspection_endpoint && !places.jwks_uri) {
    throw new Fault(
      'Invalid',
      `AUTH_ISSUER: wanted an issuer with an introspection_endpoint or a jwks_uri, got neither at ${issuer}: without one a token of another client cannot be distinguished from ours.`,
    )
  }
  const keys = places.jwks_uri
    ? createRemoteJWKSet(new URL(places.jwks_uri), { timeoutDuration: FETCH_TIMEOUT_MS })
    : undefined

  /** Whether a token was issued to our client: userinfo answers for a token of any client of the issuer. */
  const isOurs = async (token: string): Promise<boolean> => {
    if (keys && token.split('.').length === 3) {
      try {
        const { payload } = await jwtVerify(token, keys, { issuer: discovered?.issuer ?? issuer })
        const audience = Array.isArray(payload.aud) ? payload.aud : [payload.aud]
        return [payload['client_id'], payload['azp'], ...audience].includes(DEVICE_CLIENT)
      } catch (error) {
        if (isUnreadable(error)) throw unreachable(issuer, error)
        return false
      }
    }
    if (!places.introspection_endpoint) return false
    const form = new URLSearchParams({ token, token_type_hint: 'access_token', client_id: DEVICE_CLIENT })
    const found = await asked(places.introspection_endpoint, undefined, form)
    return found?.['active'] === true && found['client_id'] === DEVICE_CLIENT
  }
  return {
    issuer: () => issuer,
    places: () => ({
      clientId: DEVICE_CLIENT,
      deviceEndpoint: places.device_authorization_endpoint,
      tokenEndpoint: places.token_endpoint,
    }),
    async accountOf(token) {
      if (!(await isOurs(token))) return undefined
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

/** Whether the published keys could not be read: jose reports their HTTP status and syntax as errors of its own, too. */
function isUnreadable(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code)
}

/** JSON of a URL; undefined where it refuses the token. */
async function asked(
  url: string,
  token?: string,
  form?: URLSearchParams,
): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url, {
      ...(form && { method: 'POST', body: form }),
      redirect: 'error',
      headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    })
    if (response.status === 401 || response.status === 403) return undefined
    if (!response.ok) throw new Error(`status ${response.status}`)
    return JSON.parse(await boundedText(response)) as Record<string, unknown>
  } catch (error) {
    throw unreachable(url, error)
  }
}

function unreachable(url: string, error: unknown): Fault {
  const message = `${url}: wanted an answer of the outside issuer, got ${(error as Error).message}.`
  return new Fault('Refused', message, {}, error)
}

async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`more than ${MAX_ANSWER_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
