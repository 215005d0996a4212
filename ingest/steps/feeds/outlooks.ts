import PQueue from 'p-queue'
import {
  feedState,
  markAbsent,
  markConfirmed,
  markFailed,
  markUnchanged,
  nextVersion,
} from '../../../sql/queries/feeds.ts'
import { addToOutbox, databaseNow } from '../../../sql/queries/outbox.ts'
import { lockOutlooks, putIssue, storedIssue } from '../../../sql/queries/outlooks.ts'
import type { OutlookFile } from '../../datasets/spc.ts'
import { readOutlook } from '../../decode/outlook/spc-geojson.ts'
import { readPoints } from '../../decode/outlook/spc-pts.ts'
import { topics } from '../../domain/event.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { MINUTE } from '../../domain/time.ts'
import type { OutlookIssue } from '../../domain/weather/outlook.ts'
import type { Database } from '../../ports/database.ts'
import { traceparent } from '../../ports/trace.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { digestOf, frozenCopy } from './conditional-read.ts'
import type { FeedDeps } from './feed.ts'
import { decoded, quarantineDocument } from './quarantine-feed.ts'

export interface OutlookPorts extends Pick<FeedDeps, 'quarantine'> {
  readonly database: Database
  readonly upstream: Upstream
  readonly notify?: () => void
}

export interface OutlookSweep {
  /** Products whose current issue has changed. */
  readonly changed: readonly string[]
  readonly failed: readonly { readonly product: string; readonly why: string }[]
}

/** A points product, and its validators. */
interface OutlookText extends Pick<OutlookReading, 'digest' | 'frozenAt'> {
  readonly issues: readonly OutlookIssue[]
}

/** The result of a read that `markConfirmed` stores. */
interface OutlookReading {
  readonly etag?: string
  readonly digest: string
  /** Time of a copy that a cache returned, which is too old to be current. */
  readonly frozenAt?: Date
}

const CONCURRENCY = 4
const dataset = 'spc-outlooks'
export const feedOf = (product: string) => `spc/${product}`

/**
 * Sweeps the outlook files: requests each conditionally, and stores it in place of the previous issue. If a file fails or is invalid, the
 * points product of its day is read instead. A file that is not published is not stored, and is no failure.
 */
export async function sweepOutlooks(ports: OutlookPorts, files: readonly OutlookFile[]): Promise<OutlookSweep> {
  const changed: string[] = []
  const failed: { product: string; why: string }[] = []
  const texts = new Map<string, Promise<OutlookText | undefined>>()
  const sweep = async (file: OutlookFile) => {
    const outcome = await sweepFile(ports, file, texts)
    if (outcome === 'changed') changed.push(file.product)
    else if (outcome !== 'same') failed.push({ product: file.product, why: outcome.message })
  }
  // A mirror allows its files to be read at any pace.
  const due = ports.upstream.mirror === undefined ? await takeTexts(ports, files, { changed, failed }) : files
  await new PQueue({ concurrency: CONCURRENCY }).addAll(due.map((file) => () => sweep(file)))
  if (changed.length > 0) ports.notify?.()
  return { changed: [...new Set(changed)].sort(), failed }
}

/**
 * Number of SPC files that a sweep reads: the robots.txt of the SPC asks for ten seconds between requests, and a sweep
 * has two minutes.
 */
const LIVE_FILES = 9
/** A file is read again after this time, ms, or sooner if only the text of its day is stored. */
const REREAD_MS = 30 * MINUTE
const REREAD_AFTER_TEXT_MS = 4 * MINUTE

/**
 * First reads the points text of each day, from another host that has no such limit, and stores texts that are newer. A
 * text that cannot be stored is a failure of its product only.
 * @returns the files to read in this sweep, beginning with the files that were not read for the longest time
 */
async function takeTexts(
  { upstream, database }: OutlookPorts,
  files: readonly OutlookFile[],
  { changed, failed }: { changed: string[]; failed: { product: string; why: string }[] },
): Promise<readonly OutlookFile[]> {
  const now = (await databaseNow(database)).getTime()
  const texts = new Map<string, Promise<OutlookText | undefined>>()
  const due: { file: OutlookFile; lookedAt: number }[] = []
  for (const file of files) {
    const [url] = file.points?.(now) ?? []
    if (url !== undefined && !texts.has(url)) texts.set(url, readText(upstream, [url]))
    const text = url === undefined ? undefined : await texts.get(url)
    const issue = text?.issues.find(({ product, expires }) => product === file.product && (expires ?? 0) > now)
    const stored = await storedIssue(database, file.product)
    const isNewer = (issue?.issued ?? 0) > (stored?.issued_at?.getTime() ?? 0)
    if (text && issue && isNewer) {
      try {
        if (await put(database, issue, 'points', text)) changed.push(file.product)
      } catch (error) {
        failed.push({ product: file.product, why: textFault(file.product, error).message })
      }
    }
    const lookedAt = (await feedState(database, feedOf(file.product)))?.looked_at?.getTime() ?? 0
    const isText = isNewer || stored === undefined || stored.source === 'points'
    // A text that was stored just now makes its file the most urgent.
    const since = isNewer && issue ? Number.NEGATIVE_INFINITY : lookedAt
    if (now - since >= (isText ? REREAD_AFTER_TEXT_MS : REREAD_MS)) due.push({ file, lookedAt: since })
  }
  return due
    .sort((a, b) => (a.lookedAt < b.lookedAt ? -1 : a.lookedAt > b.lookedAt ? 1 : 0))
    .slice(0, LIVE_FILES)
    .map(({ file }) => file)
}

/** Returns the fault of a product whose text cannot be stored. */
const textFault = (product: string, error: unknown) =>
  new Fault('Corrupt', `the text of ${product} could not be stored: ${String(error)}`.slice(0, 500))

async function sweepFile(
  ports: OutlookPorts,
  file: OutlookFile,
  texts: Map<string, Promise<OutlookText | undefined>>,
): Promise<'changed' | 'same' | Fault> {
  const { database } = ports
  const feed = feedOf(file.product)
  let fault: Fault
  try {
    return await readFile(ports, file)
  } catch (error) {
    // A bug in a decoder is also a failure of this file.
    fault = isFault(error) ? error : new Fault('Corrupt', `${file.product}: ${String(error)}`.slice(0, 500))
    await quarantineDocument(ports, dataset, Date.now(), fault, file.product)
  }
  const points = await fromPoints(ports, file, texts)
  if (points) {
    try {
      const did = await put(database, points.issue, 'points', points.text)
      return did ? 'changed' : 'same'
    } catch (error) {
      fault = textFault(file.product, error)
    }
  }
  // An unpublished file is a failure only if it existed before.
  const absent = fault.kind === 'NotYet' && !(await storedIssue(database, file.product))
  if (absent) {
    await markAbsent(database, feed)
    return 'same'
  }
  await markFailed(database, feed, fault.message)
  return fault
}

async function readFile({ database, upstream }: OutlookPorts, file: OutlookFile): Promise<'changed' | 'same'> {
  const feed = feedOf(file.product)
  const state = await feedState(database, feed)
  const trusted = state?.failure ? undefined : state
  let missing: Fault | undefined
  for (const [i, url] of file.urls.entries()) {
    try {
      // An ETag is valid for a single address, so the index of the address is stored with it.
      const tag = trusted?.etag?.startsWith(`${i}:`) ? trusted.etag.slice(2) : undefined
      const reply = await upstream.get(url, {
        ifNoneMatch: tag,
        attempts: 2,
        idleMs: 10_000,
        accept: 'application/json',
        noCache: true,
      })
      const frozenAt = frozenCopy(reply.ageSeconds, Date.now())
      if (reply.status === 304) {
        await markUnchanged(database, feed, frozenAt)
        return 'same'
      }
      const digest = digestOf(reply.bytes)
      if (trusted?.digest === digest) {
        await markUnchanged(database, feed, frozenAt)
        return 'same'
      }
      const issue = await decoded(url, reply.bytes, () =>
        readOutlook(new TextDecoder().decode(reply.bytes), file.product),
      )
      const etag = reply.etag && `${i}:${reply.etag}`
      const did = await put(database, issue, 'geojson', { etag, digest, frozenAt })
      return did ? 'changed' : 'same'
    } catch (error) {
      if (!isFault(error, 'NotYet')) throw error
      missing = error
    }
  }
  throw missing!
}

async function fromPoints(
  { upstream, database }: OutlookPorts,
  file: OutlookFile,
  texts: Map<string, Promise<OutlookText | undefined>>,
): Promise<{ issue: OutlookIssue; text: OutlookText } | undefined> {
  if (!file.points) return undefined
  const now = (await databaseNow(database)).getTime()
  const urls = file.points(now)
  const key = urls.join(' ')
  let reading = texts.get(key)
  if (!reading) texts.set(key, (reading = readText(upstream, urls)))
  const text = await reading
  const issue = text?.issues.find(({ product, expires }) => product === file.product && (expires ?? 0) > now)
  return text && issue && { issue, text }
}

async function readText(upstream: Upstream, urls: readonly string[]): Promise<OutlookText | undefined> {
  for (const url of urls) {
    try {
      const { bytes, ageSeconds } = await upstream.get(url, { attempts: 1, idleMs: 10_000, noCache: true })
      const issues = readPoints(new TextDecoder('latin1').decode(bytes))
      return { issues, digest: digestOf(bytes), frozenAt: frozenCopy(ageSeconds, Date.now()) }
    } catch {
      // Even a bug in the decoder affects only this text: the next text is read, or the files of its day.
    }
  }
  return undefined
}

/** @returns whether the stored issue changed */
async function put(
  database: Database,
  issue: OutlookIssue,
  source: 'geojson' | 'points',
  { etag, digest, frozenAt }: OutlookReading,
): Promise<boolean> {
  const read = { etag, digest, frozenAt, suspicious: false, rejected: {} }
  return database.transaction(async (tx) => {
    await lockOutlooks(tx)
    const feed = feedOf(issue.product)
    const stored = await storedIssue(tx, issue.product)
    const now = (await databaseNow(tx)).getTime()
    const older = stored?.issued_at && issue.issued !== undefined && issue.issued < stored.issued_at.getTime()
    const sameText = stored && source === 'points' && stored.issued_at?.getTime() === issue.issued
    // A replica of upstream may be behind. An expired issue is replaced by any other issue.
    if ((older && (stored.expires_at?.getTime() ?? 0) > now) || sameText) {
      await markConfirmed(tx, feed, { ...read, digest: sameText ? digest : undefined, etag: undefined })
      return false
    }
    const version = await nextVersion(tx)
    await putIssue(tx, issue, source, version)
    await markConfirmed(tx, feed, { ...read, version })
    await addToOutbox(tx, [
      {
        topic: topics.runs.name,
        key: dataset,
        payload: { dataset, run: new Date(issue.issued ?? now).toISOString(), at: new Date(now).toISOString() },
        trace: traceparent(),
      },
    ])
    return true
  })
}
