import { frameDatasets } from '../../ingest/catalog.ts'
import { cellOf, parentOf } from '../../ingest/domain/cell.ts'
import type { FrameReader } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { type RunPublished, topics } from '../../ingest/domain/event.ts'
import { NOTIFY_RESOLUTION } from '../../ingest/domain/shape/cover.ts'
import { type Instant, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { EventMessage, Events, Subscription } from '../../ingest/ports/events.ts'
import { revisionOfKey } from '../../ingest/tile/key.ts'
import { MOTION } from '../../ingest/tile/motion-file.ts'
import { type OpenRun, openRun, type TileObjects } from '../../ingest/tile/read.ts'
import { isSimulated } from '../../sql/queries/origin.ts'
import { type RunRow, type ServedRow, servedRuns, storedRuns } from '../../sql/queries/runs.ts'
import { readSnapshot } from '../../sql/queries/versions.ts'
import type { ServedRun } from '../contract.ts'
import { Invalidation, type SupplierName } from './invalidation.ts'
import type { ServedStates } from './served-states.ts'

/** The served runs, and what has changed, which shows whether a cached answer is still valid. */
export interface Current {
  served(dataset: string, domain: DomainId): ServedRun | undefined
  /** Earlier runs that are still stored, newest first. Only datasets in `withEarlier` have any. */
  earlier(dataset: string, domain: DomainId): readonly ServedRun[]
  /** The served run of every dataset and domain. */
  all(): Iterable<ServedRun>
  /** A counter that increases with each change of a domain's served runs, and of the frames that passed hours are read from. */
  generation(domain: DomainId): number
  /** Number of the last change; read before the data of an answer. */
  readonly mark: number
  /** Whether a part of an answer has changed after a mark. @param keys of `keysOf` */
  changedSince(mark: number, keys: readonly string[]): boolean
  /**
   * Invalidates cached answers that use a source, everywhere or at coarse cells. Call it after the changed data have been read.
   */
  invalidate(source: SupplierName, coarse?: readonly string[]): void
  /** Invalidates all cached answers. */
  invalidateAll(): void
  readonly globalGeneration: number
  /** Returns true while the stored data are simulated. */
  simulated(): boolean
  /** Time of the last successful read of the database. */
  confirmedAt(): Instant
  close(): Promise<void>
}

/** The coarse cells that contain a point: its cell of the notification resolution and all parents. They do not depend on the resolution of model cells. */
export function coarseCells(lat: number, lon: number): string[] {
  const notified = cellOf(lat, lon, NOTIFY_RESOLUTION)
  const cells = [notified]
  for (let resolution = NOTIFY_RESOLUTION - 1; resolution >= 0; resolution--) cells.push(parentOf(notified, resolution))
  return cells
}

const POLL_INTERVAL_MS = 3000

export interface CurrentDeps {
  readonly database: Database
  readonly objects: TileObjects
  readonly events?: Events
  readonly clock: () => Instant
  /** Datasets whose earlier runs supply the values of past hours. */
  readonly withEarlier?: readonly string[]
  readonly report?: (error: unknown) => void
  /** Records which state of the database is served; if absent, nothing is recorded. */
  readonly states?: ServedStates
  /** Called when a newer run of a dataset is served, with the seconds since its newest file appeared upstream. */
  readonly onAvailable?: (dataset: string, seconds: number) => void
}

/** The sources of answers that read the frames of a dataset. The echo motion is computed from radar frames. */
const readersOf: ReadonlyMap<string, readonly FrameReader[]> = new Map([
  ...frameDatasets.map(({ id, shownBy = [] }) => [id, shownBy] as const),
  [MOTION, ['nowcast']],
])

/** Name under which served runs are recorded. */
export const SERVED_RUNS = 'runs'
/**
 * Earlier runs are read with each new served run of their dataset and at this interval, because a run may be completed
 * or removed in between.
 */
const EARLIER_INTERVAL_MS = 5 * MINUTE
/** Number of earlier runs in memory for each dataset and domain, until the stored runs are read. */
const MAX_EARLIER_RUNS = 24

/** Keeps the served runs in memory. It reads them at every event, and polls every three seconds. */
export async function watchCurrent(deps: CurrentDeps): Promise<Current> {
  const { database, clock } = deps
  const pointers = new Pointers(deps)
  const { runs, earlierRuns, generations, invalidation } = pointers
  let confirmedAt = 0
  let globalGeneration = 0
  let simulated = false
  let earlierAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const invalidateAll = () => {
    globalGeneration++
    invalidation.everything()
  }

  const read = async () => {
    const revised = [...pointers.revised]
    const { rows, isSimulatedNow, earlier, snapshot } = await readSnapshot(database, async (tx, snapshot) => {
      const rows = await servedRuns(tx)
      const due = clock() - earlierAt >= EARLIER_INTERVAL_MS
      const earlier: [string, RunRow[]][] = []
      for (const dataset of deps.withEarlier ?? []) {
        const hasMoved = rows.some((row) => row.dataset === dataset && pointers.isNew(row))
        if (due || hasMoved) earlier.push([dataset, await storedRuns(tx, dataset)])
      }
      if (due) earlierAt = clock()
      return { rows, isSimulatedNow: (await isSimulated(tx)) ?? false, earlier, snapshot }
    })
    let changed = false
    for (const row of rows) changed = pointers.put(row) || changed
    changed = pointers.removeAbsent(rows) || changed
    for (const [dataset, storedRows] of earlier) changed = pointers.putEarlier(dataset, storedRows) || changed
    changed = pointers.invalidateRevised(revised) || changed
    if (isSimulatedNow !== simulated) invalidateAll()
    changed ||= isSimulatedNow !== simulated || confirmedAt === 0
    simulated = isSimulatedNow
    confirmedAt = clock()
    deps.states?.serve(SERVED_RUNS, snapshot, changed)
  }
  let readAgain = false
  /** A read that began before an event may have missed its change, so one more read follows it. */
  const scheduleRead = (): Promise<void> => {
    readAgain = true
    reading ??= (async () => {
      while (readAgain) {
        readAgain = false
        await read()
      }
    })()
      .catch((error) => deps.report?.(error))
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  await read()

  const subscriptions: Subscription[] = []
  if (deps.events) {
    const onPublished = ({ payload }: EventMessage) => {
      if (pointers.noteRevision(payload as RunPublished)) earlierAt = Number.NEGATIVE_INFINITY
      return scheduleRead()
    }
    subscriptions.push(await deps.events.subscribe(topics.runs.name, onPublished))
  }
  const timer = setInterval(scheduleRead, POLL_INTERVAL_MS)
  timer.unref()

  return {
    served: (dataset, domain) => runs.get(`${dataset}/${domain}`),
    earlier: (dataset, domain) => earlierRuns.get(`${dataset}/${domain}`) ?? [],
    all: () => runs.values(),
    generation: (domain) => generations.get(domain) ?? 0,
    get mark() {
      return invalidation.mark
    },
    changedSince: (mark, keys) => invalidation.changedSince(mark, keys),
    invalidate: (source, coarse) => (coarse ? invalidation.cells(source, coarse) : invalidation.source(source)),
    invalidateAll,
    get globalGeneration() {
      return globalGeneration
    },
    simulated: () => simulated,
    confirmedAt: () => confirmedAt,
    async close() {
      clearInterval(timer)
      await Promise.all(subscriptions.map((subscription) => subscription.close()))
    },
  }
}

/** The served run of each dataset and domain, the runs that were served before it, and the generations of domains. */
class Pointers {
  readonly runs = new Map<string, ServedRun>()
  readonly earlierRuns = new Map<string, ServedRun[]>()
  readonly generations = new Map<DomainId, number>()
  readonly invalidation = new Invalidation()
  /** Domains in which a run got another revision since the last read. */
  readonly revised = new Set<DomainId>()
  readonly #deps: CurrentDeps

  constructor(deps: CurrentDeps) {
    this.#deps = deps
  }

  /** Returns true if the row names another manifest than the one in memory. */
  isNew({ dataset, domain, manifest_key }: ServedRow): boolean {
    return this.runs.get(`${dataset}/${domain}`)?.manifestKey !== manifest_key
  }

  /** Serves the run of a row. @returns whether it was not served before */
  put(row: ServedRow): boolean {
    if (!this.isNew(row)) return false
    const { dataset } = row
    const domain = row.domain as DomainId
    const key = `${dataset}/${domain}`
    const before = this.runs.get(key)
    const isSameRun = before?.run === row.run.getTime()
    // A replaced revision supplies no values any more, because it may be wrong.
    if (before && !isSameRun)
      this.earlierRuns.set(key, [before, ...(this.earlierRuns.get(key) ?? [])].slice(0, MAX_EARLIER_RUNS))
    this.runs.set(
      key,
      lazyRun(this.#deps.objects, {
        dataset,
        domain,
        run: row.run.getTime(),
        manifestKey: row.manifest_key,
        publishedAt: row.published_at.getTime(),
        stage: row.stage,
        missing: row.lacking,
        incomplete: row.gaps,
      }),
    )
    if (before && row.upstream_at && !(isSameRun && revisionOfKey(before.manifestKey) !== row.revision))
      this.#deps.onAvailable?.(dataset, Math.max(0, (this.#deps.clock() - row.upstream_at.getTime()) / SECOND))
    const readers = readersOf.get(dataset)
    if (!readers) this.#invalidate(domain)
    else if (readers.length > 0) this.#invalidate(domain, readers)
    return true
  }

  /**
   * Removes runs that the database no longer serves, because the upstream has changed from simulated to real or back.
   * @returns whether any was removed
   */
  removeAbsent(rows: readonly ServedRow[]): boolean {
    const names = new Set(rows.map(({ dataset, domain }) => `${dataset}/${domain}`))
    let removed = false
    for (const [key, { domain }] of this.runs) {
      if (names.has(key)) continue
      this.runs.delete(key)
      this.earlierRuns.delete(key)
      this.#invalidate(domain)
      removed = true
    }
    return removed
  }

  /** Replaces the earlier runs of a dataset by the stored runs. @returns whether they differ */
  putEarlier(dataset: string, rows: readonly RunRow[]): boolean {
    const keysBefore = this.#earlierKeys(dataset)
    const stored = new Map<string, ServedRun[]>()
    for (const { domain, run: runDate, state, manifest_key: manifestKey } of rows) {
      const key = `${dataset}/${domain}`
      const run = runDate.getTime()
      if (state !== 'published' || !manifestKey || this.runs.get(key)?.run === run) continue
      const served =
        this.earlierRuns.get(key)?.find((earlier) => earlier.manifestKey === manifestKey) ??
        lazyRun(this.#deps.objects, { dataset, domain: domain as DomainId, run, manifestKey, publishedAt: 0 })
      stored.set(key, [...(stored.get(key) ?? []), served])
    }
    for (const key of [...this.earlierRuns.keys()])
      if (key.startsWith(`${dataset}/`) && !stored.has(key)) this.earlierRuns.delete(key)
    for (const [key, list] of stored)
      this.earlierRuns.set(
        key,
        list.sort((a, b) => b.run - a.run),
      )
    return this.#earlierKeys(dataset) !== keysBefore
  }

  #earlierKeys(dataset: string): string {
    return [...this.earlierRuns]
      .flatMap(([key, list]) => (key.startsWith(`${dataset}/`) ? list : []))
      .map(({ manifestKey }) => manifestKey)
      .join()
  }

  /** Notes that a run got another revision, which no pointer shows if the run is not served. @returns whether it did */
  noteRevision({ domain, revision }: RunPublished): boolean {
    if (domain === undefined || revision === undefined) return false
    this.revised.add(domain as DomainId)
    return true
  }

  /** Invalidates the answers of domains whose revisions were read. @returns whether there were any */
  invalidateRevised(domains: readonly DomainId[]): boolean {
    for (const domain of domains) {
      this.#invalidate(domain)
      this.revised.delete(domain)
    }
    return domains.length > 0
  }

  /** @param readers the sources that read a new frame; absent for all answers of the domain */
  #invalidate(domain: DomainId, readers?: readonly FrameReader[]): void {
    if (!readers || readers.includes('history')) this.generations.set(domain, (this.generations.get(domain) ?? 0) + 1)
    if (readers) this.invalidation.frames(domain, readers)
    else this.invalidation.domain(domain)
  }
}

/** A run that opens its manifest when it is first requested. */
export function lazyRun(objects: TileObjects, facts: Omit<ServedRun, 'opened' | 'open'>): ServedRun {
  let opening: Promise<OpenRun> | undefined
  let opened: OpenRun | undefined
  return {
    missing: [],
    incomplete: [],
    ...facts,
    get opened() {
      return opened
    },
    open() {
      opening ??= openRun(objects, facts.manifestKey).then(
        (run) => (opened = run),
        (error) => {
          // After a failure the next request tries again.
          opening = undefined
          throw error
        },
      )
      return opening
    },
  }
}
