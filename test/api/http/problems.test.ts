import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { slugs } from '../../../api/problem.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer({ TRIAL_CALLS: '3' })
  key = await edge.key()
})
afterAll(() => edge.close())

test('shows a page to a person at an unknown address, and a problem document to programs', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const page = await edge.get('/no/such/page', undefined, browser)
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(await page.text()).toContain('<h1>There is no such page</h1>')
  for (const path of [
    '/v1/nothing',
    '/edr/nothing',
    '/developer/keys',
    '/mcp/nothing',
    `/healthz?a=${'a'.repeat(9000)}`,
  ])
    expect((await edge.get(path, undefined, browser)).headers.get('content-type')).toMatch(/problem\+json/)
  expect((await edge.get('/no/such/page')).headers.get('content-type')).toMatch(/problem\+json/)
})

async function problem(response: Response, status: number, slug: string) {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(response.headers.get('x-request-id')).toMatch(/./)
  expect(response.headers.get('cache-control')).toBeNull()
  const body = (await response.json()) as Record<string, never>
  expect(body['type']).toBe(`${edge.base}/errors/${slug}`)
  expect(body['status']).toBe(status)
  expect(typeof body['title']).toBe('string')
  return body as Record<string, unknown>
}

/** Sends raw bytes and returns the raw response. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(edge.api.port, '127.0.0.1', () => socket.write(text))
    let all = ''
    socket.on('data', (chunk) => (all += chunk))
    socket.on('close', () => resolve(all))
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(all) : reject(error)))
    setTimeout(() => socket.destroy(), 5000)
  })
}

async function rawProblem(text: string, status: number) {
  const all = await raw(text)
  expect(all.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
  expect(all).toMatch(/^content-type: application\/problem\+json/im)
  expect(all).toMatch(/^x-request-id: /im)
  const body = JSON.parse(all.slice(all.indexOf('\r\n\r\n') + 4))
  expect(body.status).toBe(status)
  return body
}

describe('problem documents', () => {
  test('answers requests for history outside the range, for a missing run, and with contradictions', async () => {
    const at = '2026-08-20T12:00:00Z'
    const place = 'lat=39.74&lon=-104.99'
    const values = 'points=39.74,-104.99&variables=temperature'
    for (const path of [`/v1/weather?${place}`, `/v1/point?${values}`, `/v1/series/batch?${values}`]) {
      const body = await problem(await edge.get(`${path}&as_of=${at}`, key), 404, 'not-found')
      expect(body['detail']).toMatch(/as_of: 2026-08-20T12:00:00.000Z is not available/)
      await problem(await edge.get(`${path}&as_of=yesterday`, key), 400, 'bad-request')
    }
    const none = await problem(await edge.get(`/v1/point?${values}&dataset_id=nbm&run=${at}`, key), 404, 'not-found')
    expect(none['detail']).toMatch(/nbm has no stored run of 2026-08-20T12:00:00Z; stored: none/)
    await problem(await edge.get(`/v1/point?${values}&run=${at}`, key), 400, 'bad-request')
    await problem(await edge.get(`/v1/point?${values}&dataset_id=nbm&run=${at}&as_of=${at}`, key), 400, 'bad-request')
  })

  test('answers unknown addresses, wrong methods and OPTIONS', async () => {
    const body = await problem(await edge.get('/nope'), 404, 'not-found')
    expect(body['instance']).toBe('/nope')
    for (const path of ['/v1/nope', '/v1/weather?lat=1&lat=2', '/v1/%zz', '/developer/nope']) {
      expect([path, (await edge.get(path, key)).headers.get('ratelimit-remaining')]).toEqual([
        path,
        expect.stringMatching(/^\d+$/),
      ])
    }
    expect((await edge.get('/docs/keys')).headers.get('ratelimit-remaining')).toBeNull()
    // The limit is that of a valid key, else that of the address.
    for (const [path, known, limit] of [
      ['/v1/nope', key, '1000'],
      ['/v1/nope', undefined, '150'],
      ['/v1/nope', `hx_live_${'a'.repeat(43)}`, '150'],
    ] as const)
      expect((await edge.get(path, known)).headers.get('ratelimit-limit')).toBe(limit)
    const wrong = await fetch(`${edge.base}/v1/weather`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(wrong.headers.get('allow')).toBe('GET, HEAD')
    await problem(wrong, 405, 'bad-request')
    const options = await fetch(`${edge.base}/v1/weather/batch`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
  })

  test('ends HEAD of a stream at once', async () => {
    const response = await fetch(`${edge.base}/v1/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(5000),
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })

  test('rejects wrong encodings, duplicates and lengths', async () => {
    await problem(await edge.get('/v1/weather?location=%E0%A4%A', key), 400, 'bad-request')
    await problem(await edge.get('/v1/%zz', key), 400, 'bad-request')
    await problem(await edge.get('/v1/weather?lat=1&lat=2&lon=3', key), 400, 'bad-request')
    await problem(await edge.get(`/v1/weather?location=${'x'.repeat(9000)}`, key), 414, 'bad-request')
    await problem(await edge.get('/v1/weather?zip=80202', key, { 'x-long': 'y'.repeat(17_000) }), 431, 'bad-request')
    await problem(await edge.get('/v1/weather?zip=80202', key, { accept: 'text/html' }), 406, 'bad-request')
  })

  test('rejects wrong bodies', async () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${edge.base}/v1/point`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': type },
        body,
      })
    await problem(await post('{'), 400, 'bad-request')
    await problem(await post('[]'), 400, 'bad-request')
    await problem(await post('x', 'text/plain'), 415, 'bad-request')
    await problem(await post(`{"a":"${'x'.repeat(300_000)}"}`), 413, 'payload-too-large')
    await problem(
      await post(JSON.stringify({ points: Array(501).fill({ lat: 39, lon: -104 }), variables: 'temperature' })),
      413,
      'payload-too-large',
    )
  })

  test('answers errors of the HTTP parser', async () => {
    await rawProblem('GARBAGE\r\n\r\n', 400)
    await rawProblem(`GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414)
    await rawProblem(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431)
    await rawProblem('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400)
    await rawProblem('GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 400)
    await rawProblem('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405)
    await rawProblem(
      'POST /v1/point HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
      400,
    )
  })

  test('rejects two hosts or credentials, of which a proxy may have read the other', async () => {
    const line = 'GET /v1/weather?zip=80202 HTTP/1.1\r\n'
    await rawProblem(`${line}Host: a\r\nHost: b\r\nConnection: close\r\n\r\n`, 400)
    // The same applies if the answer is cached already.
    expect((await edge.get('/v1/weather?zip=80202&include=astro', key)).status).toBe(200)
    const body = await rawProblem(
      `GET /v1/weather?zip=80202&include=astro HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`,
      401,
    )
    expect(body['type']).toBe(`${edge.base.replace('127.0.0.1', 'localhost')}/errors/unauthorized`)
  })

  test('rejects a large Content-Length before the body is sent, and reads a body in transit to its end', async () => {
    const head = `POST /v1/point HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n`
    const began = performance.now()
    await rawProblem(`${head}Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`, 413)
    expect(performance.now() - began).toBeLessThan(3000)
    for (const type of ['application/json', 'text/plain']) {
      const response = await fetch(`${edge.base}/v1/point`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': type },
        body: 'x'.repeat(8_000_000),
      })
      expect(response.status).toBe(type === 'text/plain' ? 415 : 413)
    }
  })

  test('has a page for every kind of error', async () => {
    for (const slug of Object.keys(slugs)) {
      const page = await edge.get(`/errors/${slug}`)
      expect([slug, page.status, page.headers.get('content-type')]).toEqual([slug, 200, 'text/html; charset=utf-8'])
    }
    await problem(await edge.get('/errors/none'), 404, 'not-found')
  })
})

describe('credentials', () => {
  test('answers missing credentials with a bare challenge and next steps', async () => {
    const response = await edge.get('/v1/weather?zip=80202')
    expect(response.headers.get('www-authenticate')).toBe(`Bearer realm="127.0.0.1:${edge.api.port}"`)
    for (const name of ['limit', 'remaining', 'reset', 'policy'])
      expect(response.headers.get(`ratelimit-${name}`)).toMatch(/./)
    const body = await problem(response, 401, 'unauthorized')
    expect(body['detail']).toContain('Authorization')
    const steps = body['next_steps'] as Record<string, Record<string, string>>
    expect(steps['recommended']).toBe('device_flow')
    for (const name of ['device_flow', 'get_key', 'quickstart', 'agents', 'onboarding_mcp', 'key_handling', 'errors']) {
      const href = new URL(steps[name]?.['href'] ?? '')
      expect([...href.searchParams]).toEqual([
        ['utm_source', 'api'],
        ['utm_medium', 'problem-json'],
        ['utm_campaign', '401'],
      ])
      expect(steps[name]?.['description']).toMatch(/./)
      expect((await fetch(href)).status).toBe(200)
    }
    const { device_flow } = steps
    expect(device_flow).toMatchObject({
      device_authorization_endpoint: `${edge.base}/auth/device_authorization`,
      token_endpoint: `${edge.base}/auth/token`,
      api_keys_endpoint: `${edge.base}/developer/keys`,
    })
    expect(device_flow?.['client_id']).toMatch(/./)
    expect(steps['keyless_x402']).toBeUndefined()
  })

  test('answers malformed, unknown, revoked and expired keys', async () => {
    const bad = await edge.get('/v1/weather?zip=80202', undefined, { authorization: 'Basic abc' })
    expect(bad.headers.get('www-authenticate')).toContain('error="invalid_request"')
    await problem(bad, 401, 'unauthorized')
    const unknown = await edge.get('/v1/weather?zip=80202', `hx_live_${'a'.repeat(43)}`)
    const expired = await edge.get('/v1/weather?zip=80202', await edge.key('free', new Date(Date.now() - 1000)))
    for (const response of [unknown, expired]) {
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="127.0.0.1:${edge.api.port}", error="invalid_token", error_uri="${edge.base}/errors/unauthorized"`,
      )
    }
    const a = await problem(unknown, 401, 'unauthorized')
    const b = await problem(expired, 401, 'unauthorized')
    expect(a).toEqual(b)
  })

  test('rejects a key in a visible place and does not repeat it', async () => {
    for (const response of [
      await edge.get(`/v1/weather?zip=80202&key=${key}`, key),
      await edge.get(`/v1/${key}`),
      await edge.get(`/v1/weather?zip=80202&key=${key.replaceAll('_', '%5F')}`, key),
      await edge.get('/v1/weather?zip=80202', key, { 'x-api-key': key }),
      await fetch(`${edge.base}/v1/point`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ [key]: 1, points: key, variables: key }),
      }),
    ]) {
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain(key.slice(20))
    }
  })
})

test('rejects a trial key on a closed route, and a feature that is off', async () => {
  const closed = await edge.get('/v1/series/batch?points=39,-104&variables=temperature', await edge.key('trial'))
  expect(closed.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  const body = await problem(closed, 403, 'trial-route-not-allowed')
  expect((body['next_steps'] as Record<string, unknown>)['recommended']).toBe('claim')
  const paid = await edge.get('/v1/weather?zip=80202', undefined, { 'x-payment': 'abc' })
  const off = await problem(paid, 403, 'flag-disabled')
  expect((off['next_steps'] as Record<string, unknown>)['recommended']).toBe('get_key')
})

test('answers an ended trial with 402 and a claim', async () => {
  const trial = await edge.key('trial')
  for (let i = 0; i < 3; i++) expect((await edge.get('/v1/radars?id=FTG', trial)).status).toBe(200)
  const body = await problem(await edge.get('/v1/radars?id=FTG', trial), 402, 'trial-ended')
  const steps = body['next_steps'] as Record<string, Record<string, string>>
  expect(steps['recommended']).toBe('claim')
  const href = new URL(steps['claim']?.['href'] ?? '')
  expect(href.searchParams.get('utm_campaign')).toBe('402')
  expect(href.hash.length).toBeGreaterThan(20)
})
