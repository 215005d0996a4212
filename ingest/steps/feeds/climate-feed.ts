import PQueue from 'p-queue'
import { type ClimateKind, putRecords, putReports, putText, unreadTexts } from '../../../sql/queries/climate.ts'
import { markConfirmed } from '../../../sql/queries/feeds.ts'
import { climateLists, climateReports, productUrl } from '../../datasets/climate.ts'
import { readClimateReports } from '../../decode/text/cli.ts'
import { bbbOf } from '../../decode/text/correction.ts'
import { readTextItem, readTextList, type TextItem } from '../../decode/text/item.ts'
import { readTextProducts } from '../../decode/text/product.ts'
import { readLocations } from '../../decode/text/product-list.ts'
import { readRecords } from '../../decode/text/rer.ts'
import { issueTimes } from '../../decode/text/time.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { bbbRank } from '../../domain/text/order.ts'
import { DAY, HOUR } from '../../domain/time.ts'
import type { ClimateReport, RecordReport } from '../../domain/weather/climate.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { frozenCopy } from './conditional-read.ts'
import type { Feed, FeedDeps } from './feed.ts'

/**
 * Number of requests of a sweep. api.weather.gov also serves alerts and allows 240 requests a minute in total, so a sweep leaves most of
 * them to other feeds and the rest of a backlog to the next sweep. A mirror has no such limit.
 */
const LIVE_REQUESTS = 80
const MIRROR_REQUESTS = 10_000
const CONCURRENCY = 4
/** A list of a week has 2 MB; a text has at most 256 KB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024
/** Lists reach back about five days. */
const MAX_AGE = 10 * DAY

/** Counts requests down; `take` returns false when none is left. */
interface RequestBudget {
  remaining: number
  take(): boolean
}

/**
 * Reads the lists of daily climate reports and record event reports, then the texts that were not read before, newest
 * first.
 */
export const climateFeed: Feed = {
  id: climateReports.id,
  stateKey: climateReports.id,
  pollSeconds: climateReports.pollSeconds,
  async sweep(deps) {
    const { database, upstream, clock } = deps
    const budget: RequestBudget = {
      remaining: upstream.mirror === undefined ? LIVE_REQUESTS : MIRROR_REQUESTS,
      take() {
        return this.remaining-- > 0
      },
    }
    const notes: string[] = []
    const rejected: Record<string, number> = {}
    const frozen: Date[] = []
    for (const list of climateLists) {
      const listed = await listTexts(upstream, list, { budget, frozen, now: clock() })
      const fresh = listed.filter(({ issuedAt }) => clock() - issuedAt < MAX_AGE)
      const ids = new Set(
        await unreadTexts(
          database,
          fresh.map(({ id }) => id),
        ),
      )
      const unread = fresh.filter(({ id }) => ids.has(id)).sort((a, b) => b.issuedAt - a.issuedAt)
      let read = 0
      await inParallel(unread, async (text) => {
        if (!budget.take()) return
        const why = await readText(deps, list.kind, text)
        if (why === undefined) read++
        else {
          rejected[list.kind] = (rejected[list.kind] ?? 0) + 1
          notes.push(`${list.kind} ${text.id}: ${why}`)
        }
      })
      if (read > 0) notes.push(`${list.kind}: ${read} texts`)
    }
    const frozenAt = frozen.toSorted((a, b) => a.getTime() - b.getTime())[0]
    await markConfirmed(database, climateReports.id, { suspicious: false, rejected, frozenAt })
    return { notes }
  },
}

/**
 * Returns the items of the national list and, as far as the budget allows, of the lists of single stations.
 * @param sweep `frozen` receives the times of old copies that a cache returned
 */
async function listTexts(
  upstream: Upstream,
  list: (typeof climateLists)[number],
  { budget, frozen, now }: { readonly budget: RequestBudget; readonly frozen: Date[]; readonly now: number },
): Promise<TextItem[]> {
  const itemById = new Map<string, TextItem>()
  const read = async (url: string) => {
    const { bytes, ageSeconds } = await upstream.get(url, {
      accept: 'application/ld+json',
      attempts: 2,
      idleMs: 10_000,
      maxBytes: MAX_BODY_BYTES,
      noCache: true,
    })
    const frozenAt = frozenCopy(ageSeconds, Date.now())
    if (frozenAt) frozen.push(frozenAt)
    return new TextDecoder().decode(bytes)
  }
  budget.take()
  let fault: Fault | undefined
  try {
    for (const text of readTextList(await read(list.all)).items) itemById.set(text.id, text)
  } catch (error) {
    if (!isFault(error)) throw error
    fault = error
  }
  // The national list covers the last day or two. If it is available, each sweep also reads a few of the lists of
  // single stations for older items.
  budget.take()
  try {
    const codes = readLocations(await read(list.locations), list.locations).sort()
    const share = Math.min(codes.length, Math.floor(budget.remaining / (fault ? 1 : 3)))
    const from = codes.length > share ? (Math.floor(now / HOUR) * 31) % codes.length : 0
    const part = [...codes.slice(from), ...codes.slice(0, from)].slice(0, share)
    let failed = 0
    await inParallel(part, async (code) => {
      if (!budget.take()) return
      const url = `${list.locations}/${code}`
      try {
        for (const text of readTextList(await read(url)).items) itemById.set(text.id, text)
      } catch (error) {
        if (!isFault(error)) throw error
        failed++
        fault ??= error
      }
    })
    if (failed === part.length && part.length > 0 && itemById.size === 0) throw fault!
  } catch (error) {
    if (!isFault(error) || itemById.size === 0) throw error
  }
  return [...itemById.values()]
}

/**
 * @returns why the text has no usable items; undefined if items were stored
 * @throws Fault if upstream did not return the text
 */
async function readText(deps: FeedDeps, kind: ClimateKind, listed: TextItem): Promise<string | undefined> {
  const { database, upstream } = deps
  const url = productUrl(listed.id)
  const { bytes } = await upstream.get(url, {
    accept: 'application/ld+json',
    attempts: 2,
    idleMs: 10_000,
    maxBytes: MAX_BODY_BYTES,
  })
  let items: readonly Decoded[] = []
  let rejected: string | undefined
  try {
    items = decode(kind, readTextItem(new TextDecoder().decode(bytes)), listed)
  } catch (error) {
    if (!isFault(error, 'Corrupt')) throw error
    rejected = error.message.slice(0, 300)
  }
  await database.transaction(async (tx) => {
    const location = items[0]?.awips.slice(3) ?? ''
    const { id, office } = listed
    if (!(await putText(tx, { id, kind, location, office, issuedAt: new Date(listed.issuedAt), rejected }))) return
    for (const { order, reports, records } of items) {
      await putReports(tx, id, order, reports)
      await putRecords(tx, id, order, records)
    }
  })
  return rejected
}

interface Decoded {
  readonly awips: string
  readonly order: { readonly wmoAt: Date; readonly bbbRank: number }
  readonly reports: readonly ClimateReport[]
  readonly records: readonly RecordReport[]
}

function decode(kind: ClimateKind, text: string, { issuedAt, office }: TextItem): Decoded[] {
  return readTextProducts(text).map((product) => {
    if (product.office !== office) {
      throw new Fault('Corrupt', `climate text: the office must be ${office} as in the list, but is ${product.office}`)
    }
    const times = issueTimes(product, issuedAt)
    return {
      awips: product.awips,
      order: { wmoAt: new Date(times?.wmoAt ?? issuedAt), bbbRank: bbbRank(bbbOf(product)) },
      reports: kind === 'CLI' ? readClimateReports(product, issuedAt) : [],
      records: kind === 'RER' ? readRecords(product, issuedAt) : [],
    }
  })
}

/** Processes all items with limited concurrency; items that fail because of upstream are left for the next sweep. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const unlessFault = (error: unknown) => {
    if (!isFault(error)) throw error
  }
  await new PQueue({ concurrency: CONCURRENCY }).addAll(items.map((item) => () => work(item).catch(unlessFault)))
}
