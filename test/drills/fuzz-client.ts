/** Sends seeded requests made from the API's own description, valid and broken, and reports violated invariants. */

import { Agent, request as send } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

export interface FuzzJob {
  readonly base: string
  readonly keys: readonly string[]
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  /** 'part' is posted after each of so many parts, of the time or of the requests. */
  readonly parts: number
  readonly operations: readonly Operation[]
  readonly tools: readonly { readonly name: string; readonly members: readonly string[] }[]
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly query: readonly string[]
}

export interface FuzzReport {
  readonly sent: number
  readonly seconds: number
  readonly statuses: Readonly<Record<string, number>>
  /** A violated invariant: the request, ready to be sent again, and the answer. */
  readonly broken: readonly string[]
  /** The five that took longest. */
  readonly slowest: readonly string[]
}

let state = 1
function next(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}
const below = (count: number) => Math.floor(next() * count)
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!

const good: Readonly<Record<string, readonly string[]>> = {
  lat: ['39.74', '33.4484', '61.2', '21.3', '44.98'],
  lon: ['-104.99', '-112.07', '-149.9', '-157.8', '-93.27'],
  location: ['Denver, CO', '39.74,-104.99', 'Phoenix', '99501', 'Springfield', '(39.7 N; 104.9 W)'],
  zip: ['80202', '80202-1234', '00000'],
  units: ['imperial', 'metric'],
  include: ['current', 'hourly,daily', 'current,alerts,outlooks,astro,nowcast,radar,uncertainty', 'climate,metar'],
  view: ['concise', 'detailed'],
  days: ['1', '7', '14'],
  hourly_hours: ['1', '48', '336'],
  hourly_step: ['1', '3', '24'],
  points: ['39.74,-104.99', '39.74,-104.99;33.4,-112', Array(60).fill('40,-100').join(';')],
  variables: ['temperature', 'temperature,humidity,wind_speed', 'nothing'],
  bbox: ['-109.1,36.9,-102.0,41.1', '170,50,-130,72', '0,0,1,1'],
  area: ['CO', 'GM'],
  zone: ['COZ040', 'COC031'],
  office: ['BOU', 'KBOX'],
  q: ['Denv', 'San', 'é'],
  format: ['json', 'geojson'],
  time: ['2026-11-22T12:00:00Z', 'now'],
  hours: ['1', '24', '264'],
  limit: ['1', '50'],
}
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
const value = (name: string) => (next() < 0.7 && good[name] ? pick(good[name]) : pick(hostile)())

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}

/** JSON of any shape, sometimes deep. */
function json(depth = 0): unknown {
  const kind = below(depth > 4 ? 4 : 8)
  if (kind === 0) return pick([null, true, false, 0, -1, 1e308, 3.5])
  if (kind <= 3) return value(pick(Object.keys(good)))
  if (kind <= 5) return Array.from({ length: below(6) }, () => json(depth + 1))
  return Object.fromEntries(
    Array.from({ length: below(5) }, () => [pick([...Object.keys(good), '__proto__']), json(depth + 1)]),
  )
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | undefined
}

function restCall({ keys, operations }: FuzzJob): Sent {
  const operation = pick(operations)
  const path = operation.path.replace(/\{(\w+)\}/g, () => encoded(value('id')).slice(0, 200) || 'x')
  const names = operation.query.filter(() => next() < 3 / (operation.query.length + 1))
  // One selector is what most routes want.
  const selected = next() < 0.6 ? ['lat', 'lon'].filter((name) => operation.query.includes(name)) : []
  const wanted = [...new Set([...selected, ...names, ...(next() < 0.05 ? [pick(Object.keys(good)), 'unknown'] : [])])]
  const query = wanted.map((name) => `${encoded(name)}=${encoded(value(name)).slice(0, 7000)}`)
  if (next() < 0.02 && query[0]) query.push(query[0])
  const headers: Record<string, string> = { authorization: `Bearer ${pick(keys)}` }
  if (next() < 0.05) headers['authorization'] = pick(['Basic eDp5', 'Bearer', 'Bearer x', `Bearer ${'y'.repeat(3000)}`])
  if (next() < 0.1) headers['accept'] = pick(['*/*;q=0', 'application/json', 'text/html', ',,,', 'a/b;q=1.5', '*/*'])
  if (next() < 0.1) headers['if-none-match'] = pick(['*', '"x"', 'W/"x", "y"', '"'.repeat(500)])
  if (operation.method !== 'post' && operation.method !== 'patch')
    return {
      method: next() < 0.02 ? pick(['PUT', 'OPTIONS', 'HEAD', 'TRACE']) : operation.method.toUpperCase(),
      path: `${path}?${query.join('&')}`,
      headers,
    }
  headers['content-type'] = pick([
    'application/json',
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
  ])
  headers['idempotency-key'] = `k${below(1000)}`
  const points = Array.from({ length: below(5) }, () => ({
    lat: Number(pick(good['lat']!)),
    lon: Number(pick(good['lon']!)),
  }))
  const body = pick([
    () => JSON.stringify({ points, variables: ['temperature'], hours: 24 }),
    () => JSON.stringify({ points, units: json(), include: json(), variables: json() }),
    () => JSON.stringify(json()),
    () => '['.repeat(1 + below(6000)),
    () => `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    () => '{"points":[{"lat":39,"lon":-104,"__proto__":{"x":1}}]}',
    () => value('location'),
  ])()
  return { method: operation.method.toUpperCase(), path, headers, body }
}

function toolCall({ keys, tools }: FuzzJob): Sent {
  const tool = pick(tools)
  const args: Record<string, unknown> = {}
  if (next() < 0.8) args['location'] = pick(good['location']!)
  for (const member of tool.members)
    if (next() < 0.25) args[member] = next() < 0.5 && good[member] ? pick(good[member]) : json()
  const method =
    next() < 0.9
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

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

function exchange(base: string, call: Sent): Promise<{ status: number; type: string; text: string }> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const headers =
      call.body === undefined
        ? call.headers
        : { ...call.headers, 'content-length': String(Buffer.byteLength(call.body)) }
    const sent = send({ hostname, port, agent, method: call.method, path: call.path, headers }, (response) => {
      const parts: Buffer[] = []
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          type: String(response.headers['content-type'] ?? ''),
          text: Buffer.concat(parts).toString('utf8'),
        })
      // A stream does not end: only its head is checked.
      if (
        String(response.headers['content-type']).startsWith('text/event-stream') &&
        call.path.startsWith('/v1/events')
      ) {
        done()
        return void sent.destroy()
      }
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', done)
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.setTimeout(30_000, () => sent.destroy(new Error('no answer within 30 s')))
    sent.end(call.body)
  })
}

function wrong(call: Sent, { status, type, text }: { status: number; type: string; text: string }): string | undefined {
  // This server has read no feed yet, and reports that.
  const unread = status === 503 && (call.path.startsWith('/readyz') || text.includes('has not been read yet'))
  if (status >= 500 && !unread) return `status ${status}`
  if (text.includes('"code":-32603')) return 'an internal error of a tool'
  if (
    status >= 400 &&
    call.method !== 'HEAD' &&
    !type.startsWith('application/problem+json') &&
    !(call.path.startsWith('/mcp') && text.includes('"jsonrpc":"2.0"') && text.includes('"error":{"code":-32'))
  )
    return `status ${status} as ${type}`
  // Unicode marks that reverse the direction of text must not be echoed.
  return status >= 400 && /[\u202a-\u202e\u2066-\u2069]/.test(text) ? 'a direction mark in a problem' : undefined
}

async function run(job: FuzzJob): Promise<FuzzReport> {
  state = job.seed
  const began = performance.now()
  const until = began + job.seconds * 1000
  let parts = 0
  const statuses: Record<string, number> = {}
  const broken: string[] = []
  let slowest: { ms: number; call: string }[] = []
  let sent = 0
  const lane = async () => {
    while (sent < job.requests && performance.now() < until && broken.length < 50) {
      sent++
      const done = Math.max(sent / job.requests, (performance.now() - began) / (job.seconds * 1000))
      // The last is posted at the end.
      if (done * job.parts >= parts + 1 && parts < job.parts - 1) {
        parts++
        parentPort?.postMessage('part')
      }
      const call = next() < 0.75 ? restCall(job) : toolCall(job)
      const begun = performance.now()
      try {
        const given = await exchange(job.base, call)
        const ms = Math.round(performance.now() - begun)
        if (slowest.length < 5 || ms > slowest[4]!.ms) {
          slowest.push({ ms, call: `${call.method} ${call.path.slice(0, 120)} ${call.body?.slice(0, 200) ?? ''}` })
          slowest = slowest.sort((a, b) => b.ms - a.ms).slice(0, 5)
        }
        statuses[given.status] = (statuses[given.status] ?? 0) + 1
        const fault = wrong(call, given)
        if (fault)
          broken.push(
            `${fault}: ${call.method} ${call.path.slice(0, 400)} ${call.body?.slice(0, 400) ?? ''} → ${given.text.slice(0, 300)}`,
          )
      } catch (error) {
        broken.push(
          `${(error as Error).message}: ${call.method} ${call.path.slice(0, 400)} ${call.body?.slice(0, 300) ?? ''}`,
        )
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  agent.destroy()
  parentPort?.postMessage('part')
  return {
    sent,
    seconds: (performance.now() - began) / 1000,
    statuses,
    broken,
    slowest: slowest.map(({ ms, call }) => `${ms} ms ${call}`),
  }
}

parentPort?.postMessage(await run(workerData as FuzzJob))
