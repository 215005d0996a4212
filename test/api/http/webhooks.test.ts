import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookReceiver } from '../../../api/client/webhook.ts'
import { change, receiver, until } from '../webhooks/harness.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
let key: string
let target: Awaited<ReturnType<typeof receiver>>
beforeAll(async () => {
  edge = await edgeServer({ WEBHOOKS_PRIVATE: 'true' })
  key = await edge.key()
  target = await receiver((response) => void response.writeHead(200).end('{}'))
})
afterAll(async () => {
  await edge.close()
  await target.close()
})

// biome-ignore lint/suspicious/noExplicitAny: answers as they came
type Json = any
const ask = async (method: string, path: string, body?: object, as = key): Promise<{ status: number; body: Json }> => {
  const response = await fetch(edge.base + path, {
    method,
    headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: response.status === 204 ? null : await response.json() }
}
const newHook = { url: 'https://example.org/hook', events: ['alert.*'] }

test('sends calls of a new webhook, signed with the secret that is shown once', async () => {
  const filter = { area: 'CO', min_severity: 'Severe' }
  const response = await ask('POST', '/v1/webhooks', { ...newHook, url: target.url, filter, description: 'mine' })
  expect(response.status).toBe(201)
  const { secret, ...hook } = response.body
  expect(hook).toMatchObject({ filter, events: ['alert.*'], description: 'mine', enabled: true })
  expect((await ask('GET', `/v1/webhooks/${hook.id}`)).body).not.toHaveProperty('secret')
  expect((await ask('GET', '/v1/webhooks')).body.webhooks.map(({ id }: { id: string }) => id)).toContain(hook.id)
  const tested = await ask('POST', `/v1/webhooks/${hook.id}/test`)
  expect(tested.status).toBe(202)
  await until(() => target.calls.some(({ id }) => id === tested.body.delivery_id))
  const call = target.calls.find(({ id }) => id === tested.body.delivery_id)!
  expect(webhookReceiver(secret).verify(call.body, call.headers)).toMatchObject({ type: 'webhook.test' })
  // An alert whose message is deleted passes the filter of severity.
  await change(edge.database, 'subject', 'urn:one')
  await until(() => target.calls.some(({ body }) => body.includes('urn:one')))
  const list = async (state: string) =>
    (await ask('GET', `/v1/webhooks/${hook.id}/deliveries?state=${state}`)).body.deliveries
  await until(async () => (await list('delivered')).length === 2)
  expect((await list('delivered'))[0]).toMatchObject({
    type: 'alert.issued',
    subject: 'subject',
    attempts: 1,
    status: 200,
  })
  const paused = await ask('PATCH', `/v1/webhooks/${hook.id}`, { enabled: false })
  expect(paused.body).toMatchObject({ enabled: false, filter, url: target.url })
  expect((await ask('PATCH', `/v1/webhooks/${hook.id}`, { enabled: true, events: ['run.*'] })).body).toMatchObject({
    ...{ enabled: true, events: ['run.*'] },
  })
  expect((await ask('POST', `/v1/webhooks/${hook.id}/replay`, {})).body).toEqual({ replayed: 0 })
  expect((await ask('DELETE', `/v1/webhooks/${hook.id}`)).status).toBe(204)
  expect((await ask('GET', `/v1/webhooks/${hook.id}`)).status).toBe(404)
})

test('shows since when a receiver fails and the next attempt, and tries another URL at once', async () => {
  const closed = await receiver(() => undefined)
  await closed.close()
  const { body } = await ask('POST', '/v1/webhooks', { ...newHook, url: closed.url })
  expect(body).toMatchObject({ waiting: 0, failing_since: null, next_attempt_at: null })
  await ask('POST', `/v1/webhooks/${body.id}/test`)
  const shown = async () => (await ask('GET', `/v1/webhooks/${body.id}`)).body
  await until(async () => (await shown()).failing_since !== null)
  const failing = await shown()
  expect(failing.waiting).toBe(1)
  expect(Date.parse(failing.next_attempt_at)).toBeGreaterThan(Date.parse(failing.failing_since))
  const moved = await ask('PATCH', `/v1/webhooks/${body.id}`, { url: target.url })
  expect(moved.body).toMatchObject({ failing_since: null, next_attempt_at: null })
  await ask('POST', `/v1/webhooks/${body.id}/test`)
  await until(() => target.calls.some((call) => call.body.includes(body.id)))
  expect((await ask('DELETE', `/v1/webhooks/${body.id}`)).status).toBe(204)
})

test('belongs to one key, and sends no calls for a revoked key', async () => {
  const other = await edge.key()
  const { body } = await ask('POST', '/v1/webhooks', { ...newHook, url: target.url }, other)
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ] as const)
    expect((await ask(method, `/v1/webhooks/${body.id}${path}`)).status).toBe(404)
  await edge.database.query('update api_key set revoked_at = now(), changed_at = clock_timestamp() where prefix = $1', [
    other.slice(0, other.indexOf('_', 3) + 9),
  ])
  const before = target.calls.length
  await change(edge.database, 'other', 'urn:two')
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(target.calls.slice(before).filter((call) => call.body.includes('urn:two'))).toEqual([])
  expect((await ask('POST', '/v1/webhooks', newHook, await edge.key('trial'))).status).toBe(403)
})

test('rejects invalid webhooks with the reason', async () => {
  for (const [over, word] of [
    [{ url: 'http://example.org/hook' }, 'https'],
    [{ url: 'https://10.0.0.1/hook' }, 'IP address'],
    [{ url: 'https://167772161/' }, 'IP address'],
    [{ url: 'https://[fd00::1]/' }, 'IP address'],
    [{ url: 'https://user:secret@example.org/' }, 'credentials'],
    [{ url: 'https://printer.local/' }, 'public'],
    [{ url: 'https://intranet/' }, 'public'],
    [{ url: 'gopher://example.org/' }, 'gopher'],
    [{ url: 'no' }, 'not a URL'],
    [{ events: ['alert.born'] }, 'alert.issued'],
    [{ events: [] }, 'events'],
    [{ filter: { area: 'CO', zone: 'COZ040' } }, 'area and zone'],
    [{ filter: { lat: 49.3, lon: -123.1 } }, 'outside the coverage'],
    [{ filter: { lat: 39.7 } }, 'lon'],
    [{ filter: { planet: 'Mars' } }, 'planet'],
  ] as const) {
    const { status, body } = await ask('POST', '/v1/webhooks', { ...newHook, ...over })
    expect([over, status >= 400 && status < 500]).toEqual([over, true])
    expect(body.detail).toContain(word)
  }
})

test('allows 20 webhooks per key, however many requests are concurrent', async () => {
  const third = await edge.key()
  const responses = await Promise.all(Array.from({ length: 25 }, () => ask('POST', '/v1/webhooks', newHook, third)))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(5)
})
