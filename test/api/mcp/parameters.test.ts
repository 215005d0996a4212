import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge.close())

interface Reply {
  readonly result?: { readonly isError?: boolean }
  readonly error?: { readonly code: number; readonly message: string }
}
type Members = Readonly<Record<string, unknown>>

async function send(version: string, method: string, params: unknown): Promise<Reply> {
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params)
  const members = isObject ? (params as Members) : {}
  const modern = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const sentParams = version === '2026-07-28' && isObject ? { ...members, _meta: modern } : params
  const name = members['name'] ?? members['uri']
  const response = await fetch(`${edge.base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(sentParams !== undefined && { params: sentParams }) }),
  })
  return (await response.json()) as Reply
}

const wrong: readonly unknown[] = [
  ...[undefined, null, {}, [], 'x', 1, true],
  ...[{ name: null }, { name: 5 }, { uri: null }, { uri: 5 }, { uri: ['hexcast://guide'] }, { cursor: 5 }],
  ...[null, [], 'x', 5].map((args) => ({ name: 'get_sun_moon', arguments: args })),
  ...[null, [], 'x', { activity: 5 }].map((args) => ({ name: 'plan_outdoor_activity', arguments: args })),
  { name: 'get_sun_moon', arguments: {}, task: {} },
  { ref: {}, argument: {} },
  { ref: { type: 'ref/prompt', name: 5 }, argument: { name: 'location', value: 'x' } },
  { ref: { type: 'ref/other', name: 'x' }, argument: { name: 'location', value: 'x' } },
  { ref: { type: 'ref/prompt', name: 'plan_outdoor_activity' }, argument: 5 },
  { ref: { type: 'ref/prompt', name: 'plan_outdoor_activity' }, argument: { name: 'location' } },
  { ref: { type: 'ref/resource', uri: 5 }, argument: { name: 'tool', value: 'x' } },
  ...[{ level: 'x' }, { protocolVersion: 5 }, { taskId: 5 }, { uri: 'hexcast://schemas/constructor' }],
]
const methods = [
  ...['initialize', 'ping', 'server/discover', 'logging/setLevel', 'completion/complete', 'tasks/get', 'nothing'],
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe'],
]

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('%s', (version) => {
  test.each(methods)('%s: does not answer wrong parameters with an internal error', async (method) => {
    for (const params of wrong) {
      const { result, error } = await send(version, method, params)
      const call = JSON.stringify(params)
      // A method may ignore parameters that it does not use.
      if (error) expect([-32600, -32601, -32602, -32020], `${call}: ${error.message}`).toContain(error.code)
      else expect(result, call).toBeDefined()
    }
  })

  test.each([
    ['resources/read', {}, 'uri'],
    ['resources/read', { uri: 5 }, 'uri'],
    ['prompts/get', {}, 'name'],
    ['prompts/get', { name: 'plan_outdoor_activity', arguments: [] }, 'arguments'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'y' } }, 'value'],
    ['tools/call', { name: 'get_sun_moon', arguments: null }, 'arguments'],
    ['tools/call', { name: 'get_sun_moon', arguments: [] }, 'arguments'],
    ['tools/call', {}, 'name'],
    ['tools/list', { cursor: 5 }, 'cursor'],
  ])('%s %j: answers invalid parameters (-32602) and names the parameter', async (method, params, parameter) => {
    const { error } = await send(version, method, params)
    expect(error?.code).toBe(-32602)
    expect(error?.message).toContain(parameter)
  })

  test('accepts a call without arguments, whose result names the required ones', async () => {
    const { result } = await send(version, 'tools/call', { name: 'get_sun_moon' })
    expect(result?.isError).toBe(true)
  })
})

describe('an error result for wrong arguments', () => {
  const denver = { location: 'Denver, CO' }
  test.each<[string, object, RegExp, RegExp?]>([
    [
      'search_alerts',
      { area: 'Colorado' },
      /area must be text of 2 characters \(State: two letters, such as OK\), but was "Col/,
    ],
    ['compare_locations', { locations: [denver, denver], variables: ['temp'] }, /Nearest: temperature/],
    [
      'get_past_weather',
      { ...denver, date: '2026-11-26' },
      /There is no argument date\. The arguments are .*start/,
      /Did you mean/,
    ],
    ['get_forecast', { ...denver, day: 3 }, /Did you mean days\?/],
    [
      'get_route_weather',
      { stops: ['tomorrow', '3pm'].map((time) => ({ ...denver, time })) },
      /stops\.0\.time was "tomorrow"; stops\.1\.time was "3pm"/,
    ],
    ['get_route_weather', { stops: [denver, denver] }, /stops\.1\.time must be text .*ISO date-time; .*but is missing/],
  ])('explains %s %j', async (name, args, words, excluded) => {
    const { result } = await send('2025-11-25', 'tools/call', { name, arguments: args })
    const { content } = result as unknown as { content: { text: string }[] }
    expect(result?.isError).toBe(true)
    expect(content[0]?.text).toMatch(words)
    expect(content[0]?.text).not.toMatch(excluded ?? /$^/)
    expect(content[0]?.text.length).toBeLessThanOrEqual(800)
  })

  test('suggests every name that contains a part: Tornado stands for the watch and the warning', () => {
    const events = ['Tornado Watch', 'Tornado Warning', 'Typhoon Warning', 'Tsunami Warning']
    expect(nearest('Tornado', events)).toEqual(['Tornado Watch', 'Tornado Warning'])
    expect(nearest('To', events)).toEqual([])
  })
})
