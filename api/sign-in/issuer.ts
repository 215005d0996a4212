import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { accountOf, generateOnce } from '../../sql/queries/sign-in.ts'
import { AddressMeter } from '../keys/meter.ts'
import type { Plan } from '../keys/plan.ts'
import { errorPage } from '../pages/sign-in.ts'
import { Problem } from '../problem.ts'
import { DOCUMENT_BYTES, documentFetch, isPublicHost, openWeb, type Web } from './client-document.ts'
import { checkClientMetadata } from './client-terms.ts'
import { exchangeOf } from './page.ts'
import { RecordCleanup, Records } from './records.ts'

/** The client of the device grant. It is public, so that anyone can start a sign-in. */
export const DEVICE_CLIENT = 'hexcast-device'
/** Seconds between polls of the token endpoint. */
export const POLL_SECONDS = 5
const SCOPE = 'weather:read'
const HOUR_SECONDS = 3600
/** Limit of new providers for further base URLs: a provider takes 15 ms to create, and Host may name any port. */
const creations: Plan = { minute: 10, burst: 16 }
const MAX_PROVIDERS = 16
/** Limit of the fetches of client documents that one address causes. */
const documents: Plan = { minute: 20, burst: 20 }

export interface IssuerDeps {
  readonly database: Pick<Database, 'query' | 'kysely'>
  readonly deviceCodeSeconds: number
  readonly onError: (error: unknown) => void
  /** Network access for documents of clients; default: the internet. */
  readonly web?: Web
  readonly clock: () => Instant
}

/** The built-in authorization server. Each base URL is an issuer with its own provider; signing keys and records are shared. */
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
  const secrets = (await generateOnce(database, 'signing', () => ({
    jwk: {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: 'ES256',
    },
    cookies: randomBytes(32).toString('base64url'),
  }))) as { jwk: Record<string, string>; cookies: string }
  const providers = new LRUCache<string, Provider>({ max: MAX_PROVIDERS })
  /** The provider of the first base URL, which is that of this process; it is never evicted. */
  let own: { readonly base: string; readonly provider: Provider } | undefined
  const fetchDocument = documentFetch(web)
  const meter = new AddressMeter()
  const cleanup = new RecordCleanup()
  const mayFetch = (address: string, id: string) =>
    meter.take(address, documents, clock()) && isPublicHost(new URL(id), web)

  const create = (base: string): Provider => {
    const provider = new Provider(`${base}/auth`, {
      ...FIXED_SETTINGS,
      adapter: (model: string) => new Records(database, model, cleanup) as never,
      jwks: { keys: [secrets.jwk as never] },
      cookies: {
        keys: [secrets.cookies],
        long: { signed: true, path: '/auth' },
        short: { signed: true, path: '/auth' },
      },
      ttl: { ...LIFETIMES, DeviceCode: deviceCodeSeconds },
      findAccount: async (_ctx, id) => {
        const account = await accountOf(database, id)
        return (
          account && {
            accountId: id,
            claims: async () => ({ sub: id, email: account.email, email_verified: account.email_verified }),
          }
        )
      },
      features: featuresOf(`${base}/mcp`, mayFetch),
      fetch: (url: string | URL, options?: RequestInit) => fetchDocument(url, options),
    } as Configuration)
    provider.proxy = true
    provider.use(pace())
    provider.use(addDefaultScope)
    provider.on('server_error', (_ctx: unknown, error: unknown) => onError(error))
    return provider
  }

  return {
    at(base) {
      own ??= { base, provider: create(base) }
      if (base === own.base) return own.provider
      let provider = providers.get(base)
      if (!provider) {
        // The provider of another base URL would name an issuer that the client rejects.
        if (!meter.take('servers', creations, clock()))
          throw new Problem(
            'too-many-requests',
            'Sign-in at this host name is not ready: too many host names were used. Retry in a few seconds.',
            {
              retryAfter: 6,
            },
          )
        provider = create(base)
        providers.set(base, provider)
      }
      return provider
    },
  }
}

/** Settings of the library that do not depend on the base URL or the database. */
const FIXED_SETTINGS = {
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
  rotateRefreshToken: true,
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  extraClientMetadata: {
    // The library calls the validator only if there is a property that it does not know.
    properties: ['software_id'],
    validator: (ctx: unknown, _key: string, _value: unknown, metadata: Record<string, unknown>) =>
      checkClientMetadata(metadata, ctx !== undefined),
  },
  fetchResponseBodyLimits: {
    'client_id metadata document': DOCUMENT_BYTES,
    jwks_uri: DOCUMENT_BYTES,
    sector_identifier_uri: DOCUMENT_BYTES,
  },
  renderError,
} as Configuration

/** Lifetimes of records, seconds. */
const LIFETIMES = {
  AccessToken: HOUR_SECONDS,
  AuthorizationCode: 60,
  IdToken: HOUR_SECONDS,
  RefreshToken: 30 * 24 * HOUR_SECONDS,
  Interaction: HOUR_SECONDS,
  Session: 24 * HOUR_SECONDS,
  Grant: 31 * 24 * HOUR_SECONDS,
}

/**
 * Features of one provider.
 * @param resource the tool server, the only resource for which tokens are issued
 * @param mayFetch whether an address may cause the fetch of a client document
 */
function featuresOf(
  resource: string,
  mayFetch: (address: string, id: string) => boolean | Promise<boolean>,
): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true, mask: '****-****', charset: 'base-20' },
    registration: { enabled: true, idFactory: () => `dyn_${randomBytes(16).toString('base64url')}` },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      // Stored documents are not fetched again and do not count.
      allowFetch: async (ctx: KoaContextWithOIDC, id: string) => mayFetch(exchangeOf(ctx.req).address, id),
      cacheDuration: { min: 300, max: 24 * HOUR_SECONDS },
    } as never,
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, client, oneOf) => {
        const [first] = oneOf ?? []
        if (first !== undefined) return first
        // The device grant creates keys; every other client must name the tool server as resource.
        if (client.clientId === DEVICE_CLIENT) return undefined as never
        throw new errors.InvalidTarget(`resource must be ${resource}`)
      },
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, indicator) => {
        if (indicator !== resource) throw new errors.InvalidTarget(`resource must be ${resource}`)
        return { scope: SCOPE, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: HOUR_SECONDS }
      },
    },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: true },
  }
}

/** Answers an error as JSON (RFC 6749), or as a page to a browser. */
function renderError(
  ctx: KoaContextWithOIDC,
  { error, error_description }: { error: string; error_description?: string },
): void {
  const acceptsJson = ctx.accepts('json', 'html') !== 'html'
  if (acceptsJson || !(ctx.get('accept') ?? '').includes('text/html')) {
    if (!acceptsJson) ctx.type = 'application/json'
    ctx.body = acceptsJson ? { error, error_description } : JSON.stringify({ error, error_description })
    return
  }
  const page = errorPage(error, error_description ?? '')
  ctx.type = page.type ?? 'text/html'
  ctx.set({ ...page.headers, 'Cache-Control': 'no-store' })
  ctx.body = String(page.body)
}

/** Adds the default scope (RFC 6749, 3.3), because older clients of tool servers request none. */
async function addDefaultScope(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
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
      // The database failed, and the caller may retry.
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
    // Polls may come half a second early, because of clocks and latency.
    if (before !== undefined && now - before < POLL_SECONDS * 1000 - 500) {
      ctx.body = { error: 'slow_down', error_description: `wait ${POLL_SECONDS} s between polls` }
    }
  }
}
