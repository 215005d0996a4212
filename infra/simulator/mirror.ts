import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MirrorObject, SimulatedHost, SimulatedListing } from './source.ts'
import { forgetStorms, STORM_FIELDS } from './storms.ts'

/** Faults that a mirror can apply to answers, with their effects. */
export const misbehaviours = {
  late: 'the object is neither listed nor found',
  'listed-early': 'the object is listed, but not found',
  503: 'the answer is 503 with Retry-After',
  truncate: 'the connection ends in the middle of the body',
  corrupt: 'a byte in the middle of the body is changed',
  cut: 'half of the body is sent, with its length as Content-Length',
  html: 'an error page is sent with status 200',
  empty: 'an empty body is sent with status 200',
  redirect: 'the answer is 308 to another host',
  forbidden: 'the answer is 403 with an HTML page',
  nowhere: 'the answer is 308 without a location',
  silent: 'the connection is accepted, but never answered',
  stalled: 'half of the body is sent, and the connection stays open',
  frozen: 'the first body is sent for ever, with an Age of "seconds" (default 0) and more',
  slow: 'the body is sent after "seconds" (default 5)',
} as const

/** A rule that applies a fault to matching paths. */
export interface Misbehaviour {
  readonly path: string | RegExp
  readonly how: `${keyof typeof misbehaviours}`
  /** Number of answers that remain to be affected. */
  times?: number
  /** With 3, every third matching answer is affected. */
  readonly every?: number
  readonly seconds?: number
}

export interface Mirror {
  /** Value for `UPSTREAM`. */
  readonly url: string
  readonly misbehaviours: Misbehaviour[]
  /** A line `METHOD /path status bytes` for every answer, newest last. */
  readonly log: string[]
  close(): Promise<void>
}

export interface MirrorOptions {
  readonly sources: readonly SimulatedHost[]
  now(): number
  readonly host?: string
  readonly port?: number
}

/**
 * Starts a server of the sources at `/HOST/PATH?QUERY`. Buckets have S3's listing, and all objects have ranges, ETags
 * and conditions.
 */
export async function startMirror(options: MirrorOptions): Promise<Mirror> {
  const hosts = Map.groupBy(options.sources, ({ host }) => host)
  const faults = new Faults()
  const log: string[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://mirror')
    if (url.pathname === '/_misbehave') return control(request, response, faults.rules)
    if (url.pathname === '/_simulator') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"simulated":true}')
      return
    }
    const [, name = '', ...segments] = url.pathname.split('/')
    // The host of a source may have its bucket as a folder: `storage.googleapis.com/BUCKET`.
    const host = !hosts.has(name) && hosts.has(`${name}/${segments[0]}`) ? `${name}/${segments.shift()}` : name
    const path = `/${segments.join('/')}`
    const send: Send = (status, headers, body = '') => {
      log.push(`${request.method} ${request.url} ${status} ${body.length}`)
      if (log.length > 20_000) log.splice(0, 10_000)
      response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body as string)) })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const sources = hosts.get(host)
    if (!sources) {
      const message = `the simulator has no host ${host}; it has ${[...hosts.keys()].join(', ')}`
      return send(404, { 'content-type': 'text/plain' }, message)
    }
    if (failWithoutObject(faults, `/${host}${path}`, send)) return
    const now = options.now()
    if (url.searchParams.get('list-type') === '2') {
      const prefix = url.searchParams.get('prefix') ?? ''
      const objects = sources
        .flatMap((source) => [...(source.list?.(prefix, now) ?? [])])
        .filter(({ key }) => !faults.hides(`/${host}/${key}`, 'late'))
      const bucket = host.replace(/\..*/, '')
      return send(200, { 'content-type': 'application/xml' }, listing(bucket, url.searchParams, objects))
    }
    let object: MirrorObject | undefined
    if (!faults.hides(`/${host}${path}`, 'late', 'listed-early'))
      for (const source of sources) object ??= await source.find(path, url.searchParams, now)
    if (!object) return send(404, { 'content-type': 'application/xml' }, NO_KEY)
    await sendObject(object, faults, `/${host}${path}`, request, response, send)
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
    misbehaviours: faults.rules,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Send = (status: number, headers: Record<string, string>, body?: Uint8Array | string) => void

/** The misbehaviours of a mirror, and how often each has matched. */
class Faults {
  readonly rules: Misbehaviour[] = []
  readonly #counts = new Map<Misbehaviour, number>()

  /** Copies of frozen objects by their path, with the time since when they are frozen. */
  readonly copies = new Map<string, { object: MirrorObject; since: number }>()

  /** Returns the copy of an object that a cache sends for ever, and its age in seconds; undefined if none is frozen. */
  async frozen(path: string, object: MirrorObject): Promise<{ object: MirrorObject; age: number } | undefined> {
    const rule = this.take(path, 'frozen')
    if (!rule) {
      this.copies.delete(path)
      return undefined
    }
    let copy = this.copies.get(path)
    if (!copy) {
      const body = await object.body()
      copy = { object: { ...object, body: () => body }, since: Date.now() - (rule.seconds ?? 0) * 1000 }
      this.copies.set(path, copy)
    }
    return { object: copy.object, age: Math.round((Date.now() - copy.since) / 1000) }
  }

  /** Returns the rule of one of these kinds that applies to this answer, and counts it. */
  take(path: string, ...kinds: Misbehaviour['how'][]): Misbehaviour | undefined {
    for (const rule of this.rules) {
      if (!kinds.includes(rule.how) || !matches(rule.path, path)) continue
      const count = (this.#counts.get(rule) ?? 0) + 1
      this.#counts.set(rule, count)
      if (rule.every && count % rule.every !== 0) continue
      if (rule.times !== undefined && rule.times-- <= 0) continue
      return rule
    }
    return undefined
  }

  /** Returns whether a rule of one of these kinds matches, without counting it. */
  hides(path: string, ...kinds: Misbehaviour['how'][]): boolean {
    return this.rules.some((rule) => kinds.includes(rule.how) && matches(rule.path, path))
  }
}

/**
 * Answers with a fault that does not depend on the object.
 * @returns whether the request is answered, or must stay unanswered
 */
function failWithoutObject(faults: Faults, path: string, send: Send): boolean {
  if (faults.take(path, '503')) send(503, { 'content-type': 'text/plain', 'retry-after': '1' }, 'simulated: slow down')
  else if (faults.take(path, 'redirect')) send(308, { location: 'https://elsewhere.example/' })
  else if (faults.take(path, 'nowhere')) send(308, {})
  else if (faults.take(path, 'silent')) return true
  else if (faults.take(path, 'forbidden')) send(403, { 'content-type': 'text/html' }, ACCESS_DENIED)
  else return false
  return true
}

async function sendObject(
  current: MirrorObject,
  faults: Faults,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  send: Send,
): Promise<void> {
  const copy = await faults.frozen(path, current)
  const { object, age } = copy ?? { object: current }
  const headers: Record<string, string> = {
    ...(age !== undefined && { age: String(age) }),
    etag: object.etag,
    'last-modified': new Date(object.lastModified).toUTCString(),
    'content-type': object.type,
    'accept-ranges': 'bytes',
  }
  const condition = conditionOf(request.headers, object)
  if (condition) return send(condition, headers, '')
  if (request.method === 'HEAD' && object.size !== undefined) {
    response.writeHead(200, { ...headers, 'content-length': String(object.size) })
    response.end()
    return
  }
  if (faults.take(path, 'html')) return send(200, { 'content-type': 'text/html' }, ACCESS_DENIED)
  if (faults.take(path, 'empty')) return send(200, headers, '')
  const slow = faults.take(path, 'slow')
  if (slow) await new Promise((resolve) => setTimeout(resolve, (slow.seconds ?? 5) * 1000))
  let body = await object.body()
  forgetStorms(STORM_FIELDS)
  if (faults.take(path, 'cut')) body = body.subarray(0, body.length >> 1)
  const part = rangeOf(request.headers.range, body.length)
  if (part === 'invalid') return send(416, { ...headers, 'content-range': `bytes */${body.length}` }, '')
  let bytes = part ? body.subarray(part.from, part.to + 1) : body
  if (faults.take(path, 'corrupt')) {
    const middle = bytes.length >> 1
    bytes = bytes.map((byte, i) => (i === middle ? byte ^ 0x5a : byte))
  }
  if (part) headers['content-range'] = `bytes ${part.from}-${part.to}/${body.length}`
  const isTruncated = faults.take(path, 'truncate') !== undefined
  if (isTruncated || faults.take(path, 'stalled')) {
    response.writeHead(part ? 206 : 200, { ...headers, 'content-length': String(bytes.length) })
    response.write(bytes.subarray(0, bytes.length >> 1), () => isTruncated && response.destroy())
    return
  }
  send(part ? 206 : 200, headers, bytes)
}

/** Evaluates the conditions of a request in the order of RFC 9110. @returns undefined if the object must be sent */
export function conditionOf(
  headers: IncomingMessage['headers'],
  { etag, lastModified }: MirrorObject,
): 304 | 412 | undefined {
  const includesTag = (list: string, isWeak: boolean) =>
    list.split(',').some((tag) => ['*', etag].includes(isWeak ? tag.trim().replace(/^W\//, '') : tag.trim()))
  const modifiedAt = Math.floor(lastModified / 1000) * 1000
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match ? !includesTag(match, false) : modifiedAt > Date.parse(headers['if-unmodified-since'] ?? '')) return 412
  if (noneMatch ? includesTag(noneMatch, true) : modifiedAt <= Date.parse(headers['if-modified-since'] ?? ''))
    return 304
  return undefined
}

const ACCESS_DENIED = '<html><body>Access denied</body></html>'
const NO_KEY =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>'

function matches(pattern: string | RegExp, path: string): boolean {
  return typeof pattern === 'string' ? path.includes(pattern) : pattern.test(path)
}

/** Reads a Range header. @returns undefined if there is none */
export function rangeOf(
  header: string | undefined,
  size: number,
): { from: number; to: number } | 'invalid' | undefined {
  const parts = header ? /^bytes=(\d*)-(\d*)$/.exec(header) : undefined
  if (!parts || (parts[1] === '' && parts[2] === '')) return undefined
  const from = parts[1] === '' ? Math.max(0, size - Number(parts[2])) : Number(parts[1])
  const to = parts[1] === '' || parts[2] === '' ? size - 1 : Math.min(size - 1, Number(parts[2]))
  return from > to || from >= size ? 'invalid' : { from, to }
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Returns S3's answer to ListObjectsV2. The continuation token is the last key of the previous page. */
export function listing(bucket: string, query: URLSearchParams, objects: readonly SimulatedListing[]): string {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
  const most = Math.min(1000, Number(query.get('max-keys') ?? 1000))
  const contents: string[] = []
  const prefixes = new Set<string>()
  let last = ''
  let isTruncated = false
  for (const { key, size, etag, lastModified } of [...objects].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    if (key <= after) continue
    const delimiterAt = delimiter ? key.indexOf(delimiter, prefix.length) : -1
    const commonPrefix = delimiterAt >= 0 ? key.slice(0, delimiterAt + delimiter.length) : undefined
    if (commonPrefix !== undefined && (prefixes.has(commonPrefix) || commonPrefix <= after)) {
      last = key
      continue
    }
    if (contents.length + prefixes.size >= most) {
      isTruncated = true
      break
    }
    last = key
    if (commonPrefix !== undefined) prefixes.add(commonPrefix)
    else
      contents.push(
        `<Contents><Key>${xml(key)}</Key><LastModified>${new Date(lastModified).toISOString()}</LastModified><ETag>${xml(etag)}</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
      )
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${xml(prefix)}</Prefix><KeyCount>${contents.length + prefixes.size}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? `<NextContinuationToken>${xml(last)}</NextContinuationToken>` : ''}${contents.join('')}${[...prefixes].map((folder) => `<CommonPrefixes><Prefix>${xml(folder)}</Prefix></CommonPrefixes>`).join('')}</ListBucketResult>`
}

/** Handles `/_misbehave`: POST replaces the list of misbehaviours, and GET shows it. */
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
  const expected = 'expected a list such as [{"path":"f006.co","how":"truncate","times":1}]'
  let rules: unknown
  try {
    rules = JSON.parse(text)
  } catch {
    throw new Error(`the body is not JSON; ${expected}`)
  }
  if (!Array.isArray(rules)) throw new Error(`the body is not a list; ${expected}`)
  const kinds = Object.keys(misbehaviours)
  for (const rule of rules as Partial<Misbehaviour>[]) {
    if (typeof rule?.path !== 'string') throw new Error(`a member has no "path"; ${expected}`)
    if (!kinds.includes(String(rule.how)))
      throw new Error(`"how" is "${rule.how}", but must be one of ${kinds.join(', ')}`)
  }
  return rules as Misbehaviour[]
}
