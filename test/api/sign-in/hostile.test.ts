import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkClientMetadata } from '../../../api/sign-in/client-terms.ts'
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

test('members that a device request does not need are not stored; device and user code are stored as hashes', async () => {
  const started = (await (await start({ login_hint: 'x'.repeat(4000) })).json()) as Record<string, string>
  const rows = await records('DeviceCode')
  expect(rows.length).toBe(1)
  const stored = JSON.stringify(rows)
  expect(stored).not.toContain('xxxx')
  expect(stored).not.toContain(started['device_code'])
  expect(stored).not.toContain(started['user_code']!.replace('-', ''))
  // The flow continues.
  const poll = await fetch(`${edge.base}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'hexcast-device',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: started['device_code']!,
    }),
  })
  expect(((await poll.json()) as { error: string }).error).toBe('authorization_pending')
})

test('what is too long or cannot be stored is refused in the form of RFC 6749', async () => {
  for (const members of [{ login_hint: 'x'.repeat(49_000) }, { scope: 'openid\0' }]) {
    const answer = await start(members as unknown as Record<string, string>)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringMatching(/^invalid_(request|scope)$/) }),
    ])
  }
  const nul = await fetch(`${edge.base}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'hexcast-device',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'a\0b',
    }),
  })
  expect(nul.status).toBe(400)
})

test('device codes and wrong user codes are limited by address', async () => {
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

test('pages that carry a ticket are kept nowhere', async () => {
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
])('a client is not called %j', (client_name) => {
  expect(() => checkClientMetadata({ client_name }, true)).toThrow(/invalid_client_metadata/)
  expect(() => checkClientMetadata({ 'client_name#fr': client_name }, true)).toThrow(/invalid_client_metadata/)
})

test('names of programs as they are pass', () => {
  for (const client_name of ['Claude', 'VS Code (Insiders)', 'Météo, le client', '天気'])
    expect(() => checkClientMetadata({ client_name }, true)).not.toThrow()
})
