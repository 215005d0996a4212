import { datasetOf } from '../../ingest/catalog.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import {
  type AreaForecast,
  airQualityFrom,
  MONITOR_REACH_KM,
  type MonitorHour,
  POLLUTANTS,
  USABLE_HOURS,
  usableHours,
} from '../../ingest/domain/weather/air-quality.ts'
import { type PointTree, pointTree } from '../../ingest/geo/sphere.ts'
import { areaForecasts, monitorHours } from '../../sql/queries/air-quality.ts'
import type { Queries } from '../../sql/session.ts'
import type { AirQualityAtPoint, FeedAge, MetaWarning, PointAt, SourceFreshness } from '../contract.ts'
import { type FeedWatch, watchFeed } from './feed-watch.ts'
import type { LiveDeps, LiveSource } from './source.ts'

const DATASET = datasetOf('air_quality').id
/** Members of `current` from AirNow, as named in warnings. */
export const AIR_QUALITY_FIELDS = ['aqi', 'pm25', 'ozone', 'pm10'] as const
const MAX_CANDIDATES = 200
/** The usable hours, and enough earlier hours to recognise a monitor that has stopped reporting. */
const LOADED_HOURS = USABLE_HOURS + 21

export interface AreaForecastNear {
  readonly area: string
  readonly state: string
  readonly km: number
  /** The rows of the area for the date. */
  readonly rows: readonly AreaForecast[]
}

export interface AirQualitySource extends LiveSource {
  at(point: Pick<PointAt, 'lat' | 'lon' | 'now'>): Promise<AirQualityAtPoint>
  /** The nearest reporting area within 75 km that has a forecast for a local date. */
  forecast(lat: number, lon: number, date: string): AreaForecastNear | undefined
  /** Monitors that have reported any hour in memory, nearest first. */
  monitorsNear(
    lat: number,
    lon: number,
    km: number,
    count: number,
  ): readonly { readonly monitor: MonitorHour; readonly km: number }[]
  /** The newest hour of a monitor. */
  monitor(id: string): MonitorHour | undefined
  /** The newest hour of every monitor. */
  all(): readonly MonitorHour[]
  read(): Promise<void>
}

/** The stored hours of one monitor. */
interface Monitor {
  /** The newest hour; it has the current position of the monitor. */
  readonly newest: MonitorHour
  /** All hours in memory, newest first. */
  readonly hours: readonly MonitorHour[]
}

/** A reporting area with its forecasts. */
interface ReportingArea {
  readonly area: string
  readonly state: string
  readonly rows: readonly AreaForecast[]
}

/** Monitors and reporting areas, with a search tree for each. */
class AirQualityIndex {
  readonly monitors: readonly Monitor[]
  readonly byId: ReadonlyMap<string, MonitorHour>
  /** The newest hour of any monitor; 0 without monitors. */
  readonly newestHour: Instant
  readonly #areas: readonly ReportingArea[]
  readonly #monitorTree: PointTree
  readonly #areaTree: PointTree

  /** @param hours of all monitors, oldest first */
  constructor(hours: readonly MonitorHour[], forecasts: readonly AreaForecast[]) {
    this.monitors = [...Map.groupBy(hours, ({ id }) => id).values()].flatMap((own) => {
      const [newest, ...earlier] = own.reverse()
      return newest ? [{ newest, hours: [newest, ...earlier] }] : []
    })
    this.byId = new Map(this.monitors.map(({ newest }) => [newest.id, newest]))
    this.newestHour = this.monitors.reduce((hour, { newest }) => Math.max(hour, newest.hour), 0)
    this.#monitorTree = treeOf(this.monitors.map(({ newest }) => newest))
    const byArea = Map.groupBy(forecasts, ({ area, state, lat, lon }) => `${area}|${state}|${lat}|${lon}`)
    const areas = [...byArea.values()].flatMap((rows) => rows.slice(0, 1).map((first) => ({ ...first, rows })))
    this.#areas = areas
    this.#areaTree = treeOf(areas)
  }

  /** Monitors within `km` of a point, nearest first. */
  near(lat: number, lon: number, count: number, km: number): (Monitor & { readonly km: number })[] {
    return this.#monitorTree.near(lat, lon, count, km).flatMap(({ index, km: distance }) => {
      const monitor = this.monitors[index]
      return monitor ? [{ ...monitor, km: distance }] : []
    })
  }

  forecast(lat: number, lon: number, date: string): AreaForecastNear | undefined {
    const rowsOf = (index: number) => this.#areas[index]?.rows.filter((row) => row.date === date) ?? []
    const [nearest] = this.#areaTree.near(lat, lon, 1, MONITOR_REACH_KM, (index) => rowsOf(index).length > 0)
    const area = nearest && this.#areas[nearest.index]
    if (!area) return undefined
    return { area: area.area, state: area.state, km: nearest.km, rows: rowsOf(nearest.index) }
  }
}

const treeOf = (places: readonly { readonly lat: number; readonly lon: number }[]): PointTree =>
  pointTree(
    places.map(({ lat }) => lat),
    places.map(({ lon }) => lon),
  )

/** Keeps the latest hours of every monitor (5,000) and the forecasts of every area (700) in memory. */
export async function openAirQuality(deps: LiveDeps): Promise<AirQualitySource> {
  const { database, events, clock, current } = deps
  let index = new AirQualityIndex([], [])
  const load = async (tx: Queries): Promise<() => void> => {
    const now = clock()
    const hours = await monitorHours(tx, new Date(now - LOADED_HOURS * HOUR), new Date(now + HOUR))
    const forecasts = await areaForecasts(tx)
    return () => {
      index = new AirQualityIndex(hours, forecasts)
    }
  }
  const watch = await watchFeed({
    database,
    events,
    clock,
    feed: DATASET,
    title: "AirNow's hourly files",
    load,
    states: deps.states,
    changed: () => current.invalidate('airQuality'),
    report: deps.report('air quality could not be read'),
  })
  const at: AirQualitySource['at'] = async (point) => airQualityAt(index, watch, point)
  return {
    suppliers: { airQuality: at },
    at,
    forecast: (lat, lon, date) => index.forecast(lat, lon, date),
    monitorsNear: (lat, lon, km, count) =>
      index.near(lat, lon, count, km).map(({ newest, km: distance }) => ({ monitor: newest, km: distance })),
    monitor: (id) => index.byId.get(id),
    all: () => index.monitors.map(({ newest }) => newest),
    read: watch.read,
    ages: (now: Instant): readonly FeedAge[] =>
      index.newestHour > 0 && index.newestHour <= now
        ? [{ dataset: DATASET, domain: 'conus', at: index.newestHour }]
        : [],
    close: watch.close,
  }
}

function airQualityAt(
  index: AirQualityIndex,
  watch: FeedWatch,
  { lat, lon, now }: Pick<PointAt, 'lat' | 'lon' | 'now'>,
): AirQualityAtPoint {
  const near = index.near(lat, lon, MAX_CANDIDATES, MONITOR_REACH_KM)
  const air = airQualityFrom(near, now)
  // A feed that was never read has no data yet. This is not a failure, but there are no values.
  if (!watch.state?.confirmed_at && !watch.failed) {
    const detail = 'no air quality file has been read yet'
    const warning: MetaWarning = { code: 'not_held', section: 'current', detail, fields: AIR_QUALITY_FIELDS }
    return { air, forecast: () => undefined, warnings: [warning], freshness: [], degraded: false }
  }
  const warnings: MetaWarning[] = [...watch.warnings('current', now, AIR_QUALITY_FIELDS)]
  if (air.aqi === null) warnings.push(withoutIndexWarning(index, near, now))
  const hours = Object.values(air.readings).map(({ monitor }) => monitor.hour)
  return {
    air,
    forecast: (date) => largestIndex(index.forecast(lat, lon, date)?.rows),
    warnings,
    freshness: hours.length > 0 ? [freshnessOf(air.readings, Math.max(...hours))] : [],
    degraded: warnings.some(({ code }) => code !== 'no_coverage'),
  }
}

/**
 * Returns why a point has no air quality index: its monitors do not report, the files could not be read, or no monitor
 * is near.
 */
function withoutIndexWarning(index: AirQualityIndex, near: readonly Monitor[], now: Instant): MetaWarning {
  const base = { section: 'current', product_id: DATASET, fields: AIR_QUALITY_FIELDS }
  const hasReported = near.some(({ hours }) =>
    hours.some((row) => row.active && POLLUTANTS.some((name) => row[name] !== null)),
  )
  if (hasReported)
    return {
      ...base,
      code: 'stale_source',
      detail: 'no AirNow monitor within 75 km has a value of the last three hours',
    }
  const oldestUsable = Math.min(...usableHours(now))
  if (index.newestHour < oldestUsable)
    return { ...base, code: 'stale_source', detail: 'no hourly file of AirNow of the last three hours could be read' }
  return { ...base, code: 'no_coverage', detail: 'no AirNow monitor is within 75 km' }
}

function freshnessOf(readings: AirQualityAtPoint['air']['readings'], newestHour: Instant): SourceFreshness {
  return {
    source: DATASET,
    product_id: DATASET,
    referenceTime: newestHour,
    latestValid: newestHour + HOUR,
    monitors: Object.entries(readings).map(([pollutant, { monitor, km }]) => ({
      pollutant,
      id: monitor.id,
      name: monitor.name,
      distance_km: Math.round(km * 10) / 10,
      hour: monitor.hour,
    })),
  }
}

/** The largest index of some forecasts; undefined if none has a number. */
function largestIndex(rows: readonly AreaForecast[] | undefined): number | undefined {
  const values = (rows ?? []).flatMap(({ aqi }) => aqi ?? [])
  return values.length > 0 ? Math.max(...values) : undefined
}
