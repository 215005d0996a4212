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
/** Times that the client's document was fetched. */
let asked = 0
/** Times that anything was fetched. */
let fetches = 0

const documents: Record<string, (response: ServerResponse, id: string) => void> = {
  '/client.json': (response, id) => {
    asked++
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
    const path = request.url!.replace(/\?.*/, '')
    documents[path]?.(response.setHeader('content-type', 'application/json'), host.base + path)
  })
})
afterAll(() => host.close())

/** A server for each group: an address may cause 6 mails a minute and register 20 clients an hour. */
function ownServer() {
  beforeAll(async () => {
    edge = await edgeServer({}, { addresses: async () => ['127.0.0.1'], isPublic: () => true, ca: host.cert })
  })
  afterAll(() => edge.close())
}

const mcp = () => new URL(`${edge.base}/mcp`)
const json = async (path: string) => (await (await fetch(edge.base + path)).json()) as Record<string, unknown>

/** From nothing but the address to a client that may call. */
async function connect(keeper: Keeper, email: string) {
  const first = new StreamableHTTPClientTransport(mcp(), { authProvider: keeper })
  await expect(new Client(named).connect(first)).rejects.toThrow(UnauthorizedError)
  const { back, pages } = await approve(edge, keeper.sentTo!, email)
  expect(back.searchParams.get('state')).toBe('a-state')
  expect(back.searchParams.get('iss')).toBe(`${edge.base}/auth`)
  await first.finishAuth(back.searchParams)
  const client = new Client(named)
  await client.connect(new StreamableHTTPClientTransport(mcp(), { authProvider: keeper }))
  return { client, pages }
}

async function useIt(client: Client) {
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  const sun = await client.callTool({ name: 'get_sun_moon', arguments: { location: 'Denver, CO' } })
  expect(sun.isError).toBeFalsy()
  expect(JSON.stringify(sun.structuredContent)).toContain('Denver')
}

const register = async (metadata: object) => {
  const response = await fetch(`${edge.base}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}
const post = async (path: string, fields: Record<string, string>) => {
  const response = await fetch(edge.base + path, { method: 'POST', body: new URLSearchParams(fields) })
  const text = await response.text()
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as Record<string, string> }
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
/** A web client and the browser of its user, who is asked again only without consent. */
async function visitor() {
  const { body } = await register({ redirect_uris: [HOME], grant_types: GRANTS })
  const id = body['client_id']!
  const browser = new Browser(edge.base)
  let visits = 0
  return async (more: Record<string, string> = {}) => {
    const { verifier, challenge } = pair()
    const url = authorize(id, challenge, { redirect_uri: HOME, ...more })
    const { back } = await approve(edge, url, `p${visits++}@example.org`, browser)
    return {
      grant_type: 'authorization_code',
      client_id: id,
      code: back.searchParams.get('code')!,
      code_verifier: verifier,
      redirect_uri: HOME,
      resource: mcp().href,
    }
  }
}
/** The answer of the tool server to a token, and what it asks for. */
async function knock(token?: string) {
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
/** Lets an hour pass for a token. */
const lapse = (model: string) =>
  edge.database.query(
    `update oidc_record set expires_at = now() - interval '1 second',
       payload = jsonb_set(payload::jsonb, '{exp}', to_jsonb(extract(epoch from now())::int - 1)) where model = $1`,
    [model],
  )

describe('a stock client that knows only the address', () => {
  ownServer()

  test('a 401 leads to the resource, and that to the issuer', async () => {
    const { status, wants } = await knock()
    expect(status).toBe(401)
    const place = `${edge.base}/.well-known/oauth-protected-resource/mcp`
    expect(wants).toContain(`resource_metadata="${place}"`)
    expect(wants).toContain('scope="weather:read"')
    expect(wants).not.toContain('error=')
    expect((await knock('none')).wants).toContain('error="invalid_token"')
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

  test('registers, signs in, lists, calls, and refreshes when its token has ended', async () => {
    const keeper = new Keeper({ client_name: 'Sky <b>Reader</b>', redirect_uris: [BACK] })
    const { client, pages } = await connect(keeper, 'a@example.org')
    expect((keeper.kept['client'] as { client_id: string }).client_id).toMatch(/^dyn_/)
    expect(pages).toHaveLength(2)
    for (const page of pages) {
      expect(page).toContain('Sky &#60;b&#62;Reader')
      expect(page).toContain('127.0.0.1:43117')
    }
    await useIt(client)
    const before = { ...(keeper.kept['tokens'] as Record<string, string>) }
    expect(before).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(before['scope']!.split(' ')).toContain('weather:read')

    await lapse('AccessToken')
    const ended = await knock(before['access_token'])
    expect([ended.status, ended.wants]).toEqual([401, expect.stringContaining('error="invalid_token"')])
    keeper.sentTo = undefined
    await useIt(client)
    const after = keeper.kept['tokens'] as Record<string, string>
    expect(keeper.sentTo).toBeUndefined()
    expect(after['access_token']).not.toBe(before['access_token'])
    expect(after['refresh_token']).not.toBe(before['refresh_token'])
    await client.close()
  })

  test('is known by its document, on whatever port it listens', async () => {
    const id = `${host.base}/client.json`
    const keeper = new Keeper({ redirect_uris: ['http://localhost:51777/callback'] }, id)
    const { client, pages } = await connect(keeper, 'b@example.org')
    expect((keeper.kept['client'] as { client_id: string }).client_id).toBe(id)
    for (const page of pages) {
      expect(page).toContain(`Cloud (${new URL(id).host})`)
      expect(page).toContain('localhost:51777')
    }
    await useIt(client)
    await client.close()
    const again = new Keeper({ redirect_uris: ['http://localhost:51778/callback'] }, id)
    await (await connect(again, 'b@example.org')).client.close()
    expect(asked).toBe(1)
  })

  test('asks again with no scope and no word of registration, as older ones do', async () => {
    const { body } = await register({
      redirect_uris: [BACK],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: GRANTS,
    })
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none' })
    expect(body).not.toHaveProperty('client_secret')
    const { verifier, challenge } = pair()
    const url = new URL(authorize(body['client_id']!, challenge))
    url.searchParams.delete('scope')
    const { back } = await approve(edge, url, 'c@example.org')
    const { body: tokens } = await post('/auth/token', {
      grant_type: 'authorization_code',
      client_id: body['client_id']!,
      code: back.searchParams.get('code')!,
      code_verifier: verifier,
      redirect_uri: BACK,
    })
    expect((await knock(tokens['access_token'])).status).toBe(200)
  })
})

describe('tokens', () => {
  ownServer()
  let coded: Awaited<ReturnType<typeof visitor>>
  beforeAll(async () => {
    coded = await visitor()
  })

  test('a wrong verifier, another redirect, another client: no token', async () => {
    const grant = await coded()
    const refused = { status: 400, body: expect.objectContaining({ error: 'invalid_grant' }) }
    expect(await post('/auth/token', { ...grant, code_verifier: pair().verifier })).toEqual(refused)
    const other = await coded()
    expect(await post('/auth/token', { ...other, redirect_uri: 'https://app.example.org/other' })).toEqual(refused)
    const { body } = await register({ redirect_uris: [BACK] })
    expect(await post('/auth/token', { ...(await coded()), client_id: body['client_id']! })).toEqual(refused)
    const { code_verifier: _, ...bare } = await coded()
    expect((await post('/auth/token', bare)).status).toBe(400)
  })

  test('a code that comes twice takes back what it gave', async () => {
    const grant = await coded()
    const { body } = await post('/auth/token', grant)
    expect((await knock(body['access_token'])).status).toBe(200)
    expect((await post('/auth/token', grant)).body['error']).toBe('invalid_grant')
    expect((await knock(body['access_token'])).status).toBe(401)
  })

  test('a code that comes ten times at once is good once at most', async () => {
    const grant = await coded()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/auth/token', grant)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { status, body } of answers) expect([200, 400], JSON.stringify(body)).toContain(status)
    for (const { body } of answers)
      if (body['access_token']) expect((await knock(body['access_token'])).status).toBe(401)
  })

  test('a refresh token is good once; its second use ends the whole family', async () => {
    const grant = await coded()
    const { body: first } = await post('/auth/token', grant)
    const refresh = (token: string) =>
      post('/auth/token', { grant_type: 'refresh_token', client_id: grant.client_id, refresh_token: token })
    const { body: second } = await refresh(first['refresh_token']!)
    expect((await knock(second['access_token'])).status).toBe(200)
    expect(await refresh(first['refresh_token']!)).toEqual({
      status: 400,
      body: expect.objectContaining({ error: 'invalid_grant' }),
    })
    expect((await knock(second['access_token'])).status).toBe(401)
    expect((await refresh(second['refresh_token']!)).body['error']).toBe('invalid_grant')
  })

  test('revoked is over', async () => {
    const grant = await coded()
    const { body } = await post('/auth/token', grant)
    const { body: other } = await register({ redirect_uris: [BACK] })
    await post('/auth/revoke', { client_id: other['client_id']!, token: body['refresh_token']! })
    expect((await knock(body['access_token'])).status).toBe(200)
    const revoked = await post('/auth/revoke', { client_id: grant.client_id, token: body['refresh_token']! })
    expect(revoked.status).toBe(200)
    expect((await knock(body['access_token'])).status).toBe(401)
  })

  test('a token without the scope learns which it lacks, and where to get it', async () => {
    const { body } = await post('/auth/token', await coded({ scope: 'openid' }))
    const { status, wants } = await knock(body['access_token'])
    expect(status).toBe(403)
    expect(wants).toContain('error="insufficient_scope"')
    expect(wants).toContain('scope="weather:read"')
    expect(wants).toContain(`resource_metadata="${edge.base}/.well-known/oauth-protected-resource/mcp"`)
  })

  test('a token for something else is none here, and one of here makes no keys', async () => {
    const { body } = await post('/auth/token', await coded())
    const rows = await edge.database.query<{ id: string; payload: Record<string, unknown> }>(
      `select id, payload from oidc_record where model = 'AccessToken' and id = $1`,
      [hashOf(body['access_token']!)],
    )
    expect(rows).toHaveLength(1)
    // The database does not contain tokens.
    const all = JSON.stringify(await edge.database.query('select * from oidc_record'))
    expect(all).toContain(hashOf(body['access_token']!))
    for (const name of ['access_token', 'refresh_token']) expect(all).not.toContain(body[name])
    expect(rows[0]!.payload['aud']).toBe(mcp().href)
    const keys = await fetch(`${edge.base}/developer/keys`, {
      headers: { authorization: `Bearer ${body['access_token']}` },
    })
    expect(keys.status).toBe(401)
    // Reached by another name, this is another resource.
    const named = mcp().href.replace('127.0.0.1', 'localhost')
    const elsewhere = await fetch(named, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body['access_token']}` },
      body: '{}',
    })
    expect(elsewhere.status).toBe(401)
    await edge.database.query(
      `update oidc_record set payload = jsonb_set(payload::jsonb, '{aud}', '"https://other.example/mcp"') where model = 'AccessToken' and id = $1`,
      [hashOf(body['access_token']!)],
    )
    expect((await knock(body['access_token'])).status).toBe(401)
  })
})

describe('at the door of the issuer', () => {
  ownServer()

  test('a redirect that is not the client’s own, or a client that nobody knows, leads nowhere', async () => {
    const { body } = await register({ redirect_uris: ['https://app.example.org/back'] })
    for (const url of [
      authorize(body['client_id']!, pair().challenge, { redirect_uri: 'https://evil.example/back' }),
      authorize('dyn_nobody', pair().challenge),
    ]) {
      const shown = await new Browser(edge.base).open(url)
      expect([shown.status, shown.away]).toEqual([400, undefined])
      expect(shown.page).toContain('This sign-in cannot go on')
      const redirected = await fetch(url, { redirect: 'manual', headers: { accept: 'application/json' } })
      expect(redirected.headers.get('content-type')).toContain('application/json')
    }
  })

  test('without S256, for another resource or none, the client is told so', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const errorOf = async (change: (url: URL) => void) => {
      const url = new URL(authorize(body['client_id']!, pair().challenge))
      change(url)
      const { away } = await new Browser(edge.base).open(url.href)
      expect(away?.origin).toBe(new URL(BACK).origin)
      const parameters = away!.hash ? new URLSearchParams(away!.hash.slice(1)) : away!.searchParams
      expect(parameters.get('iss')).toBe(`${edge.base}/auth`)
      return parameters.get('error')
    }
    expect(await errorOf((url) => url.searchParams.set('code_challenge_method', 'plain'))).toBe('invalid_request')
    expect(await errorOf((url) => url.searchParams.delete('code_challenge'))).toBe('invalid_request')
    expect(await errorOf((url) => url.searchParams.set('resource', 'https://other.example/mcp'))).toBe('invalid_target')
    expect(await errorOf((url) => url.searchParams.delete('resource'))).toBe('invalid_target')
    expect(await errorOf((url) => url.searchParams.set('response_type', 'token'))).toBe('unsupported_response_type')
  })

  test('registration takes https and loopback alone, and not without end', async () => {
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

  test('documents that are not what they should be, or do not come', async () => {
    const look = async (path: string) => {
      const { status, away } = await new Browser(edge.base).open(authorize(host.base + path, pair().challenge))
      expect([path, status, away]).toEqual([path, 400, undefined])
    }
    const begun = performance.now()
    await Promise.all(
      ['/other.json', '/foreign.json', '/large.json', '/moved.json', '/odd.json', '/slow.json'].map(look),
    )
    expect(performance.now() - begun).toBeLessThan(8000)
  }, 15_000)

  test('nobody makes us fetch without end', async () => {
    const before = fetches
    const ids = Array.from({ length: 40 }, (_, i) => `${host.base}/other.json?${i}`)
    await Promise.all(ids.map((id) => fetch(authorize(id, pair().challenge)).then((response) => response.text())))
    expect(fetches - before).toBeLessThanOrEqual(20)
  })

  test('a mail’s link approves nothing in another browser, and stays good in the one that began', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const mine = new Browser(edge.base)
    const { page } = await mine.open(authorize(body['client_id']!, pair().challenge))
    await mine.press(page, 'Continue', { Email: 'd@example.org' })
    const link = await newestLink(edge)
    const other = new Browser(edge.base)
    const shown = await other.open(link)
    expect((await other.press(shown.page, 'Approve')).page).toContain('in the browser where you began')
    const { away } = await mine.press((await mine.open(link)).page, 'Approve')
    expect(away!.searchParams.get('code')).toBeTruthy()
  })

  test('one browser, two people, one after the other', async () => {
    const browser = new Browser(edge.base)
    const { body } = await register({ redirect_uris: [BACK] })
    for (const email of ['e@example.org', 'f@example.org', 'f@example.org']) {
      const { verifier, challenge } = pair()
      const { back } = await approve(edge, authorize(body['client_id']!, challenge), email, browser)
      const { body: tokens } = await post('/auth/token', {
        grant_type: 'authorization_code',
        client_id: body['client_id']!,
        code: back.searchParams.get('code')!,
        code_verifier: verifier,
        redirect_uri: BACK,
      })
      const [row] = await edge.database.query<{ email: string }>(
        `select a.email from account a join oidc_record r on r.payload::jsonb ->> 'accountId' = a.id where r.model = 'AccessToken' and r.id = $1`,
        [hashOf(tokens['access_token']!)],
      )
      expect(row!.email).toBe(email)
    }
  })

  test('a client that is a page asks from its own origin, and no other does', async () => {
    const { body } = await register({ redirect_uris: [HOME], grant_types: GRANTS })
    const from = async (origin: string) => {
      const response = await fetch(`${edge.base}/auth/token`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ client_id: body['client_id']!, grant_type: 'refresh_token', refresh_token: 'x' }),
      })
      return [response.headers.get('access-control-allow-origin'), ((await response.json()) as { error: string }).error]
    }
    expect(await from('https://app.example.org')).toEqual(['https://app.example.org', 'invalid_grant'])
    expect(await from('https://evil.example')).toEqual([null, 'invalid_request'])
  })

  test('denied goes back as denied', async () => {
    const { body } = await register({ redirect_uris: [BACK] })
    const browser = new Browser(edge.base)
    const { page } = await browser.open(authorize(body['client_id']!, pair().challenge))
    await browser.press(page, 'Continue', { Email: 'g@example.org' })
    const { away } = await browser.press((await browser.open(await newestLink(edge))).page, 'Deny')
    expect(away!.searchParams.get('error')).toBe('access_denied')
    expect(away!.searchParams.get('code')).toBeNull()
  })
})

test('behind a proxy that ends TLS, everything bears the public name', async () => {
  const site = 'https://weather.example.org'
  edge = await edgeServer({ PUBLIC_URL: site })
  try {
    const { wants } = await knock()
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
    const url = authorize(body['client_id']!, challenge, { redirect_uri: HOME, resource: `${site}/mcp` })
    const first = await fetch(url, { redirect: 'manual' })
    expect(first.headers.getSetCookie().length).toBeGreaterThan(0)
    for (const cookie of first.headers.getSetCookie()) expect(cookie).toMatch(/secure/i)
    const { back } = await approve(edge, url.replace(edge.base, site), 'h@example.org', new Browser(site, edge.base))
    expect(back.searchParams.get('iss')).toBe(`${site}/auth`)
    const { body: tokens } = await post('/auth/token', {
      grant_type: 'authorization_code',
      client_id: body['client_id']!,
      code: back.searchParams.get('code')!,
      code_verifier: verifier,
      redirect_uri: HOME,
      resource: `${site}/mcp`,
    })
    expect((await knock(tokens['access_token'])).status).toBe(200)
  } finally {
    await edge.close()
  }
})

describe('the network behind us stays behind us', () => {
  const public8: Web = { ...openWeb, addresses: async () => ['8.8.8.8'] }
  test('no address, no plain http, no name of the house', async () => {
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
      expect(await isPublicHost(new URL(url), public8), url).toBe(false)
    }
    expect(await isPublicHost(new URL('https://app.example.org/c'), public8)).toBe(true)
  })

  test('no name that leads inside, and none that changes its mind', async () => {
    const inside = ['10.1.2.3', '127.0.0.1', '169.254.169.254', '192.168.0.1', '172.20.0.1', '100.64.1.1', '0.0.0.0']
    const inside6 = ['::1', '::', 'fd00::1', 'fe80::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::7f00:1']
    for (const address of [...inside, ...inside6]) {
      const web: Web = { ...openWeb, addresses: async () => ['8.8.8.8', address] }
      expect(await isPublicHost(new URL('https://app.example.org/c'), web), address).toBe(false)
    }
    let times = 0
    const web: Web = { ...openWeb, addresses: async () => [times++ ? '127.0.0.1' : '8.8.8.8'], ca: host.cert }
    const before = asked
    await expect(documentFetch(web)(`${host.base}/client.json`)).rejects.toThrow('public addresses')
    expect([times, asked]).toEqual([2, before])
  })
})
