import type { Dataset, DomainId } from '../ingest/domain/dataset.ts'
import { type DayWindow, dayWindows } from '../ingest/domain/day-window.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { type Sky, skyAt } from '../ingest/domain/sky.ts'
import { floorTo, HOUR, type Instant } from '../ingest/domain/time.ts'
import { type Zone, zone } from '../ingest/domain/timezone.ts'
import type { PointSeries } from '../ingest/tile/read.ts'
import { blend } from './blend/blend.ts'
import type { Forecast } from './blend/columns.ts'
import { incompleteness } from './blend/lacking.ts'
import type { Current, ServedRun } from './current.ts'
import type { NowcastAtPoint } from './nowcast-at.ts'
import type { Resolved } from './place.ts'
import { type Units, units } from './present/units.ts'
import type { WeatherQuery } from './query.ts'
import type {
  AlertsAtPoint,
  LightningAtPoint,
  MetaWarning,
  OutlooksAtPoint,
  Place,
  PointAt,
  RadarAtPoint,
  SectionContext,
  SourceFreshness,
  Suppliers,
} from './sections/section.ts'

export interface ContextParts {
  readonly current: Current
  readonly datasets: ReadonlyMap<string, Dataset>
  readonly suppliers: Suppliers
}

/** The model datasets of the hourly axis; the second of a pair stands in where the first is not usable. */
const models = ['nbm', 'hrrr', 'hrrr-long', 'gfs'] as const
/** Without one of these an answer is not what it should be. */
const pillars = new Set<string>(['nbm', 'hrrr', 'gfs'])

/** One request's view of everything: lazily read, each thing once, with what is to be said of it in meta. */
export class Context implements SectionContext {
  readonly lat: number
  readonly lon: number
  readonly cell: string
  readonly domain: DomainId
  readonly now: Instant
  readonly place: Place
  readonly query: WeatherQuery
  readonly units: Units
  readonly zone: Zone
  readonly sky: Sky
  readonly windows: readonly DayWindow[]
  readonly warnings: MetaWarning[] = []
  readonly freshness: SourceFreshness[] = []
  /** Datasets whose values went in. */
  readonly used = new Set<string>()
  degraded = false
  unread = false
  /** The nearest change of what the answer stands on beside its sections. */
  until: Instant = Infinity
  readonly #parts: ContextParts
  readonly #reads = new Map<string, Promise<PointSeries | undefined>>()
  #analysis: Promise<PointSeries | undefined> | undefined
  #forecast: Promise<Forecast | undefined> | undefined
  #alerts: Promise<AlertsAtPoint | undefined> | undefined
  #outlooks: Promise<OutlooksAtPoint | undefined> | undefined
  #radar: Promise<RadarAtPoint | undefined> | undefined
  #lightning: Promise<LightningAtPoint | undefined> | undefined
  #nowcast: Promise<NowcastAtPoint | undefined> | undefined

  constructor(parts: ContextParts, resolved: Resolved, cell: string, query: WeatherQuery, now: Instant) {
    this.#parts = parts
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
    if (!reading) {
      reading = this.#readServed(dataset)
      this.#reads.set(dataset, reading)
    }
    return reading
  }

  async #readServed(dataset: string): Promise<PointSeries | undefined> {
    const about = this.#parts.datasets.get(dataset)
    if (about && !about.domains.some(({ id }) => id === this.domain)) return undefined
    const served = this.#parts.current.served(dataset, this.domain)
    if (!served) {
      if (pillars.has(dataset)) this.#lacking(dataset, 'source_missing', 'no run that covers the place is held yet')
      return undefined
    }
    const age = (this.now - served.run) / 1000
    if (about && age > about.staleAfterSeconds) {
      this.#notes(served)
      this.#lacking(dataset, 'stale_source', `its run is ${Math.round(age / 60)} minutes old and is left out`)
      return undefined
    }
    const said = this.warnings.length
    const series = await this.#readRun(served)
    if (series) this.#notes(served, series)
    else if (this.warnings.length === said && pillars.has(dataset)) {
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

  async #readRun(served: ServedRun): Promise<PointSeries | undefined> {
    try {
      return await (served.opened ?? (await served.open())).point(this.cell)
    } catch (error) {
      if (!isFault(error)) throw error
      this.unread = true
      this.#lacking(served.dataset, 'source_failed', 'its values could not be read just now')
      return undefined
    }
  }

  #lacking(dataset: string, code: MetaWarning['code'], detail: string): void {
    const source = this.#parts.datasets.get(dataset)
    this.warnings.push({ code, section: 'meta', product_id: dataset, detail: `${source?.title ?? dataset}: ${detail}` })
    // The rapid analysis has the hourly one to stand in for it, and hours 19 to 48 of HRRR have GFS.
    if (dataset !== 'rtma-ru' && dataset !== 'hrrr-long') this.degraded = true
  }

  #notes(served: ServedRun, series?: PointSeries): void {
    let latest: number | undefined
    for (const { times } of (series && served.opened?.variables.values()) ?? []) {
      const last = times[times.length - 1]
      if (last !== undefined && !(last <= latest!)) latest = last
    }
    const about = this.#parts.datasets.get(served.dataset)
    this.freshness.push({
      source: about?.family ?? served.dataset,
      product_id: served.dataset,
      referenceTime: served.run,
      latestValid: latest,
    })
    if (series) this.used.add(served.dataset)
  }

  /** The newest analysis: the rapid one, else the hourly one. */
  analysis(): Promise<PointSeries | undefined> {
    this.#analysis ??= this.#readAnalysis()
    return this.#analysis
  }

  async #readAnalysis(): Promise<PointSeries | undefined> {
    const said = this.warnings.length
    const found = (await this.read('rtma-ru')) ?? (await this.read('rtma'))
    const told = this.warnings.slice(said).some(({ product_id }) => product_id === 'rtma')
    if (!found && !told)
      this.#lacking('rtma', 'source_missing', 'no analysis that covers the place is held; current is the forecast')
    return found
  }

  forecast(): Promise<Forecast | undefined> {
    this.#forecast ??= this.#blend()
    return this.#forecast
  }

  async #blend(): Promise<Forecast | undefined> {
    const { include, hourlyHours } = this.query
    const thisHour = floorTo(this.now, HOUR)
    const first = this.windows[0]!
    const last = this.windows[this.windows.length - 1]!
    const daily = include.has('daily') || include.has('narrations')
    // Two hours more: the analysis that speaks of now is that old at most, and what it lacks is taken from its own time.
    const start = Math.min(daily ? first.start : thisHour, thisHour - 2 * HOUR)
    const hours = include.has('hourly') ? hourlyHours : 2
    const end = Math.max(thisHour + hours * HOUR, daily ? last.end : 0)
    const names = include.has('uncertainty') ? [...models, 'nbm-qmd'] : models
    const [analysis, ...read] = await Promise.all([this.analysis(), ...names.map((name) => this.read(name))])
    if (!read.some((series) => series !== undefined)) return undefined

    const sources = new Map<string, PointSeries[]>()
    for (const series of read) if (series) sources.set(series.dataset, [series])
    if (analysis) sources.set(analysis.dataset, [analysis])
    await this.#addEarlier(sources, daily ? first.start : thisHour)
    const forecast = blend({
      start,
      count: Math.round((end - start) / HOUR) + 1,
      now: this.now,
      sources,
      sky: this.sky,
      uncertainty: include.has('uncertainty'),
    })
    for (const dataset of sources.keys()) this.#missing(dataset, forecast)
    return forecast
  }

  /** A run is served although it lacks something: the answer says what it misses. */
  #missing(dataset: string, forecast: Forecast): void {
    const served = this.#parts.current.served(dataset, this.domain)
    const about = this.#parts.datasets.get(dataset)
    const warning = served && about && incompleteness(served, about, forecast)
    if (!warning) return
    this.warnings.push(warning)
    if (warning.fields || served.gaps?.length) this.degraded = true
  }

  /** Hours of today, or the current one, before the served run's first: from the newest earlier run that reaches back to them, else the oldest held. */
  async #addEarlier(sources: Map<string, PointSeries[]>, start: Instant): Promise<void> {
    const served = sources.get('nbm')?.[0]
    if (!served || served.run + HOUR <= start) return
    const earlier = this.#parts.current.earlier('nbm', this.domain).filter(({ run }) => run < served.run)
    const reaching = earlier.findIndex(({ run }) => run + HOUR <= start)
    // One that was retired meanwhile is passed over for the next newer.
    for (let i = reaching < 0 ? earlier.length - 1 : reaching; i >= 0 && i >= reaching - 2; i--) {
      const series = await this.#readEarlier(earlier[i]!)
      if (!series) continue
      sources.set('nbm', [served, series])
      return
    }
  }

  /** A run that is retired meanwhile is no fault of the answer. */
  async #readEarlier(served: ServedRun): Promise<PointSeries | undefined> {
    try {
      return await (served.opened ?? (await served.open())).point(this.cell)
    } catch (error) {
      if (!isFault(error)) throw error
      return undefined
    }
  }

  #at(): PointAt {
    return { lat: this.lat, lon: this.lon, cell: this.cell, domain: this.domain, now: this.now }
  }

  alerts(): Promise<AlertsAtPoint | undefined> {
    this.#alerts ??= this.#heeded('alerts', ask(this.#parts.suppliers.alerts, this.#at()))
    return this.#alerts
  }

  outlooks(): Promise<OutlooksAtPoint | undefined> {
    this.#outlooks ??= this.#heeded('outlooks', ask(this.#parts.suppliers.outlooks, this.#at()))
    return this.#outlooks
  }

  /** Whoever asks (severe, threats), whether the section is included or not: the answer lives no longer than what it stands on, and says what is wrong with it. */
  async #heeded<T extends AlertsAtPoint | OutlooksAtPoint>(
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
        const detail = `the ${section} could not be read just now: severe and threats stand without them`
        this.warnings.push({ code: 'source_failed', section, detail })
      }
      throw error
    }
  }

  radar(): Promise<RadarAtPoint | undefined> {
    this.#radar ??= ask(this.#parts.suppliers.radar, this.#at())
    return this.#radar
  }

  lightning(): Promise<LightningAtPoint | undefined> {
    this.#lightning ??= ask(this.#parts.suppliers.lightning, this.#at())
    return this.#lightning
  }

  nowcast(): Promise<NowcastAtPoint | undefined> {
    this.#nowcast ??= ask(this.#parts.suppliers.nowcast, this.#at())
    return this.#nowcast
  }
}

async function ask<T>(supplier: ((at: PointAt) => Promise<T>) | undefined, at: PointAt): Promise<T | undefined> {
  return supplier?.(at)
}
