import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodingOf } from '../../../api/http/encoding.ts'
import { assetPath } from '../../../api/pages/assets.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer({ CORS_ORIGINS: 'https://app.example.org' })
  key = await edge.key()
})
afterAll(() => edge.close())

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Returns the bytes as sent, which `fetch` would decode. */
const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Raw>((resolve, reject) => {
    const options = { method, headers: { authorization: `Bearer ${key}`, ...headers } }
    const request = httpRequest(edge.base + path, options, async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part as Buffer)
      resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) })
    })
    request.on('error', reject).end()
  })

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync } as const
const weather = '/v1/weather?lat=39.74&lon=-104.99&include=hourly,daily,astro'

test('sends the same bytes in every coding, computed and cached', async () => {
  const plain = await raw(weather)
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.headers['vary']).toBe('Accept, Accept-Encoding')
  expect(plain.headers['etag']).toMatch(/^"/)
  for (const [coding, decode] of Object.entries(decoders)) {
    // The first request compresses and stores the body; the second gets it from the cache.
    for (let round = 0; round < 2; round++) {
      const { status, headers, body } = await raw(weather, { 'accept-encoding': coding })
      expect([status, headers['content-encoding'], headers['vary']]).toEqual([200, coding, 'Accept, Accept-Encoding'])
      expect(Number(headers['content-length'])).toBe(body.length)
      expect(headers['etag']).toBe(`W/${plain.headers['etag']}`)
      expect(decode(body).equals(plain.body)).toBe(true)
      expect(body.length).toBeLessThan(plain.body.length / 4)
    }
  }
})

test('accepts the ETag of one coding for all codings', async () => {
  const { headers } = await raw(weather, { 'accept-encoding': 'br' })
  const etag = String(headers['etag'])
  for (const known of [etag, etag.replace('W/', '')]) {
    for (const coding of ['br', 'gzip', 'identity']) {
      const again = await raw(weather, { 'accept-encoding': coding, 'if-none-match': known })
      expect([again.status, again.body.length, again.headers['vary']]).toEqual([304, 0, 'Accept, Accept-Encoding'])
    }
  }
})

test('chooses the coding that the client prefers, and none that it excludes', () => {
  expect(encodingOf('gzip, deflate, br, zstd')).toBe('br')
  expect(encodingOf('gzip, zstd;q=0.5')).toBe('gzip')
  expect(encodingOf('br;q=0, gzip')).toBe('gzip')
  expect(encodingOf('identity, gzip;q=0.5')).toBeUndefined()
  expect(encodingOf('deflate')).toBeUndefined()
  expect(encodingOf(undefined)).toBeUndefined()
  expect(encodingOf(`${'x,'.repeat(3000)}gzip`)).toBe('gzip')
})

test('compresses static files, descriptions, pages and problems, and answers HEAD like GET', async () => {
  const bundle = assetPath('swagger-ui-bundle.js')
  for (const path of [bundle, '/openapi.json', '/docs/quickstart']) {
    const plain = await raw(path)
    const encoded = await raw(path, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(encoded.body).length, path).toBe(plain.body.length)
    const head = await raw(path, { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([head.headers['content-encoding'], head.body.length], path).toEqual(['gzip', 0])
  }
  const digest = (body: Buffer) => createHash('sha256').update(body).digest('hex')
  const asset = await raw(bundle, { 'accept-encoding': 'br' })
  expect(digest(brotliDecompressSync(asset.body))).toBe(digest((await raw(bundle)).body))
  expect((await raw(assetPath('claim.js'), { 'accept-encoding': 'gzip' })).status).toBe(200)
  const refused = await raw('/v1/weather', { authorization: 'Bearer none', 'accept-encoding': 'gzip' })
  expect([refused.status, refused.headers['content-encoding']]).toEqual([401, 'gzip'])
  expect(JSON.parse(gunzipSync(refused.body).toString())).toMatchObject({ status: 401 })
  const short = await raw('/healthz', { 'accept-encoding': 'gzip' })
  expect(short.headers['content-encoding']).toBeUndefined()
})

test('lets any site read the descriptions, and confirms a known copy to any site', async () => {
  for (const path of ['/openapi.json', '/functions.json']) {
    const { headers } = await raw(path)
    const again = await raw(path, { 'if-none-match': String(headers['etag']), origin: 'https://elsewhere.example' })
    expect([again.status, again.headers['access-control-allow-origin']], path).toEqual([304, '*'])
  }
})

test('opens only /v1 to the sites of CORS_ORIGINS', async () => {
  const origin = 'https://app.example.org'
  const read = await raw(weather, { origin, 'accept-encoding': 'gzip' })
  expect(read.headers['access-control-allow-origin']).toBe(origin)
  expect(read.headers['vary']).toBe('Origin, Accept, Accept-Encoding')
  for (const name of ['ETag', 'RateLimit-Limit', 'RateLimit-Remaining', 'X-Request-Id', 'Link'])
    expect(String(read.headers['access-control-expose-headers'])).toContain(name)
  const preflight = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
  const response = await raw('/v1/weather', { origin, ...preflight }, 'OPTIONS')
  expect([response.status, response.headers['access-control-allow-origin']]).toEqual([204, origin])
  expect(String(response.headers['access-control-allow-headers'])).toContain('Authorization')
  expect((await raw('/developer/keys', { origin })).headers['access-control-allow-origin']).toBeUndefined()
  const other = await raw(weather, { origin: 'https://elsewhere.example' })
  expect([other.status, other.headers['access-control-allow-origin']]).toEqual([200, undefined])
})

test('opens /mcp to the sites that the tool server admits, and to no other site', async () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type, mcp-protocol-version',
  }
  for (const origin of ['http://localhost:6274', 'http://127.0.0.1:3000']) {
    const response = await raw('/mcp', { origin, ...preflight }, 'OPTIONS')
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([204, origin])
    expect(String(response.headers['access-control-allow-headers'])).toMatch(/Authorization.*MCP-Protocol-Version/)
    expect(String(response.headers['access-control-allow-methods'])).toContain('POST')
    const refused = await raw('/mcp', { origin }, 'POST')
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([415, origin])
    expect(String(refused.headers['access-control-expose-headers'])).toContain('WWW-Authenticate')
  }
  const other = await raw('/mcp', { origin: 'https://elsewhere.example', ...preflight }, 'OPTIONS')
  expect(other.headers['access-control-allow-origin']).toBeUndefined()
  const data = await raw('/developer/keys', { origin: 'http://localhost:6274' })
  expect(data.headers['access-control-allow-origin']).toBeUndefined()
})

test('suggests our name for a name of another service', async () => {
  const detail = async (path: string) => (JSON.parse((await raw(path)).body.toString()) as { detail: string }).detail
  expect(await detail('/v1/weather?latitude=39.7&lng=-105')).toMatch(
    /`latitude`: did you mean `lat`\? .*`lng`: did you mean `lon`/,
  )
  expect(await detail('/v1/weather?q=Denver')).toContain('`q`: did you mean `location`?')
  expect(await detail('/v1/weather?lat=39.74&lon=104.99')).toContain('west longitudes are negative')
})
