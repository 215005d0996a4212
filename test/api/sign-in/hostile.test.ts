import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWeb } from '../../../api/sign-in/client-document.ts'
import { checkClientMetadata } from '../../../api/sign-in/client-terms.ts'
import { entryOf } from '../../../ingest/domain/nth.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

let edge: EdgeServer
beforeAll(async () => {
  edge = await edgeServer()
})
afterAll(() => edge.close())

const start = (members: Record<string, string> = {}) =>
  fetch(`${edge.base}/auth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'hexcast-device', scope: 'openid email', ...members }),
  })
const records = (model: string) =>
  edge.database.query<{ id: string; text: string; user_code: string | null }>(
    'select id, payload::text as text, user_code from oidc_record where model = $1',
    [model],
  )

test('stores no unneeded members of a device request, and only hashes of its codes', async () => {
  const started = (await (await start({ login_hint: 'x'.repeat(4000) })).json()) as Record<string, string>
  const rows = await records('DeviceCode')
  expect(rows.length).toBe(1)
  const stored = JSON.stringify(rows)
  expect(stored).not.toContain('xxxx')
  expect(stored).not.toContain(started['device_code'])
  expect(stored).not.toContain(entryOf(started, 'user_code').replace('-', ''))
  // The flow still works.
  const poll = await fetch(`${edge.base}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'hexcast-device',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: entryOf(started, 'device_code'),
    }),
  })
  expect(((await poll.json()) as { error: string }).error).toBe('authorization_pending')
})

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  ['::127.0.0.1', false],
  ['::7f00:1', false],
  ['::ffff:0:127.0.0.1', false],
  ['::ffff:a9fe:a9fe', false],
  ['4000::1', false],
])('decides whether %s is a public address: %s', (address, expected) => {
  expect(openWeb.isPublic(address)).toBe(expected)
})

test('does not create an authorization server for every port in Host', async () => {
  const issuerFor = (host: string) =>
    new Promise<string>((resolve, reject) => {
      const path = '/auth/.well-known/openid-configuration'
      const outgoing = request(
        { host: '127.0.0.1', port: edge.api.port, path, headers: { host } },
        async (response) => {
          const { issuer, status } = JSON.parse(await text(response)) as { issuer?: string; status?: number }
          resolve(issuer ?? String(status))
        },
      )
      outgoing.once('error', reject).end()
    })
  const issuers: string[] = []
  for (let port = 1; port <= 60; port++) issuers.push(await issuerFor(`127.0.0.1:${port}`))
  // A server names its own address, because clients reject another issuer.
  expect(issuers.filter((issuer, i) => issuer !== '429' && issuer !== `http://127.0.0.1:${i + 1}/auth`)).toEqual([])
  expect(new Set(issuers).size).toBeLessThan(30)
  expect(await issuerFor(`localhost:${edge.api.port}`)).toBe(`http://localhost:${edge.api.port}/auth`)
})

test('rejects values that are too long or cannot be stored, in the form of RFC 6749', async () => {
  for (const members of [{ login_hint: 'x'.repeat(49_000) }, { scope: 'openid\0' }]) {
    const answer = await start(members as unknown as Record<string, string>)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringMatching(/^invalid_(request|scope)$/) }),
    ])
  }
  const grant = 'urn:ietf:params:oauth:grant-type:device_code'
  for (const [path, members] of [
    ['/auth/token', { client_id: 'hexcast-device', grant_type: grant, device_code: 'a\0b' }],
    ['/auth/token', { client_id: 'a\0b', grant_type: grant, device_code: 'x' }],
    ['/auth/token', { client_id: 'hexcast-device', grant_type: 'refresh_token', refresh_token: 'a\0b' }],
    ['/auth/device_authorization', { client_id: 'a\0b' }],
    ['/auth/revoke', { client_id: 'hexcast-device', token: 'a\0b' }],
  ] as const) {
    const { status } = await fetch(edge.base + path, { method: 'POST', body: new URLSearchParams(members) })
    expect(status, `${path} ${JSON.stringify(members)}`).toBeLessThan(500)
  }
  expect((await edge.get('/auth/authorize?client_id=a%00b&response_type=code')).status).toBe(400)
})

test('limits device codes and wrong user codes by address', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 30; i++) statuses.push((await start()).status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(5)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  let text = ''
  for (let i = 0; i < 12; i++) {
    const body = new URLSearchParams({ code: 'BCDFGHJK', email: 'a@example.org' })
    text = await (await fetch(`${edge.base}/auth/device`, { method: 'POST', body })).text()
  }
  expect(text).toContain('too many codes were tried')
})

test('limits authorization requests, which are stored, by address', async () => {
  const registered = await fetch(`${edge.base}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'x', redirect_uris: ['https://a.example/back'] }),
  })
  const query = new URLSearchParams({
    client_id: ((await registered.json()) as { client_id: string }).client_id,
    response_type: 'code',
    redirect_uri: 'https://a.example/back',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'weather:read',
    resource: `${edge.base}/mcp`,
    state: 's'.repeat(6000),
  })
  const statuses: number[] = []
  for (let i = 0; i < 120; i++)
    statuses.push((await fetch(`${edge.base}/auth/authorize?${query}`, { redirect: 'manual' })).status)
  expect(new Set(statuses)).toEqual(new Set([303, 429]))
  expect((await records('Interaction')).length).toBe(statuses.filter((status) => status === 303).length)
  expect((await records('Interaction')).length).toBeLessThan(100)
})

test('limits the database queries for unknown tokens', async () => {
  const statuses: Record<number, number> = {}
  const queries = vi.spyOn(edge.database, 'query')
  for (let i = 0; i < 400; i++) {
    const response = await fetch(`${edge.base}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${'a'.repeat(40)}${i}`, 'content-type': 'application/json' },
      body: '{}',
    })
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
  }
  expect(statuses[401]).toBeLessThan(300)
  expect(statuses[429]).toBeGreaterThan(100)
  const lookups = queries.mock.calls.filter(([, values]) => values?.[0] === 'AccessToken').length
  queries.mockRestore()
  expect(lookups).toBeGreaterThan(0)
  expect(lookups).toBeLessThanOrEqual(statuses[401]! + 1)
  // A key is checked without the database, so it is not affected.
  const key = await edge.key()
  expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(200)
})

test('forbids caching of pages with a ticket', async () => {
  for (const path of ['/auth/confirm?ticket=aaaaaaaaaaaaaaaaaaaaaaaa', '/auth/device', '/auth/claim'])
    expect((await edge.get(path)).headers.get('cache-control'), path).toBe('no-store')
})

test.each([
  'Weather\nhttps://evil.example',
  'Weather https://evil.example',
  'see www.evil.example',
  'a\u202eb',
  'evil.example/login',
  'a\u2028b',
  'pay@evil.example',
])('rejects the client name %j', (client_name) => {
  expect(() => checkClientMetadata({ client_name }, true)).toThrow(/invalid_client_metadata/)
  expect(() => checkClientMetadata({ 'client_name#fr': client_name }, true)).toThrow(/invalid_client_metadata/)
})

test('accepts names of real programs', () => {
  for (const client_name of ['Claude', 'VS Code (Insiders)', 'Météo, le client', '天気'])
    expect(() => checkClientMetadata({ client_name }, true)).not.toThrow()
})
