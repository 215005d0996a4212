import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer({ ALLOWED_ORIGINS: 'https://app.example.org', PUBLIC_URL: 'https://weather.example.org' })
  key = await edge.key()
})
afterAll(() => edge.close())

test('allows browsers of the named sites to read, and no others', async () => {
  const named = await edge.get('/v1/radars?id=FTG', key, { origin: 'https://app.example.org' })
  expect(named.headers.get('access-control-allow-origin')).toBe('https://app.example.org')
  expect(named.headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining')
  expect(named.headers.get('vary')).toBe('Origin')
  const other = await edge.get('/v1/radars?id=FTG', key, { origin: 'https://elsewhere.example' })
  expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([200, null])
  const ask = (origin: string) =>
    fetch(`${edge.base}/v1/weather`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    })
  const before = await ask('https://app.example.org')
  expect([before.status, before.headers.get('access-control-allow-headers')]).toEqual([
    204,
    expect.stringContaining('Authorization'),
  ])
  expect((await ask('https://elsewhere.example')).headers.get('access-control-allow-origin')).toBeNull()
})

test('uses PUBLIC_URL in every address behind a proxy', async () => {
  const refused = (await (await edge.get('/v1/weather?zip=80202')).json()) as {
    type: string
    next_steps: { device_flow: { token_endpoint: string } }
  }
  expect(refused.type).toBe('https://weather.example.org/errors/unauthorized')
  expect(refused.next_steps.device_flow.token_endpoint).toBe('https://weather.example.org/auth/token')
  const started = (await (
    await fetch(`${edge.base}/auth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'hexcast-device', scope: 'openid email' }),
    })
  ).json()) as { verification_uri: string }
  expect(started.verification_uri).toBe('https://weather.example.org/auth/device')
  const configuration = (await (await edge.get('/auth/.well-known/openid-configuration')).json()) as {
    issuer: string
    token_endpoint: string
  }
  expect(configuration).toMatchObject({
    issuer: 'https://weather.example.org/auth',
    token_endpoint: 'https://weather.example.org/auth/token',
  })
  // A client behind the proxy is not this machine.
  expect((await edge.get('/metrics', undefined, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
  // Behind a proxy without X-Forwarded-For every client looks like this machine: the token is required.
  expect((await edge.get('/metrics')).status).toBe(403)
})

test('counts a call with an unknown key by the address that the proxy forwards', async () => {
  const from = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const response = await edge.get('/v1/weather?zip=80202', 'hx_live_none', headers)
    return { status: response.status, remaining: Number(response.headers.get('ratelimit-remaining')) }
  }
  expect((await from('203.0.113.9')).status).toBe(401)
  // Calls are given back to an address with time, so the figures of single calls may not differ.
  const many = await Promise.all(Array.from({ length: 10 }, () => from('203.0.113.9')))
  const fewest = Math.min(...many.map(({ remaining }) => remaining))
  expect((await from('203.0.113.10')).remaining).toBeGreaterThan(fewest)
})
