import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { Database } from '../../ingest/ports/database.ts'
import { accountOf, onceForAll } from '../../sql/queries/sign-in.ts'
import { Records } from './records.ts'

/** The client of the device grant: public, so that anyone may start it. */
export const DEVICE_CLIENT = 'hexcast-device'
/** Seconds between polls of the token endpoint. */
export const POLL_SECONDS = 5
const SCOPE = 'weather:read'
const HOUR = 3600

export interface IssuerParts {
  readonly database: Pick<Database, 'query' | 'kysely'>
  readonly deviceCodeSeconds: number
  /** `http://localhost:8080`: addresses under which people reach us may differ, each is an issuer of its own. */
  readonly troubled: (error: unknown) => void
}

/** Our own authorization server, one for each address under which we are reached: keys and records are the same. */
export interface Issuer {
  at(base: string): Provider
}

export async function openIssuer({ database, deviceCodeSeconds, troubled }: IssuerParts): Promise<Issuer> {
  const made = await onceForAll(database, 'signing', () => ({
    jwk: {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: 'ES256',
    },
    cookies: randomBytes(32).toString('base64url'),
  }))
  const { jwk, cookies } = made as { jwk: Record<string, string>; cookies: string }
  const held = new Map<string, Provider>()

  const create = (base: string): Provider => {
    const resource = `${base}/mcp`
    const provider = new Provider(`${base}/auth`, {
      adapter: (model: string) => new Records(database, model) as never,
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
        AccessToken: HOUR,
        AuthorizationCode: 60,
        IdToken: HOUR,
        RefreshToken: 30 * 24 * HOUR,
        Interaction: HOUR,
        Session: 24 * HOUR,
        Grant: 31 * 24 * HOUR,
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
          allowFetch: (_ctx: unknown, id: string) => publicHost(new URL(id).hostname),
          cacheDuration: { min: 300, max: 24 * HOUR },
        } as never,
        resourceIndicators: {
          enabled: true,
          defaultResource: async (_ctx, client, oneOf) => {
            if (oneOf?.length) return oneOf[0]!
            // The device grant makes keys; every other client asks for the tool server by name.
            if (client.clientId === DEVICE_CLIENT) return undefined as never
            throw new errors.InvalidTarget(`resource: wanted ${resource}`)
          },
          useGrantedResource: async () => true,
          getResourceServerInfo: async (_ctx, indicator) => {
            if (indicator !== resource) throw new errors.InvalidTarget(`resource: wanted ${resource}`)
            return { scope: SCOPE, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: HOUR }
          },
        },
        revocation: { enabled: true },
        rpInitiatedLogout: { enabled: false },
        userinfo: { enabled: true },
      },
      fetchResponseBodyLimits: { 'client_id metadata document': 10 * 1024 },
      renderError: (ctx: KoaContextWithOIDC, out: { error: string; error_description?: string }) => {
        ctx.type = 'application/json'
        ctx.body = JSON.stringify({ error: out.error, error_description: out.error_description })
      },
    } as Configuration)
    provider.proxy = true
    provider.use(pace())
    provider.on('server_error', (_ctx: unknown, error: unknown) => troubled(error))
    return provider
  }

  return {
    at(base) {
      let provider = held.get(base)
      if (!provider) {
        // Only loopback spellings and PUBLIC_URL come here: a handful.
        if (held.size > 16) held.clear()
        provider = create(base)
        held.set(base, provider)
      }
      return provider
    },
  }
}

/** Says how often to poll, and answers `slow_down` to who polls faster (RFC 8628). */
function pace() {
  const polled = new Map<string, number>()
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    const body = ctx.body as Record<string, unknown> | undefined
    if (ctx.oidc?.route === 'device_authorization' && body?.['device_code']) body['interval'] = POLL_SECONDS
    if (ctx.oidc?.route !== 'token' || body?.['error'] !== 'authorization_pending') return
    const code = String((ctx.oidc.params as Record<string, unknown> | undefined)?.['device_code'])
    const id = createHash('sha256').update(code).digest('base64')
    const now = performance.now()
    const before = polled.get(id)
    if (polled.size > 10_000) polled.clear()
    polled.set(id, now)
    // Half a second of grace for clocks and roads.
    if (before !== undefined && now - before < POLL_SECONDS * 1000 - 500) {
      ctx.body = { error: 'slow_down', error_description: `wait ${POLL_SECONDS} s between polls` }
    }
  }
}

/** A name that may be asked for a client's document: neither this machine nor its network, by name or by address. */
async function publicHost(host: string): Promise<boolean> {
  const bare = host.replace(/^\[|\]$/g, '')
  if (isIP(bare) || !bare.includes('.')) return false
  if (/(^|\.)(localhost|local|internal|home|lan|intranet|corp|arpa)$/i.test(bare)) return false
  try {
    const found = await lookup(bare, { all: true })
    return (
      found.length > 0 && found.every(({ address }) => !within.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
    )
  } catch {
    return false
  }
}

const within = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  within.addSubnet(net, bits, 'ipv4')
}
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  within.addSubnet(net, bits, 'ipv6')
}
