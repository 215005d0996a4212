import { type DayWindow, dayWindows } from '../../ingest/domain/day-window.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { ignoreFault, isFault } from '../../ingest/domain/fault.ts'
import { type Sky, skyAt } from '../../ingest/domain/sky/sky.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { type TimeZone, zone } from '../../ingest/domain/timezone.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Blender } from '../blend/blend.ts'
import type { Forecast } from '../blend/columns.ts'
import { models } from '../blend/field-table.ts'
import { withNewestScan } from '../blend/newest-scan.ts'
import { blendWeather, type WeatherNow } from '../blend/weather-now.ts'
import type {
  AlertsAtPoint,
  AnswerPlace,
  Messages,
  NowcastAtPoint,
  OutlooksAtPoint,
  PointAt,
  Supplied,
  Suppliers,
} from '../contract.ts'
import { type Units, units } from '../present/units.ts'
import type { WriterMemory } from '../present/writer-memory.ts'
import type { Resolved } from '../query/location.ts'
import type { WeatherQuery } from '../query/query.ts'
import type { SectionContext } from '../sections/section.ts'
import { gather } from './gather.ts'
import { Notes } from './notes.ts'
import { type RunDeps, Runs } from './runs.ts'

export interface ContextDeps extends RunDeps {
  readonly suppliers: Suppliers
  readonly blender: Blender
  readonly writerMemory: WriterMemory
}

/**
 * The data of one request. Each source is read at most once, when it is first used, and adds its warnings and freshness
 * to the notes.
 */
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
  readonly notes = new Notes()
  readonly #deps: ContextDeps
  readonly #runs: Runs
  readonly #computed = new Map<unknown, unknown>()
  #weatherNow: Promise<WeatherNow> | undefined
  #forecast: Forecast | undefined
  #alerts: Promise<AlertsAtPoint | undefined> | undefined
  #outlooks: Promise<OutlooksAtPoint | undefined> | undefined
  readonly #supplied = new Map<keyof Suppliers, Promise<unknown>>()

  constructor(deps: ContextDeps, resolved: Resolved, cell: string, query: WeatherQuery, now: Instant) {
    this.#deps = deps
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
    this.#runs = new Runs(deps, this.#at(), this.notes)
  }

  get unread(): boolean {
    return this.notes.unread
  }

  /** Whether this installation ingests a model of the hourly axis. If it ingests none, no forecast is missing. */
  get takesModels(): boolean {
    return models.some((id) => this.#runs.takes(id))
  }

  read(dataset: string): Promise<PointSeries | undefined> {
    return this.#runs.read(dataset)
  }

  messagesOf(series: PointSeries): Promise<Messages | undefined> {
    return this.#runs.messagesOf(series)
  }

  analysis(): Promise<PointSeries | undefined> {
    return this.#runs.analysis()
  }

  weatherNow(): Promise<WeatherNow> {
    this.#weatherNow ??= this.#blend()
    return this.#weatherNow
  }

  async #blend(): Promise<WeatherNow> {
    const weather = blendWeather(this.#deps.blender, await gather(this, this.#runs, this.notes))
    this.#forecast = weather.forecast
    for (const { warning, degraded } of weather.incomplete) {
      this.notes.warnings.push(warning)
      this.notes.degraded ||= degraded
    }
    return weather
  }

  /** Height of the ground at the point, m; NaN if no served run has it. */
  async ground(): Promise<number> {
    const blended = this.#forecast?.ground ?? Number.NaN
    return Number.isNaN(blended) ? this.#runs.ground() : blended
  }

  /** Returns the buffers of the forecast to the pool. Call it after the last section has been written. */
  release(): void {
    this.#forecast?.release()
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

  /** Adds the source's expiry, warnings and degraded flag to the notes, whether or not its section is included. */
  async #trackDependency<T extends AlertsAtPoint | OutlooksAtPoint>(
    section: 'alerts' | 'outlooks',
    reading: Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      const supplied = await reading
      if (!supplied) return undefined
      this.notes.until = Math.min(this.notes.until, supplied.nextChange ?? Infinity)
      this.notes.degraded ||= supplied.degraded
      this.notes.warnings.push(...supplied.warnings)
      return supplied
    } catch (error) {
      if (isFault(error) && error.kind !== 'Missing') {
        const detail = `The ${section} could not be read at this time. Members severe and threats are computed without them.`
        this.notes.warnings.push({ code: 'source_failed', section, detail })
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

  /**
   * Data of a live source at the point, read once for each request; undefined if this installation has no such source.
   * @throws Fault
   */
  source<Name extends keyof Suppliers>(name: Name): Promise<Supplied<Name> | undefined> {
    let reading = this.#supplied.get(name)
    if (!reading) {
      const supplier = this.#deps.suppliers[name] as ((at: PointAt) => Promise<unknown>) | undefined
      this.#supplied.set(name, (reading = readSource(supplier, this.#at())))
    }
    return reading as Promise<Supplied<Name> | undefined>
  }

  /** The sources that were asked, also those that this installation lacks. */
  get askedSources(): Iterable<keyof Suppliers> {
    return this.#supplied.keys()
  }

  async nowcast(): Promise<NowcastAtPoint | undefined> {
    const [nowcast, radar] = await Promise.all([this.source('nowcast'), this.source('radar').catch(ignoreFault)])
    return nowcast && withNewestScan(nowcast, radar, this.now)
  }
}

async function readSource<T>(supplier: ((at: PointAt) => Promise<T>) | undefined, at: PointAt): Promise<T | undefined> {
  return supplier?.(at)
}
