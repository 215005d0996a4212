import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Column, Forecast } from '../blend/columns.ts'

/** Columns with instantaneous values. */
const instants = [
  'temperature',
  'feels_like',
  'wind_speed',
  'wind_gust',
  'humidity',
  'cloud_cover',
  'dew_point',
  'visibility',
  'pressure',
  'cloud_ceiling',
  'uv_index',
  'cape',
  'solar_radiation',
  'snow_level',
  'smoke',
] as const satisfies readonly Column[]
/** Columns with values of the hour that ends. */
const intervals = [
  'precip_probability',
  'precip_amount',
  'snow_amount',
  'ice_amount',
  'thunderstorm_probability',
] as const satisfies readonly Column[]
const columns = [...instants, ...intervals]
type WalkedColumn = (typeof columns)[number]

/** Statistics of a column, by offset from its first. NaN where there is none; KNOWN is the count. */
const STATISTICS = 5
export const KNOWN = 0
export const MAXIMUM = 1
export const MINIMUM = 2
export const MEAN = 3
export const TOTAL = 4
/** Offsets of columns in `Walks.seen`. */
export const offsets = Object.fromEntries(columns.map((name, i) => [name, i * STATISTICS])) as Record<
  WalkedColumn,
  number
>

/** Index ranges of a stretch of time: instants in `[from, to)`, intervals that end in `(from, to]`. */
export interface Stretch {
  readonly first: number
  readonly last: number
  readonly firstEnd: number
  readonly lastEnd: number
}

export function stretch(forecast: Forecast, from: Instant, to: Instant): Stretch {
  const a = Math.ceil((from - forecast.start) / HOUR)
  const b = Math.ceil((to - forecast.start) / HOUR)
  return {
    first: Math.max(0, a),
    last: Math.min(forecast.count, b) - 1,
    firstEnd: Math.max(0, a + 1),
    lastEnd: Math.min(forecast.count - 1, b),
  }
}

interface WalkMemory {
  readonly seen: Float64Array
  /** The columns in their order: found by name once, not in each of the fifty walks of an answer. */
  readonly values: readonly Float64Array[]
}

/** Of the columns of a forecast, which are pooled: later forecasts use the same. */
const memories = new WeakMap<Forecast['columns'], WalkMemory>()

function memoryOf(forecast: Forecast): WalkMemory {
  let memory = memories.get(forecast.columns)
  if (!memory) {
    memory = {
      seen: new Float64Array(columns.length * STATISTICS),
      values: columns.map((name) => forecast.columns[name]),
    }
    memories.set(forecast.columns, memory)
  }
  return memory
}

/** Extremes, mean and sum of a forecast's columns between any two hours. */
export class Walks {
  readonly forecast: Forecast
  /** Results of the last `over` of this forecast. */
  readonly seen: Float64Array
  readonly #values: readonly Float64Array[]

  constructor(forecast: Forecast) {
    const { seen, values } = memoryOf(forecast)
    this.forecast = forecast
    this.seen = seen
    this.#values = values
  }

  /** Fills `seen` from all columns within a stretch. */
  over({ first, last, firstEnd, lastEnd }: Stretch): void {
    for (let i = 0; i < columns.length; i++) {
      const values = this.#values[i]!
      if (i < instants.length) summarize(values, first, last, this.seen, i * STATISTICS)
      else summarize(values, firstEnd, lastEnd, this.seen, i * STATISTICS)
    }
  }
}

/** Sums in the order of the hours: another order would round otherwise. */
function summarize(values: Float64Array, first: number, last: number, into: Float64Array, at: number): void {
  let known = 0
  let most = Number.NEGATIVE_INFINITY
  let least = Number.POSITIVE_INFINITY
  let sum = 0
  for (let h = first; h <= last; h++) {
    const value = values[h]!
    if (Number.isNaN(value)) continue
    known++
    sum += value
    if (value > most) most = value
    if (value < least) least = value
  }
  into[at + KNOWN] = known
  into[at + MAXIMUM] = known ? most : Number.NaN
  into[at + MINIMUM] = known ? least : Number.NaN
  into[at + MEAN] = known ? sum / known : Number.NaN
  into[at + TOTAL] = known ? sum : Number.NaN
}

export function highest(values: Float64Array, from: number, to: number): number {
  let most = Number.NaN
  for (let i = from; i <= to; i++) if (!(values[i]! <= most) && !Number.isNaN(values[i]!)) most = values[i]!
  return most
}

export function lowest(values: Float64Array, from: number, to: number): number {
  let least = Number.NaN
  for (let i = from; i <= to; i++) if (!(values[i]! >= least) && !Number.isNaN(values[i]!)) least = values[i]!
  return least
}

export function mean(values: Float64Array, from: number, to: number): number {
  let sum = 0
  let count = 0
  for (let i = from; i <= to; i++) {
    if (Number.isNaN(values[i]!)) continue
    sum += values[i]!
    count++
  }
  return count ? sum / count : Number.NaN
}
