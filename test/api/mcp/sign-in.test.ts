import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentFetch, isPublicHost, openWeb, type Web } from '../../../api/sign-in/client-document.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { tlsHost } from '../sign-in/tls-host.ts'
import { approve, Browser, Keeper, newestLink, pair } from './browser.ts'

const BACK = 'http://127.0.0.1:43117/callback'
const named = { name: 'stock', version: '1' }
const HOME = 'https://app.example.org/back'
let edge: EdgeServer
let host: Awaited<ReturnType<typeof tlsHost>>
/** Requests for the client's document. */
let documentFetches = 0
/** All requests to the host of the documents. */
let fetches = 0

const documents: Record<string, (response: ServerResponse, id: string) => void> = {
  '/client.json': (response, id) => {
    documentFetches++
    const document = { client_id: id, client_name: 'Cloud', redirect_uris: ['http://localhost/callback'] }
    response.end(JSON.stringify({ ...document, token_endpoint_auth_method: 'none', grant_types: GRANTS }))
  },
  '/other.json': (response, id) => response.end(JSON.stringify({ client_id: `${id}x`, redirect_uris: [BACK] })),
  '/foreign.json': (response, id) =>
    response.end(JSON.stringify({ client_id: id, redirect_uris: ['http://evil.example/back'] })),
  '/large.json': (response, id) =>
    response.end(JSON.stringify({ client_id: id, redirect_uris: [BACK], client_name: 'x'.repeat(11_000) })),
  '/odd.json': (response) => response.writeHead(999).end('{}'),
  '/slow.json': (response) => response.write('{"client_id":'),
  '/moved.json': (response) => response.writeHead(302, { location: '/client.json' }).end(),
}
const GRANTS = ['authorization_code', 'refresh_token']

beforeAll(async () => {
  host = await tlsHost('app.example.org', (request: IncomingMessage, response) => {
    fetches++
    const path = (request.url ?? '').replace(/\?.*/, '')
    documents[path]?.(response.setHeader('content-type', 'application/json'), host.base + path)
  })
})
afterAll(() => host.close())

/** Starts a server for a group of tests, because an address may cause 6 mails a minute and register 20 clients an hour. */
function ownServer() {
  beforeAll(async () => {
    edge = await edgeServer({}, { addresses: async () => ['127.0.0.1'], isPublic: () => true, ca: host.cert })
  })
  afterAll(() => edge.close())
}

const mcp = () => new URL(`${edge.base}/mcp`)
const json = async (path: string) => (await (await fetch(edge.base + path)).json()) as Record<string, unknown>

/** Connects a client that knows only the address of the server, and signs its user in. */
async function connect(keeper: Keeper, email: string) {
  const first = new StreamableHTTPClientTransport(mcp(), { authProvider: keeper })
  await expect(new Client(named).connect(first)).rejects.toThrow(UnauthorizedError)
  const { back, pages } = await approve(edge, keeper.sentTo ?? '', email)
  expect(back.searchParams.get('state')).toBe('a-state')
  expect(back.searchParams.get('iss')).toBe(`${edge.base}/auth`)
  await first.finishAuth(back.searchParams)
  const client = new Client(named)
  await client.connect(new StreamableHTTPClientTransport(mcp(), { authProvider: keeper }))
  return { client, pages }
}

async function expectWorking(client: Client) {
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  const sun = await client.callTool({ name: 'get_sun_moon', arguments: { location: 'Denver, CO' } })
  expect(sun.isError).toBeFalsy()
  expect(JSON.stringify(sun.structuredContent)).toContain('Denver')
}

/** The members of the issuer's answers that the tests read; which of them an answer has depends on the request. */
interface IssuerBody {
  readonly client_id: string
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly error: string
}
const codeOf = (redirect: URL) => redirect.searchParams.get('code') ?? ''

const register = async (metadata: object) => {
  const response = await fetch(`${edge.base}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  return { status: response.status, body: (await response.json()) as IssuerBody }
}
const post = async (path: string, fields: Record<string, string>) => {
  const response = await fetch(edge.base + path, { method: 'POST', body: new URLSearchParams(fields) })
  const text = await response.text()
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as IssuerBody }
}
const authorize = (clientId: string, challenge: string, more: Record<string, string> = {}) =>
  `${edge.base}/auth/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: BACK,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'weather:read',
    resource: mcp().href,
    state: 's',
    ...more,
  })}`
/** A web client with the browser of a user who has consented. Each call gives the fields of a new token request. */
async function visitor() {
  const { body } = await register({ redirect_uris: [HOME], grant_types: GRANTS })
  const id = body.client_id
  const browser = new Browser(edge.base)
  let visits = 0
  return async (more: Record<string, string> = {}) => {
    const { verifier, challenge } = pair()
    const url = authorize(id, challenge, { redirect_uri: HOME, ...more })
    const { back } = await approve(edge, url, `p${visits++}@example.org`, browser)
    return {
      grant_type: 'authorization_code',
      client_id: id,
      code: codeOf(back),
      code_verifier: verifier,
      redirect_uri: HOME,
      resource: mcp().href,
    }
  }
}
/** Calls the tool server with a token. @returns the status and the WWW-Authenticate header */
async function tryToken(token?: string) {
  const response = await fetch(mcp(), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  await response.text()
  return { status: response.status, wants: response.headers.get('www-authenticate') ?? '' }
}
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
/** Expires all records of a model. */
const expire = (model: string) =>
  edge.database.query(
    `update oidc_record set expires_at = now() - interval '1 second',
       payload = jsonb_set(payload::jsonb, '{exp}', to_jsonb(extract(epoch from now())::int - 1)) where model = $1`,
    [model],
  )

describe('a stock client that knows only the address', () => {
  ownServer()

  test('finds the resource by a 401, and the issuer by the resource', async () => {
    const { status, wants } = await tryToken()
    expect(status).toBe(401)
    const place = `${edge.base}/.well-known/oauth-protected-resource/mcp`
    expect(wants).toContain(`resource_metadata="${place}"`)
    expect(wants).toContain('scope="weather:read"')
    expect(wants).not.toContain('error=')
    expect((await tryToken('none')).wants).toContain('error="invalid_token"')
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
      expect(await json(path)).toMatchObject({
        resource: mcp().href,
        authorization_servers: [`${edge.base}/auth`],
        scopes_supported: ['weather:read'],
        bearer_methods_supported: ['header'],
      })
    }
    const server = await json('/.well-known/oauth-authorization-server/auth')
    expect(server).toMatchObject({
      issuer: `${edge.base}/auth`,
      authorization_endpoint: `${edge.base}/auth/authorize`,
      token_endpoint: `${edge.base}/auth/token`,
      registration_endpoint: `${edge.base}/auth/register`,
      revocation_endpoint: `${edge.base}/auth/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    expect([...(server['grant_types_supported'] as string[])].sort()).toEqual([
      ...GRANTS,
      'urn:ietf:params:oauth:grant-type:device_code',
    ])
    expect(await json('/auth/.well-known/openid-configuration')).toEqual(server)
  })

  test('registers, signs in, lists tools, calls them, and refreshes an expired token', async () => {
    const keeper = new Keeper({ client_name: 'Sky <b>Reader</b>', redirect_uris: [BACK] })
    const { client, pages } = await connect(keeper, 'a@example.org')
    expect((keeper.stored['client'] as { client_id: string }).client_id).toMatch(/^dyn_/)
    expect(pages).toHaveLength(2)
    for (const page of pages) {
      expect(page).toContain('Sky &#60;b&#62;Reader')
      expect(page).toContain('127.0.0.1:43117')
    }
    await expectWorking(client)
    const before = { ...(keeper.stored['tokens'] as IssuerBody) }
    expect(before).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(before.scope.split(' ')).toContain('weather:read')

    await expire('AccessToken')
    const ended = await tryToken(before.access_token)
    expect([ended.status, ended.wants]).toEqual([401, expect.stringContaining('error="invalid_token"')])
    keeper.sentTo = undefined
    await expectWorking(client)
    const after = keeper.stored['tokens'] as IssuerBody
    expect(keeper.sentTo).toBeUndefined()
    expect(after.access_token).not.toBe(before.access_token)
    expect(after.refresh_token).not.toBe(before.refresh_token)
    await client.close()
  })

  test('is identified by its document, whatever its port', async () => {
    const id = `${host.base}/client.json`
    const keeper = new Keeper({ redirect_uris: ['http://localhost:51777/callback'] }, id)
    const { client, pages } = await connect(keeper, 'b@example.org')
    expect((keeper.stored['client'] as { client_id: string }).client_id).toBe(id)
    for (const page of pages) {
      expect(page).toContain(`Cloud (${new URL(id).host})`)
      expect(page).toContain('localhost:51777')
    }
    await expectWorking(client)
    await client.close()
    const secondKeeper = new Keeper({ redirect_uris: ['http://localhost:51778/callback'] }, id)
    await (await connect(secondKeeper, 'b@example.org')).client.close()
    expect(documentFetches).toBe(1)
  })

  test('signs in without a scope, as older clients do', async () => {
    const { body } = await register({
      redirect_uris: [BACK],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: GRANTS,
    })
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none' })
    expect(body).not.toHaveProperty('client_secret')
    const { verifier, challenge } = pair()
    const url = new URL(authorize(body.client_id, challenge))
    url.searchParams.delete('scope')
    const { back } = await approve(edge, url, 'c@example.org')
    const { body: tokens } = await post('/auth/token', {
      grant_type: 'authorization_code',
      client_id: body.client_id,
      code: codeOf(back),
      code_verifier: verifier,
      redirect_uri: BACK,
    })
    expect((await tryToken(tokens.access_token)).status).toBe(200)
  })
})

describe('tokens', () => {
  ownServer()
  let newGrant: Awaited<ReturnType<typeof visitor>>
  beforeAll(async () => {
    newGrant = await visitor()
  })

  test('are refusal for a wrong verifier, another redirect and another client', async () => {
    const grant = await newGrant()
    const refusal = { status: 400, body: expect.objectContaining({ error: 'invalid_grant' }) }
    expect(await post('/auth/token', { ...grant, code_verifier: pair().verifier })).toEqual(refusal)
    const other = await newGrant()
    expect(await post('/auth/token', { ...other, redirect_uri: 'https://app.example.org/other' })).toEqual(refusal)
    const { body } = await register({ redirect_uris: [BACK] })
    expect(await post('/auth/token', { ...(await newGrant()), client_id: body.client_id })).toEqual(refusal)
    const { code_verifier: _, ...bare } = await newGrant()
    expect((await post('/auth/token', bare)).status).toBe(400)
  })

  test('are revoked when their code is used again', async () => {
    const grant = await newGrant()
    const { body } = await post('/auth/token', grant)
    expect((await tryToken(body.access_token)).status).toBe(200)
    expect((await post('/auth/token', grant)).body.error).toBe('invalid_grant')
    expect((await tryToken(body.access_token)).status).toBe(401)
  })

  test('are issued at most once for a code that is sent ten times at once', async () => {
    const grant = await newGrant()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/auth/token', grant)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { status, body } of answers) expect([200, 400], JSON.stringify(body)).toContain(status)
    for (const { body } of answers) if (body.access_token) expect((await tryToken(body.access_token)).status).toBe(401)
  })

  test('are all revoked when a refresh token is used a second time', async () => {
    const grant = await newGrant()
    const { body: first } = await post('/auth/token', grant)
    const refresh = (token: string) =>
      post('/auth/token', { grant_type: 'refresh_token', client_id: grant.client_id, refresh_token: token })
    const { body: second } = await refresh(first.refresh_token)
    expect((await tryToken(second.access_token)).status).toBe(200)
    expect(await refresh(first.refresh_token)).toEqual({
      status: 400,
      body: expect.objectContaining({ error: 'invalid_grant' }),
    })
    expect((await tryToken(second.access_token)).status).toBe(401)
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('stop working when their own client revokes them', async () => {
    const grant = await newGrant()
    const { body } = await post('/auth/token', grant)
    const { body: other } = await register({ redirect_uris: [BACK] })
    await post('/auth/revoke', { client_id: other.client_id, token: body.refresh_token })
    expect((await tryToken(body.access_token)).status).toBe(200)
    const revoked = await post('/auth/revoke', { client_id: grant.client_id, token: body.refresh_token })
    expect(revoked.status).toBe(200)
    expect((await tryToken(body.access_token)).status).toBe(401)
  })

  test('without the scope get an answer that names the scope and the metadata', async () => {
    const { body } = await post('/auth/token', await newGrant({ scope: 'openid' }))
    const { status, wants } = await tryToken(body.access_token)
    expect(status).toBe(403)
    expect(wants).toContain('error="insufficient_scope"')
    expect(wants).toContain('scope="weather:read"')
    expect(wants).toContain(`resource_metadata="${edge.base}/.well-known/oauth-protected-resource/mcp"`)
  })

  test('work only for their resource, and do not create keys', async () => {
    const { body } = await post('/auth/token', await newGrant())
    const rows = await edge.database.query<{ id: string; payload: Record<string, unknown> }>(
      `select id, payload from oidc_record where model = 'AccessToken' and id = $1`,
      [hashOf(body.access_token)],
    )
    expect(rows).toHaveLength(1)
    // The database stores only hashes of tokens.
    const all = JSON.stringify(await edge.database.query('select * from oidc_record'))
    expect(all).toContain(hashOf(body.access_token))
    for (const name of ['access_token', 'refresh_token'] as const) expect(all).not.toContain(body[name])
    expect(rows[0]?.payload['aud']).toBe(mcp().href)
    const keys = await fetch(`${edge.base}/developer/keys`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    expect(keys.status).toBe(401)
    // The server under another name is another resource.
    const named = mcp().href.replace('127.0.0.1', 'localhost')
    const elsewhere = await fetch(named, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body.access_token}` },
      body: '{}',
    })
    expect(elsewhere.status).toBe(401)
    await edge.database.query(
      `update oidc_record set payload = jsonb_set(payload::jsonb, '{aud}', '"https://other.example/mcp"') where model = 'AccessToken' and id = $1`,
      [hashOf(body.access_token)],
    )
    expect((await tryToken(body.access_token)).status).toBe(401)
  })
})

describe('the issuer', () => {
  ownServer()

  test('shows an error for a redirect that is not the client’s, and for an unknown client', async () => {
    const { body } = await register({ redirect_uris: ['https://app.example.org/back'] })
    for (const url of [
      authorize(body.client_id, pair().challenge, { redirect_uri: 'https://evil.example/back' }),
      authorize('dyn_unknown', pair().challenge),
    ]) {
      const { status, away, page } = await new Browser(edge.base).open(url)
      expect([status, away]).toEqual([400, undefined])
      expect(page).toContain('This sign-in cannot continue')
      const redirected = await fetch(url, { redirect: 'manual', headers: { accept: 'application/json' } })
      expect(redirected.headers.get('content-type')).toContain('application/json')
    }
  })

  test('redirects with an error without S256, and for another or no resource', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const errorOf = async (change: (url: URL) => void) => {
      const url = new URL(authorize(body.client_id, pair().challenge))
      change(url)
      const { away } = await new Browser(edge.base).open(url.href)
      expect(away?.origin).toBe(new URL(BACK).origin)
      const parameters = new URLSearchParams(away?.hash.slice(1) || away?.search)
      expect(parameters.get('iss')).toBe(`${edge.base}/auth`)
      return parameters.get('error')
    }
    expect(await errorOf((url) => url.searchParams.set('code_challenge_method', 'plain'))).toBe('invalid_request')
    expect(await errorOf((url) => url.searchParams.delete('code_challenge'))).toBe('invalid_request')
    expect(await errorOf((url) => url.searchParams.set('resource', 'https://other.example/mcp'))).toBe('invalid_target')
    expect(await errorOf((url) => url.searchParams.delete('resource'))).toBe('invalid_target')
    expect(await errorOf((url) => url.searchParams.set('response_type', 'token'))).toBe('unsupported_response_type')
  })

  test('registers only https and loopback redirects, within limits', async () => {
    const bad = { status: 400, body: expect.objectContaining({ error: expect.stringMatching(/^invalid_/) }) }
    for (const uri of ['http://evil.example/back', 'javascript:alert(1)', 'app:/back', 'https://u:p@a.example/', 'x']) {
      expect(await register({ redirect_uris: [uri] }), uri).toEqual(bad)
    }
    expect(await register({ redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) })).toEqual(
      bad,
    )
    expect(await register({ redirect_uris: [BACK], client_name: 'x'.repeat(201) })).toEqual(bad)
    expect(await register({ redirect_uris: [BACK], grant_types: ['client_credentials'] })).toEqual(bad)
  })

  test('rejects client documents that are wrong or do not arrive', async () => {
    const expectRejected = async (path: string) => {
      const { status, away } = await new Browser(edge.base).open(authorize(host.base + path, pair().challenge))
      expect([path, status, away]).toEqual([path, 400, undefined])
    }
    const startedAt = performance.now()
    await Promise.all(
      ['/other.json', '/foreign.json', '/large.json', '/moved.json', '/odd.json', '/slow.json'].map(expectRejected),
    )
    expect(performance.now() - startedAt).toBeLessThan(8000)
  }, 15_000)

  test('limits how many documents it fetches', async () => {
    const before = fetches
    const ids = Array.from({ length: 40 }, (_, i) => `${host.base}/other.json?${i}`)
    await Promise.all(ids.map((id) => fetch(authorize(id, pair().challenge)).then((response) => response.text())))
    expect(fetches - before).toBeLessThanOrEqual(20)
  })

  test('accepts the link of a mail only in the browser that requested it', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const mine = new Browser(edge.base)
    const { page } = await mine.open(authorize(body.client_id, pair().challenge))
    await mine.press(page, 'Continue', { Email: 'd@example.org' })
    const link = await newestLink(edge)
    const otherBrowser = new Browser(edge.base)
    const { page: otherPage } = await otherBrowser.open(link)
    expect((await otherBrowser.press(otherPage, 'Approve')).page).toContain('in the browser where you started')
    const { away } = await mine.press((await mine.open(link)).page, 'Approve')
    expect(away?.searchParams.get('code')).toBeTruthy()
  })

  test('signs two people in one after the other in the same browser', async () => {
    const browser = new Browser(edge.base)
    const { body } = await register({ redirect_uris: [BACK] })
    for (const email of ['e@example.org', 'f@example.org', 'f@example.org']) {
      const { verifier, challenge } = pair()
      const { back } = await approve(edge, authorize(body.client_id, challenge), email, browser)
      const { body: tokens } = await post('/auth/token', {
        grant_type: 'authorization_code',
        client_id: body.client_id,
        code: codeOf(back),
        code_verifier: verifier,
        redirect_uri: BACK,
      })
      const [row] = await edge.database.query<{ email: string }>(
        `select a.email from account a join oidc_record r on r.payload::jsonb ->> 'accountId' = a.id where r.model = 'AccessToken' and r.id = $1`,
        [hashOf(tokens.access_token)],
      )
      expect(row?.email).toBe(email)
    }
  })

  test('allows requests of a web client from its own origin only', async () => {
    const { body } = await register({ redirect_uris: [HOME], grant_types: GRANTS })
    const from = async (origin: string) => {
      const response = await fetch(`${edge.base}/auth/token`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ client_id: body.client_id, grant_type: 'refresh_token', refresh_token: 'x' }),
      })
      return [response.headers.get('access-control-allow-origin'), ((await response.json()) as { error: string }).error]
    }
    expect(await from('https://app.example.org')).toEqual(['https://app.example.org', 'invalid_grant'])
    expect(await from('https://evil.example')).toEqual([null, 'invalid_request'])
  })

  test('redirects with access_denied when the user denies', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const browser = new Browser(edge.base)
    const { page } = await browser.open(authorize(body.client_id, pair().challenge))
    await browser.press(page, 'Continue', { Email: 'g@example.org' })
    const { away } = await browser.press((await browser.open(await newestLink(edge))).page, 'Deny')
    expect(away?.searchParams.get('error')).toBe('access_denied')
    expect(away?.searchParams.get('code')).toBeNull()
  })
})

test('uses the public name everywhere behind a proxy that ends TLS', async () => {
  const site = 'https://weather.example.org'
  edge = await edgeServer({ PUBLIC_URL: site })
  try {
    const { wants } = await tryToken()
    expect(wants).toContain(`resource_metadata="${site}/.well-known/oauth-protected-resource/mcp"`)
    expect(await json('/.well-known/oauth-protected-resource/mcp')).toMatchObject({
      resource: `${site}/mcp`,
      authorization_servers: [`${site}/auth`],
    })
    expect(await json('/.well-known/oauth-authorization-server/auth')).toMatchObject({
      issuer: `${site}/auth`,
      token_endpoint: `${site}/auth/token`,
    })
    const { body } = await register({ redirect_uris: [HOME] })
    const { verifier, challenge } = pair()
    const url = authorize(body.client_id, challenge, { redirect_uri: HOME, resource: `${site}/mcp` })
    const first = await fetch(url, { redirect: 'manual' })
    expect(first.headers.getSetCookie().length).toBeGreaterThan(0)
    for (const cookie of first.headers.getSetCookie()) expect(cookie).toMatch(/secure/i)
    const { back } = await approve(edge, url.replace(edge.base, site), 'h@example.org', new Browser(site, edge.base))
    expect(back.searchParams.get('iss')).toBe(`${site}/auth`)
    const { body: tokens } = await post('/auth/token', {
      grant_type: 'authorization_code',
      client_id: body.client_id,
      code: codeOf(back),
      code_verifier: verifier,
      redirect_uri: HOME,
      resource: `${site}/mcp`,
    })
    expect((await tryToken(tokens.access_token)).status).toBe(200)
  } finally {
    await edge.close()
  }
})

describe('requests for client documents', () => {
  const publicWeb: Web = { ...openWeb, addresses: async () => ['8.8.8.8'] }
  test('do not go to addresses, plain http or internal names', async () => {
    for (const url of [
      'https://127.0.0.1/c',
      'https://8.8.8.8/c',
      'https://[::1]/c',
      'https://2130706433/c',
      'https://0x7f.1/c',
      'https://localhost/c',
      'https://a.localhost/c',
      'https://localhost./c',
      'https://db.internal/c',
      'https://metadata.google.internal./c',
      'http://app.example.org/c',
    ]) {
      expect(await isPublicHost(new URL(url), publicWeb), url).toBe(false)
    }
    expect(await isPublicHost(new URL('https://app.example.org/c'), publicWeb)).toBe(true)
  })

  test('do not go to names that resolve to internal addresses, also not at a second look-up', async () => {
    const inside = ['10.1.2.3', '127.0.0.1', '169.254.169.254', '192.168.0.1', '172.20.0.1', '100.64.1.1', '0.0.0.0']
    const inside6 = ['::1', '::', 'fd00::1', 'fe80::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::7f00:1']
    for (const address of [...inside, ...inside6]) {
      const web: Web = { ...openWeb, addresses: async () => ['8.8.8.8', address] }
      expect(await isPublicHost(new URL('https://app.example.org/c'), web), address).toBe(false)
    }
    let times = 0
    const web: Web = { ...openWeb, addresses: async () => [times++ ? '127.0.0.1' : '8.8.8.8'], ca: host.cert }
    const before = documentFetches
    await expect(documentFetch(web)(`${host.base}/client.json`)).rejects.toThrow('public addresses')
    expect([times, documentFetches]).toEqual([2, before])
  })
})
