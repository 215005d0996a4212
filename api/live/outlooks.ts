import { datasetOf, outlookFiles } from '../../ingest/catalog.ts'
import { topics } from '../../ingest/domain/event.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { mapPaced } from '../../ingest/domain/pacer.ts'
import { type Shape, shapeCovers, shapeOfWkb } from '../../ingest/domain/shape/shape.ts'
import { type Instant, isoSeconds, SECOND } from '../../ingest/domain/time.ts'
import { type Hazard, riskLabel } from '../../ingest/domain/weather/outlook.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { type FeedState, feedStates, oldCopyOf } from '../../sql/queries/feeds.ts'
import { type OutlookLevelRow, outlookIssues } from '../../sql/queries/outlooks.ts'
import { readSnapshot } from '../../sql/queries/versions.ts'
import type { FeedAge, MetaWarning, OutlookAtPoint, OutlooksAtPoint, PointAt } from '../contract.ts'
import { coalesced } from './coalesced.ts'
import type { ServedStates } from './served-states.ts'
import type { LiveDeps, LiveSource } from './source.ts'

export interface OutlookArea extends Omit<OutlookLevelRow, 'wkb'> {
  readonly shape: Shape
}

export interface StoredOutlookIssue {
  readonly product: string
  readonly day: number
  readonly hazard: Hazard
  readonly valid: Instant
  readonly expires: Instant
  readonly issued: Instant | undefined
  readonly levels: readonly OutlookArea[]
}

const OUTLOOKS = datasetOf('outlooks').id

const UNREAD = new Fault('Missing', 'no SPC outlook has been read yet')

export interface OutlookWatch {
  at(point: PointAt): Promise<OutlooksAtPoint>
  /** Every stored issue that has not expired. @throws Fault Missing before the first read */
  issues(now: Instant): readonly StoredOutlookIssue[]
  /** Reasons why the outlooks may be incomplete or old. */
  warnings(now: Instant): readonly MetaWarning[]
  /** When the newest issue was issued; empty before the first read. */
  age(): readonly FeedAge[]
  onChange(listener: () => void): void
  read(): Promise<void>
  close(): Promise<void>
}

/** Opens the SPC outlooks. Their areas are large, so a new issue invalidates every cached answer. */
export async function openOutlooks(deps: LiveDeps): Promise<OutlookWatch & LiveSource> {
  const { database, events, clock, current, states } = deps
  const report = deps.report('outlooks could not be read')
  const watch = await watchOutlooks({ database, events, clock, states, report })
  watch.onChange(() => current.invalidate('outlooks'))
  return { ...watch, suppliers: { outlooks: watch.at }, ages: watch.age }
}

/** Prefix of the names of the feeds of outlooks, and the name of this source in the records of served states. */
const FEEDS = 'spc/'
const POLL_INTERVAL_MS = 5000
const UNCONFIRMED_AFTER_MS = 15 * SECOND

/** Parses an issue. Parsing the shapes of all issues together takes 40 ms. */
function issueOf(row: Awaited<ReturnType<typeof outlookIssues>>[number]): StoredOutlookIssue {
  return {
    product: row.product,
    day: row.day,
    hazard: row.hazard as Hazard,
    valid: row.valid_at?.getTime() ?? 0,
    expires: row.expires_at?.getTime() ?? 0,
    issued: row.issued_at?.getTime(),
    levels: row.levels.map(({ wkb, ...level }) => ({ ...level, shape: shapeOfWkb(wkb) })),
  }
}

/**
 * Keeps the outlooks in force in memory, about a hundred areas. It reads at every new issue, and polls every five
 * seconds.
 */
export async function watchOutlooks(deps: {
  readonly database: Database
  readonly events?: Events
  readonly clock: () => Instant
  readonly states?: ServedStates
  readonly report?: (error: unknown) => void
}): Promise<OutlookWatch> {
  const { database, clock } = deps
  const listeners: (() => void)[] = []
  let issues: readonly StoredOutlookIssue[] = []
  let feeds: readonly FeedState[] = []
  let loadedStates: ReadonlyMap<string, string> = new Map()
  let readAt = 0
  const read = coalesced(async () => {
    const next = await readSnapshot(database, async (tx, snapshot) => {
      const { feeds } = await feedStates(tx, FEEDS)
      const states = new Map(feeds.map((feed) => [productOf(feed), stateText(feed)]))
      const products = new Set([...states.keys(), ...loadedStates.keys()])
      const changed = [...products].filter((product) => states.get(product) !== loadedStates.get(product))
      const rows = changed.length > 0 ? await outlookIssues(tx, changed) : []
      return { feeds, states, changed, snapshot, rows }
    })
    const { changed } = next
    const newIssues = await mapPaced(next.rows, issueOf)
    readAt = clock()
    feeds = next.feeds
    deps.states?.serve(FEEDS, next.snapshot, changed.length > 0)
    if (changed.length === 0) return
    issues = [...issues.filter(({ product }) => !changed.includes(product)), ...newIssues].sort((a, b) =>
      a.product < b.product ? -1 : 1,
    )
    loadedStates = next.states
    for (const listener of listeners) listener()
  })
  const readQuietly = () => read().catch((error) => deps.report?.(error))
  const subscription = await deps.events?.subscribe(topics.runs.name, ({ payload }) =>
    (payload as { dataset?: string }).dataset === OUTLOOKS ? readQuietly() : undefined,
  )
  await read()
  const timer = setInterval(readQuietly, POLL_INTERVAL_MS)
  timer.unref()

  /** Issues that have not expired. @throws Fault Missing before the first read */
  const unexpired = (now: Instant): StoredOutlookIssue[] => {
    if (!feeds.some((feed) => feed.confirmed_at !== null)) throw UNREAD
    return issues.filter((issue) => issue.expires > now)
  }
  const warnings = (now: Instant) => warningsOf(feeds, now - readAt > UNCONFIRMED_AFTER_MS)
  /** When the newest issue was issued; 0 without issues. */
  const newestIssue = () => Math.max(0, ...issues.map((issue) => issue.issued ?? 0))
  return {
    warnings,
    issues: unexpired,
    async at({ lat, lon, now }) {
      const current = unexpired(now)
      const outlooks = outlooksAt(current, lat, lon, knownIntensities(feeds, current))
      // While some outlooks have not been read yet, an empty result does not mean that there is no risk.
      const unread = unreadText(feeds)
      if (unread && outlooks.length === 0) throw new Fault('Missing', unread)
      const changes = outlooks.flatMap(({ valid, expires }) => [valid, expires]).filter((at) => at > now)
      return {
        outlooks,
        nextChange: changes.length > 0 ? Math.min(...changes) : undefined,
        warnings: warnings(now),
        freshness: [
          {
            source: OUTLOOKS,
            product_id: OUTLOOKS,
            referenceTime: newestIssue() || undefined,
            latestValid: Math.max(0, ...issues.map((issue) => issue.expires)) || undefined,
          },
        ],
        degraded: warnings(now).length > 0,
      }
    },
    age: () => (newestIssue() > 0 ? [{ dataset: OUTLOOKS, domain: 'conus', at: newestIssue() }] : []),
    onChange: (listener) => void listeners.push(listener),
    read,
    async close() {
      clearInterval(timer)
      await subscription?.close()
    },
  }
}

const productOf = ({ feed }: FeedState): string => feed.slice(FEEDS.length)

/** Returns the members of the state of a feed on which answers depend. */
function stateText(state: FeedState): string {
  const { version, born, failure, confirmed_at } = state
  return [version, born.getTime(), failure === null, confirmed_at === null, oldCopyOf(state) === undefined].join(' ')
}

/** A text about the SPC products that have not been read yet; undefined if all have been read. */
function unreadText(feeds: readonly FeedState[]): string | undefined {
  const products = new Set(feeds.map(productOf))
  const unread = outlookFiles.filter(({ product }) => !products.has(product)).length
  return unread > 0 ? `${unread} of ${outlookFiles.length} SPC products have not been read yet` : undefined
}

/** Matches the names of the files of significant areas (conditional intensity); its groups are the day and the hazard. */
const INTENSITY_PRODUCT = /^day(\d)otlk_cig(torn|hail|wind|prob)$/
const intensityHazards: Readonly<Record<string, Hazard>> = {
  torn: 'tornado',
  hail: 'hail',
  wind: 'wind',
  prob: 'severe',
}

/**
 * Returns the days and hazards, such as `1 tornado`, for which it is known where significant weather is possible: their file was read, or an
 * issue of it is in force. For `severe`, which covers all hazards, this must be true of all files of the day.
 */
function knownIntensities(feeds: readonly FeedState[], issues: readonly StoredOutlookIssue[]): ReadonlySet<string> {
  const inForce = new Set(issues.map(({ product }) => product))
  const read = new Set(feeds.flatMap((feed) => (feed.failure || !feed.confirmed_at ? [] : [productOf(feed)])))
  const known = new Set<string>()
  const unknownDays = new Set<string>()
  for (const { product } of outlookFiles) {
    const [, day, part] = INTENSITY_PRODUCT.exec(product) ?? []
    if (day === undefined || part === undefined) continue
    if (inForce.has(product) || read.has(product)) known.add(`${day} ${intensityHazards[part]}`).add(`${day} severe`)
    else unknownDays.add(day)
  }
  for (const day of unknownDays) known.delete(`${day} severe`)
  return known
}

/** Products that a warning names; there are more than fifty. */
const MAX_NAMED = 3

/** The first products by name, and how many more there are. */
function namesOf(products: readonly string[]): string {
  const sorted = products.toSorted()
  const more = sorted.length - MAX_NAMED
  return `${sorted.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Reasons why the outlooks may be incomplete or old. */
function warningsOf(feeds: readonly FeedState[], isUnconfirmed: boolean): MetaWarning[] {
  const section = 'outlooks'
  const warnings: MetaWarning[] = []
  const unread = unreadText(feeds)
  if (unread) warnings.push({ code: 'source_incomplete', section, detail: unread })
  const failed = feeds.filter(({ failure }) => failure !== null).map(productOf)
  if (failed.length > 0) {
    const detail = `could not be read just now, the last known outlooks are shown: ${namesOf(failed)}`
    warnings.push({ code: 'feed_unconfirmed', section, product_id: OUTLOOKS, detail })
  }
  const old = feeds.filter((feed) => oldCopyOf(feed) !== undefined).map(productOf)
  if (old.length > 0) {
    const detail = `a cache serves old copies, and newer outlooks may be missing: ${namesOf(old)}`
    warnings.push({ code: 'stale_source', section, product_id: OUTLOOKS, detail })
  }
  if (isUnconfirmed) {
    const detail = 'the database cannot be reached: the last known outlooks are shown'
    warnings.push({ code: 'degraded', section, detail })
  }
  return warnings
}

/** A level of an issue whose area contains a point. */
interface Hit {
  readonly issue: StoredOutlookIssue
  readonly level: OutlookArea
}

/** Returns one outlook for each day and hazard, with the highest level that contains the point. */
function outlooksAt(
  issues: readonly StoredOutlookIssue[],
  lat: number,
  lon: number,
  knownIntensity: ReadonlySet<string>,
): OutlookAtPoint[] {
  const hits = issues.flatMap((issue) =>
    issue.levels.filter(({ shape }) => shapeCovers(shape, lon, lat)).map((level): Hit => ({ issue, level })),
  )
  const groups = Map.groupBy(hits, ({ issue }) => `${issue.day} ${issue.hazard}`)
  const outlooks: OutlookAtPoint[] = []
  for (const group of groups.values()) {
    const probability = highest(group, 'probability')
    const main = highest(group, 'category') ?? probability
    if (!main) continue
    const { day, hazard } = main.issue
    // A categorical outlook covers all hazards of severe storms.
    const related = hazard === 'severe' ? hits.filter(({ issue }) => issue.day === day) : group
    const intensity = highest(related, 'intensity')?.level
    // If the file of significant areas has not been read, it is not known whether the place is in one.
    const isKnown = intensity !== undefined || knownIntensity.has(`${day} ${hazard}`)
    outlooks.push(outlookOf(main, probability?.level, intensity, isKnown))
  }
  const order: readonly string[] = ['severe', 'tornado', 'hail', 'wind', 'fire', 'dry_thunderstorm']
  return outlooks.sort((a, b) => a.day - b.day || order.indexOf(a.type) - order.indexOf(b.type))
}

/** Returns the hit with the highest rank on a scale; of equal ranks the first. */
function highest(hits: readonly Hit[], scale: OutlookArea['scale']): Hit | undefined {
  return hits
    .filter(({ level }) => level.scale === scale)
    .reduce<Hit | undefined>((best, hit) => (best && best.level.rank >= hit.level.rank ? best : hit), undefined)
}

function outlookOf(
  { issue, level }: Hit,
  probability: OutlookArea | undefined,
  intensity: OutlookArea | undefined,
  isIntensityKnown: boolean,
): OutlookAtPoint {
  const { product, day, hazard, valid, expires } = issue
  const share = probability && probability.rank / 100
  const label = riskLabel(level, hazard, day)
  return {
    product_id: product,
    type: hazard,
    day,
    risk: level.label,
    riskLabel: label,
    probability: share,
    significant: isIntensityKnown ? intensity !== undefined : undefined,
    valid,
    expires,
    rest: {
      product_id: product,
      type: hazard,
      day,
      risk: level.label,
      risk_label: label,
      ...(share !== undefined && { probability: share }),
      ...(isIntensityKnown && { significant: intensity !== undefined }),
      ...(isIntensityKnown && intensity && { intensity_group: intensity.rank }),
      valid: isoSeconds(valid),
      expires: isoSeconds(expires),
    },
  }
}
