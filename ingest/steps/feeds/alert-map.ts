import { isStanding, readMapMessage } from '../../decode/alert/map-message.ts'
import { type MapPage, type MapRow, readMapRows } from '../../decode/alert/map-rows.ts'
import type { Rejected } from '../../decode/alert/record.ts'
import type { AlertHead, AlertMessage } from '../../domain/alert/alert.ts'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { digestOf } from './conditional-read.ts'
import type { SecondRead } from './second-read.ts'

/**
 * Layers of the service: warnings of short duration, and all watches, warnings and advisories. Whether the second layer has every row of the
 * first is not documented, so both are read.
 */
const WARNINGS = 0
const ALL = 1
const FIELDS =
  'objectid,cap_id,prod_type,msg_type,phenom,sig,event,wfo,issuance,onset,expiration,ends,idp_filedate,idp_ingestdate'
const PAGE_ROWS = 1000
const MAX_PAGES = 20
/** Ids in one request for outlines; an address may have 2,000 characters. */
const IDS_PER_REQUEST = 15
/** Number of messages whose outlines a sweep reads. */
const MAX_MESSAGES = 600
/** The service simplifies outlines by up to 200 m, which makes those of zones about ten times smaller. */
const TOLERANCE_DEGREES = 0.002
const IDLE_MS = 5_000
const TOTAL_MS = 20_000

/** Returns whether an address is that of a map service (ArcGIS), not of an Atom index. */
export function isMapService(url: string): boolean {
  return /\/MapServer\/?$/.test(url)
}

/** Returns the address of a page of the rows of a layer, without outlines. */
export function mapListUrl(service: string, layer: number, offset = 0): string {
  return queryUrl(service, layer, {
    where: '1=1',
    outFields: FIELDS,
    returnGeometry: 'false',
    orderByFields: 'objectid',
    resultOffset: String(offset),
    resultRecordCount: String(PAGE_ROWS),
  })
}

function mapOutlineUrl(service: string, layer: number, ids: readonly string[]): string {
  return queryUrl(service, layer, {
    where: `cap_id IN (${ids.map((id) => `'${id}'`).join(',')})`,
    outFields: FIELDS,
    returnGeometry: 'true',
    outSR: '4326',
    geometryPrecision: '4',
    maxAllowableOffset: String(TOLERANCE_DEGREES),
  })
}

function queryUrl(service: string, layer: number, query: Readonly<Record<string, string>>): string {
  return `${service.replace(/\/$/, '')}/${layer}/query?${new URLSearchParams({ ...query, f: 'geojson' })}`
}

type Get = (url: string) => Promise<{ readonly bytes: Uint8Array; readonly ageSeconds?: number }>

/**
 * Reads the alerts that are not stored from NOAA's map service of watches and warnings, which is on a different host
 * from the feed. It has the name, office, times and outline of each alert, but neither texts nor zones. It only adds
 * alerts: it may lack rows, and at times it has none.
 * @throws Fault if neither layer can be read
 */
export async function readAlertMap(
  upstream: Upstream,
  service: string,
  stored: readonly AlertHead[],
): Promise<SecondRead> {
  const signal = AbortSignal.timeout(TOTAL_MS)
  const get: Get = (url) =>
    // A cache in front of the service stores copies by the Accept header, and copies for rare values may be empty.
    upstream.get(url, { attempts: 1, urgent: true, idleMs: IDLE_MS, signal, accept: '*/*', noCache: true })
  const lists = await Promise.allSettled([WARNINGS, ALL].map((layer) => listLayer(get, service, layer)))
  const read = lists.flatMap((list) => (list.status === 'fulfilled' ? [list.value] : []))
  const failures = lists.flatMap((list) => (list.status === 'rejected' ? [messageOf(list.reason)] : []))
  if (read.length === 0) throw new Fault('Refused', failures.join('; ').slice(0, 500))
  const byId = Map.groupBy(stored, (head) => nth(head.id.split('#', 1), 0))
  const layerOf = new Map<string, number>()
  for (const { layer, rows } of read) for (const { id } of rows) if (!layerOf.has(id)) layerOf.set(id, layer)
  const rows = read.flatMap((list) => list.rows)
  const fresh = new Set(rows.filter((row) => !byId.has(row.id) && isStanding(row)).map(({ id }) => id))
  const due = [...fresh].slice(0, MAX_MESSAGES)
  const { outlined, unread } = await readOutlines(get, service, due, layerOf)
  const messages: AlertMessage[] = []
  const rejected: Rejected[] = read.flatMap((list) => list.rejected)
  const listed = Map.groupBy(rows, ({ id }) => id)
  for (const id of due.filter((candidate) => !unread.has(candidate))) {
    // If its outline cannot be read, the alert is built from its list row.
    const parts = outlined.get(id) ?? (listed.get(id) as [MapRow, ...MapRow[]])
    const result = readMapMessage(parts)
    if (result.message) messages.push(follows(result.message, stored, layerOf))
    if (result.rejected) rejected.push({ ...result.rejected, id })
  }
  const remaining = fresh.size - due.length + unread.size
  const doubts = [...failures, ...(remaining > 0 ? [`${remaining} alerts of the second source remain to be read`] : [])]
  return {
    feed: { messages, rejected, updated: newest(read.map(({ updated }) => updated)) },
    standing: [...layerOf.keys()].flatMap((id) => byId.get(id) ?? []),
    addsOnly: true,
    ...(doubts.length > 0 && { doubt: doubts.join('; ').slice(0, 300) }),
    ageSeconds: Math.max(...read.map(({ ageSeconds }) => ageSeconds)),
  }
}

interface LayerRows {
  readonly layer: number
  readonly rows: readonly MapRow[]
  readonly rejected: readonly Rejected[]
  readonly updated?: Instant
  readonly ageSeconds: number
}

/** Reads all rows of a layer, page by page. @throws Fault Corrupt if the layer of all alerts has no rows, or the service repeats a page */
async function listLayer(get: Get, service: string, layer: number): Promise<LayerRows> {
  const pages: MapPage[] = []
  const digests = new Set<string>()
  let offset = 0
  let ageSeconds = 0
  for (let hasMore = true; hasMore; ) {
    const reply = await get(mapListUrl(service, layer, offset))
    const page = readMapRows(new TextDecoder().decode(reply.bytes))
    digests.add(digestOf(reply.bytes))
    pages.push(page)
    offset += page.count
    ageSeconds = Math.max(ageSeconds, reply.ageSeconds ?? 0)
    hasMore = page.hasMore
    if (hasMore && (page.count === 0 || digests.size < pages.length || pages.length >= MAX_PAGES))
      throw new Fault('Corrupt', `map of alerts: layer ${layer} has more rows, but page ${pages.length} adds none`)
  }
  const rows = pages.flatMap((page) => page.rows)
  if (layer === ALL && rows.length === 0)
    // Some alert is always in force in the country, but the service at times answers without rows.
    throw new Fault('Corrupt', 'map of alerts: must have rows, but has none', { reason: 'empty' })
  const rejected = pages.flatMap((page) => page.rejected)
  return { layer, rows, rejected, updated: newest(pages.map(({ updated }) => updated)), ageSeconds }
}

/** Reads the rows of messages with their outlines. @returns rows by id, and the ids of messages that could not be read */
async function readOutlines(
  get: Get,
  service: string,
  ids: readonly string[],
  layerOf: ReadonlyMap<string, number>,
): Promise<{ outlined: Map<string, [MapRow, ...MapRow[]]>; unread: Set<string> }> {
  const outlined = new Map<string, [MapRow, ...MapRow[]]>()
  const unread = new Set<string>()
  const read = async (layer: number, batch: readonly string[]): Promise<void> => {
    const { rows, hasMore } = await get(mapOutlineUrl(service, layer, batch)).then(({ bytes }) =>
      readMapRows(new TextDecoder().decode(bytes)),
    )
    // A message may have more zones than a page has rows; a request for half of the ids may fit.
    if (hasMore && batch.length > 1) {
      const half = Math.ceil(batch.length / 2)
      await Promise.all([read(layer, batch.slice(0, half)), read(layer, batch.slice(half))])
      return
    }
    for (const row of rows) {
      const others = outlined.get(row.id)
      if (others) others.push(row)
      else if (batch.includes(row.id)) outlined.set(row.id, [row])
    }
  }
  const batches = [...Map.groupBy(ids, (id) => layerOf.get(id) ?? ALL)].flatMap(([layer, list]) =>
    Array.from({ length: Math.ceil(list.length / IDS_PER_REQUEST) }, (_, i) => ({
      layer,
      batch: list.slice(i * IDS_PER_REQUEST, (i + 1) * IDS_PER_REQUEST),
    })),
  )
  await Promise.all(
    batches.map(async ({ layer, batch }) => {
      try {
        await read(layer, batch)
      } catch {
        for (const id of batch) unread.add(id)
      }
    }),
  )
  return { outlined, unread }
}

/**
 * Lets a message replace the stored messages of its VTEC event that were sent earlier and that the service no longer
 * lists. A follow-up names every area that remains in force, so the earlier message has ended if the areas of both are
 * known.
 */
function follows(
  message: AlertMessage,
  stored: readonly AlertHead[],
  listed: ReadonlyMap<string, unknown>,
): AlertMessage {
  const { head } = message
  const earlier = stored.filter(
    (other) =>
      other.sent < head.sent &&
      other.expiration >= head.sent &&
      other.status === head.status &&
      !listed.has(nth(other.id.split('#', 1), 0)) &&
      other.vtec.some((event) => head.vtec.some((mine) => eventOf(event) === eventOf(mine))),
  )
  return { ...message, head: { ...head, references: earlier.map(({ id }) => id) } }
}

const eventOf = ({ office, phenomenon, significance, etn }: AlertHead['vtec'][number]) =>
  `${office}.${phenomenon}.${significance}.${etn}`

const newest = (times: readonly (Instant | undefined)[]) =>
  times.reduce((last, at) => (at === undefined || (last !== undefined && last > at) ? last : at), undefined)

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
