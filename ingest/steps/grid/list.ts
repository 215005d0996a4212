import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { type Instant, MINUTE, runName, SECOND } from '../../domain/time.ts'
import type { Listed, Upstream } from '../../ports/upstream.ts'

/** A file as upstream lists it. */
export interface Available {
  readonly url: string
  /** Absent if there is no index; the messages are then located by their lengths. */
  readonly indexUrl?: string
  readonly etag?: string
  readonly size?: number
  /** Last modification, which distinguishes editions if a server gives no ETag. */
  readonly modified?: Instant
}

export interface SeenFiles {
  /** Files in ascending order of lead. */
  readonly files: readonly (Available & { leadHours: number })[]
  /** When the newest file was written. */
  readonly newest?: Instant
  /** Only for a mirror: the time since which this process has seen the list unchanged. */
  readonly unchangedSince?: Instant
}

/**
 * Lists the files that upstream has of a run in a domain. A file counts if its index is listed too. It also counts
 * alone if no file of the run has an index, or if its own index does not appear for {@link INDEX_WAIT_MS}.
 */
export async function look(
  upstream: Upstream,
  dataset: GridDataset,
  run: Instant,
  domain: DomainId,
  now: Instant,
  signal?: AbortSignal,
): Promise<SeenFiles> {
  const listing = await readFirst(upstream, dataset, run, domain, now, signal)
  if (!upstream.mirror) return listing
  return { ...listing, unchangedSince: watched(upstream, `${dataset.id}/${domain}/${run}`, listing, now) }
}

interface Sight {
  readonly what: string
  readonly since: Instant
}

/** Number of runs whose list a process remembers: two days of every dataset and domain. */
const MAX_SIGHTS = 2000
const sights = new WeakMap<Upstream, Map<string, Sight>>()

/**
 * A mirror may preserve the times of copied files, so only a change of its list shows that files are still arriving.
 */
function watched(upstream: Upstream, name: string, { files }: SeenFiles, now: Instant): Instant {
  let known = sights.get(upstream)
  if (!known) sights.set(upstream, (known = new Map()))
  const what = files.map(({ leadHours, etag }) => `${leadHours} ${etag}`).join()
  const before = known.get(name)
  const since = before?.what === what ? before.since : now
  known.delete(name)
  known.set(name, { what, since })
  if (known.size > MAX_SIGHTS) known.delete(known.keys().next().value!)
  return since
}

/**
 * Time after which the index of a file is no longer awaited. The file is then walked by the lengths of its messages.
 */
const INDEX_WAIT_MS = 10 * MINUTE
/** Longest wait for a listing, ms, if the bucket has a second address. */
const LISTING_MS = 20_000
/** Time after the usual time of a run's last file at which another address is checked for more files. */
const LATE_MS = 10 * MINUTE

/**
 * Lists from the first address of the bucket that answers. An address that does not answer, refuses or sends an HTML
 * page is skipped for two minutes. If the copy of a late run no longer grows at an address, an address with more files
 * is used.
 */
async function readFirst(
  upstream: Upstream,
  dataset: GridDataset,
  run: Instant,
  domain: DomainId,
  now: Instant,
  signal: AbortSignal | undefined,
): Promise<SeenFiles> {
  const { bucket } = dataset.listing(run, domain)
  const addresses = upstream.buckets.addressesOf(bucket, 'listing')
  if (addresses.length === 1) return read(upstream, dataset, run, domain, bucket, now, signal)
  const expected = dataset.leads(run, domain).length
  let best: { listing: SeenFiles; address: string } | undefined
  let failure: unknown
  for (const address of addresses) {
    const limit = AbortSignal.timeout(LISTING_MS)
    try {
      const stop = signal ? AbortSignal.any([signal, limit]) : limit
      const listing = await read(upstream, dataset, run, domain, address, now, stop)
      if (!best || listing.files.length > best.listing.files.length) best = { listing, address }
    } catch (error) {
      // If another store does not have the bucket, the first address is not at fault.
      if (isFault(error, 'NotYet') && best) continue
      const isUnavailable = limit.aborted || isFault(error, 'Refused') || isFault(error, 'Corrupt')
      if (signal?.aborted || !isUnavailable) throw error
      failure ??= error
      upstream.buckets.failed(address, 'listing', error instanceof Error ? error.message : String(error))
      continue
    }
    if (best.listing.files.length >= expected || now < run + dataset.latencySeconds * SECOND + LATE_MS) break
  }
  if (!best) throw failure
  const stale = failure === undefined ? `${runName(run)} is late there` : undefined
  upstream.buckets.answered(bucket, best.address, 'listing', stale)
  return best.listing
}

async function read(
  upstream: Upstream,
  dataset: GridDataset,
  run: Instant,
  domain: DomainId,
  bucket: string,
  now: Instant,
  signal: AbortSignal | undefined,
): Promise<SeenFiles> {
  const { prefix, nextPrefix } = dataset.listing(run, domain)
  try {
    const listing = fromListing(await upstream.list(bucket, prefix, { signal }), bucket, dataset, run, domain, now)
    const isWhole = listing.files.length >= dataset.leads(run, domain).length
    if (nextPrefix === undefined || isWhole) return listing
    const next = await upstream.list(bucket, nextPrefix, { signal }).catch((error: unknown) => {
      // The announced layout may not exist yet; then the listing of the present layout is enough.
      if (listing.files.length === 0 || !isFault(error)) throw error
      return []
    })
    return joined(listing, fromListing(next, bucket, dataset, run, domain, now))
  } catch (error) {
    // A plain file server has no S3 listing, so each file is probed.
    const noListing = isFault(error, 'Corrupt') || isFault(error, 'NotYet')
    if (!upstream.mirror || !noListing) throw error
    return probe(upstream, dataset, run, domain, signal)
  }
}

/**
 * Merges the files of a run that is listed in two layouts; if both have an hour, the file of the first layout is used.
 */
function joined(first: SeenFiles, next: SeenFiles): SeenFiles {
  const known = new Set(first.files.map(({ leadHours }) => leadHours))
  const files = [...first.files, ...next.files.filter(({ leadHours }) => !known.has(leadHours))]
  files.sort((a, b) => a.leadHours - b.leadHours)
  const times = [first.newest, next.newest].filter((time) => time !== undefined)
  return { files, ...(times.length > 0 && { newest: Math.max(...times) }) }
}

function fromListing(
  listed: readonly Listed[],
  bucket: string,
  dataset: GridDataset,
  run: Instant,
  domain: DomainId,
  now: Instant,
): SeenFiles {
  const byKey = new Map(listed.map((object) => [object.key, object]))
  const indexed = listed.some(({ key }) => key.endsWith('.idx'))
  const files: (Available & { leadHours: number })[] = []
  let newest: Instant | undefined
  for (const { key, etag, size, lastModified } of listed) {
    const leadHours = key.endsWith('.idx') ? undefined : dataset.leadOf(key, run, domain)
    if (leadHours === undefined) continue
    newest = Math.max(newest ?? Number.NEGATIVE_INFINITY, lastModified ?? Number.NEGATIVE_INFINITY)
    const hasIndex = byKey.has(`${key}.idx`)
    if (indexed && !hasIndex && !(now - (lastModified ?? now) > INDEX_WAIT_MS)) continue
    const url = `${bucket}/${key}`
    files.push({ url, indexUrl: hasIndex ? `${url}.idx` : undefined, etag, size, modified: lastModified, leadHours })
  }
  files.sort((a, b) => a.leadHours - b.leadHours)
  return { files, newest: newest === Number.NEGATIVE_INFINITY ? undefined : newest }
}

async function probe(
  upstream: Upstream,
  dataset: GridDataset,
  run: Instant,
  domain: DomainId,
  signal?: AbortSignal,
): Promise<SeenFiles> {
  const files: (Available & { leadHours: number })[] = []
  let newest: Instant | undefined
  const leads = dataset.leads(run, domain)
  await Promise.all(
    leads.map(async (leadHours) => {
      const { url, indexUrl } = dataset.file(run, domain, leadHours)
      const file = await upstream.head(url, { signal })
      if (!file) return
      const index = indexUrl && (await upstream.head(indexUrl, { signal }))
      const at = Date.parse(file.lastModified ?? '')
      const modified = Number.isNaN(at) ? undefined : at
      if (modified !== undefined) newest = Math.max(newest ?? modified, modified)
      files.push({ url, indexUrl: index ? indexUrl : undefined, etag: file.etag, size: file.size, modified, leadHours })
    }),
  )
  files.sort((a, b) => a.leadHours - b.leadHours)
  return { files, newest }
}
