import type { Dataset } from '../../ingest/domain/dataset.ts'
import { type DayWindow, dayWindows } from '../../ingest/domain/day-window.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { after, all, type MaybePromise } from '../../ingest/domain/maybe-promise.ts'
import { type Sky, skyAt } from '../../ingest/domain/sky.ts'
import { floorTo, HOUR, type Instant } from '../../ingest/domain/time.ts'
import { type Zone, zone } from '../../ingest/domain/timezone.ts'
import type { OpenRun, PointSeries } from '../../ingest/tile/read.ts'
import { blend } from '../blend/blend.ts'
import type { Forecast } from '../blend/columns.ts'
import { incompleteness } from '../blend/lacking.ts'
import { withNewestScan } from '../blend/nowcast-now.ts'
import type {
  AlertsAtPoint,
  LightningAtPoint,
  MetaWarning,
  NowcastAtPoint,
  OutlooksAtPoint,
  Place,
  PointAt,
  RadarAtPoint,
  ServedRun,
  SourceFreshness,
  Supplied,
  Suppliers,
} from '../contract.ts'
import type { Current } from '../live/served-runs.ts'
import { type Units, units } from '../present/units.ts'
import type { Resolved } from '../query/location.ts'
import type { WeatherQuery } from '../query/query.ts'
import type { SectionContext } from '../sections/section.ts'

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
  readonly used: string[] = []
  degraded = false
  unread = false
  /** The nearest change of what the answer stands on beside its sections. */
  until: Instant = Infinity
  readonly #parts: ContextParts
  readonly #reads = new Map<string, MaybePromise<PointSeries | undefined>>()
  #analysis: { readonly found: MaybePromise<PointSeries | undefined> } | undefined
  #forecast: { readonly made: MaybePromise<Forecast | undefined> } | undefined
  #blended: Forecast | undefined
  #alerts: Promise<AlertsAtPoint | undefined> | undefined
  #outlooks: Promise<OutlooksAtPoint | undefined> | undefined
  readonly #supplied = new Map<keyof Suppliers, Promise<unknown>>()

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

  read(dataset: string): MaybePromise<PointSeries | undefined> {
    const known = this.#reads.get(dataset)
    if (known || this.#reads.has(dataset)) return known
    const reading = this.#readServed(dataset)
    this.#reads.set(dataset, reading)
    return reading
  }

  #readServed(dataset: string): MaybePromise<PointSeries | undefined> {
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
    return after(this.#readRun(served), (series) => {
      if (series === 'failed') {
        this.unread = true
        this.#lacking(dataset, 'source_failed', 'its values could not be read just now')
        return undefined
      }
      if (series) this.#notes(served, series)
      else if (pillars.has(dataset) || dataset === 'rtma') {
        const title = about?.title ?? dataset
        this.warnings.push({
          code: 'no_coverage',
          section: 'meta',
          product_id: dataset,
          detail: `${title}: its grid does not reach the place`,
        })
      }
      return series
    })
  }

  #readRun(served: ServedRun): MaybePromise<PointSeries | undefined | 'failed'> {
    try {
      const found = after(served.opened ?? served.open(), (run) =>
        run.point.now ? run.point.now(this.cell) : run.point(this.cell),
      )
      return found instanceof Promise ? found.catch(failed) : found
    } catch (error) {
      return failed(error)
    }
  }

  #lacking(dataset: string, code: MetaWarning['code'], detail: string): void {
    const source = this.#parts.datasets.get(dataset)
    this.warnings.push({ code, section: 'meta', product_id: dataset, detail: `${source?.title ?? dataset}: ${detail}` })
    // The rapid analysis has the hourly one to stand in for it, and hours 19 to 48 of HRRR have GFS.
    if (dataset !== 'rtma-ru' && dataset !== 'hrrr-long') this.degraded = true
  }

  #notes(served: ServedRun, series?: PointSeries): void {
    const about = this.#parts.datasets.get(served.dataset)
    this.freshness.push({
      source: about?.family ?? served.dataset,
      product_id: served.dataset,
      referenceTime: served.run,
      latestValid: series && served.opened && latestOf(served.opened),
    })
    if (series) this.used.push(served.dataset)
  }

  /** Puts what is said of the sources in the order of the catalog: which of them was read first is chance. */
  settle(): void {
    const { datasets } = this.#parts
    order(this.freshness, ({ product_id }) => place(datasets, product_id))
    order(this.used, (id) => place(datasets, id))
    order(this.warnings, ({ product_id, section }) => place(datasets, product_id ?? section))
  }

  /** The newest analysis: the rapid one, else the hourly one. */
  analysis(): MaybePromise<PointSeries | undefined> {
    this.#analysis ??= { found: this.#readAnalysis() }
    return this.#analysis.found
  }

  #readAnalysis(): MaybePromise<PointSeries | undefined> {
    return after(
      after(this.read('rtma-ru'), (rapid) => rapid ?? this.read('rtma')),
      (found) => {
        const told = this.warnings.some(({ product_id }) => product_id === 'rtma')
        if (!found && !told)
          this.#lacking('rtma', 'source_missing', 'no analysis that covers the place is held; current is the forecast')
        return found
      },
    )
  }

  forecast(): MaybePromise<Forecast | undefined> {
    this.#forecast ??= { made: this.#blend() }
    return this.#forecast.made
  }

  /** Height of the ground at the point, m; undefined where no model that gives it was read. */
  get ground(): number | undefined {
    return this.#blended?.ground
  }

  /** When every section is written: nothing of the forecast may be read from here on. */
  release(): void {
    this.#blended?.release()
  }

  #blend(): MaybePromise<Forecast | undefined> {
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
    return after(all([this.analysis(), ...names.map((name) => this.read(name))]), ([analysis, ...read]) => {
      if (!read.some((series) => series !== undefined)) return undefined
      const sources = new Map<string, PointSeries[]>()
      for (const series of read) if (series) sources.set(series.dataset, [series])
      if (analysis) sources.set(analysis.dataset, [analysis])
      return after(this.#addEarlier(sources, daily ? first.start : thisHour), () => {
        const forecast = blend({
          start,
          count: Math.round((end - start) / HOUR) + 1,
          now: this.now,
          sources,
          sky: this.sky,
          uncertainty: include.has('uncertainty'),
        })
        this.#blended = forecast
        for (const dataset of sources.keys()) this.#missing(dataset, forecast)
        return forecast
      })
    })
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
  #addEarlier(sources: Map<string, PointSeries[]>, start: Instant): MaybePromise<void> {
    const served = sources.get('nbm')?.[0]
    if (!served || served.run + HOUR <= start) return
    const earlier = this.#parts.current.earlier('nbm', this.domain).filter(({ run }) => run < served.run)
    const reaching = earlier.findIndex(({ run }) => run + HOUR <= start)
    // One that was retired meanwhile is no fault of the answer: it is passed over for the next newer.
    const take = (i: number): MaybePromise<void> => {
      if (i < 0 || i < reaching - 2) return
      return after(this.#readRun(earlier[i]!), (series) => {
        if (!series || series === 'failed') return take(i - 1)
        sources.set('nbm', [served, series])
      })
    }
    return take(reaching < 0 ? earlier.length - 1 : reaching)
  }

  #at(): PointAt {
    return { lat: this.lat, lon: this.lon, cell: this.cell, domain: this.domain, now: this.now }
  }

  alerts(): Promise<AlertsAtPoint | undefined> {
    this.#alerts ??= this.#heeded('alerts', this.source('alerts'))
    return this.#alerts
  }

  outlooks(): Promise<OutlooksAtPoint | undefined> {
    this.#outlooks ??= this.#heeded('outlooks', this.source('outlooks'))
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

  /** What a live source supplies at the point, asked once; undefined where this installation has no such source. @throws Fault */
  source<Name extends keyof Suppliers>(name: Name): Promise<Supplied<Name> | undefined> {
    let asked = this.#supplied.get(name)
    if (!asked) {
      const supplier = this.#parts.suppliers[name] as ((at: PointAt) => Promise<unknown>) | undefined
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

function ignoreFault(error: unknown): undefined {
  if (!isFault(error)) throw error
  return undefined
}

async function ask<T>(supplier: ((at: PointAt) => Promise<T>) | undefined, at: PointAt): Promise<T | undefined> {
  return supplier?.(at)
}

function failed(error: unknown): 'failed' {
  if (!isFault(error)) throw error
  return 'failed'
}

const latest = new WeakMap<OpenRun, Instant | undefined>()

/** The last time that a run speaks of. */
function latestOf(run: OpenRun): Instant | undefined {
  let found = latest.get(run)
  if (found === undefined) {
    for (const { times } of run.variables.values()) {
      const last = times[times.length - 1]
      if (last !== undefined && !(last <= found!)) found = last
    }
    latest.set(run, found)
  }
  return found
}

/** Sorts a few things that mostly are in order; what has the same place keeps its order. */
function order<T>(list: T[], placeOf: (one: T) => number): void {
  for (let i = 1; i < list.length; i++) {
    const one = list[i]!
    const own = placeOf(one)
    let to = i
    for (; to > 0 && placeOf(list[to - 1]!) > own; to--) list[to] = list[to - 1]!
    list[to] = one
  }
}

const places = new WeakMap<ReadonlyMap<string, Dataset>, ReadonlyMap<string, number>>()

/** The place of a dataset in the catalog; behind it alerts, then outlooks. */
function place(datasets: ReadonlyMap<string, Dataset>, name: string): number {
  let order = places.get(datasets)
  if (!order) {
    order = new Map([...datasets.keys(), 'alerts', 'outlooks'].map((id, index) => [id, index]))
    places.set(datasets, order)
  }
  return order.get(name) ?? order.size
}
