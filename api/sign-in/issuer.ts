import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { accountOf, onceForAll } from '../../sql/queries/sign-in.ts'
import type { ApiRequest } from '../http/deps.ts'
import { AddressMeter } from '../keys/meter.ts'
import type { Plan } from '../keys/plan.ts'
import { errorPage } from '../pages/sign-in.ts'
import { Problem } from '../problem.ts'
import { DOCUMENT_BYTES, documentFetch, mayAsk, openWeb, type Web } from './client-document.ts'
import { checkClientMetadata } from './client-terms.ts'
import { RecordSweep, Records } from './records.ts'

/** The client of the device grant: public, so that anyone may start it. */
export const DEVICE_CLIENT = 'hexcast-device'
/** Seconds between polls of the token endpoint. */
export const POLL_SECONDS = 5
const SCOPE = 'weather:read'
const HOUR_SECONDS = 3600
/** Servers for further base URLs: one takes 15 ms to make, and Host may name any port. */
const creations: Plan = { minute: 10, burst: 16 }
const MAX_PROVIDERS = 16
/** Fetches of client documents for each address. */
const documents: Plan = { minute: 20, burst: 20 }

export interface IssuerDeps {
  readonly database: Pick<Database, 'query' | 'kysely'>
  readonly deviceCodeSeconds: number
  /** `http://localhost:8080`: addresses under which people reach us may differ, each is an issuer of its own. */
  readonly onError: (error: unknown) => void
  /** Fetches documents of clients; unset: from the internet. */
  readonly web?: Web
  readonly clock: () => Instant
}

/** The built-in authorization server, one for each base URL; keys and records are shared. */
export interface Issuer {
  at(base: string): Provider
}

export async function openIssuer({
  database,
  deviceCodeSeconds,
  onError,
  web = openWeb,
  clock,
}: IssuerDeps): Promise<Issuer> {
  const made = await onceForAll(database, 'signing', () => ({
    jwk: {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: 'ES256',
    },
    cookies: randomBytes(32).toString('base64url'),
  }))
  const { jwk, cookies } = made as { jwk: Record<string, string>; cookies: string }
  const providers = new LRUCache<string, Provider>({ max: MAX_PROVIDERS })
  /** The first that was asked for: that of our own address, which is always at hand. */
  let own: { readonly base: string; readonly provider: Provider } | undefined
  const fetched = documentFetch(web)
  const meter = new AddressMeter()
  const sweep = new RecordSweep()

  const create = (base: string): Provider => {
    const resource = `${base}/mcp`
    const provider = new Provider(`${base}/auth`, {
      adapter: (model: string) => new Records(database, model, sweep) as never,
      jwks: { keys: [jwk as never] },
      clients: [
        {
          client_id: DEVICE_CLIENT,
          client_name: 'Hexcast device sign-in',
          application_type: 'native',
          token_endpoint_auth_method: 'none',
          grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
          response_types: [],
          redirect_uris: [],
        },
      ],
      clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
      clientAuthMethods: ['none'],
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      responseTypes: ['code'],
      scopes: ['openid', 'email', 'offline_access', SCOPE],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      // A browser client may call from the origins of its redirect URIs.
      clientBasedCORS: (_ctx, origin, client) =>
        (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin && origin !== 'null'),
      cookies: { keys: [cookies], long: { signed: true, path: '/auth' }, short: { signed: true, path: '/auth' } },
      routes: {
        authorization: '/authorize',
        code_verification: '/device',
        device_authorization: '/device_authorization',
        jwks: '/jwks',
        registration: '/register',
        revocation: '/revoke',
        token: '/token',
        userinfo: '/userinfo',
      },
      interactions: { url: (_ctx, interaction) => `/auth/interaction/${interaction.uid}` },
      ttl: {
        DeviceCode: deviceCodeSeconds,
        AccessToken: HOUR_SECONDS,
        AuthorizationCode: 60,
        IdToken: HOUR_SECONDS,
        RefreshToken: 30 * 24 * HOUR_SECONDS,
        Interaction: HOUR_SECONDS,
        Session: 24 * HOUR_SECONDS,
        Grant: 31 * 24 * HOUR_SECONDS,
      },
      rotateRefreshToken: true,
      issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
      findAccount: async (_ctx, id) => {
        const account = await accountOf(database, id)
        return (
          account && {
            accountId: id,
            claims: async () => ({ sub: id, email: account.email, email_verified: account.email_verified }),
          }
        )
      },
      features: {
        devInteractions: { enabled: false },
        deviceFlow: { enabled: true, mask: '****-****', charset: 'base-20' },
        registration: { enabled: true, idFactory: () => `dyn_${randomBytes(16).toString('base64url')}` },
        clientIdMetadataDocument: {
          enabled: true,
          ack: 'draft-02',
          // Stored documents are not fetched again and do not count.
          allowFetch: async (ctx: KoaContextWithOIDC, id: string) =>
            meter.take((ctx.req as unknown as ApiRequest).exchange.address, documents, clock()) &&
            mayAsk(new URL(id), web),
          cacheDuration: { min: 300, max: 24 * HOUR_SECONDS },
        } as never,
        resourceIndicators: {
          enabled: true,
          defaultResource: async (_ctx, client, oneOf) => {
            if (oneOf?.length) return oneOf[0]!
            // The device grant creates keys; every other client must name the tool server as resource.
            if (client.clientId === DEVICE_CLIENT) return undefined as never
            throw new errors.InvalidTarget(`resource: wanted ${resource}`)
          },
          useGrantedResource: async () => true,
          getResourceServerInfo: async (_ctx, indicator) => {
            if (indicator !== resource) throw new errors.InvalidTarget(`resource: wanted ${resource}`)
            return { scope: SCOPE, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: HOUR_SECONDS }
          },
        },
        revocation: {
          enabled: true,
          allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
        },
        rpInitiatedLogout: { enabled: false },
        userinfo: { enabled: true },
      },
      extraClientMetadata: {
        // A property that the library does not know makes it call our validator.
        properties: ['software_id'],
        validator: (ctx: unknown, _key: string, _value: unknown, metadata: Record<string, unknown>) =>
          checkClientMetadata(metadata, ctx !== undefined),
      },
      fetch: (url: string | URL, options?: RequestInit) => fetched(url, options),
      fetchResponseBodyLimits: {
        'client_id metadata document': DOCUMENT_BYTES,
        jwks_uri: DOCUMENT_BYTES,
        sector_identifier_uri: DOCUMENT_BYTES,
      },
      renderError: (ctx: KoaContextWithOIDC, out: { error: string; error_description?: string }) => {
        if (ctx.accepts('json', 'html') !== 'html') {
          ctx.body = { error: out.error, error_description: out.error_description }
          return
        }
        // RFC 6749 error as JSON, except for browsers.
        if (!(ctx.get('accept') ?? '').includes('text/html')) {
          ctx.type = 'application/json'
          ctx.body = JSON.stringify({ error: out.error, error_description: out.error_description })
          return
        }
        const shown = errorPage(out.error, out.error_description ?? '')
        ctx.type = shown.type!
        ctx.set({ ...(shown.headers as Record<string, string>), 'Cache-Control': 'no-store' })
        ctx.body = String(shown.body)
      },
    } as Configuration)
    provider.proxy = true
    provider.use(pace())
    provider.use(ordinaryScope)
    provider.on('server_error', (_ctx: unknown, error: unknown) => onError(error))
    return provider
  }

  return {
    at(base) {
      own ??= { base, provider: create(base) }
      if (base === own.base) return own.provider
      let provider = providers.get(base)
      if (!provider) {
        // Another base's server would name an issuer that the client refuses.
        if (!meter.take('servers', creations, clock()))
          throw new Problem('too-many-requests', 'Sign-in at this host name is not ready. Retry in a few seconds.', {
            retryAfter: 6,
          })
        provider = create(base)
        providers.set(base, provider)
      }
      return provider
    },
  }
}

/** Default scope (RFC 6749, 3.3): older clients of tool servers request none. */
async function ordinaryScope(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.method === 'GET' && ctx.path.endsWith('/authorize') && !ctx.query['scope']) {
    ctx.query = { ...ctx.query, scope: SCOPE }
  }
  await next()
}

/** Adds the poll interval, and answers `slow_down` to faster polls (RFC 8628). */
function pace() {
  const polled = new LRUCache<string, number>({ max: 10_000 })
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    const body = ctx.body as Record<string, unknown> | undefined
    if (ctx.oidc?.route === 'device_authorization' && body?.['device_code']) body['interval'] = POLL_SECONDS
    if (body?.['error'] === 'server_error') {
      // A failure of the database: the caller may retry.
      ctx.status = 503
      ctx.set('Retry-After', '5')
      ctx.body = { error: 'temporarily_unavailable', error_description: 'try again in a moment' }
      return
    }
    if (ctx.oidc?.route !== 'token' || body?.['error'] !== 'authorization_pending') return
    const code = String((ctx.oidc.params as Record<string, unknown> | undefined)?.['device_code'])
    const id = createHash('sha256').update(code).digest('base64')
    const now = performance.now()
    const before = polled.get(id)
    polled.set(id, now)
    // Half a second of tolerance for clocks and latency.
    if (before !== undefined && now - before < POLL_SECONDS * 1000 - 500) {
      ctx.body = { error: 'slow_down', error_description: `wait ${POLL_SECONDS} s between polls` }
    }
  }
}
