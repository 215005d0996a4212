import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MirrorObject, SimulatedHost, SimulatedListing } from './source.ts'
import { forgetStorms, STORM_FIELDS } from './storms.ts'

/** Misbehaviour of the mirror for paths that match. */
export const misbehaviours = {
  late: 'neither listed nor found',
  'listed-early': 'listed, not found',
  503: 'refused with Retry-After',
  truncate: 'the connection ends in the middle of the body',
  corrupt: 'one byte in the middle of the body is inverted',
  cut: 'half of the body, with a Content-Length that fits it',
  html: 'an error page with status 200',
  empty: 'an empty body with status 200',
  redirect: 'status 308 to another host',
  forbidden: 'status 403 with a page',
  nowhere: 'status 308 without a location',
  silent: 'the connection is accepted and never answered',
  stalled: 'half of the body comes, and then nothing',
  slow: 'the body is delayed by so many seconds',
} as const

export interface Misbehaviour {
  readonly path: string | RegExp
  readonly how: `${keyof typeof misbehaviours}`
  /** Number of affected answers, after which it ends. */
  times?: number
  /** Share of the answers that are affected, 0-1; every third request: 1/3 by count, not at random. */
  readonly every?: number
  readonly seconds?: number
}

export interface Mirror {
  /** The value for UPSTREAM. */
  readonly url: string
  readonly misbehaviours: Misbehaviour[]
  /** `METHOD /path status bytes` of every answer, the newest last. */
  readonly log: string[]
  close(): Promise<void>
}

export interface MirrorOptions {
  readonly sources: readonly SimulatedHost[]
  now(): number
  readonly host?: string
  readonly port?: number
}

/** Serves sources at `/HOST/PATH?QUERY`, buckets with S3's listing, all with ranges, ETags and conditions. */
export async function startMirror(options: MirrorOptions): Promise<Mirror> {
  const hosts = new Map<string, SimulatedHost[]>()
  for (const source of options.sources) hosts.set(source.host, [...(hosts.get(source.host) ?? []), source])
  const misbehaviours: Misbehaviour[] = []
  const log: string[] = []
  const counts = new Map<Misbehaviour, number>()

  const suffers = (path: string, ...kinds: Misbehaviour['how'][]): Misbehaviour | undefined => {
    for (const rule of misbehaviours) {
      if (!kinds.includes(rule.how) || !matches(rule.path, path)) continue
      const count = (counts.get(rule) ?? 0) + 1
      counts.set(rule, count)
      if (rule.every && count % rule.every !== 0) continue
      if (rule.times !== undefined && rule.times-- <= 0) continue
      return rule
    }
    return undefined
  }
  const hidden = (path: string, ...kinds: Misbehaviour['how'][]) =>
    misbehaviours.some((rule) => kinds.includes(rule.how) && matches(rule.path, path))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://mirror')
    if (url.pathname === '/_misbehave') return control(request, response, misbehaviours)
    if (url.pathname === '/_simulator') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"simulated":true}')
      return
    }
    const [, name = '', ...rest] = url.pathname.split('/')
    // A store where buckets are folders: `storage.googleapis.com/BUCKET` is the host of a source.
    const host = !hosts.has(name) && hosts.has(`${name}/${rest[0]}`) ? `${name}/${rest.shift()}` : name
    const path = `/${rest.join('/')}`
    const whole = `/${host}${path}`
    const sources = hosts.get(host)
    const send = (status: number, headers: Record<string, string>, body: Uint8Array | string = '') => {
      log.push(`${request.method} ${request.url} ${status} ${body.length}`)
      if (log.length > 20_000) log.splice(0, 10_000)
      response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body as string)) })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    if (!sources)
      return send(
        404,
        { 'content-type': 'text/plain' },
        `the simulator has no host ${host}; it has ${[...hosts.keys()].join(', ')}`,
      )
    if (suffers(whole, '503'))
      return send(503, { 'content-type': 'text/plain', 'retry-after': '1' }, 'simulated: slow down')
    if (suffers(whole, 'redirect')) return send(308, { location: 'https://elsewhere.example/' })
    if (suffers(whole, 'nowhere')) return send(308, {})
    if (suffers(whole, 'silent')) return
    if (suffers(whole, 'forbidden'))
      return send(403, { 'content-type': 'text/html' }, '<html><body>Access denied</body></html>')
    const now = options.now()
    if (url.searchParams.get('list-type') === '2') {
      const prefix = url.searchParams.get('prefix') ?? ''
      const all = sources
        .flatMap((source) => [...(source.list?.(prefix, now) ?? [])])
        .filter(({ key }) => !hidden(`/${host}/${key}`, 'late'))
      return send(200, { 'content-type': 'application/xml' }, listing(host.split('.')[0], url.searchParams, all))
    }
    if (hidden(whole, 'late', 'listed-early')) return send(404, { 'content-type': 'application/xml' }, NO_KEY)
    let found: Awaited<ReturnType<SimulatedHost['find']>>
    for (const source of sources) found ??= await source.find(path, url.searchParams, now)
    if (!found) return send(404, { 'content-type': 'application/xml' }, NO_KEY)
    const headers: Record<string, string> = {
      etag: found.etag,
      'last-modified': new Date(found.lastModified).toUTCString(),
      'content-type': found.type,
      'accept-ranges': 'bytes',
    }
    const condition = conditionOf(request.headers, found)
    if (condition) return send(condition, headers, '')
    if (request.method === 'HEAD' && found.size !== undefined) {
      response.writeHead(200, { ...headers, 'content-length': String(found.size) })
      response.end()
      return
    }
    if (suffers(whole, 'html'))
      return send(200, { 'content-type': 'text/html' }, '<html><body>Access denied</body></html>')
    if (suffers(whole, 'empty')) return send(200, headers, '')
    const slow = suffers(whole, 'slow')
    if (slow) await new Promise((resolve) => setTimeout(resolve, (slow.seconds ?? 5) * 1000))
    let body = await found.body()
    forgetStorms(STORM_FIELDS)
    if (suffers(whole, 'cut')) body = body.subarray(0, body.length >> 1)
    const part = range(request.headers.range, body.length)
    if (part === 'bad') return send(416, { ...headers, 'content-range': `bytes */${body.length}` }, '')
    let bytes = part ? body.subarray(part.from, part.to + 1) : body
    if (suffers(whole, 'corrupt')) {
      bytes = Uint8Array.from(bytes)
      bytes[bytes.length >> 1] ^= 0x5a
    }
    if (part) headers['content-range'] = `bytes ${part.from}-${part.to}/${body.length}`
    if (suffers(whole, 'truncate')) {
      response.writeHead(part ? 206 : 200, { ...headers, 'content-length': String(bytes.length) })
      response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
      return
    }
    if (suffers(whole, 'stalled')) {
      response.writeHead(part ? 206 : 200, { ...headers, 'content-length': String(bytes.length) })
      response.write(bytes.subarray(0, bytes.length >> 1))
      return
    }
    send(part ? 206 : 200, headers, bytes)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      console.error(`simulator: ${request.method} ${request.url}: ${error.stack}`)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve),
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    misbehaviours,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Evaluates the conditions of a request, in the order of RFC 9110: 412, 304, or undefined to go on. */
function conditionOf(headers: IncomingMessage['headers'], { etag, lastModified }: MirrorObject): 304 | 412 | undefined {
  const names = (list: string, weak: boolean) =>
    list.split(',').some((one) => ['*', etag].includes(weak ? one.trim().replace(/^W\//, '') : one.trim()))
  const written = Math.floor(lastModified / 1000) * 1000
  const { 'if-match': match, 'if-none-match': none } = headers
  if (match ? !names(match, false) : written > Date.parse(headers['if-unmodified-since'] ?? '')) return 412
  if (none ? names(none, true) : written <= Date.parse(headers['if-modified-since'] ?? '')) return 304
  return undefined
}

const NO_KEY =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>'

function matches(pattern: string | RegExp, path: string): boolean {
  return typeof pattern === 'string' ? path.includes(pattern) : pattern.test(path)
}

function range(header: string | undefined, size: number): { from: number; to: number } | 'bad' | undefined {
  const parts = header ? /^bytes=(\d*)-(\d*)$/.exec(header) : undefined
  if (!parts || (parts[1] === '' && parts[2] === '')) return undefined
  const from = parts[1] === '' ? Math.max(0, size - Number(parts[2])) : Number(parts[1])
  const to = parts[1] === '' || parts[2] === '' ? size - 1 : Math.min(size - 1, Number(parts[2]))
  return from > to || from >= size ? 'bad' : { from, to }
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** S3's ListObjectsV2 answer. The continuation token is the last key of the page before. */
function listing(bucket: string, query: URLSearchParams, all: readonly SimulatedListing[]): string {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
  const most = Math.min(1000, Number(query.get('max-keys') ?? 1000))
  const contents: string[] = []
  const prefixes = new Set<string>()
  let last = ''
  let cut = false
  for (const { key, size, etag, lastModified } of [...all].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    if (key <= after) continue
    const fold = delimiter ? key.indexOf(delimiter, prefix.length) : -1
    const folded = fold >= 0 ? key.slice(0, fold + delimiter.length) : undefined
    if (folded !== undefined && (prefixes.has(folded) || folded <= after)) {
      last = key
      continue
    }
    if (contents.length + prefixes.size >= most) {
      cut = true
      break
    }
    last = key
    if (folded !== undefined) prefixes.add(folded)
    else
      contents.push(
        `<Contents><Key>${xml(key)}</Key><LastModified>${new Date(lastModified).toISOString()}</LastModified><ETag>${xml(etag)}</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
      )
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${xml(prefix)}</Prefix><KeyCount>${contents.length + prefixes.size}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${cut}</IsTruncated>${cut ? `<NextContinuationToken>${xml(last)}</NextContinuationToken>` : ''}${contents.join('')}${[...prefixes].map((one) => `<CommonPrefixes><Prefix>${xml(one)}</Prefix></CommonPrefixes>`).join('')}</ListBucketResult>`
}

/** `POST /_misbehave [{path, how, …}]` replaces the list of misbehaviours; GET shows it. */
function control(request: IncomingMessage, response: ServerResponse, rules: Misbehaviour[]): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    try {
      if (request.method === 'POST') rules.splice(0, rules.length, ...readRules(Buffer.concat(chunks).toString()))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(rules))
    } catch (error) {
      response.writeHead(400, { 'content-type': 'text/plain' })
      response.end(`${(error as Error).message}\n`)
    }
  })
}

function readRules(text: string): Misbehaviour[] {
  const wanted = 'wanted a list such as [{"path":"f006.co","how":"truncate","times":1}]'
  let rules: unknown
  try {
    rules = JSON.parse(text)
  } catch {
    throw new Error(`${wanted}, got what is no JSON`)
  }
  if (!Array.isArray(rules)) throw new Error(`${wanted}, got ${typeof rules}`)
  const known = Object.keys(misbehaviours)
  for (const rule of rules as Partial<Misbehaviour>[]) {
    if (typeof rule?.path !== 'string') throw new Error(`${wanted}, got a member without "path"`)
    if (!known.includes(String(rule.how))) throw new Error(`"how": wanted ${known.join(', ')}; got "${rule.how}"`)
  }
  return rules as Misbehaviour[]
}
