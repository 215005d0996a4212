import { createHash } from 'node:crypto'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { Fault } from '../../ingest/domain/fault.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type AccountRow, accountOf, ensureAccount } from '../../sql/queries/sign-in.ts'
import { DEVICE_CLIENT, type Issuer } from './issuer.ts'

/** Endpoints of device codes and tokens, and the account of an access token. */
export interface Identity {
  /** Returns the URL of the issuer. */
  issuer(base: string): string
  endpoints(base: string): { clientId: string; deviceEndpoint: string; tokenEndpoint: string }
  /** Returns the account of an access token of the device grant; undefined for an invalid token. @throws Fault Refused */
  accountOf(token: string, base: string): Promise<AccountRow | undefined>
}

/** The identity of the built-in issuer. */
export function ownIdentity(issuer: Issuer, database: Database): Identity {
  return {
    issuer: (base) => `${base}/auth`,
    endpoints: (base) => ({
      clientId: DEVICE_CLIENT,
      deviceEndpoint: `${base}/auth/device_authorization`,
      tokenEndpoint: `${base}/auth/token`,
    }),
    async accountOf(token, base) {
      const record = await issuer.at(base).AccessToken.find(token)
      // A token for the tool server must not create keys.
      if (!record?.accountId || record.clientId !== DEVICE_CLIENT) return undefined
      return accountOf(database, record.accountId)
    },
  }
}

/** The discovery document of an issuer. */
interface Discovery {
  readonly issuer?: string
  readonly device_authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  /** Public keys, for access tokens that are JWTs (RFC 9068). */
  readonly jwks_uri?: string
  /** Endpoint that describes any other access token (RFC 7662). */
  readonly introspection_endpoint?: string
}

const MAX_ANSWER_BYTES = 262_144

const FETCH_TIMEOUT_MS = 5000

/**
 * The identity of an external issuer, which signs users in on its own pages. Its userinfo has the account and whether the email is verified.
 * @throws Fault Invalid if its discovery document lacks an endpoint, Refused if the issuer does not answer
 */
export async function outsideIdentity(address: string, database: Database): Promise<Identity> {
  const issuer = address.replace(/\/$/, '')
  const document = (await fetchJson(`${issuer}/.well-known/openid-configuration`)) as Partial<Discovery> | undefined
  for (const name of ['device_authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'] as const) {
    if (typeof document?.[name] !== 'string') {
      throw new Fault(
        'Invalid',
        `AUTH_ISSUER must be an issuer whose discovery document names its ${name}, but that of ${issuer} has none. Set AUTH_ISSUER to another issuer.`,
      )
    }
  }
  const endpoints = document as Discovery
  if (!endpoints.introspection_endpoint && !endpoints.jwks_uri) {
    throw new Fault(
      'Invalid',
      `AUTH_ISSUER must be an issuer with an introspection_endpoint or a jwks_uri, but ${issuer} has neither, so that tokens of other clients cannot be rejected. Set AUTH_ISSUER to another issuer.`,
    )
  }
  const keys = endpoints.jwks_uri
    ? createRemoteJWKSet(new URL(endpoints.jwks_uri), { timeoutDuration: FETCH_TIMEOUT_MS })
    : undefined

  /** Whether a token was issued to our client. This must be checked, because userinfo answers for tokens of any client. */
  const isOurs = async (token: string): Promise<boolean> => {
    if (keys && token.split('.').length === 3) {
      try {
        const { payload } = await jwtVerify(token, keys, { issuer: endpoints.issuer ?? issuer })
        const audience = Array.isArray(payload.aud) ? payload.aud : [payload.aud]
        return [payload['client_id'], payload['azp'], ...audience].includes(DEVICE_CLIENT)
      } catch (error) {
        if (isUnreadable(error)) throw unreachable(issuer, error)
        return false
      }
    }
    if (!endpoints.introspection_endpoint) return false
    const form = new URLSearchParams({ token, token_type_hint: 'access_token', client_id: DEVICE_CLIENT })
    const description = await fetchJson(endpoints.introspection_endpoint, undefined, form)
    return description?.['active'] === true && description['client_id'] === DEVICE_CLIENT
  }
  return {
    issuer: () => issuer,
    endpoints: () => ({
      clientId: DEVICE_CLIENT,
      deviceEndpoint: endpoints.device_authorization_endpoint,
      tokenEndpoint: endpoints.token_endpoint,
    }),
    async accountOf(token) {
      if (!(await isOurs(token))) return undefined
      const person = await fetchJson(endpoints.userinfo_endpoint, token)
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

/** Whether the published keys could not be read: jose reports their HTTP status and syntax as JOSE errors too. */
function isUnreadable(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code)
}

/** Returns the JSON of a URL; undefined if the server rejects the token. @throws Fault Refused */
async function fetchJson(
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
  const message = `The external issuer did not answer at ${url}: ${(error as Error).message}. Check the issuer and AUTH_ISSUER.`
  return new Fault('Refused', message, {}, error)
}

async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
