import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { cellOf } from '../../ingest/domain/cell.ts'
import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import {
  DAY_ELEMENTS,
  DAY_LEAD_HOURS,
  type ForecastRequest,
  HOUR_ELEMENTS,
  LEAD_HOURS,
  MEASURABLE_MM,
  READ_SOURCES,
  type ServedForecasts,
  type VerifiedStation,
} from '../../ingest/domain/verification/forecast.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Blender } from '../blend/blend.ts'
import type { Forecast } from '../blend/columns.ts'
import { analyses } from '../blend/field-table.ts'
import type { WeatherQuery } from '../query/query.ts'
import { parseWeather } from '../query/query.ts'
import { extremesOf } from '../sections/day-extremes.ts'
import { Context, type ContextDeps } from './context.ts'

export type StationDeps = Omit<ContextDeps, 'datasets'> & {
  readonly datasets: readonly Dataset[]
  /** Resolution of the model cells. */
  readonly resolution: number
}

const ZERO_CELSIUS = 273.15
const [, hourlyAnalysis] = analyses
/** Number of stations between two turns of the event loop. */
const STATIONS_A_TURN = 20

/** The datasets of each source that is also blended on its own. */
const inputs = { nbm: ['nbm'], hrrr: ['hrrr', 'hrrr-long'], gfs: ['gfs'] } as const

/** Number of hours and daily rows up to the longest leads. */
const HOURS = Math.max(...LEAD_HOURS) + 1
const DAYS = Math.max(...DAY_LEAD_HOURS) / 24 + 1

function queryOf(include: string): WeatherQuery {
  return parseWeather({ lat: '0', lon: '0', include, hourly_hours: String(HOURS), days: String(DAYS) }).query
}

/**
 * The answers that are served now at stations, from the pipeline of `/v1/weather`, and each input blended on its own.
 */
export async function stationForecasts(
  deps: StationDeps,
  { now, stations, morning }: ForecastRequest,
): Promise<ServedForecasts> {
  const width = HOUR_ELEMENTS.length
  const dayWidth = DAY_ELEMENTS.length
  const sources = READ_SOURCES.length
  const served: ServedForecasts = {
    hours: new Float32Array(LEAD_HOURS.length * stations.length * sources * width).fill(Number.NaN),
    days: new Float32Array(DAY_LEAD_HOURS.length * morning.length * sources * dayWidth).fill(Number.NaN),
    analysis: new Float32Array(stations.length * width).fill(Number.NaN),
    analysed: new Float64Array(stations.length).fill(Number.NaN),
  }
  const about = { ...deps, datasets: new Map(deps.datasets.map((dataset) => [dataset.id, dataset])) }
  const hourly = queryOf('hourly')
  const daily = queryOf('hourly,daily')
  const rowOf = new Map(morning.map((s, m) => [s, m]))
  for (const [s, station] of stations.entries()) {
    if (s % STATIONS_A_TURN === 0) await yieldToEvents()
    const m = rowOf.get(s)
    const cell = cellOf(station.lat, station.lon, deps.resolution)
    const context = new Context(about, resolvedAt(station), cell, m === undefined ? hourly : daily, now)
    const { forecast } = await context.weatherNow()
    if (!forecast) continue
    const putSource = (source: number, from: Forecast) => {
      for (const [l, lead] of LEAD_HOURS.entries()) {
        const at = ((l * stations.length + s) * sources + source) * width
        putHour(served.hours, at, from, from.now + lead)
      }
      if (m === undefined) return
      const windows = DAY_LEAD_HOURS.flatMap(
        (lead) => context.windows.find(({ relative }) => relative === lead / 24) ?? [],
      )
      for (const [l, { high, low }] of extremesOf(from, windows).entries()) {
        const at = ((l * morning.length + m) * sources + source) * dayWidth
        served.days[at] = high - ZERO_CELSIUS
        served.days[at + 1] = low - ZERO_CELSIUS
      }
    }
    putSource(0, forecast)
    for (const [source, datasets] of Object.entries(inputs)) {
      const alone = await forecastOf(deps.blender, context, datasets, forecast)
      if (!alone) continue
      putSource(READ_SOURCES.indexOf(source as keyof typeof inputs), alone)
      alone.release()
    }
    const analysis = await context.read(hourlyAnalysis)
    if (analysis) served.analysed[s] = putAnalysis(served.analysis, s * width, analysis)
    context.release()
  }
  return served
}

/** The members of a place that the pipeline reads. */
function resolvedAt({ lat, lon, domain, name, state, timezone }: VerifiedStation) {
  return {
    lat,
    lon,
    domain,
    place: { name, region: state, country: 'US' as const, timezone, county: undefined, zip: undefined },
    gis: {},
    warnings: [],
  }
}

/** Blends a single source on the same axis; undefined if it has no run here. */
async function forecastOf(
  blender: Blender,
  context: Context,
  datasets: readonly string[],
  { start, count }: Forecast,
): Promise<Forecast | undefined> {
  const sources = new Map<string, PointSeries[]>()
  for (const dataset of datasets) {
    const series = await context.read(dataset)
    if (series) sources.set(dataset, [series])
  }
  if (sources.size === 0) return undefined
  return blender.blend({ start, count, now: context.now, sources, sky: context.sky, uncertainty: false })
}

/** Writes the values of one hour in the order of `HOUR_ELEMENTS`, in °C, m/s, percent, m. */
function putHour(into: Float32Array, at: number, { columns, ceilingUnlimited, count }: Forecast, h: number): void {
  if (h >= count) return
  into[at] = nth(columns.temperature, h) - ZERO_CELSIUS
  into[at + 1] = nth(columns.dew_point, h) - ZERO_CELSIUS
  into[at + 2] = nth(columns.wind_speed, h)
  into[at + 3] = nth(columns.wind_gust, h)
  into[at + 4] = nth(columns.cloud_cover, h)
  into[at + 5] = nth(columns.visibility, h)
  into[at + 6] = ceilingUnlimited[h] ? Number.POSITIVE_INFINITY : nth(columns.cloud_ceiling, h)
  const probability = nth(columns.precip_probability, h)
  const amount = nth(columns.precip_amount, h)
  // A source without probabilities counts as 0 or 100 percent.
  into[at + 7] = Number.isNaN(probability) && !Number.isNaN(amount) ? (amount >= MEASURABLE_MM ? 100 : 0) : probability
}

/** Writes the values of an analysis. @returns the time of the analysis; NaN if it is not a full hour */
function putAnalysis(into: Float32Array, at: number, { variables, run }: PointSeries): Instant {
  const valueAt = (name: string) => variables.get(name)?.values[0] ?? Number.NaN
  into[at] = valueAt('temperature') - ZERO_CELSIUS
  into[at + 1] = valueAt('dew_point') - ZERO_CELSIUS
  into[at + 2] = valueAt('wind_speed')
  into[at + 3] = valueAt('wind_gust')
  into[at + 4] = valueAt('cloud_cover')
  into[at + 5] = valueAt('visibility')
  const ceiling = variables.get('cloud_ceiling')?.values[0]
  // Tiles store "no ceiling" as missing.
  into[at + 6] = Number.isNaN(ceiling) ? Number.POSITIVE_INFINITY : (ceiling ?? Number.NaN)
  return Math.round(run / HOUR) * HOUR === run ? run : Number.NaN
}
