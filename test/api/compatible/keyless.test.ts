import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listensToItself } from '../../../api/http/keyless.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

let edge: EdgeServer
beforeAll(async () => {
  edge = await edgeServer()
})
afterAll(() => edge.close())

/** Sends a request with exactly these headers; `fetch` forbids some of them. */
const send = (
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; limit: unknown; text: string }> =>
  new Promise((resolve, reject) => {
    request(`${edge.base}${path}`, { headers }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, limit: reply.headers['ratelimit-limit'], text }))
    })
      .on('error', reject)
      .end()
  })
const status = async (path: string, headers?: Record<string, string>) => (await send(path, headers)).status

const open = [
  '/rainviewer/public/weather-maps.json',
  '/nws/points/39.74,-104.99',
  '/open-meteo/v1/forecast?latitude=39.74&longitude=-104.99&current=temperature_2m',
  '/open-meteo/v1/forecast?latitude=39.74&longitude=-104.99&current=temperature_2m&apikey=theirs',
  '/pirate-weather/forecast/any-key-of-theirs/39.74,-104.99?exclude=alerts',
]
const path = nth(open, 0)

test.each(open)('answers a program of this machine without a key: %s', async (path) => {
  expect(await send(path)).toMatchObject({ status: 200, limit: undefined })
  expect(await status(path, { host: `localhost:${edge.api.port}` })).toBe(200)
})

const strangers: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['the server by another name (DNS rebinding)', { host: 'evil.example' }],
  ['a page of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a script of another site', { origin: 'https://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ...['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto', 'x-forwarded-host'].map(
    (name) => [`a proxy with ${name}`, { [name]: '127.0.0.1' }] as const,
  ),
]
test.each(strangers)('needs a key from %s', async (_caller, headers) => {
  expect(await status(path, headers)).toBe(401)
  expect(await status(path, { ...headers, authorization: `Bearer ${await edge.key()}` })).toBe(200)
})

test('admits pages of this machine, and checks a key of ours that is sent', async () => {
  expect(await status(path, { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' })).toBe(200)
  const key = await edge.key()
  const wrong = key.slice(0, -4).concat('aaaa')
  for (const [sent, expected] of [
    [key, 200],
    [wrong, 401],
  ] as const) {
    expect(await status(`${path}?apikey=${sent}`)).toBe(expected)
    expect(await status(path, { authorization: `Bearer ${sent}` })).toBe(expected)
    expect(await status(`/pirate-weather/forecast/${sent}/39.74,-104.99?exclude=alerts`)).toBe(expected)
  }
})

test('needs a key on the routes of this API as before', async () => {
  for (const path of ['/v1/weather?lat=39.74&lon=-104.99', '/v1/radar/mrms-reflectivity', '/edr/collections'])
    expect([path, await status(path)]).toEqual([path, 401])
})

test('refuses in the forms of Pirate Weather, and repeats no key', async () => {
  const theirs = '/pirate-weather/forecast/secret-of-another-service'
  const proxied = await send(`${theirs}/39.74,-104.99`, { via: 'proxy' })
  expect([proxied.status, JSON.parse(proxied.text)]).toEqual([
    401,
    { message: expect.any(String), request_id: expect.any(String) },
  ])
  const outside = await send(`${theirs}/30,-60`)
  expect([outside.status, JSON.parse(outside.text)]).toEqual([400, { detail: expect.any(String) }])
  const unread = await send(`${theirs}/39.74,-104.99`)
  expect([unread.status, JSON.parse(unread.text)]).toEqual([503, { detail: expect.stringContaining('alerts') }])
  const nowhere = await send(`${theirs}/39.74,-104.99/more`)
  for (const { text } of [proxied, outside, unread, nowhere]) expect(text).not.toContain('secret-of-another-service')
  expect([nowhere.status, nowhere.text]).toEqual([404, expect.stringContaining('/pirate-weather/forecast/KEY/')])
})

test.each([
  ['127.0.0.1', undefined, [], true],
  ['localhost', undefined, [], true],
  ['::1', undefined, [], true],
  ['0.0.0.0', undefined, [], false],
  ['::', undefined, [], false],
  ['192.168.1.5', undefined, [], false],
  ['127.0.0.1', 'https://weather.example', [], false],
  ['127.0.0.1', undefined, ['10.0.0.0/8'], false],
])('with HOST=%s, PUBLIC_URL=%s and TRUSTED_PROXIES=%j: %s', (host, publicUrl, proxies, expected) => {
  expect(listensToItself(host, publicUrl, proxies)).toBe(expected)
})
