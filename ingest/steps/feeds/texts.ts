import PQueue from 'p-queue'
import { lockChanges, putTextChanges } from '../../../sql/queries/changes.ts'
import { markConfirmed, markFailed, nextVersion, storeRejected } from '../../../sql/queries/feeds.ts'
import { addToOutbox, databaseNow } from '../../../sql/queries/outbox.ts'
import {
  type EndedText,
  endTexts,
  forgetUnlisted,
  knownItems,
  lockTexts,
  nextTextEnd,
  putIssues,
  putItem,
} from '../../../sql/queries/texts.ts'
import type { Queries } from '../../../sql/session.ts'
import { nwsTexts } from '../../datasets/texts.ts'
import { readTextItem, readTextList, readTexts, type TextItem } from '../../decode/text/item.ts'
import { type TextChanged, topics } from '../../domain/event.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { isWithinWindow, itemsToTry, MAX_AHEAD } from '../../domain/text/choice.ts'
import {
  officeKinds,
  type TextIssue,
  type TextList,
  textListName,
  textLists,
  textListUrl,
  wfoOf,
} from '../../domain/text/product.ts'
import type { Instant } from '../../domain/time.ts'
import { traceparent } from '../../ports/trace.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { readConditionally } from './conditional-read.ts'
import type { FeedDeps } from './feed.ts'
import { decoded, quarantineDocument, quarantineRows } from './quarantine-feed.ts'

type TextDeps = Pick<FeedDeps, 'database' | 'upstream' | 'notify' | 'quarantine'>

export interface TextSweep {
  /** Subjects whose newest issue changed. */
  readonly changed: readonly string[]
  readonly failed: readonly { readonly list: string; readonly why: string }[]
  /** Items that could not be read, by reason. */
  readonly rejected: Readonly<Record<string, number>>
  /** Lists that still have items for the next sweep. */
  readonly unfinished: readonly string[]
  readonly requests: number
  /** When the next text expires. */
  readonly nextEnd?: Instant
}

/** api.weather.gov allows us 4 requests a second, alerts included; two texts at a time leave room for alerts. */
const CONCURRENCY = 2
/** A first start has some 800 items to read. After this time the discussions are polled again before it continues. */
const SWEEP_BUDGET_MS = 45_000
/** Limit of a list; a week of AFDs of all offices has 2.5 MB. */
const MAX_LIST_BYTES = 16 * 1024 * 1024
const MAX_ITEM_BYTES = 1024 * 1024

/** Sweeps every list, first the discussions that expire within hours. New items are read, decoded and stored. */
export async function sweepTexts(
  deps: TextDeps,
  lists: readonly TextList[] = textLists,
  budgetMs = SWEEP_BUDGET_MS,
): Promise<TextSweep> {
  const deadline = performance.now() + budgetMs
  const sweep: Sweeping = { changed: new Set(), failed: [], rejected: {}, unfinished: [], requests: 0 }
  await expireTexts(deps)
  const over = () => performance.now() > deadline
  const backlogs: Backlog[] = []
  let away: Fault | undefined
  for (const list of lists) {
    try {
      // All lists are on one host, so if it is unreachable for one list, the others are skipped.
      if (away) throw away
      const backlog = await sweepList(deps, list, sweep, over)
      if (backlog) backlogs.push(backlog)
    } catch (error) {
      if (!isFault(error)) throw error
      if (sweep.failed.length > 0 && error.kind === 'Refused') away = error
      await markFailed(deps.database, textListName(list), error.message)
      await quarantineDocument(deps, nwsTexts.id, Date.now(), error, textListName(list))
      sweep.failed.push({ list: textListName(list), why: error.message })
    }
  }
  // The newest texts of every list are read first.
  for (const backlog of backlogs) await sweepBacklog(deps, backlog, sweep, over)
  if (sweep.changed.size > 0) deps.notify?.()
  const next = await nextTextEnd(deps.database)
  return { ...sweep, changed: [...sweep.changed].sort(), ...(next && { nextEnd: next.getTime() }) }
}

interface Sweeping {
  readonly changed: Set<string>
  readonly failed: { list: string; why: string }[]
  readonly rejected: Record<string, number>
  readonly unfinished: string[]
  requests: number
}

/** Returns the items of a list that are older than the newest of their offices. */
interface Backlog {
  readonly list: TextList
  readonly items: TextItem[]
  /** Confirms the list with its validators; until it is confirmed, the whole list is read at every poll. */
  readonly finish: (rejected: number) => Promise<void>
}

/** @returns older items, if there are any @throws Fault if the list cannot be read */
async function sweepList(
  deps: TextDeps,
  list: TextList,
  sweep: Sweeping,
  over: () => boolean,
): Promise<Backlog | undefined> {
  const { database } = deps
  const feed = textListName(list)
  sweep.requests++
  const read = await readConditionally(deps, feed, textListUrl(list), { accept: 'application/ld+json' })
  if (read.state === 'unchanged') return undefined
  const { bytes, validators } = read
  if (bytes.length > MAX_LIST_BYTES) {
    throw new Fault('Corrupt', `${feed}: the list must have at most ${MAX_LIST_BYTES} bytes, but has ${bytes.length}`)
  }
  const { items, unreadable } = await decoded(textListUrl(list), bytes, () =>
    readTextList(new TextDecoder().decode(bytes)),
  )
  const now = (await databaseNow(database)).getTime()
  const outcomes = await knownItems(
    database,
    items.filter((item) => isWithinWindow(list, item, now)).map(({ id }) => id),
  )
  const { newest, older } = itemsToTry(list, items, outcomes, now)
  const backlog = [...older]
  let rejected = 0
  let remaining = newest.length
  await inParallel(newest, over, async (office) => {
    let readAt: Instant | undefined
    for (const item of office) {
      if (readAt !== undefined && item.issuedAt < readAt) {
        backlog.push(item)
        continue
      }
      const outcome = await takeItem(deps, list, item, sweep)
      if (outcome === 'rejected') rejected++
      if (outcome === 'read') readAt = item.issuedAt
    }
    remaining--
  })
  const ahead = items.filter(({ issuedAt }) => issuedAt - now > MAX_AHEAD)
  const odd = [
    ...(unreadable > 0 ? [{ reason: 'unreadable_row', detail: `${unreadable} rows of ${feed}` }] : []),
    ...ahead.map(({ id, issuedAt }) => ({ reason: 'future', id, detail: new Date(issuedAt).toISOString() })),
  ]
  await quarantineRows(
    deps,
    nwsTexts.id,
    now,
    textListUrl(list),
    odd.map((row) => ({ id: feed, ...row })),
  )
  await database.transaction(async (tx) => {
    await forgetUnlisted(
      tx,
      feed,
      items.map(({ id }) => id),
    )
    await storeRejected(tx, 'text', odd)
    if (remaining === 0) await confirm(tx, backlog.length === 0, rejected)
  })
  // Rejected items are tried again at every poll, so the list is requested without validators.
  async function confirm(tx: Queries, isDone: boolean, rejected: number): Promise<void> {
    const known = isDone && rejected === 0 && validators
    await markConfirmed(tx, feed, {
      ...known,
      frozenAt: validators.frozenAt,
      suspicious: false,
      rejected: rejected > 0 ? { rejected } : {},
    })
  }
  if (remaining > 0) sweep.unfinished.push(feed)
  else if (backlog.length > 0)
    return { list, items: backlog, finish: (more) => database.transaction((tx) => confirm(tx, true, rejected + more)) }
  return undefined
}

async function sweepBacklog(deps: TextDeps, backlog: Backlog, sweep: Sweeping, over: () => boolean): Promise<void> {
  const { list, items, finish } = backlog
  let remaining = items.length
  let rejected = 0
  await inParallel(
    items.toSorted((a, b) => b.issuedAt - a.issuedAt),
    over,
    async (item) => {
      if ((await takeItem(deps, list, item, sweep)) === 'rejected') rejected++
      remaining--
    },
  )
  if (remaining > 0) sweep.unfinished.push(textListName(list))
  else await finish(rejected)
}

/** Processes items with limited concurrency until the time is up. */
async function inParallel<T>(
  items: readonly T[],
  over: () => boolean,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const unlessOver = async (item: T) => {
    if (!over()) await work(item)
  }
  await new PQueue({ concurrency: CONCURRENCY }).addAll(items.map((item) => () => unlessOver(item)))
}

/** Reads one item and stores its products. */
async function takeItem(
  deps: TextDeps,
  list: TextList,
  item: TextItem,
  sweep: Sweeping,
): Promise<'read' | 'ignored' | 'rejected'> {
  const { database, upstream } = deps
  sweep.requests++
  const row = { id: item.id, list: textListName(list), office: item.office, issuedAt: new Date(item.issuedAt) }
  try {
    const read = await readItem(upstream, list, item)
    const [first] = read.rejected
    const rows = read.rejected.map((rejection) => ({ ...rejection, id: item.id, source: read.text }))
    await quarantineRows(deps, nwsTexts.id, item.issuedAt, itemUrl(item), rows)
    return await database.transaction(async (tx) => {
      await lockTexts(tx)
      await storeRejected(
        tx,
        'text',
        read.rejected.map(({ reason, detail }) => ({ reason, id: item.id, detail })),
      )
      // A text with several products counts as read if at least one product is valid; the others are counted as
      // rejected.
      if (read.issues.length === 0 && first) return await refuse(tx, row, first.reason, first.detail, sweep)
      const outcome = read.issues.length > 0 ? 'read' : 'ignored'
      await putItem(tx, { ...row, outcome })
      const version = await nextVersion(tx)
      const stored = await putIssues(tx, item.id, read.issues, version)
      const now = await databaseNow(tx)
      const issued = stored.flatMap(({ part, subject, newest, current }) => {
        if (newest) sweep.changed.add(subject)
        return newest && current ? [{ part, message: issuedMessage(item.id, nth(read.issues, part), now) }] : []
      })
      await publish(tx, issued)
      return outcome
    })
  } catch (error) {
    if (!isFault(error)) throw error
    const reason = typeof error.details['reason'] === 'string' ? error.details['reason'] : 'unreachable'
    await quarantineDocument(deps, nwsTexts.id, Date.now(), error, item.id)
    return database.transaction(async (tx) => {
      if (error.kind === 'Corrupt') await storeRejected(tx, 'text', [{ reason, id: item.id, detail: error.message }])
      return refuse(tx, row, reason, error.message, sweep)
    })
  }
}

async function refuse(
  tx: Queries,
  row: Omit<Parameters<typeof putItem>[1], 'outcome'>,
  reason: string,
  detail: string,
  sweep: Sweeping,
): Promise<'rejected'> {
  sweep.rejected[reason] = (sweep.rejected[reason] ?? 0) + 1
  await putItem(tx, { ...row, outcome: 'rejected', reason, detail })
  return 'rejected'
}

const itemUrl = ({ id }: TextItem): string => `https://api.weather.gov/products/${id}`

async function readItem(upstream: Upstream, list: TextList, item: TextItem) {
  const reply = await upstream.get(itemUrl(item), {
    attempts: 2,
    idleMs: 10_000,
    maxBytes: MAX_ITEM_BYTES + 1,
    accept: 'application/ld+json',
  })
  if (reply.bytes.length > MAX_ITEM_BYTES) {
    throw new Fault(
      'Corrupt',
      `text ${item.id}: must have at most ${MAX_ITEM_BYTES} bytes, but has ${reply.bytes.length}`,
      {
        reason: 'too_large',
      },
    )
  }
  try {
    const text = readTextItem(new TextDecoder().decode(reply.bytes))
    return { ...readTexts(text, list, item), text }
  } catch (error) {
    const source = { url: itemUrl(item), bytes: reply.bytes }
    if (isFault(error)) throw new Fault(error.kind, error.message, { ...error.details, ...source }, error)
    // A bug in a decoder affects only this text and not the feed.
    const details = { reason: 'decoder_error', ...source }
    throw new Fault('Corrupt', `text ${item.id}: ${String(error).slice(0, 200)}`, details, error)
  }
}

/**
 * Expires texts by the database's clock; the timer calls it at the next expiration.
 * @returns when the next text expires
 */
export async function expireTexts(deps: Pick<TextDeps, 'database' | 'notify'>): Promise<Instant | undefined> {
  const ended = await deps.database.transaction(async (tx) => {
    await lockTexts(tx)
    const rows = await endTexts(tx, await nextVersion(tx))
    const now = await databaseNow(tx)
    await publish(
      tx,
      rows.map((row) => ({ part: row.part, message: expiredMessage(row, now) })),
    )
    return rows.length
  })
  if (ended > 0) deps.notify?.()
  return (await nextTextEnd(deps.database))?.getTime()
}

/** Adds changes to the outbox and to the log for resuming readers, in the caller's transaction. */
async function publish(tx: Queries, changes: readonly { part: number; message: TextMessage }[]): Promise<void> {
  if (changes.length === 0) return
  await lockChanges(tx)
  const ids = await addToOutbox(
    tx,
    changes.map(({ message }) => message),
  )
  await putTextChanges(
    tx,
    changes.map(({ part, message: { payload } }, i) => ({
      id: nth(ids, i),
      item: payload.id,
      part,
      payload,
      at: new Date(payload.at),
    })),
  )
}

type TextMessage = ReturnType<typeof issuedMessage>

function issuedMessage(id: string, issue: TextIssue, now: Date) {
  const { kind, office, awips, subject, mesoscale, issuedAt, expiresAt, currentUntil } = issue
  const payload: TextChanged = {
    id,
    kind,
    change: 'issued',
    wfo: officeKinds.includes(kind) ? wfoOf(office) : null,
    awips,
    ...(mesoscale && { number: mesoscale.number }),
    issued_at: new Date(issuedAt).toISOString(),
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    current_until: new Date(currentUntil).toISOString(),
    at: now.toISOString(),
  }
  return { topic: topics.texts.name, key: subject, payload, trace: traceparent() }
}

function expiredMessage(row: EndedText, now: Date) {
  const payload: TextChanged = {
    id: row.id,
    kind: row.kind,
    change: 'expired',
    wfo: row.wfo,
    awips: row.awips,
    ...(row.number !== null && { number: row.number }),
    issued_at: row.issued_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    current_until: row.current_until.toISOString(),
    at: now.toISOString(),
  }
  return { topic: topics.texts.name, key: row.subject, payload, trace: traceparent() }
}
