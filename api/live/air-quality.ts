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
import type { AirQualityAtPoint, FeedAge, MetaWarning, PointAt } from '../contract.ts'
import { watchFeed } from './feed-watch.ts'
import type { LiveDeps, LiveSource } from './source.ts'

const DATASET = 'airnow'
/** Members of `current` from AirNow, as named in warnings. */
export const AIR_QUALITY_FIELDS = ['aqi', 'pm25', 'ozone', 'pm10'] as const
const MAX_CANDIDATES = 200
/** Hours in memory: usable hours, and enough before them to recognise a monitor that stopped reporting. */
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
  /** Monitors with any row, nearest first. */
  monitorsNear(
    lat: number,
    lon: number,
    km: number,
    count: number,
  ): readonly { readonly monitor: MonitorHour; readonly km: number }[]
  monitor(id: string): MonitorHour | undefined
  /** The newest hour of every monitor. */
  all(): readonly MonitorHour[]
  read(): Promise<void>
}

/** Keeps the latest hours of every monitor (5,000) and the forecasts of every area (700) in memory. */
export async function openAirQuality(deps: LiveDeps): Promise<AirQualitySource> {
  const { database, events, clock, current } = deps
  let monitors: (readonly MonitorHour[])[] = []
  let byId = new Map<string, MonitorHour>()
  let tree: PointTree = pointTree([], [])
  let areas: (readonly AreaForecast[])[] = []
  let areaTree: PointTree = pointTree([], [])
  let newest = 0
  const load = async (tx: Queries): Promise<() => void> => {
    const now = clock()
    const rows = await monitorHours(tx, new Date(now - LOADED_HOURS * HOUR), new Date(now + HOUR))
    const forecasts = await areaForecasts(tx)
    return () => {
      const grouped = Map.groupBy(rows, ({ id }) => id)
      // The newest row has the current position of the monitor.
      monitors = [...grouped.values()].map((hours) => hours.reverse())
      byId = new Map(monitors.map((hours) => [hours[0]!.id, hours[0]!]))
      newest = monitors.reduce((best, hours) => Math.max(best, hours[0]!.hour), 0)
      tree = pointTree(
        monitors.map((hours) => hours[0]!.lat),
        monitors.map((hours) => hours[0]!.lon),
      )
      areas = [...Map.groupBy(forecasts, ({ area, state, lat, lon }) => `${area}|${state}|${lat}|${lon}`).values()]
      areaTree = pointTree(
        areas.map((rows) => rows[0]!.lat),
        areas.map((rows) => rows[0]!.lon),
      )
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
    changed: () => current.invalidateAll(),
    report: deps.report('air quality could not be read'),
  })

  const forecast: AirQualitySource['forecast'] = (lat, lon, date) => {
    const [found] = areaTree.near(lat, lon, 1, MONITOR_REACH_KM, (index) =>
      areas[index]!.some((row) => row.date === date),
    )
    if (!found) return undefined
    const rows = areas[found.index]!.filter((row) => row.date === date)
    return { area: rows[0]!.area, state: rows[0]!.state, km: found.km, rows }
  }

  const at: AirQualitySource['at'] = async ({ lat, lon, now }) => {
    const warnings: MetaWarning[] = [...watch.warnings('current', now, AIR_QUALITY_FIELDS)]
    const near = tree
      .near(lat, lon, MAX_CANDIDATES, MONITOR_REACH_KM)
      .map(({ index, km }) => ({ km, hours: monitors[index]! }))
    const air = airQualityFrom(near, now)
    // A feed that was never read has no data yet: not a failure, and no values.
    if (!watch.state?.confirmed_at && !watch.failed) {
      const detail = 'no air quality file has been read yet'
      const warning: MetaWarning = { code: 'not_held', section: 'current', detail, fields: AIR_QUALITY_FIELDS }
      return { air, forecast: () => undefined, warnings: [warning], freshness: [], degraded: false }
    }
    const reported = near.some(({ hours }) =>
      hours.some((row) => row.active && POLLUTANTS.some((name) => row[name] !== null)),
    )
    const unread = newest < usableHours(now)[USABLE_HOURS - 1]!
    if (air.aqi === null && (unread || reported)) {
      warnings.push({
        code: 'stale_source',
        section: 'current',
        product_id: DATASET,
        detail: reported
          ? 'no AirNow monitor within 75 km has a value of the last three hours'
          : 'no hourly file of AirNow of the last three hours could be read',
        fields: AIR_QUALITY_FIELDS,
      })
    } else if (air.aqi === null) {
      warnings.push({
        code: 'no_coverage',
        section: 'current',
        product_id: DATASET,
        detail: 'no AirNow monitor is within 75 km',
        fields: AIR_QUALITY_FIELDS,
      })
    }
    const hours = Object.values(air.readings).map(({ monitor }) => monitor.hour)
    return {
      air,
      forecast: (date) => largest(forecast(lat, lon, date)?.rows),
      warnings,
      freshness:
        hours.length > 0
          ? [
              {
                source: DATASET,
                product_id: DATASET,
                referenceTime: Math.max(...hours),
                latestValid: Math.max(...hours) + HOUR,
                monitors: Object.entries(air.readings).map(([pollutant, { monitor, km }]) => ({
                  pollutant,
                  id: monitor.id,
                  name: monitor.name,
                  distance_km: Math.round(km * 10) / 10,
                  hour: monitor.hour,
                })),
              },
            ]
          : [],
      degraded: warnings.some(({ code }) => code !== 'no_coverage'),
    }
  }

  return {
    suppliers: { airQuality: at },
    at,
    forecast,
    monitorsNear: (lat, lon, km, count) =>
      tree.near(lat, lon, count, km).map(({ index, km: away }) => ({ monitor: monitors[index]![0]!, km: away })),
    monitor: (id) => byId.get(id),
    all: () => monitors.map((hours) => hours[0]!),
    read: watch.read,
    ages: (now: Instant): readonly FeedAge[] =>
      newest > 0 && newest <= now ? [{ dataset: DATASET, domain: 'conus', at: newest }] : [],
    close: watch.close,
  }
}

/** The largest index of some forecasts; undefined where none has a number. */
function largest(rows: readonly AreaForecast[] | undefined): number | undefined {
  const values = (rows ?? []).flatMap(({ aqi }) => aqi ?? [])
  return values.length > 0 ? Math.max(...values) : undefined
}
