import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { AMOUNTS, type Amount, ANALYSES, type Analysis, hoursBetween } from '../../ingest/domain/dataset/history.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import { type Frame, openFrame, stateOfCode, viewPart } from '../../ingest/tile/frame-read.ts'
import { type OpenRun, openRun, type PointSeries, type ValueSource } from '../../ingest/tile/read.ts'
import { firstPublished, publishedBetween } from '../../sql/queries/history.ts'
import type { HistoryAtPoint, Messages, PastHour, PointAt, ScanRate, ScansAtPoint } from '../contract.ts'
import { messagesIn } from './messages.ts'
import { RATE } from './radar.ts'
import type { LiveDeps, LiveSource } from './source.ts'

/** A published run that is still stored. */
export interface StoredRun {
  readonly dataset: string
  readonly run: Instant
  readonly manifestKey: string
  /** When readers first got it. */
  readonly publishedAt: Instant
}

export interface HistorySource extends LiveSource {
  /** Runs of datasets with reference times in a period, both ends included, newest first; those of readers, not those being made. @throws Fault */
  runs(datasets: readonly string[], domain: DomainId, from: Instant, to: Instant): Promise<readonly StoredRun[]>
  /** A run's values at a cell; undefined where its grid does not reach the cell or the run was removed meanwhile. @throws Fault */
  point(run: StoredRun, cell: string): Promise<PointSeries | undefined>
  /** The first time of any of the datasets that is stored, in any domain. @throws Fault */
  first(datasets: readonly string[]): Promise<Instant | undefined>
}

/** Runs of eleven days of analyses, about 20 KB each. */
const MAX_OPEN_RUNS = 512
/** Three days of both passes in every domain; their units are not kept, the tables are 6 KB each. */
const MAX_OPEN_FRAMES = 432
const MAX_LISTS = 32
/** Between the scans that are read for what fell in the last hours: each costs a read of the object store where it rains around. */
const SCAN_SPACING_MS = 10 * MINUTE
/** Reads of the object store at once, over all requests. */
const CONCURRENT_READS = 32

/** Hours that have passed: analyses and accumulations that are still stored, of the runs that readers have by the pointers of `current`. */
export function openHistory(deps: Pick<LiveDeps, 'database' | 'objects' | 'current'>): HistorySource {
  const { database, objects, current } = deps
  const runs = new LRUCache<string, Promise<OpenRun>>({ max: MAX_OPEN_RUNS })
  const frames = new LRUCache<string, Promise<Frame>>({ max: MAX_OPEN_FRAMES })
  const lists = new LRUCache<string, Promise<readonly StoredRun[]>>({ max: MAX_LISTS })
  const reads = new PQueue({ concurrency: CONCURRENT_READS })
  let global = current.globalGeneration

  const once = <T>(cache: LRUCache<string, Promise<T>>, key: string, open: () => Promise<T>): Promise<T> => {
    // Another upstream may have stored other values under the same keys.
    if (global !== current.globalGeneration) {
      global = current.globalGeneration
      for (const one of [runs, frames, lists]) one.clear()
    }
    const known = cache.get(key)
    if (known) return known
    const opening = open()
    cache.set(key, opening)
    opening.catch(() => cache.peek(key) === opening && cache.delete(key))
    return opening
  }

  const published: HistorySource['runs'] = async (datasets, domain, from, to) => {
    const rows = await publishedBetween(database, datasets, domain, new Date(from), new Date(to))
    return rows
      .map(({ dataset, run, manifest_key, published_at }) => ({
        dataset,
        run: run.getTime(),
        manifestKey: manifest_key,
        publishedAt: published_at?.getTime() ?? run.getTime(),
      }))
      .filter(({ dataset, run }) => run <= (current.served(dataset, domain)?.run ?? Number.NEGATIVE_INFINITY))
  }

  const list: HistorySource['runs'] = (datasets, domain, from, to) => {
    const key = `${datasets.join()} ${domain} ${from} ${to} ${current.generation(domain)}`
    return once(lists, key, () => published(datasets, domain, from, to))
  }

  const point: HistorySource['point'] = async ({ manifestKey }, cell) => {
    try {
      const open = await once(runs, manifestKey, () => reads.add(() => openRun(objects, manifestKey)))
      return await reads.add(() => open.point(cell))
    } catch (error) {
      if (isFault(error, 'Missing')) return undefined
      throw error
    }
  }

  const messages = async ({ manifestKey }: StoredRun): Promise<Messages | undefined> => {
    try {
      const open = await once(runs, manifestKey, () => reads.add(() => openRun(objects, manifestKey)))
      return await reads.add(() => messagesIn(open))
    } catch (error) {
      if (isFault(error, 'Missing')) return undefined
      throw error
    }
  }

  /** mm, NaN without coverage, and the file; undefined where the frame was removed meanwhile. */
  const amountIn = async (
    manifestKey: string,
    { lat, lon }: PointAt,
  ): Promise<{ readonly mm: number; readonly source: ValueSource } | undefined> => {
    try {
      const frame = await once(frames, manifestKey, () => reads.add(() => openFrame(objects, manifestKey)))
      const pixel = pixelOf(frame.head.grid, lat, lon)
      const [x, y] = [Math.round(pixel.x), Math.round(pixel.y)]
      // Stored units are small, unpacked ones are 64 KB: of 144 frames none is kept unpacked.
      const part = await reads.add(() => frame.pick([{ left: x, top: y, right: x, bottom: y }]))
      const code = viewPart(part).code(x, y)
      const state = stateOfCode(code)
      const { source: url, sourceBytes: length = 0 } = frame.head
      const mm = state === 'value' ? frame.value(code) : state === 'dry' ? 0 : Number.NaN
      return { mm, source: { url, from: 0, length } }
    } catch (error) {
      if (isFault(error, 'Missing')) return undefined
      throw error
    }
  }

  /** The first source that has a value; a fault is remembered while the next source is tried. */
  const firstOf = async <Source, Value>(
    sources: readonly Source[],
    read: (source: Source) => Promise<Value | undefined>,
    failed: () => void,
  ): Promise<Value | undefined> => {
    for (const source of sources) {
      try {
        const value = await read(source)
        if (value !== undefined) return value
      } catch (error) {
        if (!isFault(error)) throw error
        failed()
      }
    }
    return undefined
  }

  /** Times of scans are the same for all points of a domain: one query for each new scan. */
  const scansBetween = (domain: DomainId, from: Instant, to: Instant) => {
    const key = `${RATE} ${domain} ${from} ${current.served(RATE, domain)?.run}`
    return once(lists, key, async () => scanTimes(await published([RATE], domain, from, to)))
  }

  const scansAt = async (at: PointAt, from: Instant): Promise<ScanRate[]> => {
    const scans = (await scansBetween(at.domain, from - SCAN_SPACING_MS, from + 3 * HOUR)).filter(
      ({ run }) => run <= at.now,
    )
    const rates = await Promise.all(
      scans.map(async ({ run: time, manifestKey }) => ({
        time,
        rate: (await amountIn(manifestKey, at))?.mm ?? Number.NaN,
      })),
    )
    return rates
  }

  const hoursAt = async (at: PointAt, from: Instant, to: Instant) => {
    const stored = new Map<Instant, StoredRun[]>()
    for (const one of await list([...ANALYSES, ...AMOUNTS], at.domain, from, to)) {
      if (one.run % HOUR === 0) stored.set(one.run, [...(stored.get(one.run) ?? []), one])
    }
    let unread = false
    const failed = () => {
      unread = true
    }
    const hourOf = async (time: Instant): Promise<PastHour> => {
      const own = (datasets: readonly string[]) =>
        datasets.flatMap((id) => stored.get(time)?.find(({ dataset }) => dataset === id) ?? [])
      const [analysis, amount] = await Promise.all([
        firstOf(
          own(ANALYSES),
          async (run) => {
            const series = await point(run, at.cell)
            if (!series || !isKnown(series, time)) return undefined
            return { dataset: run.dataset as Analysis, series, messages: () => messages(run) }
          },
          failed,
        ),
        firstOf(
          own(AMOUNTS),
          async ({ dataset, manifestKey }) => {
            const amount = await amountIn(manifestKey, at)
            return amount && { dataset: dataset as Amount, ...amount }
          },
          failed,
        ),
      ])
      return { time, analysis, amount }
    }
    const hours = await Promise.all(hoursBetween(from, to).map(hourOf))
    return { hours, unread }
  }

  return {
    suppliers: {
      history: async (at): Promise<HistoryAtPoint> => ({ hours: (from, to) => hoursAt(at, from, to) }),
      scans: async (at): Promise<ScansAtPoint> => ({ since: (from) => scansAt(at, from) }),
    },
    runs: list,
    point,
    first: async (datasets) => (await firstPublished(database, datasets))?.getTime(),
  }
}

/** Of scans, newest first, those at least ten minutes apart, ascending. */
function scanTimes(scans: readonly StoredRun[]): StoredRun[] {
  const chosen: StoredRun[] = []
  for (const scan of scans) {
    if (chosen.length === 0 || chosen[0]!.run - scan.run >= SCAN_SPACING_MS) chosen.unshift(scan)
  }
  return chosen
}

function isKnown({ variables }: PointSeries, time: Instant): boolean {
  const temperature = variables.get('temperature')
  const index = temperature ? temperature.times.indexOf(time) : -1
  return index >= 0 && !Number.isNaN(temperature!.values[index])
}
