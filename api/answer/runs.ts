import { gridDatasets } from '../../ingest/catalog.ts'
import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import { PAST_HOURS } from '../../ingest/domain/dataset/past-hours.ts'
import { type Fault, isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import { analyses, leading, models, terrainSources } from '../blend/field-table.ts'
import { groundOf } from '../blend/ground.ts'
import type { ReadRun } from '../blend/incompleteness.ts'
import { standIn } from '../blend/stand-in.ts'
import type { Messages, MetaWarning, PointAt, ServedRun } from '../contract.ts'
import { messagesIn } from '../live/messages.ts'
import type { Current } from '../live/served-runs.ts'
import type { LiveDeps } from '../live/source.ts'
import { latestOf } from './latest-valid.ts'
import type { Notes } from './notes.ts'

/** Datasets without which an answer is marked degraded. */
const requiredDatasets = new Set(gridDatasets.flatMap(({ id, required }) => (required ? [id] : [])))

const [rapidAnalysis, hourlyAnalysis] = analyses

const passedUnread = (product: string): MetaWarning => ({
  code: 'source_failed',
  section: 'meta',
  product_id: product,
  detail: 'Stored values of hours that have passed could not be read at this time.',
})
const PASSED_ANALYSES_UNREAD = passedUnread(hourlyAnalysis)
const EARLIER_RUN_UNREAD = passedUnread(leading)
const BEFORE_UNREAD = 'its run is incomplete, and the run before it could not be read at this time'

export interface RunDeps {
  readonly current: Current
  readonly datasets: ReadonlyMap<string, Dataset>
  /** Whether this installation ingests a dataset; if absent, it ingests all. */
  readonly takes?: LiveDeps['takes']
}

/**
 * The served runs at the point of one request. Each is read at most once, when it is first used, and recorded in the
 * notes.
 */
export class Runs {
  readonly #deps: RunDeps
  readonly #at: PointAt
  readonly #notes: Notes
  readonly #reads = new Map<string, Promise<PointSeries | undefined>>()
  #analysis: Promise<PointSeries | undefined> | undefined

  constructor(deps: RunDeps, at: PointAt, notes: Notes) {
    this.#deps = deps
    this.#at = at
    this.#notes = notes
  }

  read(dataset: string): Promise<PointSeries | undefined> {
    let reading = this.#reads.get(dataset)
    if (!reading) this.#reads.set(dataset, (reading = this.#readServed(dataset)))
    return reading
  }

  async #readServed(dataset: string): Promise<PointSeries | undefined> {
    const about = this.#deps.datasets.get(dataset)
    if (about && !about.domains.some(({ id }) => id === this.#at.domain)) return undefined
    const served = this.#deps.current.served(dataset, this.#at.domain)
    if (!served) {
      if (requiredDatasets.has(dataset))
        this.#warnUnavailable(dataset, 'source_missing', 'no run that covers the place is available yet')
      return undefined
    }
    if (this.#isStale(served)) {
      const age = (this.#at.now - served.run) / 1000
      this.#note(served)
      this.#warnUnavailable(dataset, 'stale_source', `its run is ${Math.round(age / 60)} minutes old and is left out`)
      return undefined
    }
    const series = await this.#readRun(served)
    if (isFault(series)) {
      this.#notes.unread = true
      this.#warnUnavailable(dataset, 'source_failed', 'its values could not be read at this time')
      return undefined
    }
    if (series) this.#note(served, series)
    else if (requiredDatasets.has(dataset) || dataset === hourlyAnalysis) {
      const title = about?.title ?? dataset
      this.#notes.warnings.push({
        code: 'no_coverage',
        section: 'meta',
        product_id: dataset,
        detail: `${title}: its grid does not reach the place`,
      })
    }
    return series
  }

  #isStale({ dataset, run }: ServedRun): boolean {
    const about = this.#deps.datasets.get(dataset)
    return about !== undefined && this.#at.now - run > about.staleAfterSeconds * 1000
  }

  /**
   * Height of the ground at the point, m; NaN if no served run has it. These runs are not recorded as sources, because
   * no weather comes from them.
   */
  async ground(): Promise<number> {
    for (const dataset of terrainSources) {
      const served = this.#deps.current.served(dataset, this.#at.domain)
      const series = served && !this.#isStale(served) ? await this.#readRun(served) : undefined
      const height = series && !isFault(series) ? groundOf(new Map([[dataset, [series]]])) : Number.NaN
      if (!Number.isNaN(height)) return height
    }
    return Number.NaN
  }

  /** Returns the values of a run at the point; undefined if its grid does not reach the point, or the fault of the read. */
  async #readRun(served: ServedRun): Promise<PointSeries | undefined | Fault> {
    try {
      const run = served.opened ?? (await served.open())
      return await run.point(this.#at.cell)
    } catch (error) {
      if (!isFault(error)) throw error
      return error
    }
  }

  #warnUnavailable(dataset: string, code: MetaWarning['code'], detail: string): void {
    if (!this.takes(dataset)) return
    const source = this.#deps.datasets.get(dataset)
    this.#notes.warnings.push({
      code,
      section: 'meta',
      product_id: dataset,
      detail: `${source?.title ?? dataset}: ${detail}`,
    })
    if (!source?.replacedBy) this.#notes.degraded = true
  }

  #note(served: ServedRun, series?: PointSeries): void {
    const about = this.#deps.datasets.get(served.dataset)
    this.#notes.freshness.push({
      source: about?.family ?? served.dataset,
      product_id: served.dataset,
      referenceTime: served.run,
      availableAt: served.publishedAt,
      latestValid: series && served.opened && latestOf(served.opened),
    })
    if (series) this.#notes.used.push(served.dataset)
  }

  /** Whether this installation ingests a dataset. A dataset that it does not ingest is not reported as missing. */
  takes(dataset: string): boolean {
    return this.#deps.takes?.(dataset) ?? true
  }

  /** Whether this installation ingests a model of the hourly axis. If it ingests none, no forecast is missing. */
  get takesModels(): boolean {
    return models.some((id) => this.takes(id))
  }

  async messagesOf({ dataset, run }: PointSeries): Promise<Messages | undefined> {
    const { current } = this.#deps
    const runs = [current.served(dataset, this.#at.domain) ?? [], current.earlier(dataset, this.#at.domain)].flat()
    const served = runs.find((candidate) => candidate.run === run)
    if (!served) return undefined
    const opened = served.opened ?? (await served.open())
    return messagesIn(opened)
  }

  /** The newest analysis: the rapid update if available, otherwise the hourly analysis. */
  analysis(): Promise<PointSeries | undefined> {
    this.#analysis ??= this.#readAnalysis()
    return this.#analysis
  }

  /**
   * The analyzed hours of the last day. If they cannot be read, members that need passed hours are null, with a
   * warning of their section.
   */
  async #passed(): Promise<PointSeries | undefined> {
    const served = this.#deps.current.served(PAST_HOURS, this.#at.domain)
    if (!served) return undefined
    const series = await this.#readRun(served)
    if (isFault(series)) {
      // If the tile has been removed, these hours count as never stored.
      if (series.kind !== 'Missing') this.#notePassedUnread(PASSED_ANALYSES_UNREAD)
      return undefined
    }
    if (!series) return undefined
    // The newest of these hours is the newest hour of RTMA.
    this.#notes.freshness.push({
      source: this.#deps.datasets.get(hourlyAnalysis)?.family ?? hourlyAnalysis,
      product_id: hourlyAnalysis,
      referenceTime: served.run,
      latestValid: served.run,
      availableAt: served.publishedAt,
    })
    this.#notes.used.push(hourlyAnalysis)
    return series
  }

  /** Warns that values of passed hours are stored but could not be read, and that the answer must not be cached. */
  #notePassedUnread(warning: MetaWarning): void {
    this.#notes.unread = true
    this.#notes.addFailure(warning)
  }

  async #readAnalysis(): Promise<PointSeries | undefined> {
    const analysis = (await this.read(rapidAnalysis)) ?? (await this.read(hourlyAnalysis))
    const isWarned = this.#notes.warnings.some(
      (warning) => warning.product_id === hourlyAnalysis && warning !== PASSED_ANALYSES_UNREAD,
    )
    if (!analysis && !isWarned)
      this.#warnUnavailable(
        this.takes(hourlyAnalysis) ? hourlyAnalysis : rapidAnalysis,
        'source_missing',
        'no analysis that covers the place is available, so current comes from the forecast',
      )
    return analysis
  }

  /**
   * Reads everything from which the hourly axis is blended, by dataset with the newest run first; undefined if no model
   * covers the place.
   * @param from the first hour that is shown
   */
  async sources(
    names: readonly string[],
    from: Instant,
    withPassed: boolean,
  ): Promise<ReadonlyMap<string, readonly PointSeries[]> | undefined> {
    const [analysis, passed, ...read] = await Promise.all([
      this.analysis(),
      withPassed ? this.#passed() : undefined,
      ...names.map((name) => this.read(name)),
    ])
    if (!read.some((series) => series !== undefined)) return undefined
    const sources = new Map<string, PointSeries[]>()
    for (const series of [...read, analysis, passed]) if (series) sources.set(series.dataset, [series])
    await this.#addEarlier(sources, from)
    for (const series of read) if (series) await this.#addStandIn(sources, series)
    return sources
  }

  /** The served runs of datasets, with the declarations of the datasets. */
  served(names: Iterable<string>): ReadRun[] {
    return [...names].flatMap((name) => {
      const served = this.#deps.current.served(name, this.#at.domain)
      const about = this.#deps.datasets.get(name)
      return served && about ? [{ served, about }] : []
    })
  }

  /**
   * Adds the hours of today before the first hour of the served run. They come from the newest earlier run that has
   * them, otherwise from the oldest stored run.
   */
  async #addEarlier(sources: Map<string, PointSeries[]>, start: Instant): Promise<void> {
    const served = sources.get(leading)?.[0]
    if (!served || served.run + HOUR <= start) return
    const earlier = this.#deps.current.earlier(leading, this.#at.domain).filter(({ run }) => run < served.run)
    const reaching = earlier.findIndex(({ run }) => run + HOUR <= start)
    // If a run has been retired in the meantime, the next newer run is used without a warning.
    const oldest = reaching < 0 ? earlier.length - 1 : reaching
    for (const run of earlier.slice(Math.max(0, reaching - 2), oldest + 1).reverse()) {
      const series = await this.#readRun(run)
      // Only a read that may succeed later is worth a warning; removed and damaged runs are skipped.
      if (isFault(series, 'Refused')) this.#notePassedUnread(EARLIER_RUN_UNREAD)
      if (!series || isFault(series)) continue
      sources.set(leading, [served, series])
      return
    }
  }

  /** Adds the run before an incomplete run, for the values that the incomplete run lacks. Provenance names it. */
  async #addStandIn(sources: Map<string, PointSeries[]>, series: PointSeries): Promise<void> {
    const { dataset, run } = series
    const served = this.#deps.current.served(dataset, this.#at.domain)
    if (!served?.missing?.length && !served?.incomplete?.length) return
    const before = this.#deps.current.earlier(dataset, this.#at.domain).find((candidate) => candidate.run < run)
    const earlier = before && (await this.#readRun(before))
    if (isFault(earlier, 'Refused')) this.#warnUnavailable(dataset, 'source_failed', BEFORE_UNREAD)
    if (!earlier || isFault(earlier)) return
    sources.set(dataset, [...(sources.get(dataset) ?? []), standIn(earlier, series)])
  }
}
