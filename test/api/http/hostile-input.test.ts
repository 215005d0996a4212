import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureAccount } from '../../../sql/queries/sign-in.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge.close())

interface Failure {
  readonly status: number
  readonly type: string
  readonly detail: string
  readonly text: string
}
async function refused(response: Response, status = 400): Promise<Failure> {
  const text = await response.text()
  expect([response.status, response.headers.get('content-type')], text.slice(0, 300)).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ])
  return { ...(JSON.parse(text) as Omit<Failure, 'text'>), text }
}
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(edge.base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  })
const mcp = (body: string) => post('/mcp', body, { accept: 'application/json, text/event-stream' })
const toolCall = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_forecast","arguments":${args}}}`
const nested = (depth: number, open = '[', close = ']') => `${open.repeat(depth)}1${close.repeat(depth)}`

describe('JSON', () => {
  test.each(['/v1/point', '/v1/series/batch', '/v1/weather/batch'])(
    'rejects a body of %s that is nested 5,000 or 33 deep before it is parsed',
    async (path) => {
      for (const value of [nested(5000), nested(33), nested(5000, '{"a":', '}'), '['.repeat(200_000)])
        expect((await refused(await post(path, `{"points":${value}}`))).detail).toMatch(/nested at most 32 deep/)
      // Brackets inside a text do not count as nesting.
      expect((await refused(await post(path, `{"points":"${'['.repeat(100)}"}`))).detail).not.toMatch(/nested/)
    },
  )

  test('rejects a message to /mcp that is nested 5,000 deep', async () => {
    for (const args of [nested(5000), nested(5000, '{"a":', '}'), `{"location":${nested(40)}}`])
      expect((await refused(await mcp(toolCall(args)))).detail).toMatch(/nested at most 32 deep/)
  })

  test('rejects a member __proto__ at any depth, even if its name is escaped', async () => {
    for (const member of ['__proto__', '\\u005f_proto__'])
      for (const body of [
        `{"${member}":{"units":"metric"},"points":[{"lat":39.7,"lon":-105}],"variables":"temperature"}`,
        `{"points":[{"lat":39.7,"lon":-105,"${member}":{"x":1}}],"variables":"temperature"}`,
      ]) {
        expect((await refused(await post('/v1/point', body))).detail).toMatch(/has a member `__proto__`/)
        expect((await refused(await mcp(toolCall(body)))).detail).toMatch(/has a member `__proto__`/)
      }
    expect(({} as Record<string, unknown>)['units']).toBeUndefined()
  })

  test('rejects an object of thousands of members before listing them', async () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`point${i}`, 1])))
    expect((await refused(await post('/v1/point', many))).detail).toMatch(/at most 500 members/)
    expect((await refused(await mcp(toolCall(many)))).detail).toMatch(/at most 500 members/)
  })

  test('rejects too many values before they are parsed, but not a long text', async () => {
    const dense = `[${'1,'.repeat(70_000)}1]`
    for (const path of ['/v1/point', '/v1/webhooks'])
      expect((await refused(await post(path, `{"points":${dense}}`), 413)).detail).toMatch(/at most 65536 values/)
    expect((await refused(await mcp(toolCall(`{"points":${dense}}`)), 413)).detail).toMatch(/at most 65536 values/)
    // Commas inside a text do not separate values.
    expect((await refused(await post('/v1/point', `{"points":"${','.repeat(100_000)}"}`))).detail).not.toMatch(/values/)
  })

  test('limits the messages of a batch to /mcp', async () => {
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const batch = (length: number) => mcp(JSON.stringify(Array.from({ length }, (_, id) => ping(id))))
    expect((await refused(await batch(21), 413)).detail).toMatch(/at most 20 messages/)
    const answer = await batch(20)
    expect([answer.status, (await answer.text()).match(/"result"/g)?.length]).toEqual([200, 20])
  })

  test('rejects a list in place of a word', async () => {
    const body = { points: [{ lat: 39.7, lon: -105 }], variables: 'temperature' }
    expect((await post('/v1/point', JSON.stringify({ ...body, units: 'metric' }))).status).toBe(200)
    for (const units of [['metric'], [['metric']], { 0: 'metric' }, ['metric', 'imperial'], null])
      expect((await refused(await post('/v1/point', JSON.stringify({ ...body, units })))).detail).toMatch(
        /^`units` must be /,
      )
  })
})

describe('media types', () => {
  test.each(['*/*;q=0', 'application/json;q=0', '*/*; q=0.0', 'text/html'])(
    'answers 406 to Accept: %s',
    async (accept) => {
      for (const path of ['/v1/radars?id=FTG', '/v1/weather?zip=80202&include=astro'])
        expect((await refused(await edge.get(path, key, { accept }), 406)).detail).toMatch(/^`Accept` /)
    },
  )

  test.each(['accept', 'accept-encoding', 'accept-language'])(
    '%s of 16 KB is refused before it is read',
    async (name) => {
      const long = { [name]: 'a/b;q=0.1,'.repeat(1500) }
      for (const path of ['/v1/radars?id=FTG', '/healthz', '/docs'])
        expect((await refused(await edge.get(path, key, long), 431)).detail).toMatch(/at most 2048 characters/)
    },
  )

  test('applies the same rule to a cached answer', async () => {
    const path = '/v1/weather?lat=39.7&lon=-105&include=astro'
    for (let i = 0; i < 2; i++) expect((await edge.get(path, key)).status).toBe(200)
    await refused(await edge.get(path, key, { accept: '*/*;q=0' }), 406)
    expect((await edge.get(path, key, { accept: 'text/html, */*;q=0.1' })).status).toBe(200)
  })
})

describe('text', () => {
  test('rejects bidirectional control characters and never returns them', async () => {
    for (const mark of ['\u202e', '\u2066', '\u200f', '\u061c'])
      for (const path of [
        '/v1/weather?location=Den',
        '/v1/geocode?q=Den',
        '/v1/weather?zip=802',
        '/v1/radars?id=F',
        '/v1/nope/',
      ]) {
        const response = await edge.get(`${path}${encodeURIComponent(`${mark}ver`)}`, key)
        const text = await response.text()
        expect([path, response.status]).toEqual([
          path,
          expect.toSatisfy((status: number) => status >= 400 && status < 500),
        ])
        expect(text).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
      }
  })

  test('rejects a NUL in the name of a key, a parameter and an argument of a tool', async () => {
    const token = await accessToken()
    const named = (name: string, channel = 'cli') =>
      fetch(`${edge.base}/developer/keys`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': `n${Math.random()}`,
        },
        body: JSON.stringify({ name, origin: { channel, value: 'device_flow' } }),
      })
    for (const [name, channel] of [['a\0b'], ['a\nb'], ['a\u202eb'], ['\ud800'], ['fine', 'c\0d']] as const)
      expect((await refused(await named(name, channel))).detail).toMatch(/`(name|origin\.channel)` is wrong/)
    const response = await named('a program')
    expect(response.status).toBe(201)
    const { prefix } = (await response.json()) as { prefix: string }
    const renamed = await fetch(`${edge.base}/developer/keys/${prefix}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"name":"x\\u0000y"}',
    })
    await refused(renamed)
    await refused(await edge.get('/v1/geocode?q=a%00b', key))
    const text = await (await mcp(toolCall('{"location":"Den\\u0000ver"}'))).text()
    expect(text).not.toContain('-32603')
    expect(text).toMatch(/bad-request/)
  })
})

describe('request targets', () => {
  const target = (path: string, host = 'localhost') =>
    new Promise<string>((resolve) => {
      const socket = connect(edge.api.port, '127.0.0.1')
      let text = ''
      socket.on('data', (part: Buffer) => {
        text += part.toString('latin1')
      })
      socket.once('close', () => resolve(text))
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    })

  test('accepts an absolute target only of the host in Host', async () => {
    expect(await target('http://localhost/healthz')).toMatch(/^HTTP\/1.1 200 /)
    for (const [path, host] of [
      ['http://evil.example/healthz'],
      ['http://evil.example/metrics'],
      ['http://localhost@evil.example/metrics'],
      ['http://localhost/metrics', 'evil.example'],
    ] as const)
      expect([path, (await target(path, host)).slice(0, 13)]).toEqual([path, 'HTTP/1.1 400 '])
  })

  test.each(['127.999.0.1', '127.0.0.1:99999', 'localhost:65536', '[::1]:99999'])(
    'Host: %s, of which no address can be made, is a name like another',
    async (host) => {
      for (const path of ['/v1/weather', '/nowhere', '/mcp', '/auth/.well-known/openid-configuration', '/docs']) {
        const text = await target(path, host)
        expect([path, text.slice(0, 10)]).toEqual([path, expect.stringMatching(/^HTTP\/1.1 [24]/)])
        expect(text).not.toContain(host)
      }
    },
  )

  test.each([
    '/v1/..%2fmetrics',
    '/docs/%2e%2e%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '//evil.example/%2f..',
  ])('rejects %s', async (path) => {
    expect(await target(path)).toMatch(/^HTTP\/1.1 404 /)
  })
})

describe('bodies without an end', () => {
  test.each([
    ['/v1/point', 'application/json', 413],
    ['/developer/keys', 'application/json', 413],
    ['/mcp', 'application/json', 413],
    ['/auth/device', 'application/x-www-form-urlencoded', 413],
    ['/auth/token', 'application/x-www-form-urlencoded', 400],
    ['/auth/register', 'application/json', 400],
    ['/healthz', 'text/plain', 405],
    ['/v1/nope', 'text/plain', 404],
  ])('answers %s and closes the connection while the body continues', async (path, type, status) => {
    const bearer = path.startsWith('/developer') ? await accessToken() : key
    const socket = connect(edge.api.port, '127.0.0.1')
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', (part: Buffer) => {
      text += part.toString('latin1')
    })
    let open = true
    socket.once('close', () => {
      open = false
    })
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
    const began = performance.now()
    // A body may take 30 s, but a body over the limit is rejected long before.
    while (open && performance.now() - began < 25_000) {
      if (socket.writable && socket.writableLength < 1_000_000) socket.write(chunk)
      await wait(20)
    }
    expect(open).toBe(false)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })
})

/** Returns an access token of the built-in issuer, as the device grant would issue it. */
async function accessToken(): Promise<string> {
  const { openIssuer, DEVICE_CLIENT } = await import('../../../api/sign-in/issuer.ts')
  await ensureAccount(edge.database, {
    id: 'acc_hostile',
    email: 'a@example.org',
    verified: true,
    issuer: '',
    subject: 'a@example.org',
  })
  const issuer = await openIssuer({
    database: edge.database,
    deviceCodeSeconds: 600,
    onError: (error) => {
      throw error
    },
    clock: Date.now,
  })
  const provider = issuer.at(edge.base)
  const client = (await provider.Client.find(DEVICE_CLIENT))!
  const grant = new provider.Grant({ accountId: 'acc_hostile', clientId: DEVICE_CLIENT })
  grant.addOIDCScope('openid email')
  const token = new provider.AccessToken({
    accountId: 'acc_hostile',
    client,
    grantId: await grant.save(),
    gty: 'urn:ietf:params:oauth:grant-type:device_code',
    scope: 'openid email',
  } as never)
  return token.save()
}

test('rejects years that cannot be stored in every time parameter', async () => {
  interface Parameter {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: { readonly examples?: readonly string[]; readonly enum?: readonly string[] }
  }
  const document = (await (await edge.get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>
  }
  const names = ['date', 'start', 'end', 'time', 'as_of', 'datetime']
  const requests: string[] = []
  const answered: string[] = []
  for (const [path, { get }] of Object.entries(document.paths))
    for (const { name, in: where } of get?.parameters ?? []) {
      if (!names.includes(name)) continue
      const example = (parameter: Parameter) =>
        encodeURIComponent(parameter.schema.examples?.[0] ?? parameter.schema.enum?.[0] ?? '')
      const place = path.startsWith('/v1') && !path.includes('points') ? 'lat=39.74&lon=-104.99' : ''
      for (const year of ['0000', '9999']) {
        const text = `${year}-05-07${name === 'date' || path.includes('climate') ? '' : 'T12:00:00Z'}`
        let address = path
        const query = new URLSearchParams(place)
        for (const parameter of get!.parameters!) {
          if (parameter.in === 'path')
            address = address.replace(
              `{${parameter.name}}`,
              parameter.name === name ? encodeURIComponent(text) : example(parameter),
            )
          else if (parameter.required) query.set(parameter.name, decodeURIComponent(example(parameter)))
        }
        if (where === 'query') query.set(name, text)
        if (path.includes('climate') && name === 'start') query.set('end', text)
        if (path.includes('climate') && name === 'end') query.set('start', text)
        for (const name of ['lat', 'lon'])
          if (!get!.parameters!.some((parameter) => parameter.name === name)) query.delete(name)
        const { status } = await edge.get(`${address}?${query}`, key)
        requests.push(address)
        if (status < 400 || status >= 500) answered.push(`${status} ${address}?${query}`)
      }
    }
  expect(answered).toEqual([])
  expect(requests.length).toBeGreaterThan(40)
})
