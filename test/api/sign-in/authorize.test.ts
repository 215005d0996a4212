import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entryOf, nth } from '../../../ingest/domain/nth.ts'
import { mails } from '../../../sql/queries/mail.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

const REDIRECT = 'http://127.0.0.1:9/callback'
let edge: EdgeServer
beforeAll(async () => {
  edge = await edgeServer()
})
afterAll(() => edge.close())

/** A minimal browser with cookies and redirects. */
function browser() {
  const jar = new Map<string, string>()
  return async (address: string, fields?: Record<string, string>): Promise<Response> => {
    let response: Response
    let url = new URL(address, edge.base)
    let body = fields && new URLSearchParams(fields)
    for (;;) {
      response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body && { body }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [name, value] = nth(line.split(';'), 0).split('=', 2) as [string, string]
        if (value) jar.set(name, value)
        else jar.delete(name)
      }
      const next = response.headers.get('location')
      if (!next || next.startsWith(REDIRECT)) return response
      url = new URL(next, url)
      body = undefined
    }
  }
}

async function registered(): Promise<string> {
  const response = await fetch(`${edge.base}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Some assistant',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
    }),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { client_id: string }).client_id
}

const token = async (fields: Record<string, string>) =>
  (await (
    await fetch(`${edge.base}/auth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  ).json()) as Record<string, string>

const tools = (access: string) =>
  fetch(`${edge.base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

async function authorize(visit: ReturnType<typeof browser>, client: string, over: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: client,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'weather:read offline_access',
    prompt: 'consent',
    state: 's1',
    resource: `${edge.base}/mcp`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...over,
  })
  for (const [name, value] of [...query]) if (value === '') query.delete(name)
  return { verifier, response: await visit(`/auth/authorize?${query}`) }
}

async function decide(visit: ReturnType<typeof browser>, page: Response, decision: string): Promise<URL> {
  const html = await page.text()
  expect(html).toContain('Some assistant')
  expect(html).toContain('127.0.0.1:9')
  await visit(nth(/action="([^"]+)"/.exec(html)!, 1), { email: 'reader@example.org' })
  const link = /http\S+/.exec(nth(await mails(edge.database, 1), 0).body)![0]
  const confirm = await (await visit(link)).text()
  expect(confirm).toContain('Some assistant')
  const ended = await visit('/auth/confirm', {
    ticket: nth(/name="ticket" value="([^"]+)"/.exec(confirm)!, 1),
    decision,
  })
  return new URL(ended.headers.get('location')!)
}

test('issues a code with PKCE for the tool server, names the issuer, checks the audience and rotates refresh tokens', async () => {
  const client = await registered()
  const visit = browser()
  const { verifier, response } = await authorize(visit, client)
  const back = await decide(visit, response, 'approve')
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 's1', iss: `${edge.base}/auth` })
  const tokenResponse = await token({
    client_id: client,
    grant_type: 'authorization_code',
    code: back.searchParams.get('code')!,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    resource: `${edge.base}/mcp`,
  })
  expect(tokenResponse).toMatchObject({ token_type: 'Bearer', scope: expect.stringContaining('weather:read') })
  expect(Number(tokenResponse['expires_in'])).toBe(3600)
  expect((await tools(entryOf(tokenResponse, 'access_token'))).status).toBe(200)
  // The token is valid for the tools only.
  expect((await edge.get('/v1/radars?id=FTG', tokenResponse['access_token'])).status).toBe(401)
  const key = await fetch(`${edge.base}/developer/keys`, {
    headers: { authorization: `Bearer ${tokenResponse['access_token']}` },
  })
  expect(key.status).toBe(401)

  const renewed = await token({
    client_id: client,
    grant_type: 'refresh_token',
    refresh_token: entryOf(tokenResponse, 'refresh_token'),
  })
  expect(renewed['access_token']).toMatch(/./)
  expect(renewed['refresh_token']).not.toBe(tokenResponse['refresh_token'])
  expect((await tools(entryOf(renewed, 'access_token'))).status).toBe(200)
  expect(
    (
      await token({
        client_id: client,
        grant_type: 'refresh_token',
        refresh_token: entryOf(tokenResponse, 'refresh_token'),
      })
    )['error'],
  ).toBe('invalid_grant')
})

test('rejects plain or missing PKCE, another or no resource, an unregistered redirect, and a denied request', async () => {
  const client = await registered()
  const visit = browser()
  const failed = async (over: Record<string, string>) => {
    const { response } = await authorize(visit, client, over)
    const location = response.headers.get('location')
    return location ? new URL(location).searchParams.get('error') : ((await response.json()) as { error: string }).error
  }
  expect(await failed({ code_challenge_method: 'plain' })).toBe('invalid_request')
  expect(await failed({ code_challenge: '', code_challenge_method: '' })).toBe('invalid_request')
  expect(await failed({ resource: 'https://elsewhere.example/mcp' })).toBe('invalid_target')
  expect(await failed({ resource: '' })).toBe('invalid_target')
  expect(await failed({ redirect_uri: 'http://127.0.0.1:10/other' })).toMatch(/invalid_redirect_uri|invalid_request/)
  const { response } = await authorize(visit, client)
  expect((await decide(visit, response, 'deny')).searchParams.get('error')).toBe('access_denied')
})

test('does not fetch a client document from a private address', async () => {
  for (const id of [
    'https://127.0.0.1/client.json',
    'https://localhost/client.json',
    'http://example.org/client.json',
  ]) {
    const { response } = await authorize(browser(), id)
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: string }).error).toMatch(/invalid_client/)
  }
})
