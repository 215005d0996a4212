import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { tlsHost } from '../sign-in/tls-host.ts'
import { approve, Browser, type Keeper, pair } from './browser.ts'

/** The server, the host of client documents and the requests that the tests of sign-in share. */

export const BACK = 'http://127.0.0.1:43117/callback'
export const named = { name: 'stock', version: '1' }
export const HOME = 'https://app.example.org/back'
export let edge: EdgeServer
export let host: Awaited<ReturnType<typeof tlsHost>>
/** Requests for the client's document. */
export let documentFetches = 0
/** All requests to the host of the documents. */
export let fetches = 0

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
export const GRANTS = ['authorization_code', 'refresh_token']

beforeAll(async () => {
  host = await tlsHost('app.example.org', (request: IncomingMessage, response) => {
    fetches++
    const path = (request.url ?? '').replace(/\?.*/, '')
    documents[path]?.(response.setHeader('content-type', 'application/json'), host.base + path)
  })
})
afterAll(() => host.close())

/** Starts the server that the requests go to. */
export async function openEdge(...settings: Parameters<typeof edgeServer>): Promise<EdgeServer> {
  edge = await edgeServer(...settings)
  return edge
}

/** Starts a server for a group of tests, because an address may cause 6 mails a minute and register 20 clients an hour. */
export function ownServer() {
  beforeAll(async () => {
    await openEdge({}, { addresses: async () => ['127.0.0.1'], isPublic: () => true, ca: host.cert })
  })
  afterAll(() => edge.close())
}

export const mcp = () => new URL(`${edge.base}/mcp`)
export const json = async (path: string) => (await (await fetch(edge.base + path)).json()) as Record<string, unknown>

/** Connects a client that knows only the address of the server, and signs its user in. */
export async function connect(keeper: Keeper, email: string) {
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

export async function expectWorking(client: Client) {
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  const sun = await client.callTool({ name: 'get_sun_moon', arguments: { location: 'Denver, CO' } })
  expect(sun.isError).toBeFalsy()
  expect(JSON.stringify(sun.structuredContent)).toContain('Denver')
}

/** The members of the issuer's answers that the tests read; which of them an answer has depends on the request. */
export interface IssuerBody {
  readonly client_id: string
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly error: string
}
export const codeOf = (redirect: URL) => redirect.searchParams.get('code') ?? ''

export const register = async (metadata: object) => {
  const response = await fetch(`${edge.base}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  return { status: response.status, body: (await response.json()) as IssuerBody }
}
export const post = async (path: string, fields: Record<string, string>) => {
  const response = await fetch(edge.base + path, { method: 'POST', body: new URLSearchParams(fields) })
  const text = await response.text()
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as IssuerBody }
}
export const authorize = (clientId: string, challenge: string, more: Record<string, string> = {}) =>
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
export async function visitor() {
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
export async function tryToken(token?: string) {
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
export const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
/** Expires all records of a model. */
export const expire = (model: string) =>
  edge.database.query(
    `update oidc_record set expires_at = now() - interval '1 second',
       payload = jsonb_set(payload::jsonb, '{exp}', to_jsonb(extract(epoch from now())::int - 1)) where model = $1`,
    [model],
  )
