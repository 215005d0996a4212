import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outputSchema } from '../../../api/mcp/protocol/check.ts'
import { tools as catalog } from '../../../api/mcp/tools/index.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { denver, ordinary, type Result, unheld } from './calls.ts'

let server: EdgeServer
let key: string
let client: Client

beforeAll(async () => {
  server = await edgeServer()
  key = await server.key()
  client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.base}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  )
})
afterAll(async () => {
  await client.close()
  await server.close()
})

const schemaOf = async (name: string): Promise<Record<string, unknown>> => {
  const { contents } = await client.readResource({ uri: `hexcast://schemas/${name}` })
  const [content] = contents
  return JSON.parse(content && 'text' in content ? content.text : '') as Record<string, unknown>
}

const call = (name: string, args: object) =>
  client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Result>

describe('the list', () => {
  test('is sorted, described and limited in size, with draft-07 schemas that reject unknown members', async () => {
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual([...names].sort())
    expect(names.filter((name) => !ordinary[name])).toEqual([])
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(48_000)
    const query = tools.find(({ name }) => name === 'query_dataset')?.inputSchema as unknown as {
      properties: Record<string, { uniqueItems?: boolean; required?: string[] }>
    }
    expect(query.properties['variables']?.uniqueItems).toBe(true)
    expect(query.properties['aggregate']?.required).toEqual(['functions'])
    const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false })
    formats.default(ajv)
    for (const tool of tools) {
      expect(tool.title?.length, tool.name).toBeLessThanOrEqual(40)
      expect(tool.description?.length, tool.name).toBeGreaterThanOrEqual(80)
      expect(tool.description?.length, tool.name).toBeLessThanOrEqual(900)
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: tool.name !== 'get_map_snapshot',
      })
      const input = tool.inputSchema as Record<string, unknown>
      expect(input['$schema']).toBe('http://json-schema.org/draft-07/schema#')
      expect(input['additionalProperties'], tool.name).toBe(false)
      expect(JSON.stringify(tool)).not.toContain('"$ref"')
      for (const [name, property] of Object.entries(input['properties'] as Record<string, { description?: string }>))
        expect(property.description, `${tool.name}.${name}`).toBeTruthy()
      ajv.compile(input)
      const output = (tool as { outputSchema?: Record<string, unknown> }).outputSchema
      if (tool.name === 'get_growing_degree_days' || tool.name === 'get_map_snapshot') expect(output).toBeUndefined()
      else {
        expect(output?.['type']).toBe('object')
        expect(output?.['required'], tool.name).toContain('meta')
        ajv.compile(output as object)
        const full = await schemaOf(tool.name)
        expect(full['$schema']).toBe('http://json-schema.org/draft-07/schema#')
        expect(Object.keys(full['properties'] as object), tool.name).toEqual(
          expect.arrayContaining(output?.['required'] as string[]),
        )
        ajv.compile(full)
      }
    }
  })

  test('is at most 14,000 bytes with tools=core, whose members are typed', async () => {
    const core = new Client({ name: 'test', version: '1' })
    await core.connect(
      new StreamableHTTPClientTransport(new URL(`${server.base}/mcp?tools=core`), {
        requestInit: { headers: { Authorization: `Bearer ${key}` } },
      }),
    )
    const { tools } = await core.listTools()
    await core.close()
    expect(tools.length).toBeGreaterThanOrEqual(8)
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(14_000)
    for (const { name, outputSchema: output } of tools) expect(output?.properties, name).toBeDefined()
  })
})

describe('every tool', () => {
  test.each(Object.keys(ordinary))('%s answers within its schema and limits, with a text', async (name) => {
    const { tools } = await client.listTools()
    const tool = tools.find((listed) => listed.name === name)
    if (!tool) return expect(['get_growing_degree_days', 'get_map_snapshot', 'get_past_weather']).toContain(name)
    const result = await call(name, ordinary[name] ?? {})
    const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
    if (result.isError) {
      expect(unheld, `${name}: ${text}`).toContain(name)
      expect(result._meta?.['hexcast/error']?.['code']).toBe('no-data')
      expect(result.structuredContent).toBeUndefined()
      expect(text).toMatch(/^Error \(no-data\): .* Next: /s)
      return
    }
    expect(text.length).toBeGreaterThanOrEqual(20)
    expect(text.length).toBeLessThanOrEqual(2000)
    const declared = catalog.find((declaration) => declaration.name === name)?.output
    for (const output of declared
      ? [(tool as { outputSchema?: object }).outputSchema as object, outputSchema(declared)]
      : []) {
      const validate = new Ajv({ strict: false, allErrors: true }).compile(output)
      expect(validate(result.structuredContent), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
    }
    const { widget: _, ...data } = result.structuredContent ?? {}
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(name === 'query_dataset' ? 65_536 : 20_480)
    const meta = data['meta'] as { attribution: { notice: string }; warnings: { code: string }[] }
    const isSimulated = meta.warnings.some(({ code }) => code === 'simulated_data')
    expect([text.trimEnd().endsWith(meta.attribution.notice), text.startsWith('SIMULATED')]).toEqual([
      true,
      isSimulated,
    ])
  })
})

describe('numbers', () => {
  test('are the same in get_hourly_forecast and /v1/weather', async () => {
    const result = await call('get_hourly_forecast', { ...denver, units: 'metric' })
    const restAnswer = (await (
      await server.get('/v1/weather?location=Denver,%20CO&units=metric&include=hourly', key)
    ).json()) as { hourly: Record<string, unknown>[] }
    const forecast = result.structuredContent?.['forecast'] as { hourly: Record<string, unknown>[] } | undefined
    const hourly = forecast?.hourly ?? []
    for (let i = 0; i < 24; i++)
      for (const name of ['time', 'temperature', 'wind_speed', 'precip_probability', 'conditions'])
        expect(hourly[i]?.[name], `${i} ${name}`).toEqual(restAnswer.hourly[i]?.[name])
  })

  test('are the same in query_dataset of the blend and /v1/series/batch', async () => {
    const result = await call('query_dataset', {
      ...denver,
      dataset_id: 'blend',
      variables: ['temperature'],
      hours: 12,
    })
    const { rows } = result.structuredContent as { rows: [number, string, number][] }
    const restAnswer = (await (
      await server.get('/v1/series/batch?points=39.7392,-104.9847&variables=temperature&hours=12', key)
    ).json()) as { results: { series: { data: { temperature: number[] } } }[] }
    expect(rows.map((row) => row[2])).toEqual(restAnswer.results[0]?.series.data.temperature.slice(0, rows.length))
    expect(rows.length).toBe(12)
  })
})

describe('error results', () => {
  test.each([
    ['get_forecast', { location: 'Springfield' }, 'ambiguous-place', /Springfield, MO/],
    ['get_forecast', { location: 'London', days: 99 }, 'bad-request', /from 1 to 14, but was 99/],
    ['get_forecast', { lat: 51.5, lon: -0.12 }, 'outside-coverage', /50 US states and DC/],
    ['get_forecast', { lat: 39.7 }, 'bad-request', /Provide location OR lat\+lon, not both/],
    ['get_forecast', { ...denver, unit: 'si' }, 'bad-request', /Did you mean units/],
    [
      'get_forecast',
      { ...denver, include: 'current,radar' },
      'bad-request',
      /current, daily, hourly, alerts, outlooks/,
    ],
    ['describe_dataset', { dataset_id: 'nmb' }, 'not-found', /nbm/],
    ['query_dataset', { ...denver, dataset_id: 'nbm', variables: ['temprature'] }, 'not-found', /temperature/],
    [
      'query_dataset',
      { ...denver, dataset_id: 'nbm', variables: ['temperature'], hours: 5, end: '2030-01-01' },
      'bad-request',
      /end and hours/,
    ],
    [
      'query_dataset',
      { ...denver, dataset_id: 'nbm', variables: ['temperature'], start: '2020-01-01' },
      'bad-request',
      /stored range/,
    ],
    [
      'query_dataset',
      { ...denver, dataset_id: 'nbm', variables: ['temperature'], aggregate: { over: 'time', functions: ['sum'] } },
      'bad-request',
      /sum/,
    ],
    ['query_dataset', { ...denver, dataset_id: 'glm', variables: ['x'] }, 'bad-request', /get_lightning_activity/],
    ['query_dataset', { ...denver, dataset_id: 'mrms', variables: ['precip_rte'] }, 'not-found', /precip_rate/],
    ['compare_locations', { locations: [denver], variables: ['temperature'] }, 'bad-request', /2 to 10/],
    [
      'find_best_window',
      { ...denver, criteria: { min_temperature: 90, max_temperature: 50 } },
      'bad-request',
      /min_temperature 90 is above max_temperature 50/,
    ],
  ])('%s %j: has the code %s and explains it', async (name, args, code, words) => {
    const result = await call(name, args)
    expect(result.isError).toBe(true)
    expect(result._meta?.['hexcast/error']?.['code']).toBe(code)
    expect(result.content[0]?.text).toMatch(words)
    expect(result.content[0]?.text?.length).toBeLessThanOrEqual(800)
    expect(result.structuredContent).toBeUndefined()
  })

  test('are protocol errors for an unknown tool', async () => {
    await expect(call('get_wether', {})).rejects.toMatchObject({ code: -32602 })
  })
})

describe('query_dataset', () => {
  const points = [
    { location: 'Denver, CO' },
    { location: 'Miami, FL' },
    { lat: 61.2181, lon: -149.9003, label: 'north' },
    { lat: 10, lon: 10 },
  ]
  test('pages by cursor without losing or repeating a row, and rejects a cursor with other arguments', async () => {
    const args = { points, dataset_id: 'nbm', variables: ['temperature'], hours: 20 }
    const all = (await call('query_dataset', args)).structuredContent as {
      rows: unknown[]
      total_rows: number
      points: { status: string }[]
    }
    expect(all.points.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'out_of_domain'])
    const rows: unknown[] = []
    for (let cursor: string | undefined; ; ) {
      const page = (await call('query_dataset', { ...args, limit: 7, ...(cursor && { cursor }) }))
        .structuredContent as { rows: unknown[]; next_cursor: string | null }
      rows.push(...page.rows)
      if (!page.next_cursor) break
      cursor = page.next_cursor
    }
    expect(rows).toEqual(all.rows)
    expect(rows.length).toBe(all.total_rows)
    const { next_cursor } = (await call('query_dataset', { ...args, limit: 7 })).structuredContent as {
      next_cursor: string
    }
    const other = await call('query_dataset', { ...args, limit: 7, units: 'metric', cursor: next_cursor })
    expect(other._meta?.['hexcast/error']?.['field']).toBe('cursor')
  })

  test('gives the same values in aggregates, filters, CSV, Arrow and CoverageJSON', async () => {
    const args = { ...denver, dataset_id: 'nbm', variables: ['temperature'], hours: 24 }
    const { rows } = (await call('query_dataset', args)).structuredContent as { rows: [number, string, number][] }
    const numbers = rows.map((row) => row[2]).sort((a, b) => a - b)
    const all = (
      await call('query_dataset', { ...args, aggregate: { over: 'all', functions: ['min', 'max', 'count', 'median'] } })
    ).structuredContent as { rows: number[][]; columns: { name: string }[] }
    expect(all.columns.map(({ name }) => name)).toEqual([
      'temperature_min',
      'temperature_max',
      'temperature_count',
      'temperature_median',
    ])
    expect(all.rows[0]?.slice(0, 3)).toEqual([numbers[0], numbers.at(-1), numbers.length])
    const threshold = numbers[5] ?? Number.NaN
    const warm = (
      await call('query_dataset', { ...args, filters: [{ variable: 'temperature', op: 'ge', value: threshold }] })
    ).structuredContent as { total_rows: number }
    expect(warm.total_rows).toBe(numbers.filter((value) => value >= threshold).length)
    const table = await call('query_dataset', { ...args, format: 'csv' })
    const text = table.content[1]?.resource?.text ?? ''
    expect(text.split('\r\n')[0]).toBe('point,valid_time,temperature [F]')
    expect(text.trimEnd().split('\r\n').length).toBe(rows.length + 1)
    const { tableFromIPC } = await import('apache-arrow')
    const arrow = tableFromIPC(
      Buffer.from(
        (await call('query_dataset', { ...args, format: 'arrow' })).content[1]?.resource?.blob ?? '',
        'base64',
      ),
    )
    expect(arrow.numRows).toBe(rows.length)
    expect([...(arrow.getChild('temperature') ?? [])]).toEqual(rows.map((row) => row[2]))
    const resource = (await call('query_dataset', { ...args, format: 'covjson' })).content[1]?.resource
    expect(resource?.mimeType).toBe('application/prs.coverage+json')
    const { coverages } = JSON.parse(resource?.text ?? '') as {
      coverages: { domain: { axes: { t: { values: string[] } } }; ranges: { temperature: { values: number[] } } }[]
    }
    expect(coverages[0]?.domain.axes.t.values).toEqual(rows.map((row) => row[1]))
    expect(coverages[0]?.ranges.temperature.values).toEqual(rows.map((row) => row[2]))
    const statistics = { ...args, format: 'covjson', aggregate: { over: 'all', functions: ['min'] } }
    expect((await call('query_dataset', statistics))._meta?.['hexcast/error']?.['field']).toBe('format')
  })
})

describe('the HTTP endpoint', () => {
  const post = (headers: Record<string, string>, body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}') =>
    fetch(`${server.base}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body,
    })

  test('answers 401 without a key and says where to sign in', async () => {
    const reply = await post({})
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')).toMatch(
      /resource_metadata="http:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/mcp", scope="weather:read"/,
    )
    expect(reply.headers.get('content-type')).toMatch(/problem\+json/)
    const bad = await post({ authorization: 'Bearer hx_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })
    expect(bad.headers.get('www-authenticate')).toContain('error="invalid_token"')
    const metadata = (await (await fetch(`${server.base}/.well-known/oauth-protected-resource/mcp`)).json()) as {
      resource: string
    }
    expect(metadata.resource).toBe(`${server.base}/mcp`)
  })

  test('rejects foreign origins and hosts before it checks the key', async () => {
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ origin: 'http://localhost:3000', authorization: `Bearer ${key}` })).status).toBe(200)
  })

  test('does not repeat a key in an argument', async () => {
    const call = (args: object) =>
      post(
        { authorization: `Bearer ${key}` },
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'get_forecast', arguments: args },
        }),
      )
    for (const args of [
      { location: key },
      { location: 'Denver, CO', [key]: 1 },
      { location: 'Denver, CO', units: key },
    ])
      expect(await (await call(args)).text()).not.toContain(key.slice(20))
  })

  test.each([
    ['application/json', 200, 'application/json'],
    ['*/*', 200, 'application/json'],
    ['text/event-stream', 200, 'text/event-stream'],
    ['application/json;q=0.9, text/event-stream', 200, 'text/event-stream'],
    ['text/html', 406, 'application/json'],
    ['application/json;q=0', 406, 'application/json'],
  ])('answers Accept: %s with %i in %s', async (accept, status, form) => {
    const reply = await post({ authorization: `Bearer ${key}`, accept })
    expect([reply.status, reply.headers.get('content-type')?.split(';')[0]]).toEqual([status, form])
    const text = await reply.text()
    const count = text.match(/"inputSchema":/g)?.length ?? 0
    expect(count > 20, text.slice(0, 200)).toBe(status === 200)
  })

  test('answers a message over 1 MB with a problem document, also without Content-Length', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { a: 'x'.repeat(1_100_000) } })
    const parts = new ReadableStream({
      start(controller) {
        for (let i = 0; i < body.length; i += 65_536)
          controller.enqueue(new TextEncoder().encode(body.slice(i, i + 65_536)))
        controller.close()
      },
    })
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    for (const init of [{ body }, { body: parts, duplex: 'half' }]) {
      const reply = await fetch(`${server.base}/mcp`, { method: 'POST', headers, ...init } as RequestInit)
      expect(reply.status).toBe(413)
      expect(reply.headers.get('content-type')).toMatch(/problem\+json/)
    }
  })

  test('does not count answers from the cache, and says how long to wait over the limit', async () => {
    const authorization = `Bearer ${await server.key('free')}`
    const tool = (name: string, args: object) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
      return post({ authorization, accept: 'application/json' }, JSON.stringify(message))
    }
    const resultOf = async (reply: Response) => ((await reply.json()) as { result: Result }).result
    await tool('get_hourly_forecast', { location: 'Boise, ID' })
    // The burst of the plan is 30.
    for (let i = 0; i < 45; i++)
      expect(
        (await resultOf(await tool('get_hourly_forecast', { location: 'Boise, ID' }))).isError,
        `call ${i}`,
      ).toBeFalsy()
    const many = await Promise.all(Array.from({ length: 100 }, () => tool('get_sun_moon', { location: 'Boise, ID' })))
    const retryAfter: string[] = []
    for (const reply of many) {
      const result = await resultOf(reply)
      if (!result.isError) continue
      expect([reply.status, result._meta?.['hexcast/error']?.['code']]).toEqual([200, 'too-many-requests'])
      expect(result._meta?.['hexcast/error']?.['retry_after_s']).toBeGreaterThan(0)
      retryAfter.push(reply.headers.get('retry-after') ?? '')
    }
    expect(retryAfter.length).toBeGreaterThan(10)
    expect(retryAfter.some((seconds) => Number(seconds) > 0)).toBe(true)
  })

  test('shortens a large argument in an error', async () => {
    const locations = Array.from({ length: 20_000 }, () => ({ lat: 'a' }))
    const result = await call('compare_locations', { locations, variables: ['temperature'] })
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result).length).toBeLessThan(3000)
  })

  test('answers GET with 405 and Allow: POST, and broken JSON with 400', async () => {
    const get = await fetch(`${server.base}/mcp`, { headers: { authorization: `Bearer ${key}` } })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post({ authorization: `Bearer ${key}` }, '{"jsonrpc":')).status).toBe(400)
  })
})

test('lists, reads and completes prompts and resources', async () => {
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual([
    'plan_outdoor_activity',
    'severe_weather_briefing',
    'explore_dataset',
  ])
  const prompt = await client.getPrompt({ name: 'severe_weather_briefing', arguments: { location: 'Tulsa, OK' } })
  expect(JSON.stringify(prompt)).toContain('Tulsa, OK')
  const { resources } = await client.listResources()
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri })
    expect((contents[0] as { text: string }).text.length).toBeGreaterThan(100)
  }
  const dataset = await client.readResource({ uri: 'hexcast://datasets/nbm' })
  expect(JSON.parse((dataset.contents[0] as { text: string }).text).detail.variables.length).toBeGreaterThan(10)
  const ids = await client.complete({
    ref: { type: 'ref/resource', uri: 'hexcast://datasets/{dataset_id}' },
    argument: { name: 'dataset_id', value: 'n' },
  })
  expect(ids.completion.values).toContain('nbm')
  const places = await client.complete({
    ref: { type: 'ref/prompt', name: 'severe_weather_briefing' },
    argument: { name: 'location', value: 'denv' },
  })
  expect(places.completion.values).toContain('Denver, CO')
})
