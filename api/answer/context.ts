import { gridDatasets } from '../../ingest/catalog.ts'
import type { Dataset } from '../../ingest/domain/dataset.ts'
import { type DayWindow, dayWindows } from '../../ingest/domain/day-window.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { ignoreFault, isFault } from '../../ingest/domain/fault.ts'
import { PAST_HOURS } from '../../ingest/domain/past-hours.ts'
import { type Sky, skyAt } from '../../ingest/domain/sky.ts'
import { floorTo, HOUR, type Instant } from '../../ingest/domain/time.ts'
import { type TimeZone, zone } from '../../ingest/domain/timezone.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Blender } from '../blend/blend.ts'
import type { Forecast } from '../blend/columns.ts'
import { models } from '../blend/field-table.ts'
import { incompleteness } from '../blend/incompleteness.ts'
import { standIn } from '../blend/stand-in.ts'
import type {
  AlertsAtPoint,
  AnswerPlace,
  LightningAtPoint,
  Messages,
  MetaWarning,
  NowcastAtPoint,
  OutlooksAtPoint,
  PointAt,
  RadarAtPoint,
  ServedRun,
  SourceFreshness,
  Supplied,
  Suppliers,
} from '../contract.ts'
import { messagesIn } from '../live/messages.ts'
import type { Current } from '../live/served-runs.ts'
import type { LiveDeps } from '../live/source.ts'
import { type Units, units } from '../present/units.ts'
import type { WriterMemory } from '../present/writer-memory.ts'
import type { Resolved } from '../query/location.ts'
import type { WeatherQuery } from '../query/query.ts'
import { withNewestScan } from '../sections/nowcast-now.ts'
import type { SectionContext } from '../sections/section.ts'
import { catalogRank, order } from './catalog-order.ts'
import { latestOf } from './latest-valid.ts'
import { skyOfDays } from './sky-days.ts'

export interface ContextDeps {
  readonly current: Current
  readonly datasets: ReadonlyMap<string, Dataset>
  /** Whether this installation takes a dataset; absent: all. */
  readonly takes?: LiveDeps['takes']
  readonly suppliers: Suppliers
  readonly blender: Blender
  readonly writerMemory: WriterMemory
}

/** An answer without one of these datasets is marked degraded. */
const requiredDatasets = new Set(gridDatasets.flatMap(({ id, required }) => (required ? [id] : [])))

/** The data of one request: each source is read at most once, on first use, and adds its warnings and freshness to meta. */
export class Context implements SectionContext {
  readonly lat: number
  readonly lon: number
  readonly cell: string
  readonly domain: DomainId
  readonly now: Instant
  readonly place: AnswerPlace
  readonly query: WeatherQuery
  readonly units: Units
  readonly zone: TimeZone
  readonly sky: Sky
  readonly windows: readonly DayWindow[]
  readonly warnings: MetaWarning[] = []
  readonly freshness: SourceFreshness[] = []
  /** Datasets whose values were used. */
  readonly used: string[] = []
  degraded = false
  unread = false
  /** The earliest expiry of what the answer depends on, sections not counted. */
  until: Instant = Infinity
  readonly #deps: ContextDeps
  readonly #computed = new Map<unknown, unknown>()
  readonly #reads = new Map<string, Promise<PointSeries | undefined>>()
  #analysis: Promise<PointSeries | undefined> | undefined
  #forecast: Promise<Forecast | undefined> | undefined
  #blended: Forecast | undefined
  #alerts: Promise<AlertsAtPoint | undefined> | undefined
  #outlooks: Promise<OutlooksAtPoint | undefined> | undefined
  readonly #supplied = new Map<keyof Suppliers, Promise<unknown>>()

  constructor(parts: ContextDeps, resolved: Resolved, cell: string, query: WeatherQuery, now: Instant) {
    this.#deps = parts
    this.lat = resolved.lat
    this.lon = resolved.lon
    this.cell = cell
    this.domain = resolved.domain
    this.now = now
    this.place = resolved.place
    this.query = query
    this.units = units[query.units]
    this.zone = zone(resolved.place.timezone)
    this.sky = skyAt(resolved.lat, resolved.lon)
    this.windows = dayWindows(this.zone, now, query.days)
  }

  read(dataset: string): Promise<PointSeries | undefined> {
    let reading = this.#reads.get(dataset)
    if (!reading) this.#reads.set(dataset, (reading = this.#readServed(dataset)))
    return reading
  }

  async #readServed(dataset: string): Promise<PointSeries | undefined> {
    const about = this.#deps.datasets.get(dataset)
    if (about && !about.domains.some(({ id }) => id === this.domain)) return undefined
    const served = this.#deps.current.served(dataset, this.domain)
    if (!served) {
      if (requiredDatasets.has(dataset))
        this.#warnUnavailable(dataset, 'source_missing', 'no run that covers the place is available yet')
      return undefined
    }
    const age = (this.now - served.run) / 1000
    if (about && age > about.staleAfterSeconds) {
      this.#notes(served)
      this.#warnUnavailable(dataset, 'stale_source', `its run is ${Math.round(age / 60)} minutes old and is left out`)
      return undefined
    }
    const series = await this.#readRun(served)
    if (series === 'failed') {
      this.unread = true
      this.#warnUnavailable(dataset, 'source_failed', 'its values could not be read just now')
      return undefined
    }
    if (series) this.#notes(served, series)
    else if (requiredDatasets.has(dataset) || dataset === 'rtma') {
      const title = about?.title ?? dataset
      this.warnings.push({
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
      return await run.point(this.cell)
    } catch (error) {
      if (!isFault(error)) throw error
      return 'failed'
    }
  }

  #warnUnavailable(dataset: string, code: MetaWarning['code'], detail: string): void {
    if (!this.takes(dataset)) return
    const source = this.#deps.datasets.get(dataset)
    this.warnings.push({ code, section: 'meta', product_id: dataset, detail: `${source?.title ?? dataset}: ${detail}` })
    if (!source?.replacedBy) this.degraded = true
  }

  #notes(served: ServedRun, series?: PointSeries): void {
    const about = this.#deps.datasets.get(served.dataset)
    this.freshness.push({
      source: about?.family ?? served.dataset,
      product_id: served.dataset,
      referenceTime: served.run,
      latestValid: series && served.opened && latestOf(served.opened),
    })
    if (series) this.used.push(served.dataset)
  }

  /** Whether this installation takes a dataset: what it does not take is not missing. */
  takes(dataset: string): boolean {
    return this.#deps.takes?.(dataset) ?? true
  }

  /** The models of the hourly axis that this installation takes: none, and no forecast is missing. */
  get takesModels(): boolean {
    return models.some((id) => this.takes(id))
  }

  /** Sorts warnings and freshness into the order of the catalog: the order of the reads varies between requests. */
  settle(): void {
    const { datasets } = this.#deps
    order(this.freshness, ({ product_id }) => catalogRank(datasets, product_id))
    order(this.used, (id) => catalogRank(datasets, id))
    order(this.warnings, ({ product_id, section }) => catalogRank(datasets, product_id ?? section))
  }

  async messagesOf({ dataset, run }: PointSeries): Promise<Messages | undefined> {
    const { current } = this.#deps
    const runs = [current.served(dataset, this.domain) ?? [], current.earlier(dataset, this.domain)].flat()
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
  async #readPassed(): Promise<PointSeries | undefined> {
    const served = this.#deps.current.served(PAST_HOURS, this.domain)
    if (!served) return undefined
    const series = await this.#readRun(served)
    if (series === 'failed') {
      this.unread = true
      return undefined
    }
    if (!series) return undefined
    // Its newest hour is the newest of RTMA.
    this.freshness.push({ source: 'rtma', product_id: 'rtma', referenceTime: served.run, latestValid: served.run })
    this.used.push('rtma')
    return series
  }

  async #readAnalysis(): Promise<PointSeries | undefined> {
    const analysis = (await this.read('rtma-ru')) ?? (await this.read('rtma'))
    const warned = this.warnings.some(({ product_id }) => product_id === 'rtma')
    if (!analysis && !warned)
      this.#warnUnavailable(
        this.takes('rtma') ? 'rtma' : 'rtma-ru',
        'source_missing',
        'no analysis that covers the place is available; current is the forecast',
      )
    return analysis
  }

  forecast(): Promise<Forecast | undefined> {
    this.#forecast ??= this.#blend()
    return this.#forecast
  }

  /** Elevation of the ground at the point, m; undefined where no model with terrain was read. */
  get ground(): number | undefined {
    return this.#blended?.ground
  }

  /** Returns the buffers of the forecast to the pool. Call after the last section is written. */
  release(): void {
    this.#blended?.release()
  }

  async #blend(): Promise<Forecast | undefined> {
    const { include, hourlyHours } = this.query
    const thisHour = floorTo(this.now, HOUR)
    const first = this.windows[0]!
    const last = this.windows[this.windows.length - 1]!
    const daily = include.has('daily') || include.has('narrations')
    // Two hours more: the current analysis is at most that old, and its missing variables are taken from the forecast at its time.
    const start = Math.min(daily ? first.start : thisHour, thisHour - 2 * HOUR)
    const hours = include.has('hourly') ? hourlyHours : 2
    const end = Math.max(thisHour + hours * HOUR, daily ? last.end : 0)
    const names = include.has('uncertainty') ? [...models, 'nbm-qmd'] : models
    const reads = [
      this.analysis(),
      daily || include.has('hourly') ? this.#readPassed() : undefined,
      ...names.map((name) => this.read(name)),
    ]
    const [analysis, passed, ...read] = await Promise.all(reads)
    if (!read.some((series) => series !== undefined)) return undefined
    const sources = new Map<string, PointSeries[]>()
    for (const series of read) if (series) sources.set(series.dataset, [series])
    if (analysis) sources.set(analysis.dataset, [analysis])
    if (passed) sources.set(passed.dataset, [passed])
    await Promise.all([this.#addEarlier(sources, daily ? first.start : thisHour), skyOfDays(start, end)])
    for (const series of read) if (series) await this.#addStandIn(sources, series)
    const forecast = this.#deps.blender.blend({
      start,
      count: Math.round((end - start) / HOUR) + 1,
      now: this.now,
      sources,
      sky: this.sky,
      uncertainty: include.has('uncertainty'),
      traced: include.has('provenance'),
    })
    this.#blended = forecast
    for (const dataset of sources.keys()) this.#missing(dataset, forecast)
    return forecast
  }

  /** A run may be served without optional variables or hours: adds a warning that lists what this answer misses. */
  #missing(dataset: string, forecast: Forecast): void {
    const served = this.#deps.current.served(dataset, this.domain)
    const about = this.#deps.datasets.get(dataset)
    const warning = served && about && incompleteness(served, about, forecast)
    if (!warning) return
    this.warnings.push(warning)
    if (warning.fields || served.incomplete?.length) this.degraded = true
  }

  /** Adds hours of today, or the current one, before the served run's first hour: from the newest earlier run that covers them, else the oldest stored. */
  async #addEarlier(sources: Map<string, PointSeries[]>, start: Instant): Promise<void> {
    const served = sources.get('nbm')?.[0]
    if (!served || served.run + HOUR <= start) return
    const earlier = this.#deps.current.earlier('nbm', this.domain).filter(({ run }) => run < served.run)
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
    const served = this.#deps.current.served(dataset, this.domain)
    if (!served?.missing?.length && !served?.incomplete?.length) return
    const before = this.#deps.current.earlier(dataset, this.domain).find((one) => one.run < run)
    const earlier = before && (await this.#readRun(before))
    if (!earlier || earlier === 'failed') return
    sources.set(dataset, [...(sources.get(dataset) ?? []), standIn(earlier, series)])
  }

  #at(): PointAt {
    return { lat: this.lat, lon: this.lon, cell: this.cell, domain: this.domain, now: this.now }
  }

  alerts(): Promise<AlertsAtPoint | undefined> {
    this.#alerts ??= this.#trackDependency('alerts', this.source('alerts'))
    return this.#alerts
  }

  outlooks(): Promise<OutlooksAtPoint | undefined> {
    this.#outlooks ??= this.#trackDependency('outlooks', this.source('outlooks'))
    return this.#outlooks
  }

  /** Folds the source's expiry, warnings and degraded flag into the response, whether or not its section is included. */
  async #trackDependency<T extends AlertsAtPoint | OutlooksAtPoint>(
    section: 'alerts' | 'outlooks',
    asked: Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      const found = await asked
      if (!found) return found
      this.until = Math.min(this.until, found.nextChange ?? Infinity)
      this.degraded ||= found.degraded
      this.warnings.push(...found.warnings)
      return found
    } catch (error) {
      if (isFault(error) && error.kind !== 'Missing') {
        const detail = `the ${section} could not be read just now: severe and threats are computed without them`
        this.warnings.push({ code: 'source_failed', section, detail })
      }
      throw error
    }
  }

  get writerMemory(): WriterMemory {
    return this.#deps.writerMemory
  }

  once<T>(compute: (context: SectionContext) => T): T {
    if (!this.#computed.has(compute)) this.#computed.set(compute, compute(this))
    return this.#computed.get(compute) as T
  }

  /** Data of a live source at the point, read once per request; undefined where this installation has no such source. @throws Fault */
  source<Name extends keyof Suppliers>(name: Name): Promise<Supplied<Name> | undefined> {
    let asked = this.#supplied.get(name)
    if (!asked) {
      const supplier = this.#deps.suppliers[name] as ((at: PointAt) => Promise<unknown>) | undefined
      this.#supplied.set(name, (asked = ask(supplier, this.#at())))
    }
    return asked as Promise<Supplied<Name> | undefined>
  }

  radar(): Promise<RadarAtPoint | undefined> {
    return this.source('radar')
  }

  lightning(): Promise<LightningAtPoint | undefined> {
    return this.source('lightning')
  }

  async nowcast(): Promise<NowcastAtPoint | undefined> {
    const [nowcast, radar] = await Promise.all([this.source('nowcast'), this.radar().catch(ignoreFault)])
    return nowcast && withNewestScan(nowcast, radar, this.now)
  }
}

async function ask<T>(supplier: ((at: PointAt) => Promise<T>) | undefined, at: PointAt): Promise<T | undefined> {
  return supplier?.(at)
}
