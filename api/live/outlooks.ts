import { outlookFiles } from '../../ingest/catalog.ts'
import { topics } from '../../ingest/domain/event.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { mapPaced } from '../../ingest/domain/pacer.ts'
import { type Shape, shapeCovers, shapeOfWkb } from '../../ingest/domain/shape/shape.ts'
import { type Instant, isoSeconds, SECOND } from '../../ingest/domain/time.ts'
import { type Hazard, riskLabel } from '../../ingest/domain/weather/outlook.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { type FeedState, feedStates } from '../../sql/queries/feeds.ts'
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

const UNREAD = new Fault('Missing', 'no SPC outlook has been read yet')

export interface OutlookWatch {
  at(point: PointAt): Promise<OutlooksAtPoint>
  /** Every stored issue that has not expired. @throws Fault Missing before the first read */
  issues(now: Instant): readonly StoredOutlookIssue[]
  /** Where the outlooks may be incomplete or old. */
  warnings(now: Instant): readonly MetaWarning[]
  /** Time of the newest issue; empty before the first read. */
  age(): readonly FeedAge[]
  onChange(listener: () => void): void
  read(): Promise<void>
  close(): Promise<void>
}

/** SPC outlooks. Areas are large: a new issue invalidates every cached answer. */
export async function openOutlooks(deps: LiveDeps): Promise<OutlookWatch & LiveSource> {
  const { database, events, clock, current, states } = deps
  const report = deps.report('outlooks could not be read')
  const watch = await watchOutlooks({ database, events, clock, states, report })
  watch.onChange(() => current.invalidateAll())
  return { ...watch, suppliers: { outlooks: watch.at }, ages: watch.age }
}

/** Prefix of the names of its feeds, and its name where what is served is recorded. */
const FEEDS = 'spc/'
const POLL_INTERVAL_MS = 5000
const UNCONFIRMED_AFTER_MS = 15 * SECOND

/** The shapes of all issues together take 40 ms. */
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

/** Keeps the outlooks in force in memory, some hundred areas: reads at every new issue, and polls every few seconds. */
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
  let seen: ReadonlyMap<string, string> = new Map()
  let readAt = 0
  const read = coalesced(async () => {
    const found = await readSnapshot(database, async (tx, snapshot) => {
      const next = (await feedStates(tx, FEEDS)).feeds
      const marks = new Map(
        next.map(({ feed, version, born, failure, confirmed_at }) => [
          feed.slice(FEEDS.length),
          [version, born.getTime(), failure === null, confirmed_at === null].join(' '),
        ]),
      )
      const changed = [...new Set([...marks.keys(), ...seen.keys()])].filter((one) => marks.get(one) !== seen.get(one))
      return { next, marks, changed, snapshot, rows: changed.length > 0 ? await outlookIssues(tx, changed) : [] }
    })
    const { changed } = found
    const read = await mapPaced(found.rows, issueOf)
    readAt = clock()
    feeds = found.next
    deps.states?.serve(FEEDS, found.snapshot, changed.length > 0)
    if (changed.length === 0) return
    issues = [...issues.filter(({ product }) => !changed.includes(product)), ...read].sort((one, other) =>
      one.product < other.product ? -1 : 1,
    )
    seen = found.marks
    for (const listener of listeners) listener()
  })
  const readQuietly = () => read().catch((error) => deps.report?.(error))
  const subscription = await deps.events?.subscribe(topics.runs.name, ({ payload }) =>
    (payload as { dataset?: string }).dataset === 'spc-outlooks' ? readQuietly() : undefined,
  )
  await read()
  const timer = setInterval(readQuietly, POLL_INTERVAL_MS)
  timer.unref()

  /** Where the outlooks may be incomplete or old, and how many products were not read yet. */
  const trouble = (now: Instant) => {
    const coming = outlookFiles.filter(({ product }) => !feeds.some(({ feed }) => feed === `spc/${product}`)).length
    const still = `${coming} of ${outlookFiles.length} SPC products have not been read yet`
    const broken = feeds.filter((feed) => feed.failure !== null).map((feed) => feed.feed.slice(4))
    const about = { section: 'outlooks' }
    const list: MetaWarning[] = []
    if (coming > 0) list.push({ code: 'source_incomplete', ...about, detail: still })
    if (broken.length > 0) {
      const detail = `could not be read just now, what was known before is shown: ${broken.sort().join(', ')}`
      list.push({ code: 'feed_unconfirmed', ...about, product_id: 'spc-outlooks', detail })
    }
    if (now - readAt > UNCONFIRMED_AFTER_MS) {
      const detail = 'the database cannot be reached: these are the outlooks known before'
      list.push({ code: 'degraded', ...about, detail })
    }
    return { coming, still, list }
  }

  return {
    warnings: (now) => trouble(now).list,
    issues(now) {
      if (!feeds.some((feed) => feed.confirmed_at !== null)) throw UNREAD
      return issues.filter((issue) => issue.expires > now)
    },
    async at({ lat, lon, now }) {
      if (!feeds.some((feed) => feed.confirmed_at !== null)) throw UNREAD
      const here = outlooksAt(
        issues.filter((issue) => issue.expires > now),
        lat,
        lon,
      )
      const { coming, still, list: warnings } = trouble(now)
      // While some outlooks are not read yet, an empty result is not an all-clear.
      if (coming > 0 && here.length === 0) throw new Fault('Missing', still)
      const changes = here.flatMap(({ valid, expires }) => [valid, expires]).filter((at) => at > now)
      const issued = issues.map((issue) => issue.issued ?? 0)
      return {
        outlooks: here,
        nextChange: changes.length > 0 ? Math.min(...changes) : undefined,
        warnings,
        freshness: [
          {
            source: 'spc-outlooks',
            product_id: 'spc-outlooks',
            // Before the first issue is read nothing was issued.
            referenceTime: Math.max(0, ...issued) || undefined,
            latestValid: Math.max(0, ...issues.map((issue) => issue.expires)) || undefined,
          },
        ],
        degraded: warnings.length > 0,
      }
    },
    age: () => {
      const newest = Math.max(0, ...issues.map((issue) => issue.issued ?? 0))
      return newest > 0 ? [{ dataset: 'spc-outlooks', domain: 'conus', at: newest }] : []
    },
    onChange: (listener) => void listeners.push(listener),
    read,
    async close() {
      clearInterval(timer)
      await subscription?.close()
    },
  }
}

/** One outlook for each day and hazard, with the highest level that contains the point. */
function outlooksAt(issues: readonly StoredOutlookIssue[], lat: number, lon: number): OutlookAtPoint[] {
  const groups = new Map<string, { issue: StoredOutlookIssue; level: OutlookArea }[]>()
  for (const issue of issues) {
    for (const level of issue.levels) {
      if (!shapeCovers(level.shape, lon, lat)) continue
      const key = `${issue.day} ${issue.hazard}`
      groups.set(key, [...(groups.get(key) ?? []), { issue, level }])
    }
  }
  const intensityOf = (hits: readonly { level: OutlookArea }[]) => highest(hits, 'intensity')?.level
  const found: OutlookAtPoint[] = []
  for (const [key, hits] of groups) {
    const { day, hazard } = hits[0]!.issue
    const category = highest(hits, 'category')
    const probability = highest(hits, 'probability')
    const main = category ?? probability
    if (!main) continue
    // A categorical outlook covers all hazards of severe storms.
    const among =
      hazard === 'severe'
        ? [...groups].flatMap(([other, list]) => (other.startsWith(`${day} `) ? list : []))
        : (groups.get(key) ?? [])
    const intensity = intensityOf(among)
    const convective = hazard !== 'fire' && hazard !== 'dry_thunderstorm'
    found.push(outlook(main.issue, main.level, probability?.level, intensity, convective))
  }
  const order: readonly string[] = ['severe', 'tornado', 'hail', 'wind', 'fire', 'dry_thunderstorm']
  return found.sort((a, b) => a.day - b.day || order.indexOf(a.type) - order.indexOf(b.type))
}

function highest(
  hits: readonly { issue: StoredOutlookIssue; level: OutlookArea }[] | readonly { level: OutlookArea }[],
  scale: OutlookArea['scale'],
) {
  return (hits as readonly { issue: StoredOutlookIssue; level: OutlookArea }[])
    .filter(({ level }) => level.scale === scale)
    .reduce<{ issue: StoredOutlookIssue; level: OutlookArea } | undefined>(
      (best, hit) => (best && best.level.rank >= hit.level.rank ? best : hit),
      undefined,
    )
}

function outlook(
  issue: StoredOutlookIssue,
  level: OutlookArea,
  probability: OutlookArea | undefined,
  intensity: OutlookArea | undefined,
  convective: boolean,
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
    significant: convective ? intensity !== undefined : undefined,
    valid,
    expires,
    rest: {
      product_id: product,
      type: hazard,
      day,
      risk: level.label,
      risk_label: label,
      ...(share !== undefined && { probability: share }),
      ...(convective && { significant: intensity !== undefined }),
      ...(convective && intensity && { intensity_group: intensity.rank }),
      valid: isoSeconds(valid),
      expires: isoSeconds(expires),
    },
  }
}
