import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { issueKey, revokeByPrefix } from '../../api/keys/issue.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { Installation } from './installation.ts'

export interface Attack {
  /** The attacked part and what is sent to it. */
  readonly what: string
  /** Whether the attack runs by itself because it keeps the database busy. */
  readonly alone?: true
  /** The expected result, in words. */
  readonly expected: string
  /** @returns the result in words, and whether it is the expected result */
  run(at: Target): Promise<readonly [came: string, passed: boolean]>
}

export interface Target extends Pick<Installation, 'base' | 'database'> {
  readonly key: string
}

const ALL = '-125,24,-66,50'
const deep = '['.repeat(5000) + ']'.repeat(5000)
const query = (values: Record<string, string>) => new URLSearchParams(values).toString()

export async function ask(
  { base, key }: Pick<Target, 'base' | 'key'>,
  path: string,
  options: { method?: string; body?: string; headers?: Record<string, string> } = {},
) {
  const { method = options.body === undefined ? 'GET' : 'POST', body } = options
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...options.headers }
  const response = await fetch(base + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    remaining: Number(response.headers.get('ratelimit-remaining')),
    headers: response.headers,
  }
}
const call = (at: Target, message: object, headers: Record<string, string> = {}) =>
  ask(at, '/mcp', {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25', ...headers },
  })
const tool = (at: Target, name: string, args: object) =>
  call(at, { method: 'tools/call', params: { name, arguments: args } })

/** Creates a key and waits until the server has read it. */
async function newKey(at: Target, plan: 'free' | 'developer'): Promise<string> {
  const { key } = await issueKey(at.database, { name: 'attacker', plan, channel: 'test' })
  while ((await ask({ ...at, key }, '/v1/radars?id=FTG')).status !== 200) await pause(200)
  return key
}

/** Counts statuses: `200×3 429×2`. */
const counted = (statuses: readonly number[]) =>
  [...new Set(statuses)]
    .sort()
    .map((status) => `${status}×${statuses.filter((otherStatus) => otherStatus === status).length}`)
    .join(' ')
const allOf = (statuses: readonly number[], ...allowed: readonly number[]) =>
  [counted(statuses), statuses.every((status) => allowed.includes(status))] as const

/** Writes bytes to a new socket and never reads. @returns ms until the server disconnects; undefined if it does not within `most` */
function mute({ base }: Target, bytes: string, most: number): Promise<number | undefined> {
  const { hostname, port } = new URL(base)
  const began = performance.now()
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const end = (ms: number | undefined) => {
      socket.destroy()
      resolve(ms)
    }
    socket.on('error', () => undefined)
    socket.once('close', () => end(performance.now() - began))
    socket.pause()
    socket.write(bytes)
    // A paused socket does not notice its end, so bytes are written repeatedly.
    const timer = setInterval(() => socket.write('\r\n'), 500)
    socket.once('close', () => clearInterval(timer))
    setTimeout(() => end(undefined), most).unref()
  })
}

/** Opens event streams with a key. Returns their statuses; one of the streams is read. */
async function streams({ base }: Target, key: string, count: number) {
  const open: Response[] = []
  for (let i = 0; i < count; i++)
    open.push(
      await fetch(`${base}/v1/events`, { headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' } }),
    )
  return {
    statuses: open.map(({ status }) => status),
    first: nth(open, 0),
    close: () => Promise.all(open.map((stream) => stream.body?.cancel().catch(() => undefined))),
  }
}

export const attacks: readonly Attack[] = [
  {
    what: '1: 2,200 pipelined requests of a large asset on a socket that never reads',
    expected: 'it is cut; 40 requests of other clients in the meantime are all 200',
    async run(at) {
      const cut = mute(at, 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2200), 40_000)
      const statuses: number[] = []
      for (let i = 0; i < 40; i++) statuses.push((await ask(at, `/v1/geocode?q=den${i}`)).status)
      const ms = await cut
      return [
        `cut after ${ms && Math.round(ms)} ms; others ${counted(statuses)}`,
        ms !== undefined && counted(statuses) === '200×40',
      ]
    },
  },
  {
    what: '2: 60 KB of digits, commas, minus signs and brackets in location, points, days and completion/complete',
    expected: '4xx each, at once',
    async run(at) {
      const texts = ['1', '1,', '-', '(', ' ', '1 '].map((part) => part.repeat(60_000 / part.length))
      const statuses: number[] = []
      for (const text of texts) {
        for (const [name, most] of [
          ['location', 7500],
          ['points', 7500],
          ['days', 7500],
          ['bbox', 7500],
        ] as const)
          statuses.push((await ask(at, `/v1/weather?${query({ [name]: text.slice(0, most) })}`)).status)
        statuses.push((await ask(at, `/v1/weather?location=${text}`)).status)
        const ref = { type: 'ref/prompt', name: 'plan_outdoor_event' }
        const { status, text: reply } = await call(at, {
          method: 'completion/complete',
          params: { ref, argument: { name: 'location', value: text } },
        })
        statuses.push(reply.includes('"error"') ? 400 : status)
      }
      return allOf(statuses, 400, 413, 414)
    },
  },
  {
    what: '3: If-None-Match: * for answers that must be made',
    expected: '304, and each counts against the limit',
    async run(at) {
      const key = await newKey(at, 'free')
      const client = { ...at, key }
      const path = (i: number) => `/v1/weather?lat=${39 + i / 7}&lon=-101.3&include=astro`
      const tag = { headers: { 'if-none-match': '*' } }
      const plain = await ask(client, path(0))
      const replies: { status: number; remaining: number }[] = []
      for (let i = 1; i <= 5; i++) replies.push(await ask(client, path(i), tag))
      // One request is granted each second, and cached answers count as well.
      return [
        `${plain.remaining} left, then ${replies.map(({ status, remaining }) => `${status} ${remaining} left`).join(', ')}`,
        replies.every(({ status }) => status === 304) && replies.at(-1)!.remaining < plain.remaining,
      ]
    },
  },
  {
    what: '5: six maps of 2000×2000 and six radar pictures of 2000 pixels at once',
    expected: 'drawn in threads, one at a time for each key; further requests wait or get 429',
    async run(at) {
      const maps = Array.from({ length: 6 }, (_, i) =>
        tool(at, 'get_map_snapshot', { lat: 39 + i, lon: -100, width: 2000, height: 2000 }),
      )
      const pictures = Array.from({ length: 6 }, (_, i) =>
        ask(at, `/v1/radar/mrms-reflectivity.png?bbox=${ALL}&width=${2000 - i}`),
      )
      const beats: number[] = []
      while (beats.length < 20) beats.push((await ask(at, '/healthz')).status)
      const statuses = (await Promise.all([...maps, ...pictures])).map(({ status }) => status)
      const [came, passed] = allOf(statuses, 200, 404, 429, 503)
      return [`${came}; /healthz meanwhile ${counted(beats)}`, passed && counted(beats) === '200×20']
    },
  },
  {
    what: '6: 90 device_authorization, each with 6 KB of login_hint; one of 49 KB',
    expected: 'ten a minute, then 429; 413 for the long request',
    async run({ base }) {
      const statuses: number[] = []
      for (let i = 0; i < 90; i++) {
        const body = new URLSearchParams({
          client_id: 'hexcast-device',
          scope: 'openid',
          login_hint: 'x'.repeat(i === 89 ? 49_000 : 6000),
        })
        const response = await fetch(`${base}/auth/device_authorization`, { method: 'POST', body })
        await response.arrayBuffer()
        statuses.push(response.status)
      }
      return [
        counted(statuses),
        statuses.filter((status) => status === 429).length > 50 &&
          statuses.every((status) => [200, 400, 413, 429].includes(status)),
      ]
    },
  },
  {
    what: '7: clients whose name has a line break, an address or a direction mark',
    expected: '400 invalid_client_metadata',
    async run(at) {
      const statuses: number[] = []
      for (const client_name of ['Weather\nhttps://evil.example', 'see www.evil.example', 'a\u202eb']) {
        const body = JSON.stringify({ client_name, redirect_uris: ['https://evil.example/cb'] })
        statuses.push((await ask(at, '/auth/register', { body })).status)
      }
      return allOf(statuses, 400)
    },
  },
  {
    what: '8: four event streams by a Free key, whose key is revoked then',
    expected: '200 three times, 429; the stream ends within 5 s',
    async run(at) {
      const key = await newKey(at, 'free')
      const open = await streams(at, key, 4)
      const began = performance.now()
      const reader = open.first.body!.getReader()
      await revokeByPrefix(at.database, key.slice(0, 16))
      const ended = (async () => {
        while (!(await reader.read()).done);
        return performance.now() - began
      })()
      const ms = await Promise.race([ended, pause(15_000, undefined)])
      await open.close()
      return [
        `${open.statuses.join(' ')}; ended after ${ms && Math.round(ms)} ms`,
        open.statuses.join() === '200,200,200,429' && (ms ?? 1e9) < 6000,
      ]
    },
  },
  {
    what: '9: members of a map scene of a wrong type, deep and many',
    expected: 'bad-request, no internal error',
    async run(at) {
      const scenes: readonly unknown[] = [
        { layers: 7 },
        { layers: [{ type: null }] },
        { layers: Array(500).fill({ x: {} }) },
        { constructor: 1 },
        { markers: [{ lat: 'x' }] },
        7,
        [],
      ]
      const texts = await Promise.all(scenes.map((scene) => tool(at, 'get_map_snapshot', { scene })))
      const broken = texts.filter(
        ({ status, text }) => status !== 200 || text.includes('-32603') || !/"isError":true|"error"/.test(text),
      )
      return [`${texts.length} refused, ${broken.length} broken`, broken.length === 0]
    },
  },
  {
    what: '12: /metrics with another Host, and through a proxy',
    expected: '401 or 403',
    async run(at) {
      const { hostname, port } = new URL(at.base)
      const status = (head: string) =>
        new Promise<number>((resolve) => {
          const socket = connect(Number(port), hostname, () =>
            socket.write(`GET /metrics HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`),
          )
          let text = ''
          socket.on('data', (part) => {
            text += part
          })
          socket.on('close', () => resolve(Number(text.slice(9, 12))))
        })
      return allOf(
        [await status('Host: rebound.example'), await status('Host: localhost\r\nX-Forwarded-For: 203.0.113.9')],
        401,
        403,
      )
    },
  },
  {
    what: '14: deep JSON, __proto__, a list for a word, Accept */*;q=0, direction marks, NUL',
    expected: '400 or 406 each; no mark is echoed',
    async run(at) {
      const point = '{"lat":39.7,"lon":-105}'
      const replies = [
        await ask(at, '/v1/point', { body: `{"points":${deep}}` }),
        await ask(at, '/mcp', {
          body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_radar","arguments":{"location":${deep}}}}`,
          headers: { accept: '*/*' },
        }),
        await ask(at, '/v1/point', {
          body: `{"__proto__":{"units":"metric"},"points":[${point}],"variables":["temperature"]}`,
        }),
        await ask(at, '/v1/point', { body: `{"points":[${point}],"variables":["temperature"],"units":["metric"]}` }),
        await ask(at, '/v1/weather?lat=39.7&lon=-105', { headers: { accept: '*/*;q=0' } }),
        await ask(at, `/v1/weather?${query({ location: 'a\u202eb' })}`),
        await ask(at, '/v1/weather?location=a%00b'),
        await ask(at, `/edr/collections/a%00b/position?coords=${encodeURIComponent('POINT(-105 39)')}`),
        await ask(at, '/v1/radar/site/%00/N0B'),
      ]
      const [came, passed] = allOf(
        replies.map(({ status }) => status),
        400,
        404,
        406,
      )
      return [came, passed && replies.every(({ text }) => !/[\u202a-\u202e]/.test(text))]
    },
  },
  {
    what: '14: a body in chunks without an end',
    expected: 'disconnected within 40 s',
    async run(at) {
      const ms = await mute(
        at,
        'POST /v1/point HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
        45_000,
      )
      return [`cut after ${ms && Math.round(ms)} ms`, ms !== undefined && ms < 40_000]
    },
  },
  {
    what: '15: text of alerts in the answer of a tool',
    expected: 'every line quoted with "> "',
    async run(at) {
      const { alerts } = JSON.parse((await ask(at, '/v1/alerts')).text) as { alerts: { id: string }[] }
      if (!alerts[0]) return ['no alert is stored', true]
      const { text } = await tool(at, 'get_alerts', { alert_id: alerts[0].id })
      return [`${text.match(/\\n> /g)?.length ?? 0} quoted lines`, /\\n> /.test(text)]
    },
  },
  {
    what: '16: the page that asks for approval',
    expected: 'no-store',
    async run(at) {
      const came = (await ask(at, '/auth/device')).headers.get('cache-control') ?? ''
      return [came, came === 'no-store']
    },
  },
  {
    what: 'webhooks: addresses inside, filter of 60 KB, 30 of one key',
    expected: '400; at most 20 are created',
    async run(at) {
      const key = await newKey(at, 'free')
      const hook = (url: string, filter: object = {}) =>
        ask({ ...at, key }, '/v1/webhooks', { body: JSON.stringify({ url, events: ['alert.*'], filter }) })
      const refused: number[] = []
      for (const url of [
        'http://169.254.169.254/latest',
        'https://10.0.0.1/',
        'file:///etc/passwd',
        'https://[::ffff:7f00:1]/',
        `https://a.example/${'x'.repeat(5000)}`,
      ])
        refused.push((await hook(url)).status)
      refused.push((await hook('https://a.example/', { event: Array(9000).fill('x') })).status)
      const creationStatuses: number[] = []
      for (let i = 0; i < 25; i++) creationStatuses.push((await hook(`https://a${i}.example/`)).status)
      const [came, passed] = allOf(refused, 400, 413)
      return [
        `${came}; then ${counted(creationStatuses)}`,
        passed && creationStatuses.filter((status) => status === 201).length <= 20,
      ]
    },
  },
  {
    what: '/v1/radar/site and /stac: long and climbing names, wide pictures, many ranges',
    expected: '4xx, no content of another file',
    async run(at) {
      const replies = [
        await ask(at, `/v1/radar/site/${'x'.repeat(3000)}/N0B`),
        await ask(at, '/v1/radar/site/FTG/constructor'),
        await ask(at, '/v1/radar/site/FTG/N0B.png?width=1e9'),
        await ask(at, `/v1/radar/site/FTG/N0B.png?bbox=${'1'.repeat(5000)}`),
        await ask(at, '/stac/collections/..%2f..%2fetc/items'),
        await ask(at, '/stac/collections/rtma-conus/items/x/assets/..%2f..%2f..%2fpasswd'),
        await ask(at, '/stac/collections/__proto__/items/x/assets/manifest', {
          headers: { range: `bytes=${'0-0,'.repeat(3000)}` },
        }),
        await ask(at, '/stac/collections/rtma-conus/items?limit=1000000&offset=-1'),
      ]
      return allOf(
        replies.map(({ status }) => status),
        400,
        404,
        431,
      )
    },
  },
  {
    what: 'past_hours, as_of and format out of range; 150 as_of of other instants at once',
    alone: true,
    expected: '400, 404 or 406; each of the 150 is answered or gets 503 with Retry-After',
    async run(at) {
      const where = 'lat=39.7&lon=-105'
      const wrong = [
        ...[
          'past_hours=1000000',
          'past_hours=-1',
          'as_of=0001-01-01T00:00:00Z',
          'as_of=9999-01-01T00:00:00Z',
          'format=constructor',
        ],
        ...[`as_of=${'2'.repeat(5000)}`, 'hourly_hours=1e9'],
      ]
      const refused = await Promise.all(wrong.map((status) => ask(at, `/v1/weather?${where}&${status}`)))
      const many = await Promise.all(
        Array.from({ length: 150 }, (_, i) =>
          ask(at, `/v1/weather?${where}&as_of=${new Date(Date.now() - i * 777).toISOString()}`),
        ),
      )
      const [came, passed] = allOf(
        refused.map(({ status }) => status),
        400,
        404,
        406,
      )
      // An admitted request gets 504 if the machine is too slow.
      const [manyCame, manyPassed] = allOf(
        many.map(({ status }) => status),
        200,
        400,
        404,
        503,
        504,
      )
      const silent = many.filter(({ status, headers }) => status === 503 && !headers.has('retry-after'))
      return [
        `${came}; many: ${manyCame}${silent[0] ? `; without Retry-After: ${silent[0].text.slice(0, 200)}` : ''}`,
        passed && manyPassed && silent.length === 0,
      ]
    },
  },
  {
    what: '/edr: the world, a pole, 5,000 corners, a cube abroad of 500 positions, 20 times',
    expected: '4xx each',
    async run(at) {
      const corners = Array.from({ length: 5000 }, (_, i) => `${-100 + Math.sin(i)} ${40 + Math.cos(i)}`).join()
      const paths = [
        `area?${query({ coords: 'POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))' })}`,
        `radius?${query({ coords: 'POINT(0 90)', within: '500', 'within-units': 'km' })}`,
        `area?${query({ coords: `POLYGON((${corners}))` }).slice(0, 7000)}`,
        ...Array.from(
          { length: 20 },
          (_, i) =>
            `cube?${query({ bbox: `${i / 50},0,${1 + i / 50},1`, 'resolution-x': '25', 'resolution-y': '20' })}`,
        ),
      ]
      const replies = await Promise.all(paths.map((path) => ask(at, `/edr/collections/blend-conus/${path}`)))
      return allOf(
        replies.map(({ status }) => status),
        400,
        404,
        413,
      )
    },
  },
  {
    what: '/developer: a form of another site, wrong keys, a cookie of 6 KB',
    expected: '4xx; 403 or 429 for wrong keys',
    async run(at) {
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const replies = [
        await ask(at, '/developer/sign-in', { body: 'key=x', headers: { ...form, 'sec-fetch-site': 'cross-site' } }),
        await ask(at, '/developer/keys', { body: '{"name":"x"}', headers: { 'idempotency-key': 'x'.repeat(5000) } }),
        await ask(at, '/developer/revoke', {
          body: 'prefix=x',
          headers: { ...form, cookie: `hexcast=${'y'.repeat(6000)}` },
        }),
        await ask(at, `/developer/keys/${'x'.repeat(5000)}`, { method: 'DELETE' }),
      ]
      return allOf(
        replies.map(({ status }) => status),
        400,
        401,
        403,
        404,
        405,
        429,
      )
    },
  },
  {
    what: '/mcp: an id of 900 KB, a batch of 5,000, a session id of 5 KB, an unending stream, a body of 2 MB',
    expected: 'no 5xx; 413 for the last',
    async run(at) {
      const big = await call(at, { method: 'tools/list', id: 'x'.repeat(900_000) })
      const batch = await ask(at, '/mcp', {
        body: JSON.stringify(Array(5000).fill({ jsonrpc: '2.0', id: 1, method: 'tools/list' })),
        headers: { accept: '*/*' },
      })
      const session = await call(at, { method: 'tools/list', params: {} }, { 'mcp-session-id': 'x'.repeat(5000) })
      const stream = await ask(at, '/mcp', { headers: { accept: 'text/event-stream' } })
      const body = await ask(at, '/mcp', { body: `"${'x'.repeat(2e6)}"`, headers: { accept: '*/*' } })
      const statuses = [big, batch, session, stream, body].map(({ status }) => status)
      return [
        statuses.join(' '),
        statuses.every((status) => status < 500) && statuses[3] === 405 && statuses[4] === 413 && big.text.length < 2e6,
      ]
    },
  },
  {
    what: '/v1/events: 25 streams of one key, none of which is read',
    expected: '200 at most 20 times, then 429',
    async run(at) {
      const key = await newKey(at, 'developer')
      const open = await streams(at, key, 25)
      await open.close()
      return [counted(open.statuses), counted(open.statuses) === '200×20 429×5']
    },
  },
]

/** Attacks that cannot be tried on a running server, with the tests that cover them. */
export const elsewhere = {
  '4: bodies from upstream': 'test/ports/upstream/bounds.test.ts',
  '8: keys of an account': 'test/api/keys/account.test.ts',
  '10: addresses by /64': 'test/api/keys/network.test.ts',
  '11: tokens of other clients': 'test/api/sign-in/outside-issuer.test.ts',
  '13: power cut': 'test/drills/power-cut.test.ts',
  '17: stored as hashes': 'test/api/sign-in/hostile.test.ts',
  '18: a step that fails in any way': 'test/steps/feed-failure.test.ts',
  '19: lobes that cancel': 'test/domain/shape/ring-outline.test.ts',
} as const
