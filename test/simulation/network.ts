import { setTimeout as pause } from 'node:timers/promises'
import { alertMapFact } from '../../infra/simulator/facts.ts'
import { conditionOf, listing, rangeOf } from '../../infra/simulator/mirror.ts'
import type { MirrorObject, SimulatedHost, SimulatedListing } from '../../infra/simulator/source.ts'
import { Broken, type exchange, type RawReply } from '../../ingest/ports/upstream/http.ts'
import type { Faults, Spell } from './faults.ts'
import type { Life } from './life.ts'

/** Grids of a mirror may be coarser than NOAA's. */
export const MIRROR = 'http://simulator'

const ALERT_HOSTS: ReadonlySet<string> = new Set(['api.weather.gov', alertMapFact.host])

const HTML = Buffer.from('<html><body>Service unavailable</body></html>')

/** A copy that a cache sends for ever. */
interface Frozen {
  readonly reply: RawReply
  readonly since: number
}

/** The hosts of upstream in this process, with their faults. */
export class Network {
  readonly #hosts: ReadonlyMap<string, readonly SimulatedHost[]>
  readonly #faults: Faults
  readonly #frozen = new Map<string, Frozen>()
  requests = 0
  /** When one of the two sources of alerts last sent an old copy that does not say so. */
  staleAlertsAt = Number.NEGATIVE_INFINITY
  #wasOlder = false

  constructor(sources: readonly SimulatedHost[], faults: Faults) {
    this.#hosts = Map.groupBy(sources, ({ host }) => host)
    this.#faults = faults
  }

  /** Requests of one process. */
  exchangeOf(life: Life): typeof exchange {
    return (method, url, headers, { idleMs }, signal) =>
      life.call(() =>
        aborted(signal, this.#answer(method, new URL(url.replace(`${MIRROR}/`, 'https://')), headers, idleMs)),
      )
  }

  async #answer(method: string, url: URL, headers: Record<string, string>, idleMs: number): Promise<RawReply> {
    const { random } = this.#faults
    this.requests++
    const source = sourceOf(url)
    const spell = this.#faults.spellOf(source, Date.now())
    await pause(spell?.kind === 'slow' ? random.between(2000, 50_000) : random.between(10, 150))
    if (this.#faults.hits('source: connection broken')) throw new Broken(`${url}: the connection was reset (simulated)`)
    if (spell?.kind === 'silent') {
      await pause(2 * idleMs)
      throw new Broken(`${method} ${url}: no response header arrived`, true)
    }
    if (spell?.kind === 'down' || this.#faults.hits('source: status 503'))
      return { status: 503, headers: {}, bytes: new Uint8Array() }
    if (spell?.kind === 'page') return { status: 200, headers: { 'content-type': 'text/html' }, bytes: HTML }
    if (spell?.kind === 'frozen')
      return this.#copy(`${method} ${url} ${headers['range'] ?? ''}`, () => this.#read(method, url, headers, spell))
    return this.#read(method, url, headers, spell)
  }

  /** Sends the first copy with its age. */
  async #copy(name: string, read: () => Promise<RawReply>): Promise<RawReply> {
    let copy = this.#frozen.get(name)
    if (!copy || Date.now() - copy.since > 6 * 3_600_000) {
      copy = { reply: await read(), since: Date.now() }
      if (copy.reply.status !== 200) return copy.reply
      this.#frozen.set(name, copy)
      if (this.#frozen.size > 500) this.#frozen.delete(this.#frozen.keys().next().value as string)
    }
    const age = String(Math.round((Date.now() - copy.since) / 1000))
    return { ...copy.reply, headers: { ...copy.reply.headers, age }, bytes: new Uint8Array(copy.reply.bytes) }
  }

  async #read(method: string, url: URL, headers: Record<string, string>, spell: Spell | undefined): Promise<RawReply> {
    const faults = this.#faults
    // Two servers of a source differ; one of them never answers twice in a row.
    const isOlder = !this.#wasOlder && faults.hits('source: older copy')
    this.#wasOlder = isOlder
    if ((isOlder || spell) && ALERT_HOSTS.has(url.host)) this.staleAlertsAt = Date.now()
    const now =
      Date.now() - (spell?.kind === 'late' ? spell.size : isOlder ? faults.random.between(20_000, 280_000) : 0)
    const sources = this.#hosts.get(url.host)
    if (!sources) return { status: 404, headers: {}, bytes: new Uint8Array() }
    const isMissing = (key: string) => spell?.kind === 'missing' && shareOf(key) < spell.size
    if (url.searchParams.get('list-type') === '2') {
      const prefix = url.searchParams.get('prefix') ?? ''
      const objects = sources
        .flatMap((source) => [...(source.list?.(prefix, now) ?? [])])
        .filter(({ key }) => !isMissing(key))
      const listed = faults.hits('source: object listed twice') ? [...objects, ...objects.slice(0, 1)] : objects
      const page: readonly SimulatedListing[] = listed
      const body = listing(url.host.replace(/\..*/, ''), url.searchParams, page)
      return { status: 200, headers: { 'content-type': 'application/xml' }, bytes: Buffer.from(body) }
    }
    let object: MirrorObject | undefined
    if (!isMissing(decodeURIComponent(url.pathname.slice(1))))
      for (const source of sources) object ??= await source.find(url.pathname, url.searchParams, now)
    if (!object) return { status: 404, headers: {}, bytes: new Uint8Array() }
    return this.#send(method, url, headers, object)
  }

  async #send(method: string, url: URL, conditions: Record<string, string>, object: MirrorObject): Promise<RawReply> {
    const faults = this.#faults
    const headers: Record<string, string> = {
      etag: object.etag,
      'last-modified': new Date(object.lastModified).toUTCString(),
      'content-type': object.type,
    }
    const condition = conditionOf(conditions, object)
    if (condition) return { status: condition, headers, bytes: new Uint8Array() }
    if (faults.hits('source: empty body')) return { status: 200, headers, bytes: new Uint8Array() }
    let body = await object.body()
    if (method === 'HEAD')
      return { status: 200, headers: { ...headers, 'content-length': String(body.length) }, bytes: new Uint8Array() }
    if (url.pathname === '/alerts/active') body = this.#disordered(body)
    if (faults.hits('source: half a body')) body = body.subarray(0, body.length >> 1)
    const part = rangeOf(conditions['range'], body.length)
    if (part === 'invalid') return { status: 416, headers, bytes: new Uint8Array() }
    const bytes = new Uint8Array(part ? body.subarray(part.from, part.to + 1) : body)
    // A changed byte in a text may give another text, which nobody can detect. A message of GRIB2 is checked in many ways.
    if (part && bytes.length > 0 && faults.hits('source: byte changed')) {
      const at = Math.floor(faults.random.next() * Math.min(bytes.length, 180))
      bytes[at] = (bytes[at] as number) ^ 0x5a
    }
    if (!part) return { status: 200, headers, bytes }
    return {
      status: 206,
      headers: { ...headers, 'content-range': `bytes ${part.from}-${part.to}/${body.length}` },
      bytes,
    }
  }

  /** A feed whose features occur twice or in another order. */
  #disordered(body: Uint8Array): Uint8Array {
    const isDoubled = this.#faults.hits('source: rows doubled')
    const isShuffled = this.#faults.hits('source: rows reordered')
    if (!isDoubled && !isShuffled) return body
    const feed = JSON.parse(Buffer.from(body).toString()) as { features: unknown[] }
    if (isDoubled) feed.features = feed.features.flatMap((feature) => [feature, feature])
    if (isShuffled)
      feed.features = feed.features
        .map((feature) => ({ feature, at: this.#faults.random.next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ feature }) => feature)
    return Buffer.from(JSON.stringify(feed))
  }
}

/** Returns the source of an address: a bucket, or a document of a host that serves several. */
export function sourceOf(url: URL): string {
  if (url.host.endsWith('.amazonaws.com')) return url.host
  const [, first = ''] = url.pathname.split('/')
  return `${url.host}/${url.pathname.endsWith('.atom') ? 'atom' : first}`
}

/** A number from 0 to 1 that a key always has. */
function shareOf(key: string): number {
  let h = 2166136261
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 16777619)
  return (h >>> 0) / 2 ** 32
}

function aborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
