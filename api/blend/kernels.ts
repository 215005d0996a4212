import type { Sky } from '../../ingest/domain/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { wasm } from './kernels.generated.ts'

/** What `assembly/` exports. Rows, times and values are places in its memory. */
interface BlendKernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  begin(hour: number, hours: number, shown: number): void
  open(row: number, marks: number): void
  hasMissing(): number
  fillBetween(times: number, values: number, n: number, before: number, kind: number, id: number): void
  fillNearest(times: number, values: number, n: number, before: number): void
  fillHourly(times: number, values: number, n: number, before: number): void
  fillSplit(times: number, values: number, n: number, before: number, window: number, guide: number): number
  fillBound(times: number, values: number, n: number, before: number, window: number): number
  fillHoles(): void
  round(turning: number): void
  guideSnow(liquid: number, temperature: number): void
}

/** The kinds of `fillBetween`. */
export const interpolations = { linear: 0, direction: 1, smooth: 2, solar: 3 } as const

/** The hourly axis: an hour each from `start`, a full hour, on. */
export interface Axis {
  readonly start: Instant
  readonly count: number
  /** The hours that are shown, from the first on; all where absent. */
  readonly shown?: number
}

/** Rows of hours: parameters ask for 336 hours and 14 days at most, and the axis adds a day and a few hours. */
const MAX_HOURS = 1024
const MAX_ROWS = 64
/** Bytes at the start; both regions grow when a run needs more. */
const INITIAL_TIMES_BYTES = 3 * 1_048_576
const INITIAL_VALUES_BYTES = 4 * 1_048_576
/** Times are dropped before an answer when fewer bytes are free. */
const TIMES_OF_ANSWER_BYTES = 2 * 1_048_576
/** The most that a region grows to: sixteen times what a whole day of all datasets needs. */
const MAX_REGION_BYTES = 64 * 1_048_576

let skyNow: Sky | undefined
const host = { exp: Math.exp, sun: (hour: number) => skyNow?.sun(hour * HOUR) ?? Number.NaN }
/** One memory for all: a blend never waits. */
export const kernels = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')), { host })
  .exports as unknown as BlendKernels

const rowsFrom = (kernels.heapBase() + 63) & ~63
const marksFrom = rowsFrom + MAX_ROWS * MAX_HOURS * 8
const timesFrom = marksFrom + 2 * MAX_HOURS

/** Views of the kernels' memory and the borders of its regions; replaced as a whole when the memory grows, which detaches views. */
interface Layout {
  readonly buffer: ArrayBuffer
  readonly floats: Float32Array
  readonly doubles: Float64Array
  readonly integers: Int32Array
  readonly valuesFrom: number
  readonly end: number
}

function createLayout(timesBytes: number, valuesBytes: number): Layout {
  const valuesFrom = timesFrom + timesBytes
  const end = valuesFrom + valuesBytes
  const missing = end - kernels.memory.buffer.byteLength
  if (missing > 0) kernels.memory.grow(Math.ceil(missing / 65_536))
  const { buffer } = kernels.memory
  return {
    buffer,
    floats: new Float32Array(buffer),
    doubles: new Float64Array(buffer),
    integers: new Int32Array(buffer),
    valuesFrom,
    end,
  }
}

let layout = createLayout(INITIAL_TIMES_BYTES, INITIAL_VALUES_BYTES)

/** Changes when the memory has grown: views made before it are detached. */
export const memoryBuffer = (): ArrayBuffer => layout.buffer

/** Thrown in the middle of an answer whose runs need a larger region; `growFor` makes it, then the answer is blended anew. */
export class RegionFull extends Error {
  readonly region: 'times' | 'values'

  constructor(region: 'times' | 'values') {
    super(`blend: the ${region} of this answer need a larger region`)
    this.region = region
  }
}

/** Doubles a region. @throws RangeError at the limit */
export function growFor({ region }: RegionFull): void {
  const times = layout.valuesFrom - timesFrom
  const values = layout.end - layout.valuesFrom
  const wanted = 2 * (region === 'times' ? times : values)
  if (wanted > MAX_REGION_BYTES)
    throw new RangeError(`blend: the ${region} of one answer take more than ${MAX_REGION_BYTES / 1_048_576} MiB`)
  layout = region === 'times' ? createLayout(wanted, values) : createLayout(times, wanted)
  forgetTimes()
}

/** Where it is noted which dataset an hour is of. */
export const markPlaces = { temperature: marksFrom, dew_point: marksFrom + MAX_HOURS } as const
export const marksOf = (name: keyof typeof markPlaces): Uint8Array =>
  new Uint8Array(layout.buffer, markPlaces[name], MAX_HOURS)

/** Begins an answer. @throws RangeError where it is longer than there is room for */
export function beginRows({ start, count, shown = count }: Axis, sky: Sky): void {
  if (count > MAX_HOURS) throw new RangeError(`blend: wanted at most ${MAX_HOURS} hours, got ${count}; ask for fewer`)
  skyNow = sky
  nextValues = layout.valuesFrom
  if (nextTimes + TIMES_OF_ANSWER_BYTES > layout.valuesFrom) forgetTimes()
  kernels.begin(Math.round(start / HOUR), count, shown)
}

/** The place of a row of so many hours. */
export const rowPlace = (row: number, hours: number) => rowsFrom + row * hours * 8

/** So many rows as they stand in the kernels' memory; good for any answer with rows of so many hours. */
export const rowsView = (row: number, rows: number, hours: number) =>
  new Float64Array(layout.buffer, rowPlace(row, hours), rows * hours)

/** Times of runs, which are one object for all cells of a run: stored once, all dropped when their region is nearly full. */
let storedTimes = new Map<Float64Array, number>()
let nextTimes = timesFrom
let nextValues = layout.valuesFrom

function forgetTimes(): void {
  storedTimes = new Map()
  nextTimes = timesFrom
}

/** Changes when places of times are no longer good. */
export const timesEdition = (): object => storedTimes

/** Where a run's times are stored: good for this answer, and as long as the edition. @throws RegionFull */
export function timesPlace(times: Float64Array): number {
  let place = storedTimes.get(times)
  if (place !== undefined) return place
  place = nextTimes
  const { doubles, integers, valuesFrom } = layout
  const behind = place + Math.ceil((times.length * 12) / 8) * 8
  if (behind > valuesFrom) throw new RegionFull('times')
  nextTimes = behind
  for (let i = 0; i < times.length; i++) {
    doubles[place / 8 + i] = times[i] / HOUR
    integers[place / 4 + times.length * 2 + i] = Math.ceil(times[i] / HOUR)
  }
  storedTimes.set(times, place)
  return place
}

/** Stores values for this answer. @throws RegionFull */
export function putValues(values: Float32Array): number {
  const place = nextValues
  nextValues += values.length * 4
  if (nextValues > layout.end) throw new RegionFull('values')
  layout.floats.set(values, place / 4)
  return place
}
