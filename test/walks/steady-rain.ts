import type { NowcastAtPoint, RadarAtPoint, ServedRun, Suppliers } from '../../api/contract.ts'
import type { Current } from '../../api/live/served-runs.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { WET_RATE } from '../../ingest/domain/weather/echo.ts'
import { summarise } from '../../ingest/nowcast/summary.ts'
import type { PointSeries, Series } from '../../ingest/tile/read.ts'
import { analyticCurrent, runsAt } from '../api/analytic-runs.ts'

/** Rain or snow of a known rate, as seen by radar and as given by models and accumulations. */

type RateAt = (lat: number, lon: number, time: Instant) => number

const none = { warnings: [], freshness: [], degraded: false } as const
/** Age of the newest scan at the time of an answer, minutes; scans are ten minutes apart. */
const SCAN_AGE = 3

/** Returns the amount in an interval, mm, summed by minute. */
export function fallen(rateAt: (time: Instant) => number, from: Instant, to: Instant): number {
  let sum = 0
  for (let time = from; time < to; time += MINUTE) sum += rateAt(time + MINUTE / 2) / 60
  return sum
}

const displayed = (rate: number) => (rate < WET_RATE ? 0 : Math.round(rate * 100) / 100)

/** Returns a radar that sees these rates, and a nowcast without error. */
export function radarOf(rateAt: RateAt, type: 'rain' | 'snow'): Suppliers {
  return {
    async radar(at): Promise<RadarAtPoint> {
      const scan = at.now - SCAN_AGE * MINUTE
      const rate = displayed(rateAt(at.lat, at.lon, scan))
      const about = { validTime: scan, scanTime: scan, reflectivityProduct: 'mrms-reflectivity', ...none }
      if (rate === 0) return { ...about, coverage: 'dry', precipRate: 0, precipType: 'none' }
      return { ...about, coverage: 'value', precipRate: rate, precipType: type }
    },
    async nowcast(at): Promise<NowcastAtPoint> {
      const anchor = at.now - SCAN_AGE * MINUTE
      const points = Array.from({ length: 19 }, (_, step) => {
        const time = anchor + step * 5 * MINUTE
        const rate = displayed(rateAt(at.lat, at.lon, time))
        return {
          time,
          type: rate > 0 ? type : ('none' as const),
          rate,
          dbz: rate > 0 ? 30 : 0,
          probability: rate > 0 ? 95 : 5,
        }
      })
      const summary = summarise(points, 5, at.now)
      return { anchor, product: 'mrms-precip-rate', points, summary, warnings: [], freshness: [] }
    },
    async scans(at) {
      const newest = at.now - SCAN_AGE * MINUTE
      return {
        async since(from) {
          const times = Array.from({ length: 16 }, (_, i) => newest - (15 - i) * 10 * MINUTE)
          return times
            .filter((time) => time > from - 10 * MINUTE)
            .map((time) => ({ time, rate: displayed(rateAt(at.lat, at.lon, time)) }))
        },
      }
    },
  }
}

export interface SteadyWeather {
  /** Rate of the models, mm/h, and measured amount of the hour that ends at a time, mm. */
  readonly modelled: number
  readonly measured: number | ((end: Instant) => number)
  /** K */
  readonly temperature: number
  /** Ratio of snow depth to liquid, as in NBM; absent if NBM has no snow. */
  readonly ratio?: number
}

/** Returns model runs of weather that does not change. @param earlier whether earlier runs of NBM are stored */
export function steadyCurrent(now: Instant, weather: SteadyWeather, earlier = true): Current {
  const runs = runsAt(now)
  const before = (earlier ? [6, 12, 18, 24] : []).map((hours) => entryOf(runs, 'nbm') - hours * HOUR)
  const current = analyticCurrent(now, runs, before)
  const changed = (served: ServedRun | undefined) => {
    if (!served?.opened) return served
    const { point, variables } = served.opened
    const opened = {
      ...served.opened,
      variables,
      point: async (cell: string) => {
        const series = await point(cell)
        return series && steady(series, served.dataset === 'past-hours', weather)
      },
    }
    return { ...served, opened, open: async () => opened }
  }
  return {
    ...current,
    served: (dataset, domain) => changed(current.served(dataset, domain)),
    earlier: (dataset, domain) => current.earlier(dataset, domain).map((run) => changed(run)!),
  }
}

function steady(series: PointSeries, isMeasured: boolean, weather: SteadyWeather): PointSeries {
  const { measured, modelled: rate } = weather
  const measuredAt = typeof measured === 'number' ? () => measured : measured
  const steadyValue = (name: string): number | undefined => {
    const hours = Number(/_(\d+)h(?:_p\d+)?$/.exec(name)?.[1] ?? 1)
    if (name.startsWith('precip_amount')) return rate * hours
    if (name.startsWith('snow_amount')) return weather.ratio === undefined ? 0 : rate * hours * weather.ratio
    if (name.startsWith('ice_amount')) return 0
    if (name.startsWith('precip_probability')) return rate > 0 ? 95 : 0
    if (name === 'precip_type_rain_prob') return weather.temperature > 274 ? 100 : 0
    if (name === 'precip_type_snow_prob') return weather.temperature > 274 ? 0 : 100
    if (name.startsWith('precip_type')) return 0
    if (/^temperature(?:_max_12h|_min_12h)?$/.test(name)) return weather.temperature
    return name === 'dew_point' ? weather.temperature - 1 : undefined
  }
  const get = (name: string): Series | undefined => {
    const variable = series.variables.get(name)
    if (isMeasured && variable && name === 'precip_amount')
      return { ...variable, values: Float32Array.from(variable.times, measuredAt) }
    const value = variable && steadyValue(name)
    return value === undefined ? variable : { ...variable!, values: variable!.values.map(() => value) }
  }
  return { ...series, variables: { get, keys: () => series.variables.keys() } }
}
