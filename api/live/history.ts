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
  /** When the run was first served. */
  readonly publishedAt: Instant
}

export interface HistorySource extends LiveSource {
  /**
   * Published runs of datasets with reference times in a period including both ends, newest first. Runs newer than the
   * served run are omitted, because they are not complete. @throws Fault
   */
  runs(datasets: readonly string[], domain: DomainId, from: Instant, to: Instant): Promise<readonly StoredRun[]>
  /** A run's values at a cell; undefined if its grid does not reach the cell or the run has been removed meanwhile. @throws Fault */
  point(run: StoredRun, cell: string): Promise<PointSeries | undefined>
  /** The earliest stored time of any of the datasets, in any domain. @throws Fault */
  first(datasets: readonly string[]): Promise<Instant | undefined>
}

/** Number of open runs: eleven days of analyses, about 20 KB each. */
const MAX_OPEN_RUNS = 512
/**
 * Number of open frames: three days of both QPE passes in every domain, 6 KB of tables each. Decoded blocks are not
 * cached.
 */
const MAX_OPEN_FRAMES = 432
const MAX_LISTS = 32
/**
 * Minimum interval between scans that are read for the rain of the last hours, because near rain each scan costs a read
 * of the object store.
 */
const SCAN_SPACING_MS = 10 * MINUTE
/** Maximum number of concurrent reads of the object store, over all requests. */
const CONCURRENT_READS = 32

type HistoryDeps = Pick<LiveDeps, 'database' | 'objects' | 'current'>

/** Past hours: analyses and accumulations that are still stored, up to the runs that `current` serves. */
export function openHistory(deps: HistoryDeps): HistorySource {
  const { database, current } = deps
  const objects = new HistoryObjects(deps)

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
    return objects.list(key, () => published(datasets, domain, from, to))
  }

  /** Times of scans are the same for all points of a domain, so they are queried once for each new scan. */
  const scansBetween = (domain: DomainId, from: Instant, to: Instant) => {
    const key = `${RATE} ${domain} ${from} ${current.served(RATE, domain)?.run}`
    return objects.list(key, async () => scanTimes(await published([RATE], domain, from, to)))
  }

  const scansAt = async (at: PointAt, from: Instant): Promise<ScanRate[]> => {
    const scans = (await scansBetween(at.domain, from - SCAN_SPACING_MS, from + 3 * HOUR)).filter(
      ({ run }) => run <= at.now,
    )
    // A damaged scan counts as one that was not made.
    const rateOf = (manifestKey: string) =>
      objects.amount(manifestKey, at).catch((error: unknown) => {
        if (!isFault(error, 'Corrupt')) throw error
        return undefined
      })
    return Promise.all(
      scans.map(async ({ run: time, manifestKey }) => ({ time, rate: (await rateOf(manifestKey))?.mm ?? Number.NaN })),
    )
  }

  const hoursAt = async (at: PointAt, from: Instant, to: Instant) => {
    const stored = await list([...ANALYSES, ...AMOUNTS], at.domain, from, to)
    const byHour = Map.groupBy(stored, ({ run }) => run)
    let unread = false
    const onFault = () => {
      unread = true
    }
    const hours = await Promise.all(
      hoursBetween(from, to).map(async (time): Promise<PastHour> => {
        const runs = byHour.get(time) ?? []
        const [analysis, amount] = await Promise.all([
          analysisOf(objects, inOrder(runs, ANALYSES), at, onFault),
          amountOf(objects, inOrder(runs, AMOUNTS), at, onFault),
        ])
        return { time, analysis, amount }
      }),
    )
    return { hours, unread }
  }

  return {
    suppliers: {
      history: async (at): Promise<HistoryAtPoint> => ({ hours: (from, to) => hoursAt(at, from, to) }),
      scans: async (at): Promise<ScansAtPoint> => ({ since: (from) => scansAt(at, from) }),
    },
    runs: list,
    point: (run, cell) => objects.point(run, cell),
    first: async (datasets) => (await firstPublished(database, datasets))?.getTime(),
  }
}

/** Opened runs, frames and lists of runs. Each is loaded once and evicted when it is the least recently used. */
class HistoryObjects {
  readonly #objects: HistoryDeps['objects']
  readonly #current: HistoryDeps['current']
  readonly #runs = new LRUCache<string, Promise<OpenRun>>({ max: MAX_OPEN_RUNS })
  readonly #frames = new LRUCache<string, Promise<Frame>>({ max: MAX_OPEN_FRAMES })
  readonly #lists = new LRUCache<string, Promise<readonly StoredRun[]>>({ max: MAX_LISTS })
  readonly #reads = new PQueue({ concurrency: CONCURRENT_READS })
  #globalGeneration: number

  constructor({ objects, current }: HistoryDeps) {
    this.#objects = objects
    this.#current = current
    this.#globalGeneration = current.globalGeneration
  }

  list(key: string, load: () => Promise<readonly StoredRun[]>): Promise<readonly StoredRun[]> {
    return this.#once(this.#lists, key, load)
  }

  point(run: StoredRun, cell: string): Promise<PointSeries | undefined> {
    return unlessRemoved(async () => {
      const open = await this.#run(run)
      return this.#reads.add(() => open.point(cell))
    })
  }

  messages(run: StoredRun): Promise<Messages | undefined> {
    return unlessRemoved(async () => {
      const open = await this.#run(run)
      return this.#reads.add(() => messagesIn(open))
    })
  }

  /**
   * Returns the amount of a frame at a point (mm or mm/h, NaN without coverage) and its file; undefined if the frame
   * has been removed meanwhile.
   */
  amount(
    manifestKey: string,
    { lat, lon }: PointAt,
  ): Promise<{ readonly mm: number; readonly source: ValueSource } | undefined> {
    return unlessRemoved(async () => {
      const open = () => this.#reads.add(() => openFrame(this.#objects, manifestKey))
      const frame = await this.#once(this.#frames, manifestKey, open)
      const pixel = pixelOf(frame.head.grid, lat, lon)
      const [x, y] = [Math.round(pixel.x), Math.round(pixel.y)]
      // `pick` does not cache the decoded blocks, 64 KB each: 144 frames are read for a point.
      const part = await this.#reads.add(() => frame.pick([{ left: x, top: y, right: x, bottom: y }]))
      const code = viewPart(part).code(x, y)
      const state = stateOfCode(code)
      const { source: url, sourceBytes: length = 0, sourceSha256: sha256 } = frame.head
      const mm = state === 'value' ? frame.value(code) : state === 'dry' ? 0 : Number.NaN
      return { mm, source: { url, from: 0, length, ...(sha256 && { sha256 }) } }
    })
  }

  #run({ manifestKey }: StoredRun): Promise<OpenRun> {
    return this.#once(this.#runs, manifestKey, () => this.#reads.add(() => openRun(this.#objects, manifestKey)))
  }

  #once<T>(cache: LRUCache<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
    // A different upstream may have stored other values under the same keys.
    if (this.#globalGeneration !== this.#current.globalGeneration) {
      this.#globalGeneration = this.#current.globalGeneration
      for (const each of [this.#runs, this.#frames, this.#lists]) each.clear()
    }
    const cached = cache.get(key)
    if (cached) return cached
    const loading = load()
    cache.set(key, loading)
    loading.catch(() => cache.peek(key) === loading && cache.delete(key))
    return loading
  }
}

/** The result of a read; undefined if its object is no longer stored. */
async function unlessRemoved<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isFault(error, 'Missing')) return undefined
    throw error
  }
}

/** The runs of the datasets, in the order of the datasets. */
function inOrder(runs: readonly StoredRun[], datasets: readonly string[]): readonly StoredRun[] {
  return datasets.flatMap((id) => runs.find(({ dataset }) => dataset === id) ?? [])
}

function analysisOf(
  objects: HistoryObjects,
  runs: readonly StoredRun[],
  { cell }: PointAt,
  onFault: () => void,
): Promise<PastHour['analysis']> {
  const read = async (run: StoredRun) => {
    const series = await objects.point(run, cell)
    if (!series || !hasTemperature(series, run.run)) return undefined
    return { dataset: run.dataset as Analysis, series, messages: () => objects.messages(run) }
  }
  return firstValue(runs, read, onFault)
}

function amountOf(
  objects: HistoryObjects,
  runs: readonly StoredRun[],
  at: PointAt,
  onFault: () => void,
): Promise<PastHour['amount']> {
  const read = async ({ dataset, manifestKey }: StoredRun) => {
    const amount = await objects.amount(manifestKey, at)
    return amount && { dataset: dataset as Amount, ...amount }
  }
  return firstValue(runs, read, onFault)
}

/** The value of the first run that has one. A fault is reported, and the next run is tried. */
async function firstValue<Value>(
  runs: readonly StoredRun[],
  read: (run: StoredRun) => Promise<Value | undefined>,
  onFault: () => void,
): Promise<Value | undefined> {
  for (const run of runs) {
    try {
      const value = await read(run)
      if (value !== undefined) return value
    } catch (error) {
      if (!isFault(error)) throw error
      onFault()
    }
  }
  return undefined
}

/** Selects scans at least ten minutes apart, beginning with the newest. @param scans newest first @returns the selected scans, ascending */
function scanTimes(scans: readonly StoredRun[]): StoredRun[] {
  const selected: StoredRun[] = []
  for (const scan of scans) {
    const [earliest] = selected
    if (!earliest || earliest.run - scan.run >= SCAN_SPACING_MS) selected.unshift(scan)
  }
  return selected
}

function hasTemperature({ variables }: PointSeries, time: Instant): boolean {
  const temperature = variables.get('temperature')
  const index = temperature?.times.indexOf(time) ?? -1
  return !Number.isNaN(temperature?.values[index] ?? Number.NaN)
}
