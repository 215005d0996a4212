import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Column, Forecast } from '../blend/columns.ts'
import { wasm } from './kernels.generated.ts'

/** Columns whose values hold at an hour. */
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
/** Columns whose values are of the hour that ends. */
const intervals = [
  'precip_probability',
  'precip_amount',
  'snow_amount',
  'ice_amount',
  'thunderstorm_probability',
] as const satisfies readonly Column[]
const columns = [...instants, ...intervals]
type WalkedColumn = (typeof columns)[number]

/** What is known of a column's values, by its place behind the column's. NaN where there is none; KNOWN counts them. */
const SEEN = 5
export const KNOWN = 0
export const MOST = 1
export const LEAST = 2
export const MEAN = 3
export const TOTAL = 4
/** Places of columns in `Walks.seen`. */
export const places = Object.fromEntries(columns.map((name, i) => [name, i * SEEN])) as Record<WalkedColumn, number>

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

interface Kernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  walk(rows: number, count: number, stride: number, first: number, last: number, out: number): void
}

/** More than any answer's hours. */
const MOST_HOURS = 512
const STRIDE = MOST_HOURS * 8

function open() {
  const kernels = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')))
    .exports as unknown as Kernels
  const out = (kernels.heapBase() + 63) & ~63
  const rows = out + columns.length * SEEN * 8
  kernels.memory.grow(Math.ceil((rows + columns.length * STRIDE) / 65_536))
  const { buffer } = kernels.memory
  return {
    kernels,
    out,
    rows,
    seen: new Float64Array(buffer, out, columns.length * SEEN),
    views: columns.map((_, i) => new Float64Array(buffer, rows + i * STRIDE, MOST_HOURS)),
  }
}

let opened: ReturnType<typeof open> | undefined
/** Whose columns lie in the kernel's memory. */
let laid = 0
let last = 0

/** A forecast's columns, to be walked between any two hours. */
export class Walks {
  readonly forecast: Forecast
  /** What the last walk of any forecast found. */
  readonly seen: Float64Array
  readonly #room = (opened ??= open())
  readonly #id = ++last

  constructor(forecast: Forecast) {
    if (forecast.count > MOST_HOURS) throw new Error(`a forecast of ${forecast.count} hours: raise MOST_HOURS`)
    this.forecast = forecast
    this.seen = this.#room.seen
  }

  /** Looks at all columns within a stretch. */
  over({ first, last, firstEnd, lastEnd }: Stretch): void {
    if (laid !== this.#id) this.#lay()
    const { kernels, rows, out } = this.#room
    kernels.walk(rows, instants.length, STRIDE, first, last, out)
    const behind = out + instants.length * SEEN * 8
    kernels.walk(rows + instants.length * STRIDE, intervals.length, STRIDE, firstEnd, lastEnd, behind)
  }

  #lay(): void {
    for (let i = 0; i < columns.length; i++) this.#room.views[i]!.set(this.forecast.columns[columns[i]!])
    laid = this.#id
  }
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
