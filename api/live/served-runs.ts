import { frameDatasets } from '../../ingest/catalog.ts'
import { cellOf, parentOf } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { topics } from '../../ingest/domain/event.ts'
import { NOTIFY_RESOLUTION } from '../../ingest/domain/shape/cover.ts'
import { HOUR, type Instant, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events, Subscription } from '../../ingest/ports/events.ts'
import { type OpenRun, openRun, type TileObjects } from '../../ingest/tile/read.ts'
import { isSimulated } from '../../sql/queries/origin.ts'
import { type RunRow, type ServedRow, servedRuns, storedRuns } from '../../sql/queries/runs.ts'
import { readSnapshot } from '../../sql/queries/versions.ts'
import type { ServedRun } from '../contract.ts'
import type { ServedStates } from './served-states.ts'

/** The served runs and cache generations. A cached answer is valid while the domain's generation and the epochs of its coarse cells stay what they were. */
export interface Current {
  served(dataset: string, domain: DomainId): ServedRun | undefined
  /** Earlier runs that are still stored, newest first; only of the datasets in `withEarlier`. */
  earlier(dataset: string, domain: DomainId): readonly ServedRun[]
  /** Every pointer. */
  all(): Iterable<ServedRun>
  /** Increases with each change of a domain's pointers. */
  generation(domain: DomainId): number
  /** Increases with each invalidation of one of the coarse cells of a point (`coarseCells`). */
  epoch(coarse: readonly string[]): number
  /** Invalidates cached answers at these coarse cells: call after the changed data were read. */
  invalidateCells(coarse: readonly string[]): void
  /** Invalidates all cached answers: for a change without a location, or over a large area (an outlook). */
  invalidateAll(): void
  readonly globalGeneration: number
  /** Whether the stored data are simulated. */
  simulated(): boolean
  /** When the pointers were last confirmed by the database. */
  confirmedAt(): Instant
  close(): Promise<void>
}

/** The coarse cells that contain a point: the one of the notification resolution, and its parents. Independent of the resolution of model cells. */
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
  /** Datasets whose earlier runs serve hours that have passed. */
  readonly withEarlier?: readonly string[]
  readonly report?: (error: unknown) => void
  /** Absent: what is served is not recorded. */
  readonly states?: ServedStates
  /** Called when readers get newer data of a dataset, with the seconds since they appeared upstream. */
  readonly onAvailable?: (dataset: string, seconds: number) => void
}

const withoutInvalidation: ReadonlySet<string> = new Set(
  frameDatasets.flatMap(({ id, invalidatesAnswers }) => (invalidatesAnswers ? [] : [id])),
)

/** Name under which served runs are recorded. */
export const SERVED_RUNS = 'runs'
/** Earlier runs are read with each new pointer of their dataset, and as often: a run may be completed or retired beside it. */
const EARLIER_INTERVAL_MS = HOUR / 12

/** Keeps the pointers in memory: reads them at every event, and polls slowly. */
export async function watchCurrent(deps: CurrentDeps): Promise<Current> {
  const { database, objects, clock } = deps
  const runs = new Map<string, Served>()
  const former = new Map<string, Served[]>()
  const generations = new Map<DomainId, number>()
  const epochs = new Map<string, number>()
  let confirmed = 0
  let globalGeneration = 0
  let simulated = false
  let reading: Promise<void> | undefined

  let earlierAt = Number.NEGATIVE_INFINITY
  /** @returns whether it is new */
  const take = (pointer: ServedRow): boolean => {
    const { dataset, domain, manifest_key: manifestKey } = pointer
    const key = `${dataset}/${domain}`
    const before = runs.get(key)
    if (before?.manifestKey === manifestKey) return false
    if (before) former.set(key, [before, ...(former.get(key) ?? [])].slice(0, 24))
    const next = new Served(
      objects,
      dataset,
      domain as DomainId,
      pointer.run.getTime(),
      manifestKey,
      pointer.published_at.getTime(),
      pointer.stage,
      pointer.lacking,
      pointer.gaps,
    )
    runs.set(key, next)
    if (before && pointer.upstream_at)
      deps.onAvailable?.(dataset, Math.max(0, (clock() - pointer.upstream_at.getTime()) / SECOND))
    if (!withoutInvalidation.has(dataset)) generations.set(next.domain, (generations.get(next.domain) ?? 0) + 1)
    return true
  }
  /** Replaces the earlier runs of a dataset by the stored ones. @returns whether they are others */
  const takeEarlier = (dataset: string, rows: readonly RunRow[]): boolean => {
    const keysOf = () =>
      [...former].flatMap(([key, list]) => (key.startsWith(`${dataset}/`) ? list : []).map((one) => one.manifestKey))
    const before = keysOf().join()
    const stored = new Map<string, Served[]>()
    for (const row of rows) {
      const key = `${dataset}/${row.domain}`
      const { manifest_key: manifestKey, domain } = row
      const run = row.run.getTime()
      if (row.state !== 'published' || !manifestKey || runs.get(key)?.run === run) continue
      const known = former.get(key)?.find((served) => served.manifestKey === manifestKey)
      const served = known ?? new Served(objects, dataset, domain as DomainId, run, manifestKey, 0)
      stored.set(key, [...(stored.get(key) ?? []), served])
    }
    for (const key of [...former.keys()]) if (key.startsWith(`${dataset}/`) && !stored.has(key)) former.delete(key)
    for (const [key, list] of stored)
      former.set(
        key,
        list.sort((a, b) => b.run - a.run),
      )
    return keysOf().join() !== before
  }
  const read = async () => {
    const { found, origin, earlier, snapshot } = await readSnapshot(database, async (tx, snapshot) => {
      const found = await servedRuns(tx)
      const due = clock() - earlierAt >= EARLIER_INTERVAL_MS
      const earlier: [string, RunRow[]][] = []
      for (const dataset of deps.withEarlier ?? []) {
        const moved = found.some(
          (one) => one.dataset === dataset && runs.get(`${dataset}/${one.domain}`)?.manifestKey !== one.manifest_key,
        )
        if (due || moved) earlier.push([dataset, await storedRuns(tx, dataset)])
      }
      if (due) earlierAt = clock()
      return { found, origin: (await isSimulated(tx)) ?? false, earlier, snapshot }
    })
    let changed = false
    for (const pointer of found) changed = take(pointer) || changed
    // Everything in memory is dropped when the upstream changes from simulated to real or back.
    const named = new Set(found.map(({ dataset, domain }) => `${dataset}/${domain}`))
    for (const [key, { domain }] of runs) {
      if (named.has(key)) continue
      runs.delete(key)
      former.delete(key)
      changed = true
      generations.set(domain, (generations.get(domain) ?? 0) + 1)
    }
    for (const [dataset, rows] of earlier) changed = takeEarlier(dataset, rows) || changed
    if (origin !== simulated) globalGeneration++
    changed ||= origin !== simulated || confirmed === 0
    simulated = origin
    confirmed = clock()
    deps.states?.serve(SERVED_RUNS, snapshot, changed)
  }
  let wanted = false
  /** A read that began before an event may have missed its change: one more read follows. */
  const scheduleRead = (): Promise<void> => {
    wanted = true
    reading ??= (async () => {
      while (wanted) {
        wanted = false
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
    subscriptions.push(await deps.events.subscribe(topics.runs.name, () => scheduleRead()))
  }
  const timer = setInterval(scheduleRead, POLL_INTERVAL_MS)
  timer.unref()

  return {
    served: (dataset, domain) => runs.get(`${dataset}/${domain}`),
    earlier: (dataset, domain) => former.get(`${dataset}/${domain}`) ?? [],
    all: () => runs.values(),
    generation: (domain) => generations.get(domain) ?? 0,
    epoch(coarse) {
      let sum = 0
      for (const cell of coarse) sum += epochs.get(cell) ?? 0
      return sum
    },
    invalidateCells(coarse) {
      for (const cell of coarse) epochs.set(cell, (epochs.get(cell) ?? 0) + 1)
    },
    invalidateAll() {
      globalGeneration++
    },
    get globalGeneration() {
      return globalGeneration
    },
    simulated: () => simulated,
    confirmedAt: () => confirmed,
    async close() {
      clearInterval(timer)
      await Promise.all(subscriptions.map((subscription) => subscription.close()))
    },
  }
}

class Served implements ServedRun {
  readonly #objects: TileObjects
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly manifestKey: string
  readonly publishedAt: Instant
  readonly stage: number | undefined
  readonly missing: readonly string[]
  readonly incomplete: readonly string[]
  #opening: Promise<OpenRun> | undefined
  opened: OpenRun | undefined

  constructor(
    objects: TileObjects,
    dataset: string,
    domain: DomainId,
    run: Instant,
    manifestKey: string,
    publishedAt: Instant,
    stage?: number,
    missing: readonly string[] = [],
    incomplete: readonly string[] = [],
  ) {
    this.#objects = objects
    this.dataset = dataset
    this.domain = domain
    this.run = run
    this.manifestKey = manifestKey
    this.publishedAt = publishedAt
    this.stage = stage
    this.missing = missing
    this.incomplete = incomplete
  }

  open(): Promise<OpenRun> {
    this.#opening ??= openRun(this.#objects, this.manifestKey).then(
      (opened) => {
        this.opened = opened
        return opened
      },
      (error) => {
        // The next request retries.
        this.#opening = undefined
        throw error
      },
    )
    return this.#opening
  }
}
