import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entryOf } from '../../../ingest/domain/nth.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import * as forms from './form.ts'

let edge: EdgeServer
beforeAll(async () => {
  edge = await edgeServer({ DEVICE_CODE_SECONDS: '6' })
})
afterAll(() => edge.close())

const form = (path: string, fields: Record<string, string>) => forms.post(edge.base, path, fields)
const fill = (page: Response | string, values: Record<string, string>, button: string) =>
  forms.fill(edge.base, page, values, button)
type Started = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  interval: number
}
const start = async () =>
  (await (
    await form('/auth/device_authorization', { client_id: 'hexcast-device', scope: 'openid email' })
  ).json()) as Started
const poll = async ({ device_code }: Started) => {
  const response = await form('/auth/token', { client_id: 'hexcast-device', device_code, grant_type: forms.GRANT })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  return (await response.json()) as Record<string, string>
}

const newestLink = () => forms.newestLink(edge.database)

test('names the endpoints in the discovery document', async () => {
  for (const path of ['/auth/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/auth']) {
    const metadata = (await (await edge.get(path)).json()) as Record<string, unknown>
    expect(metadata).toMatchObject({
      issuer: `${edge.base}/auth`,
      device_authorization_endpoint: `${edge.base}/auth/device_authorization`,
      token_endpoint: `${edge.base}/auth/token`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
    })
  }
})

test('leads a device from a code to a key that is shown once, with pending and slow_down between', async () => {
  const started = await start()
  expect(started).toMatchObject({ interval: 5, verification_uri: `${edge.base}/auth/device` })
  expect((await poll(started))['error']).toBe('authorization_pending')
  expect((await poll(started))['error']).toBe('slow_down')
  const wrong = await (
    await fill(await fetch(started.verification_uri), { Code: 'XXXX-XXXX', Email: 'a@example.org' }, 'Continue')
  ).text()
  expect(wrong).toContain('role="alert"')
  const typed = started.user_code.toLowerCase().replace('-', ' ')
  expect((await fill(wrong, { Code: typed, Email: 'Some.One@example.org' }, 'Continue')).status).toBe(200)
  const confirm = await (await fetch(await newestLink())).text()
  expect(confirm).toContain(started.user_code)
  expect(confirm).toContain('some.one@example.org')
  expect(await (await fill(confirm, {}, 'Approve')).text()).toContain('Approved')
  expect(await (await fill(confirm, {}, 'Approve')).text()).toContain('no longer valid')
  const { access_token } = await poll(started)
  expect(access_token).toMatch(/./)

  const make = (once: string | undefined, body: unknown) =>
    fetch(`${edge.base}/developer/keys`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        ...(once && { 'idempotency-key': once }),
      },
      body: JSON.stringify(body),
    })
  const request = { name: 'my program', origin: { channel: 'cli', value: 'device_flow' } }
  expect((await make(undefined, request)).status).toBe(400)
  const both = await Promise.all([
    make('11111111-1111-4111-8111-111111111111', request),
    make('11111111-1111-4111-8111-111111111111', request),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
  const records = (await Promise.all(both.map((response) => response.json()))) as Record<string, string>[]
  const key = entryOf(records.find((record) => record['key'])!, 'key')
  expect(records.filter((record) => 'key' in record)).toHaveLength(1)
  expect(key).toMatch(/^hx_live_[A-Za-z0-9_-]{43}$/)
  expect((await make('11111111-1111-4111-8111-111111111111', { ...request, name: 'other' })).status).toBe(409)
  expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(200)

  const own = { authorization: `Bearer ${access_token}` }
  const path = `/developer/keys/${key.slice(0, 16)}`
  const renamed = await fetch(edge.base + path, {
    method: 'PATCH',
    headers: { ...own, 'content-type': 'application/json' },
    body: '{"name":"new"}',
  })
  expect(await renamed.json()).toMatchObject({ name: 'new' })
  const list = (await (await edge.get('/developer/keys', undefined, own)).json()) as { keys: object[] }
  expect(list.keys).toHaveLength(1)
  expect((await fetch(edge.base + path, { method: 'DELETE', headers: own })).status).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(401)
})

test('answers a denied and an expired code', async () => {
  const denied = await start()
  await fill(await fetch(denied.verification_uri_complete), { Email: 'b@example.org' }, 'Continue')
  expect(await (await fill(await fetch(await newestLink()), {}, 'Deny')).text()).toContain('Denied')
  expect((await poll(denied))['error']).toBe('access_denied')
  const lapsed = await start()
  await new Promise((resolve) => setTimeout(resolve, 7000))
  expect((await poll(lapsed))['error']).toBe('expired_token')
})

test('creates no key for an invalid token, and answers wrong methods with problems', async () => {
  const response = await fetch(`${edge.base}/developer/keys`, {
    method: 'POST',
    headers: { authorization: 'Bearer none', 'content-type': 'application/json' },
    body: '{}',
  })
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('invalid_token'),
  ])
  expect((await edge.get('/auth/token')).status).toBe(405)
  expect((await edge.get('/auth/nothing')).headers.get('content-type')).toMatch(/problem\+json/)
})

test('turns a claimed trial key into a free key', async () => {
  const trial = await edge.key('trial')
  const [row] = await edge.database.query<{ hash: Uint8Array }>('select hash from api_key where prefix = $1', [
    trial.slice(0, 17),
  ])
  const { ticketOf } = await import('../../../api/keys/issue.ts')
  await fill(
    await edge.get('/auth/claim'),
    { Ticket: ticketOf(trial.slice(0, 17), row!.hash), Email: 'c@example.org' },
    'Continue',
  )
  expect(await (await fill(await fetch(await newestLink()), {}, 'Approve')).text()).toContain('Claimed')
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect((await edge.get('/v1/radars?id=FTG', trial)).headers.get('ratelimit-policy')).toContain('1000;w=86400')
})

test('names the endpoints of an external issuer, and creates no key for an unverified email', async () => {
  let server: Server | undefined
  let introspected = 'hexcast-device'
  try {
    server = createServer((request, response) => {
      const base = `http://127.0.0.1:${(server!.address() as AddressInfo).port}`
      const person =
        request.headers.authorization === 'Bearer good'
          ? { sub: 'u1', email: 'u@example.org', email_verified: true }
          : { sub: 'u2', email: 'v@example.org' }
      const body = request.url?.startsWith('/.well-known')
        ? {
            issuer: base,
            device_authorization_endpoint: `${base}/device`,
            token_endpoint: `${base}/token`,
            userinfo_endpoint: `${base}/me`,
            introspection_endpoint: `${base}/introspect`,
          }
        : request.url === '/introspect'
          ? { active: true, client_id: introspected }
          : person
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const other = await edgeServer({ AUTH_ISSUER: outside })
    try {
      const refused = (await (await other.get('/v1/weather?zip=80202')).json()) as {
        next_steps: { device_flow: object }
      }
      expect(refused.next_steps.device_flow).toMatchObject({ token_endpoint: `${outside}/token` })
      const make = (token: string) =>
        fetch(`${other.base}/developer/keys`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'a' },
          body: JSON.stringify({ name: 'n', origin: { channel: 'cli', value: 'device_flow' } }),
        })
      const unverified = await make('bad')
      expect([unverified.status, await unverified.json()]).toEqual([
        403,
        expect.objectContaining({ error: 'email_not_verified', type: `${other.base}/errors/forbidden` }),
      ])
      expect((await make('good')).status).toBe(201)
      // A token of another client of the issuer must not create keys for any account.
      introspected = 'another-client'
      expect((await make('good')).status).toBe(401)
    } finally {
      await other.close()
    }
  } finally {
    server?.close()
  }
})
