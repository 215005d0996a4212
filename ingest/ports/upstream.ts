import { Fault } from '../domain/fault.ts'
import { uncoded } from './upstream/body.ts'
import { type BucketMirrors, type Buckets, openBuckets } from './upstream/buckets.ts'
import { exchange, type RawReply, TooLong } from './upstream/http.ts'
import { type HostLimits, hostLimiter, isBucketHost } from './upstream/limits.ts'
import { type Listed, MAX_LISTED, readListing, tooMany } from './upstream/listing.ts'

export type { Listed } from './upstream/listing.ts'

export interface GetOptions {
  /** First and last byte, both inclusive. Without the last byte, the range extends to the end. */
  readonly range?: readonly [first: number, last?: number]
  /** ETag that the object must still have; otherwise the read throws Fault NotYet with `details.changed`. */
  readonly ifMatch?: string
  readonly ifNoneMatch?: string
  readonly ifModifiedSince?: string
  readonly accept?: string
  /**
   * Maximum size of the body in bytes, before and after decoding its content coding. The default is the length of the range, or a limit by
   * the kind of URL.
   */
  readonly maxBytes?: number
  /** Time without a byte after which the attempt fails, ms; default 30,000. */
  readonly idleMs?: number
  /** Total number of attempts; default 4. */
  readonly attempts?: number
  /** Sends `Cache-Control: no-cache`, so that a cache between us and the source checks its copy. */
  readonly noCache?: boolean
  /** Whether the request bypasses the queue of its host. Only alerts are urgent. */
  readonly urgent?: boolean
  readonly signal?: AbortSignal
}

export interface Reply {
  /** Status of the reply. If a server ignores the range and sends the whole object, the reply is cut to the range and has status 206. */
  readonly status: 200 | 206 | 304
  readonly bytes: Uint8Array
  readonly etag?: string
  readonly lastModified?: string
  readonly contentType?: string
  /** Length of the whole object, if the server reports it. */
  readonly size?: number
  /** Seconds since a cache received or confirmed this copy (header Age). */
  readonly ageSeconds?: number
}

export interface UpstreamCounts {
  requests: number
  bytes: number
  retries: number
}

/**
 * HTTP reads of all upstream sources. URLs are always those of the real source. With a mirror, `https://HOST/PATH?QUERY` is read from
 * `MIRROR/HOST/PATH?QUERY`. Faults: NotYet if the object is absent (404, or 403 from a bucket); Gone if upstream has removed it (410);
 * Refused if the server is still busy, throttling or silent after the last attempt (`details.silent` if it gave no answer in time); Corrupt
 * if a listing is invalid.
 */
export interface Upstream {
  /** Address of a mirror; if absent, the real sources are read. */
  readonly mirror?: string
  readonly counts: UpstreamCounts
  /** Chooses the address from which each bucket is read. */
  readonly buckets: Buckets
  get(url: string, options?: GetOptions): Promise<Reply>
  /**
   * Lists every object of a bucket under a prefix, over all pages.
   * @param bucket `https://BUCKET.s3.amazonaws.com`
   */
  list(bucket: string, prefix: string, options?: Pick<GetOptions, 'signal' | 'attempts' | 'idleMs'>): Promise<Listed[]>
  /** Returns ETag and size of an object; undefined if it is absent. */
  head(
    url: string,
    options?: Pick<GetOptions, 'signal' | 'attempts'>,
  ): Promise<Omit<Reply, 'bytes' | 'status'> | undefined>
  close(): Promise<void>
}

export interface UpstreamSettings {
  /** Address of a mirror. */
  readonly mirror?: string | URL
  /** Contact address in the User-Agent, which api.weather.gov requires. */
  readonly contact?: string
  readonly limits?: HostLimits
  readonly bucketMirrors?: BucketMirrors
  /** Clock that decides when a failed address is tried again; only tests set it. */
  readonly clock?: () => number
  /** Maximum total size of all bodies in transit, bytes; only tests set it. */
  readonly maxInTransit?: number
  /** Makes the requests in place of HTTP; only tests set it. */
  readonly exchange?: typeof exchange
  /** Waits for a time; only tests set it. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export function openUpstream(settings: UpstreamSettings = {}): Upstream {
  const mirror = settings.mirror ? String(settings.mirror).replace(/(?<!\/)\/+$/, '') : undefined
  const agent = `hexcast/0.1 (${settings.contact ?? 'no contact set'})`
  const polite = hostLimiter(mirror !== undefined, settings.limits, settings.sleep)
  const budget = { remaining: settings.maxInTransit ?? MAX_IN_TRANSIT }
  const counts: UpstreamCounts = { requests: 0, bytes: 0, retries: 0 }
  const request = settings.exchange ?? exchange

  async function ask(method: 'GET' | 'HEAD', url: string, options: GetOptions): Promise<RawReply> {
    const source = new URL(url)
    const target = mirror ? `${mirror}/${source.host}${source.pathname}${source.search}` : url
    const headers: Record<string, string> = {
      'user-agent': agent,
      accept: options.accept ?? '*/*',
      'accept-encoding': 'identity',
    }
    if (options.range) headers['range'] = `bytes=${options.range[0]}-${options.range[1] ?? ''}`
    // A weak ETag never matches If-Match (RFC 9110).
    if (options.ifMatch && !options.ifMatch.startsWith('W/')) headers['if-match'] = options.ifMatch
    if (options.ifNoneMatch) headers['if-none-match'] = options.ifNoneMatch
    if (options.ifModifiedSince) headers['if-modified-since'] = options.ifModifiedSince
    if (options.noCache) headers['cache-control'] = 'no-cache'
    const maxBytes = options.maxBytes ?? bodyBound(source, options.range)
    const send = async (attempt: number): Promise<RawReply> => {
      counts.requests++
      if (attempt > 0) counts.retries++
      let at = target
      for (let moves = 0; ; moves++) {
        const { idleMs = 30_000, range, urgent } = options
        const bounds = { idleMs, maxBytes, range, budget, urgent }
        const reply = await request(method, at, headers, bounds, options.signal).catch((error: unknown) => {
          throw error instanceof TooLong ? new Fault('Corrupt', error.message, { url }) : error
        })
        counts.bytes += reply.bytes.length
        const moved = moves < MAX_REDIRECTS ? redirectTarget(reply, at, mirror) : undefined
        if (!moved) return uncoded(url, reply, maxBytes)
        at = moved
        counts.requests++
      }
    }
    return polite.withRetries(source.host, options.attempts ?? 4, options.signal, send, options.urgent)
  }

  const upstream: Upstream = {
    mirror,
    counts,
    buckets: openBuckets(settings.bucketMirrors ?? {}, settings.clock),
    async get(url, options = {}) {
      const reply = await ask('GET', url, options)
      throwForStatus(url, reply, options)
      const { age, 'content-type': contentType } = reply.headers
      return {
        ...cutToRange(url, reply, options.range),
        ...(contentType && { contentType }),
        ...(age !== undefined && /^\d{1,9}$/.test(age) && { ageSeconds: Number(age) }),
      }
    },
    async list(bucket, prefix, options = {}) {
      const objects: Listed[] = []
      for (let token: string | undefined, pages = 0; ; pages++) {
        const query = new URLSearchParams({ 'list-type': '2', prefix })
        if (token) query.set('continuation-token', token)
        const url = `${bucket}/?${query}`
        const reply = await ask('GET', url, { ...options, accept: 'application/xml' })
        throwForStatus(url, reply, {})
        const page = readListing(new TextDecoder().decode(reply.bytes), url)
        for (const object of page.objects) objects.push(object)
        if (objects.length > MAX_LISTED) throw tooMany(url)
        if (!page.next) return objects
        if (page.next === token)
          throw new Fault(
            'Corrupt',
            `listing ${url}: the token of the next page must differ from that of this page, but is the same`,
          )
        token = page.next
        if (pages > MAX_PAGES)
          throw new Fault('Corrupt', `listing ${url}: must have at most ${MAX_PAGES} pages, but has more`)
      }
    },
    async head(url, options = {}) {
      const reply = await ask('HEAD', url, options)
      if (reply.status === 404 || reply.status === 403) return undefined
      throwForStatus(url, reply, {})
      const length = Number(reply.headers['content-length'])
      return {
        etag: reply.headers.etag,
        lastModified: reply.headers['last-modified'],
        size: Number.isFinite(length) ? length : undefined,
      }
    },
    close: async () => polite.close(),
  }
  return upstream
}

/** Maximum total size of all bodies in transit, bytes: 60 connections with the largest objects would need 20 GB. */
const MAX_IN_TRANSIT = 1 << 30

/**
 * Maximum size of a body by its kind, bytes. Each is several times the largest observed body (November 2026): an MRMS mosaic or a whole
 * file of 256 MB, a page of a listing, the alert feed with every alert of a tornado outbreak, a text product.
 */
const BODY_BOUNDS = { object: 320 << 20, listing: 16 << 20, document: 128 << 20, index: 16 << 20 }

/** A server that ignores the range sends the whole object, so the length of the range does not limit the body. */
function bodyBound(source: URL, range: GetOptions['range']): number {
  if (source.searchParams.has('list-type')) return BODY_BOUNDS.listing
  if (source.pathname.endsWith('.idx')) return BODY_BOUNDS.index
  const isObject = range !== undefined || isBucketHost(source.host) || /\.grib2(?:\.gz)?$/.test(source.pathname)
  return isObject ? BODY_BOUNDS.object : BODY_BOUNDS.document
}

/** Maximum number of pages of a listing; pages of S3 have 1,000 objects. */
const MAX_PAGES = 100

const MAX_REDIRECTS = 5

/**
 * Returns the target of a redirect. Only a redirect on the same host is followed, because another host did not publish the object, and
 * never one from https to http. A 302 is not followed, because NOMADS throttles with it.
 */
function redirectTarget({ status, headers }: RawReply, from: string, mirror: string | undefined): string | undefined {
  if ((status !== 301 && status !== 307 && status !== 308) || !headers.location) return undefined
  if (!URL.canParse(headers.location, from)) return undefined
  const [old, to] = [new URL(from), new URL(headers.location, from)]
  const sameHost = to.host === old.host && (to.protocol === 'https:' || to.protocol === old.protocol)
  const allowed = mirror ? to.origin === old.origin : sameHost
  return allowed ? to.href : undefined
}

function throwForStatus(url: string, reply: RawReply, options: GetOptions): void {
  const { status } = reply
  if (status === 200 || status === 206) return
  if (status === 304 && (options.ifNoneMatch || options.ifModifiedSince)) return
  const details = { url, status }
  if (status === 404 || (status === 403 && isAbsent(url, reply))) {
    throw new Fault(
      'NotYet',
      `${url}: status ${status}, so upstream has not published the object. Try again later.`,
      details,
    )
  }
  if (status === 410)
    throw new Fault('Gone', `${url}: status 410, so upstream has removed the object. Use a newer object.`, details)
  if (status === 412) {
    throw new Fault(
      'NotYet',
      `${url}: the ETag is no longer ${options.ifMatch}, because the object has changed since it was listed. List it again.`,
      {
        ...details,
        changed: true,
      },
    )
  }
  if (status === 416) {
    throw new Fault(
      'Corrupt',
      `${url}: status 416 for bytes ${options.range?.join('-')}, so the object is shorter than its index states. Read the index again.`,
      details,
    )
  }
  throw new Fault('Refused', `${url}: the status must be 200, but is ${status}. Try again later.`, details)
}

/**
 * Returns whether the reply means that the object is absent. A bucket that does not allow listing answers 403 for an absent object. A 403
 * of any other host is a rejection.
 */
function isAbsent(url: string, reply: RawReply): boolean {
  return (
    isBucketHost(new URL(url).host) || /<Code>AccessDenied/.test(Buffer.from(reply.bytes).toString('latin1', 0, 400))
  )
}

function cutToRange(url: string, reply: RawReply, range: GetOptions['range']): Reply {
  const etag = reply.headers.etag
  const lastModified = reply.headers['last-modified']
  const status = reply.status as Reply['status']
  if (!range || status === 304) {
    const size = status === 200 ? reply.bytes.length : undefined
    return { status, bytes: reply.bytes, etag, lastModified, size }
  }
  const [first, last] = range
  if (status === 200 && 'wholeLength' in reply)
    return { status: 206, bytes: reply.bytes, etag, lastModified, size: reply.wholeLength }
  if (status === 200) {
    const bytes = reply.bytes.subarray(first, last === undefined ? undefined : last + 1)
    return { status: 206, bytes, etag, lastModified, size: reply.bytes.length }
  }
  const contentRange = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(reply.headers['content-range'] ?? '')
  if (contentRange && Number(contentRange[1]) !== first) {
    throw new Fault('Corrupt', `${url}: the part must begin at byte ${first}, but begins at byte ${contentRange[1]}`, {
      url,
    })
  }
  const size = contentRange && contentRange[3] !== '*' ? Number(contentRange[3]) : undefined
  return { status, bytes: reply.bytes, etag, lastModified, size }
}
