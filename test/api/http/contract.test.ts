import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerInfo, hexcastClient, ProblemError } from '../../../api/client/client.ts'
import { includeTokens } from '../../../api/query/query.ts'
import { generated } from '../../../infra/generate/openapi.ts'
import { entryOf } from '../../../ingest/domain/nth.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

type Json = Record<string, unknown>
type Operation = {
  operationId: string
  parameters?: { name: string; in: string }[]
  requestBody?: Json
  responses: Record<string, Json>
}
const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Json; responses: Record<string, { content: Record<string, { schema: Json }> }> }
}

test('matches the checked-in document', async () => {
  for (const { path, text } of await generated())
    expect([path, readFileSync(path, 'utf8') === text]).toEqual([path, true])
})

/** Forbids undescribed members in all schemas, so that the test finds undescribed fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)])) as Json
  if (copy['type'] === 'object' && copy['properties'] && copy['additionalProperties'] === undefined && !copy['allOf'])
    copy['additionalProperties'] = false
  return copy
}

const ajv = new Ajv2020.default({ strict: false, allErrors: false, validateFormats: true })
addFormats.default(ajv)
ajv.addSchema(closed({ $id: 'doc', components: document.components }) as Json)
const checks = new Map<string, (value: unknown) => boolean>()

function validator(operation: Operation, status: number, type: string): (value: unknown) => boolean {
  const key = `${operation.operationId} ${status} ${type}`
  let check = checks.get(key)
  if (!check) {
    let response = operation.responses[status] as
      | { $ref?: string; content?: Record<string, { schema: Json }> }
      | undefined
    if (response?.$ref) response = document.components.responses[response.$ref.split('/').at(-1) ?? '']
    if (!response) throw new Error(`${operation.operationId} answered ${status}, which is not described`)
    const schema = response.content?.[type]?.schema
    if (response.content && !schema)
      throw new Error(`${operation.operationId} ${status} answered ${type}, which is not described`)
    const local = JSON.parse(JSON.stringify(closed(schema ?? {})).replaceAll('"#/components', '"doc#/components'))
    check = ajv.compile(local) as (value: unknown) => boolean
    checks.set(key, check)
  }
  return check
}

async function conforms(path: string, method: string, response: Response): Promise<number> {
  const operation = entryOf(entryOf(document.paths, path), method)
  const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '')
  const text = await response.text()
  if (response.status === 304) return 304
  const check = validator(operation, response.status, type) as ((value: unknown) => boolean) & { errors?: unknown }
  const value = JSON.parse(text)
  if (!check(value))
    throw new Error(
      `${method} ${response.url} ${response.status}: ${JSON.stringify(check.errors).slice(0, 600)} in ${text.slice(0, 300)}`,
    )
  expect(response.status).not.toBe(500)
  expect(response.headers.get('x-request-id')).toMatch(/./)
  return response.status
}

let edge: EdgeServer
let key: string
let keys: string[]
beforeAll(async () => {
  edge = await edgeServer()
  // The limits of this key are never reached here.
  key = await edge.key('professional')
  keys = await Promise.all([1, 2, 3, 4].map(() => edge.key('professional')))
})
afterAll(() => edge.close())

describe('answers every route as described', () => {
  const requests: [string, string, string][] = [
    ['/healthz', '/healthz', 'get'],
    ['/v1/status', '/v1/status', 'get'],
    ['/v1/weather', '/v1/weather?lat=39.74&lon=-104.99', 'get'],
    [
      '/v1/weather',
      `/v1/weather?location=Anchorage,%20AK&units=metric&days=14&hourly_hours=336&include=${includeTokens.join(',')}`,
      'get',
    ],
    ['/v1/weather', '/v1/weather?zip=96815&view=concise&hourly_step=3&hourly_step_from=12', 'get'],
    ['/v1/weather', '/v1/weather?lat=49.3&lon=-123.1', 'get'],
    ['/v1/weather', '/v1/weather', 'get'],
    ['/v1/weather/batch', '/v1/weather/batch?points=39.74,-104.99;49.3,-123.1', 'get'],
    ['/v1/point', '/v1/point?points=39.74,-104.99;18.4,-66&variables=temperature,wind_gust', 'get'],
    ['/v1/point', '/v1/point?points=39.74,-104.99&variables=temperature&dataset_id=nbm&units=metric', 'get'],
    [
      '/v1/series/batch',
      '/v1/series/batch?points=39.74,-104.99;61.2,-149.9&variables=temperature,precip_amount&hours=6',
      'get',
    ],
    ['/v1/catalog', '/v1/catalog', 'get'],
    ['/v1/catalog/{product_id}', '/v1/catalog/nbm', 'get'],
    ['/v1/catalog/{product_id}', '/v1/catalog/none', 'get'],
    ['/v1/geocode', '/v1/geocode?q=springfield', 'get'],
    ['/v1/reverse-geocode', '/v1/reverse-geocode?lat=21.3&lon=-157.86', 'get'],
    ['/v1/stations', '/v1/stations?state=CO', 'get'],
    ['/v1/radars', '/v1/radars?lat=39&lon=-104&limit=3', 'get'],
    ['/v1/offices', '/v1/offices', 'get'],
    ['/v1/zones', '/v1/zones?lat=39.74&lon=-104.99', 'get'],
    ['/v1/zones', '/v1/zones?id=COC031&format=geojson', 'get'],
  ]
  test.each(requests)('%s as %s', async (path, url, method) => {
    await conforms(path, method, await edge.get(url, key))
  })
})

/** Right and wrong values that callers may send, for any parameter. */
const junk = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    'null',
    '-1',
    '0',
    '1e9',
    'NaN',
    '99999999999999999999',
    '%',
    '<script>',
    "'; drop table api_key; --",
    '\u{1f300}',
    '../../etc',
    'ÿ',
  ),
  fc.integer().map(String),
  fc.double().map(String),
)
/** Mostly valid values, some invalid ones. */
const often = (right: fc.Arbitrary<string>) =>
  fc.oneof({ arbitrary: right, weight: 14 }, { arbitrary: junk, weight: 1 })
const lat = fc.oneof(
  fc.double({ min: 18, max: 72, noNaN: true }).map((value) => value.toFixed(4)),
  junk,
)
const lon = fc.oneof(
  fc.double({ min: -180, max: -60, noNaN: true }).map((value) => value.toFixed(4)),
  junk,
)
const good: Record<string, fc.Arbitrary<string>> = {
  lat,
  lon,
  location: often(fc.constantFrom('Denver, CO', 'Springfield', 'nyc', '80202', '39.7,-105', 'Nowhere')),
  zip: often(fc.constantFrom('80202', '00901', '99999', '80202-1234')),
  units: often(fc.constantFrom('imperial', 'metric')),
  include: fc.oneof(
    fc.subarray([...includeTokens], { minLength: 1 }).map((tokens) => tokens.join(',')),
    junk,
  ),
  view: often(fc.constantFrom('detailed', 'concise')),
  days: often(fc.integer({ min: 1, max: 14 }).map(String)),
  hourly_hours: often(fc.integer({ min: 1, max: 336 }).map(String)),
  points: fc.oneof(
    fc
      .array(
        fc.tuple(lat, lon).map((pair) => pair.join(',')),
        { maxLength: 4 },
      )
      .map((list) => list.join(';')),
    junk,
  ),
  variables: often(fc.constantFrom('temperature', 'temperature,humidity', 'wind')),
  dataset_id: often(fc.constantFrom('blend', 'nbm', 'hrrr')),
  hours: often(fc.integer({ min: 1, max: 48 }).map(String)),
  q: often(fc.constantFrom('denver', 'portland or', '80202')),
  bbox: often(fc.constantFrom('-109,36,-102,41', '170,50,-130,72', '0,0,1,1')),
  id: often(fc.constantFrom('KDEN', 'FTG', 'BOU', 'COZ040', 'COC031')),
  state: often(fc.constantFrom('CO', 'ak')),
  format: often(fc.constantFrom('json', 'geojson')),
}

/** The required parameters of a request, to which other parameters are added. */
const requiredParameters: Record<string, readonly (readonly string[])[]> = {
  '/v1/weather': [['lat', 'lon'], ['location'], ['zip']],
  '/v1/weather/batch': [['points']],
  '/v1/point': [['points', 'variables']],
  '/v1/series/batch': [['points', 'variables', 'hours']],
  '/v1/geocode': [['q']],
  '/v1/alerts': [['lat', 'lon'], ['bbox'], ['area']],
}
const anywhere = [['lat', 'lon'], ['id'], ['state']]

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => path.startsWith('/v1/') && !path.includes('events') && operation.responses['200'])
    .map(([method, operation]) => ({ path, method, operation })),
)

const request = fc.constantFrom(...operations).chain(({ path, method, operation }) => {
  const names = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => parameter.name)
  const value = (name: string) => good[name] ?? junk
  const query = fc
    .tuple(
      fc.constantFrom(...(requiredParameters[path] ?? anywhere)),
      fc.subarray(names, { maxLength: Math.min(2, names.length) }),
      fc.nat(2),
    )
    .chain(([first, more, few]) => {
      const chosen = new Set([...first.filter((name) => names.includes(name)), ...(few ? [] : more)])
      return fc.record(Object.fromEntries([...chosen].map((name) => [name, value(name)])))
    })
  const extra = fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 9 },
    { arbitrary: fc.tuple(fc.constantFrom('lattitude', 'debug', '__proto__', 'constructor', 'x'), junk), weight: 1 },
  )
  const body = fc.oneof(
    fc.record(
      {
        points: fc.array(
          fc.record({ lat: fc.double({ min: -95, max: 95 }), lon: fc.double({ min: -190, max: 190 }) }),
          { maxLength: 3 },
        ),
        variables: fc.constantFrom('temperature', 'x'),
        hours: fc.integer({ min: -1, max: 30 }),
      },
      { requiredKeys: [] },
    ),
    fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as Json),
  )
  return fc.record({
    path: fc.constant(path),
    method: fc.constant(method),
    query,
    extra,
    body,
    part: junk,
    keyed: fc.integer({ min: 0, max: 9 }),
  })
})

test('answers random requests as described, with 5xx only for data that are not stored', {
  timeout: 120_000,
}, async () => {
  const counts: Record<string, number> = {}
  const failed = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 20 }), async (requests) => {
      await Promise.all(
        requests.map(async ({ path, method, query, extra, body, part, keyed }) => {
          const parameters = new URLSearchParams(method === 'get' ? (query as Record<string, string>) : {})
          if (extra) parameters.set(...extra)
          // A client removes a path segment of dots, which gives another address.
          const encoded = /^\.{0,2}$/.test(part) ? 'x' : encodeURIComponent(part)
          const url = `${path.replace(/\{\w+\}/, encoded)}?${parameters}`
          if (url.length > 8000) return
          const response = await fetch(edge.base + url, {
            method: method.toUpperCase(),
            headers: {
              ...(keyed > 0 && { authorization: `Bearer ${keys[keyed % 4]}` }),
              ...(method === 'post' && { 'content-type': 'application/json' }),
            },
            ...(method === 'post' && { body: JSON.stringify(body) }),
          })
          const status = await conforms(path, method, response)
          counts[status] = (counts[status] ?? 0) + 1
          if (status >= 500) failed.add(`${path} ${status}`)
        }),
      )
    }),
    { numRuns: 150, interruptAfterTimeLimit: 60_000 },
  )
  // No feed is read in this test, so that routes of feeds fail with 503.
  expect(
    [...failed].filter(
      (failure) => !/^\/v1\/(alerts|observations|storm-tracks|radar)/.test(failure) || !failure.endsWith(' 503'),
    ),
  ).toEqual([])
  expect(counts['200']).toBeGreaterThan(100)
  expect(counts['400']).toBeGreaterThan(100)
})

test('returns answers and problems in the typed client, and retries if that helps', async () => {
  const client = hexcastClient({ baseUrl: edge.base, key: await edge.key('free') })
  const { data, response } = await client.GET('/v1/weather', {
    params: { query: { location: 'Denver, CO', include: 'astro' } },
  })
  const { rateLimit, maxAge, etag } = answerInfo(response)
  expect([
    data?.location.name,
    (data?.astro?.moon_phase_name ?? '') !== '',
    rateLimit?.limit,
    maxAge > 0,
    etag !== undefined,
  ]).toEqual(['Denver', true, 30, true, true])
  const outside = await client
    .GET('/v1/weather', { params: { query: { lat: 49.3, lon: -123.1 } } })
    .catch((error: unknown) => error)
  expect(outside).toBeInstanceOf(ProblemError)
  expect((outside as ProblemError).slug).toBe('outside-coverage')
  const batch = await client.POST('/v1/point', {
    body: { points: [{ lat: 39.74, lon: -104.99 }], variables: 'temperature' },
  })
  expect(batch.data?.results[0]?.status).toBe('ok')
  // Above the burst the client waits for Retry-After and continues.
  for (let i = 0; i < 33; i++) await client.GET('/v1/radars', { params: { query: { lat: 39 + i / 100, lon: -104 } } })
  let tries = 0
  const failing = hexcastClient({
    baseUrl: edge.base,
    fetch: async () => {
      tries++
      return new Response(JSON.stringify({ type: 'x/internal', title: 'x', status: 500 }), { status: 500 })
    },
  })
  const began = performance.now()
  await expect(failing.GET('/healthz')).rejects.toThrow(ProblemError)
  expect(tries).toBe(4)
  expect(performance.now() - began).toBeGreaterThanOrEqual(250 + 500 + 1000)
  // A POST that changes something is sent twice only with an Idempotency-Key.
  tries = 0
  await expect(failing.POST('/developer/keys', { body: { name: 'x' } } as never)).rejects.toThrow(ProblemError)
  expect(tries).toBe(1)
})
