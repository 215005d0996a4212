import { gridDatasets } from '../../ingest/catalog.ts'
import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import { PAST_HOURS } from '../../ingest/domain/dataset/past-hours.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import { models } from '../blend/field-table.ts'
import type { ReadRun } from '../blend/incompleteness.ts'
import { standIn } from '../blend/stand-in.ts'
import type { Messages, MetaWarning, PointAt, ServedRun } from '../contract.ts'
import { messagesIn } from '../live/messages.ts'
import type { Current } from '../live/served-runs.ts'
import type { LiveDeps } from '../live/source.ts'
import { latestOf } from './latest-valid.ts'
import type { Notes } from './notes.ts'

/** An answer without one of these datasets is marked degraded. */
const requiredDatasets = new Set(gridDatasets.flatMap(({ id, required }) => (required ? [id] : [])))

export interface RunDeps {
  readonly current: Current
  readonly datasets: ReadonlyMap<string, Dataset>
  /** Whether this installation takes a dataset; absent: all. */
  readonly takes?: LiveDeps['takes']
}

/** The served runs at the point of one request: each is read at most once, on first use, and noted. */
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
    const age = (this.#at.now - served.run) / 1000
    if (about && age > about.staleAfterSeconds) {
      this.#note(served)
      this.#warnUnavailable(dataset, 'stale_source', `its run is ${Math.round(age / 60)} minutes old and is left out`)
      return undefined
    }
    const series = await this.#readRun(served)
    if (series === 'failed') {
      this.#notes.unread = true
      this.#warnUnavailable(dataset, 'source_failed', 'its values could not be read just now')
      return undefined
    }
    if (series) this.#note(served, series)
    else if (requiredDatasets.has(dataset) || dataset === 'rtma') {
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

  async #readRun(served: ServedRun): Promise<PointSeries | undefined | 'failed'> {
    try {
      const run = served.opened ?? (await served.open())
      return await run.point(this.#at.cell)
    } catch (error) {
      if (!isFault(error)) throw error
      return 'failed'
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
      latestValid: series && served.opened && latestOf(served.opened),
    })
    if (series) this.#notes.used.push(served.dataset)
  }

  /** Whether this installation takes a dataset: what it does not take is not missing. */
  takes(dataset: string): boolean {
    return this.#deps.takes?.(dataset) ?? true
  }

  /** The models of the hourly axis that this installation takes: none, and no forecast is missing. */
  get takesModels(): boolean {
    return models.some((id) => this.takes(id))
  }

  async messagesOf({ dataset, run }: PointSeries): Promise<Messages | undefined> {
    const { current } = this.#deps
    const runs = [current.served(dataset, this.#at.domain) ?? [], current.earlier(dataset, this.#at.domain)].flat()
    const served = runs.find((one) => one.run === run)
    if (!served) return undefined
    const opened = served.opened ?? (await served.open())
    return messagesIn(opened)
  }

  /** The newest analysis: the rapid one, else the hourly one. */
  analysis(): Promise<PointSeries | undefined> {
    this.#analysis ??= this.#readAnalysis()
    return this.#analysis
  }

  /** The analysed hours of the last day. Without them what needs passed hours is null, with a warning of its section. */
  async #passed(): Promise<PointSeries | undefined> {
    const served = this.#deps.current.served(PAST_HOURS, this.#at.domain)
    if (!served) return undefined
    const series = await this.#readRun(served)
    if (series === 'failed') {
      this.#notes.unread = true
      return undefined
    }
    if (!series) return undefined
    // Its newest hour is the newest of RTMA.
    this.#notes.freshness.push({
      source: 'rtma',
      product_id: 'rtma',
      referenceTime: served.run,
      latestValid: served.run,
    })
    this.#notes.used.push('rtma')
    return series
  }

  async #readAnalysis(): Promise<PointSeries | undefined> {
    const analysis = (await this.read('rtma-ru')) ?? (await this.read('rtma'))
    const warned = this.#notes.warnings.some(({ product_id }) => product_id === 'rtma')
    if (!analysis && !warned)
      this.#warnUnavailable(
        this.takes('rtma') ? 'rtma' : 'rtma-ru',
        'source_missing',
        'no analysis that covers the place is available; current is the forecast',
      )
    return analysis
  }

  /**
   * Everything that the hourly axis is blended from, by dataset, the newest run first; undefined where no model covers the place.
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

  /** The served runs of datasets, with what is declared about them. */
  served(names: Iterable<string>): ReadRun[] {
    return [...names].flatMap((name) => {
      const served = this.#deps.current.served(name, this.#at.domain)
      const about = this.#deps.datasets.get(name)
      return served && about ? [{ served, about }] : []
    })
  }

  /**
   * Adds the hours of today that come before the first hour of the served run. They come from the newest earlier run that has them, else from
   * the oldest stored run.
   */
  async #addEarlier(sources: Map<string, PointSeries[]>, start: Instant): Promise<void> {
    const served = sources.get('nbm')?.[0]
    if (!served || served.run + HOUR <= start) return
    const earlier = this.#deps.current.earlier('nbm', this.#at.domain).filter(({ run }) => run < served.run)
    const reaching = earlier.findIndex(({ run }) => run + HOUR <= start)
    // A run that was retired in the meantime is skipped for the next newer one, without a warning.
    for (let i = reaching < 0 ? earlier.length - 1 : reaching; i >= Math.max(0, reaching - 2); i--) {
      const series = await this.#readRun(earlier[i]!)
      if (!series || series === 'failed') continue
      sources.set('nbm', [served, series])
      return
    }
  }

  /** What is missing in an incomplete run comes from the run before it, which provenance names. */
  async #addStandIn(sources: Map<string, PointSeries[]>, series: PointSeries): Promise<void> {
    const { dataset, run } = series
    const served = this.#deps.current.served(dataset, this.#at.domain)
    if (!served?.missing?.length && !served?.incomplete?.length) return
    const before = this.#deps.current.earlier(dataset, this.#at.domain).find((one) => one.run < run)
    const earlier = before && (await this.#readRun(before))
    if (!earlier || earlier === 'failed') return
    sources.set(dataset, [...(sources.get(dataset) ?? []), standIn(earlier, series)])
  }
}
