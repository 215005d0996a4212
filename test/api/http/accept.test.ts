import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accepts, formatOf } from '../../../api/http/accept.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge?.close())

/** Accept headers of real clients, and other valid spellings. */
const clients: Readonly<Record<string, string>> = {
  'curl, python-requests, aiohttp of Home Assistant': '*/*',
  Chrome:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  Firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/png,image/svg+xml,*/*;q=0.8',
  axios: 'application/json, text/plain, */*',
  jQuery: 'application/json, text/javascript, */*; q=0.01',
  'HttpURLConnection of Java': 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'RestTemplate of Spring': 'application/json, application/*+json',
  'Retrofit over OkHttp': 'application/json; charset=UTF-8',
  'HttpClient of Java': 'application/json;charset=utf-8',
  'net/http of Go with a version': 'application/json; version=1',
  'Excel and Power Query': 'text/html, application/xhtml+xml, */*',
  'wget 1': '*/*, text/plain',
  'Ruby net/http with a quoted parameter': 'application/json; profile="https://example.com/a,b;c=\\"d\\""',
  'weights with spaces': 'text/html ; q = 0.9 , application/json ; q = 0.8 ; charset = "utf-8"',
  'odd case': 'Application/JSON; Charset="UTF-8"; Q=0.7',
  'a range that cannot be read': 'json, ;q=1, application/json',
  'no range that can be read': 'json',
  empty: '',
  'a weight that cannot be read': 'application/json;q=high',
  'any of application': 'application/*;charset=utf-8',
  'fetch of a JSON-LD client': 'application/ld+json, application/json;q=0.9',
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: { readonly examples?: readonly string[]; readonly enum?: readonly string[] }
  }[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}
const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const hasJson = ({ responses }: Operation) => {
  const types = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.keys(content ?? {}) : [],
  )
  return types.length === 0 || types.some((type) => /^application\/(?:.*\+)?json$/.test(type))
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method, operation]) => method !== 'parameters' && hasJson(operation))
    .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, method, path, operation })),
)

/** Returns an address of an operation, with the examples of its required parameters. */
function addressOf(path: string, { parameters = [] }: Operation): string {
  const query = new URLSearchParams()
  let address = path
  for (const { name, in: place, required, schema } of parameters) {
    const value = String(schema.examples?.[0] ?? schema.enum?.[0])
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (place === 'query' && required) query.set(name, value)
  }
  return `${address}?${query}`
}

const ask = (method: string, path: string, headers: Record<string, string>) =>
  fetch(edge.base + path, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${key}`,
      ...(method !== 'get' && { 'content-type': 'application/json; charset=utf-8' }),
      ...headers,
    },
    ...(method !== 'get' && { body: '{}' }),
  })

describe('serves JSON to every client', () => {
  test('finds the operations of the document', () => expect(operations.length).toBeGreaterThan(60))

  test.each(operations)('$name', async ({ method, path, operation }) => {
    const address = addressOf(path, operation)
    const refused: string[] = []
    for (const [client, accept] of Object.entries(clients)) {
      const { status } = await ask(method, address, {
        accept,
        'accept-charset': 'iso-8859-5, *;q=0',
        'accept-language': 'xx, *;q=0',
      })
      if (status === 406 || status === 415) refused.push(`${client}: ${status}`)
    }
    expect(refused).toEqual([])
  })
})

const weather = '/v1/weather?lat=39.74&lon=-104.99&include=daily'

test('serves a cached answer in the format that the client prefers', async () => {
  const typeOf = async (accept: string) => (await ask('get', weather, { accept })).headers.get('content-type')
  await ask('get', weather, {})
  for (const accept of Object.values(clients)) expect([accept, await typeOf(accept)]).toEqual([accept, JSON_UTF8])
  expect(await typeOf('TEXT/CSV; charset=utf-8')).toContain('text/csv')
  expect(await typeOf('application/json;q=0.5, text/*')).toContain('text/csv')
  expect(await typeOf('text/csv;q=0.1, application/json')).toBe(JSON_UTF8)
  expect((await ask('get', weather, { accept: 'application/json;q=0, text/csv;q=0.000' })).status).toBe(406)
})
const JSON_UTF8 = 'application/json; charset=utf-8'

test.each([
  ['application/json;q=0, */*', 'csv'],
  ['*/*;q=0.1, application/json;q=0.05', 'csv'],
  ['text/csv;header=absent', 'csv'],
  ['text/html;level=1, */*;q=0', undefined],
  ['text/*, application/json;q=0.9', 'csv'],
  ['text/*;q=0.5, application/json;q=0.9', 'json'],
  ['text/calendar, text/csv', 'ics'],
  ['text/html;t="a, application/json"', undefined],
  ['text/html', undefined],
  ['application/json;q=0, application/json;version=2', 'json'],
  ['text/csv;q=2', 'csv'],
  ['*/json', 'json'],
] as const)('%s gives %s of json, csv and ics', (accept, form) => {
  const choose = () => formatOf(['json', 'csv', 'ics'], undefined, accept)
  if (form) expect(choose()).toBe(form)
  else expect(choose).toThrow('`Accept` must be one of application/json, text/csv, text/calendar')
})

test('parses a header of separators in linear time', () => {
  const start = performance.now()
  for (const accept of [',"'.repeat(1024), ';'.repeat(2048), '"\\'.repeat(1024), 'a/b;q="'.repeat(290)])
    accepts(accept, ['application/json'])
  expect(performance.now() - start).toBeLessThan(1000)
})

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON; charset="utf-8"',
  'application/json; charset=utf8',
  'application/json;charset=US-ASCII',
  'application/json; profile="a;b"; charset=utf-8',
])('accepts a body of %s', async (type) => {
  const response = await fetch(`${edge.base}/v1/point`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body: JSON.stringify({ points: [{ lat: 39.74, lon: -104.99 }], variables: 'temperature' }),
  })
  expect(response.status).toBe(200)
})

test.each(['application/json; charset=utf-8', 'Application/JSON, Text/Event-Stream;q=0.5', '*/*;q=0.8', 'json'])(
  'tools answer a client with Accept %s',
  async (accept) => {
    const response = await fetch(`${edge.base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept,
        'content-type': 'application/json;charset=UTF-8',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('get_alerts')])
  },
)
