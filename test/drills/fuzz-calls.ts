/** Seeded calls made from the API's own description, valid and broken. */

import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { ordinary } from '../api/mcp/calls.ts'
import type { Known } from './fuzz-known.ts'

/** An operation of the API's own description. */
export interface Operation {
  readonly method: string
  readonly path: string
  /** Parameters in the query. */
  readonly query: readonly string[]
  readonly required: readonly string[]
}

export interface Tool {
  readonly name: string
  readonly members: readonly string[]
}

export interface CallJob {
  readonly keys: readonly string[]
  /** The credentials of an account, for its keys. */
  readonly accessToken: string
  readonly operations: readonly Operation[]
  readonly tools: readonly Tool[]
}

export interface Sent {
  /** The operation or tool that the call exercises: `get /v1/weather`, `get_forecast`. */
  readonly operationName: string
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | undefined
}

let state = 1
export function seedCalls(seed: number): void {
  state = seed
}
export function next(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}
const below = (count: number) => Math.floor(next() * count)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

const instant = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`
const good: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries<readonly (string | (() => string))[]>({
    lat: ['39.74', '33.4484', '61.2', '21.3', '44.98'],
    lon: ['-104.99', '-112.07', '-149.9', '-157.8', '-93.27'],
    location: ['Denver, CO', '39.74,-104.99', 'Phoenix', '99501', 'Springfield', '(39.7 N; 104.9 W)'],
    zip: ['80202', '80202-1234', '00000'],
    near: ['39.74,-104.99'],
    units: ['imperial', 'metric'],
    include: [
      'current',
      'hourly,daily',
      'current,alerts,outlooks,astro,nowcast,radar,uncertainty',
      'climate,metar',
      'current,hourly,daily,provenance',
    ],
    view: ['concise', 'detailed'],
    days: ['1', '7', '14'],
    hourly_hours: ['1', '48', '336'],
    hourly_step: ['1', '3', '24'],
    past_hours: ['1', '24'],
    as_of: [() => instant(-0.01), () => instant(-0.05), () => instant(-20)],
    points: ['39.74,-104.99', '39.74,-104.99;33.4,-112', Array(60).fill('40,-100').join(';')],
    variables: ['temperature', 'temperature,humidity,wind_speed', 'wind_gust', 'nothing'],
    dataset_id: ['nbm', 'hrrr', 'gfs', 'rtma', 'mrms-reflectivity'],
    'parameter-name': ['temperature', 'temperature,wind_speed'],
    bbox: ['-109.1,36.9,-102.0,41.1', '-105,39,-104,40', '170,50,-130,72', '0,0,1,1'],
    area: ['CO', 'GM'],
    state: ['CO', 'TX'],
    zone: ['COZ040', 'COC031'],
    office: ['BOU', 'KBOX'],
    wfo: ['BOU'],
    q: ['Denv', 'San', 'é'],
    format: ['json', 'geojson', 'csv', 'parquet', 'arrow', 'covjson', 'atom', 'cap', 'ics'],
    f: ['json', 'covjson', 'geojson', 'CSV'],
    time: [() => instant(0), () => instant(-1), 'now'],
    start: [() => instant(-6), () => instant(0)],
    end: [() => instant(12)],
    datetime: [() => instant(1), () => `${instant(0)}/${instant(24)}`, () => `${instant(-3)}/..`],
    date: [() => instant(0).slice(0, 10)],
    hours: ['1', '24', '264'],
    limit: ['1', '50'],
    offset: ['0', '10'],
    within: ['10', '80.5'],
    'within-units': ['km', 'mi', 'm'],
    'resolution-x': ['1', '20'],
    'resolution-y': ['1', '20'],
    crs: ['CRS84'],
    width: ['64', '300'],
    opacity: ['1', '0.5'],
    size: ['256', '512'],
    within_minutes: ['30'],
    min_severity: ['Severe'],
    station: ['KDEN'],
    lead: ['1', '24'],
  }).map(([name, list]) => [
    name,
    () => {
      const value = pick(list)
      return typeof value === 'string' ? value : value()
    },
  ]),
)
const coords = (path: string): string =>
  path.endsWith('/area')
    ? pick(['POLYGON((-105 39,-104 39,-104 40,-105 39))', 'POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))'])
    : pick(['POINT(-104.99 39.74)', 'POINT(-93.3 45)', 'MULTIPOINT((-104.9 39.7),(-93.3 45))', 'POINT(0 90)'])
const hostile: readonly (() => string)[] = [
  () => '',
  () => ' ',
  () => '1'.repeat(1 + below(6000)),
  () => '-'.repeat(1 + below(3000)),
  () => ' '.repeat(below(3000)),
  () => '1,'.repeat(below(2500)),
  () => '('.repeat(below(2000)),
  () => `${'a'.repeat(below(200))}\u202e${'b'.repeat(3)}`,
  () => `x\0y`,
  () => pick(['NaN', 'Infinity', '1e309', '-0', '0x10', '1e3', '９', '+1', '.5', '5.', '-1', '90.00001', '2147483648']),
  () => pick(['__proto__', 'constructor', 'toString', 'null', 'undefined', '[object Object]', 'true', '{}', '[]']),
  () => pick(["' or 1=1 --", '%', '%%', '../../etc/passwd', '<script>', '{{7*7}}', '\ud800', '😀'.repeat(50)]),
  () => Array.from({ length: below(40) }, () => String.fromCodePoint(below(0xd000) + 1)).join(''),
]
/** @param care share of valid values */
const value = (name: string, path = '', care = 0.7): string => {
  if (next() >= care) return pick(hostile)()
  return name === 'coords' ? coords(path) : (good[name]?.() ?? pick(hostile)())
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}

/** Returns JSON of any shape, sometimes deeply nested. */
function json(depth = 0): unknown {
  const kind = below(depth > 4 ? 4 : 8)
  if (kind === 0) return pick([null, true, false, 0, -1, 1e308, 3.5])
  if (kind <= 3) return value(pick(Object.keys(good)))
  if (kind <= 5) return Array.from({ length: below(6) }, () => json(depth + 1))
  return Object.fromEntries(
    Array.from({ length: below(5) }, () => [pick([...Object.keys(good), '__proto__']), json(depth + 1)]),
  )
}

/** The body schema of the operation, if it has one. */
const bodies: Readonly<Record<string, () => object>> = {
  '/v1/weather/batch': () => ({ points: somePoints(), include: 'current,hourly' }),
  '/v1/point': () => ({ points: somePoints(), variables: ['temperature'] }),
  '/v1/series/batch': () => ({ points: somePoints(), variables: ['temperature'], hours: 24 }),
  // Nothing listens at this address, so the webhook's calls fail and are retried.
  '/v1/webhooks': () => ({
    url: `http://127.0.0.1:9/${below(100)}`,
    events: [pick(['alert.*', 'run.published'])],
    filter: pick([{}, { area: 'CO' }]),
  }),
  '/v1/webhooks/{id}': () => ({ enabled: next() < 0.5 }),
  '/v1/webhooks/{id}/replay': () => ({}),
  '/developer/keys': () => ({ name: `n${below(100)}`, origin: { channel: 'cli', value: 'device_flow' } }),
  '/developer/keys/{prefix}': () => ({ name: `n${below(100)}` }),
}
const somePoints = () =>
  Array.from({ length: 1 + below(4) }, () => ({
    lat: Number(entryOf(good, 'lat')()),
    lon: Number(entryOf(good, 'lon')()),
  }))

function bodyOf({ path }: Operation, care: boolean): string {
  const right = bodies[path]
  if (right && care) return JSON.stringify(right())
  return pick([
    () => JSON.stringify({ ...right?.(), units: json(), include: json(), variables: json() }),
    () => JSON.stringify(json()),
    () => '['.repeat(1 + below(6000)),
    () => `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    () => '{"points":[{"lat":39,"lon":-104,"__proto__":{"x":1}}]}',
    () => value('location'),
  ])()
}

/** @param care whether most values are those of a well-meaning client; otherwise anything */
function restCall({ keys, accessToken }: CallJob, operation: Operation, knownPaths: Known, care: boolean): Sent {
  const { method, path: template, required } = operation
  const place = care ? knownPaths.place(template, next) : undefined
  const path = place?.path ?? template.replace(/\{(\w+)\}/g, () => encoded(value('id')).slice(0, 200) || 'x')
  const chance = care ? 1.5 : 3
  const names = operation.query.filter(() => next() < chance / (operation.query.length + 1))
  // Most routes require exactly one selector.
  const selected = next() < 0.6 ? ['lat', 'lon'].filter((name) => operation.query.includes(name)) : []
  const selectors = [
    ...new Set([
      ...required.filter(() => care || next() < 0.9),
      ...selected,
      ...names,
      ...(next() < 0.05 ? [pick(Object.keys(good)), 'unknown'] : []),
    ]),
  ]
  const query = selectors.map(
    (name) => `${encoded(name)}=${encoded(value(name, template, care ? 0.97 : 0.6)).slice(0, 7000)}`,
  )
  if (next() < 0.02 && query[0]) query.push(query[0])
  const bearer = template.startsWith('/developer') ? accessToken : (place?.key ?? pick(keys))
  const headers: Record<string, string> = { authorization: `Bearer ${bearer}` }
  if (next() < 0.05) headers['authorization'] = pick(['Basic eDp5', 'Bearer', 'Bearer x', `Bearer ${'y'.repeat(3000)}`])
  if (next() < 0.1) headers['accept'] = pick(['*/*;q=0', 'application/json', 'text/html', ',,,', 'a/b;q=1.5', '*/*'])
  if (next() < 0.1) headers['if-none-match'] = pick(['*', '"x"', 'W/"x", "y"', '"'.repeat(500)])
  if (next() < 0.1) headers['range'] = pick(['bytes=0-99', 'bytes=-5', 'bytes=9-1', 'bytes=0-0,5-6,7-', 'x=1'])
  if (next() < 0.2) headers['accept-encoding'] = pick(['gzip', 'br', 'zstd', 'gzip;q=0, *'])
  const operationName = `${method} ${template}`
  const target = query.length > 0 || !care ? `${path}?${query.join('&')}` : path
  if (method !== 'post' && method !== 'patch')
    return {
      operationName: operationName,
      method: next() < 0.02 ? pick(['PUT', 'OPTIONS', 'HEAD', 'TRACE']) : method.toUpperCase(),
      path: target,
      headers,
    }
  headers['content-type'] =
    care || next() < 0.5 ? 'application/json' : pick(['application/json; charset=utf-8', 'text/plain'])
  headers['idempotency-key'] = `k${below(1000)}`
  const body = template === '/v1/webhooks/{id}/test' && care ? undefined : bodyOf(operation, care)
  return {
    operationName: operationName,
    method: method.toUpperCase(),
    path: care && template.startsWith('/v1/w') ? path : target,
    headers,
    body,
  }
}

/** A new installation has no past days in local time. */
const stored: Readonly<Record<string, () => object>> = {
  // A new system has no forecast of six hours ago.
  what_changed: () => ({ since: new Date(Date.now() - 60_000).toISOString() }),
  get_past_weather: () => ({ start: new Date(Date.now() - 7 * 3_600_000).toISOString().slice(0, 10) }),
}

function toolCall({ keys }: CallJob, tool: Tool, care: boolean): Sent {
  let args: Record<string, unknown> = {}
  if (care) args = { ...ordinary[tool.name], ...stored[tool.name]?.() }
  else if (next() < 0.8) args['location'] = entryOf(good, 'location')()
  if (!care || next() < 0.3)
    for (const member of tool.members)
      if (next() < 0.25) args[member] = next() < 0.5 && good[member] ? good[member]() : json()
  const method =
    care || next() < 0.9
      ? 'tools/call'
      : pick(['completion/complete', 'prompts/get', 'resources/read', 'tools/list', 'nothing'])
  const params =
    method === 'tools/call'
      ? { name: tool.name, arguments: args }
      : method === 'completion/complete'
        ? {
            ref: { type: 'ref/prompt', name: 'plan_outdoor_event' },
            argument: { name: 'location', value: value('location') },
          }
        : json()
  return {
    operationName: method === 'tools/call' ? tool.name : method,
    method: 'POST',
    path: '/mcp',
    headers: {
      authorization: `Bearer ${pick(keys)}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: below(1e6), method, params }),
  }
}

/** Share of well-meant calls. Most other calls are refused, at a tenth of the cost. */
const CARE = 0.2
/** Number of well-meant calls of each route and tool before calls are random. */
const ROUNDS = 6
/** Share of calls of operations that have not been answered without an error yet. */
const UNANSWERED_SHARE = 0.1

/** Returns call number `index` of the sequence of a seed. */
export function callOf(job: CallJob, knownPaths: Known, index: number, unanswered: readonly Operation[]): Sent {
  const { operations, tools } = job
  const all = operations.length + tools.length
  const at = index % all
  const orderly = index < ROUNDS * all
  const tool = orderly ? tools[at - operations.length] : next() < 0.25 ? pick(tools) : undefined
  // Few random calls of some operations are valid, so those without an answer are called more often.
  if (!orderly && unanswered.length > 0 && next() < UNANSWERED_SHARE)
    return restCall(job, pick(unanswered), knownPaths, true)
  const care = orderly || next() < CARE
  return tool
    ? toolCall(job, tool, care)
    : restCall(job, orderly ? nth(operations, at) : pick(operations), knownPaths, care)
}

/** Returns an ordinary call of a tool. */
export const ordinaryCall = (key: string, name: string): Sent =>
  toolCall({ keys: [key], accessToken: '', operations: [], tools: [] }, { name, members: [] }, true)
