import type { Sky } from '../../ingest/domain/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { type BlendKernels, instantiateKernels } from './kernels.ts'

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

/** A variable of a run, in the kernels' memory. */
export interface Strip {
  readonly times: number
  /** Bytes from the beginning of the values of the run. */
  readonly from: number
  readonly length: number
}

/** By number of the variable; undefined where the run does not have it. */
export type Strips = readonly (Strip | undefined)[]

/** Views of the kernels' memory and the borders of its regions; replaced as a whole when the memory grows, which detaches views. */
interface Layout {
  readonly buffer: ArrayBuffer
  readonly floats: Float32Array
  readonly doubles: Float64Array
  readonly integers: Int32Array
  readonly valuesFrom: number
  readonly end: number
}

/** Thrown in the middle of an answer whose runs need a larger region; after `grow` the answer is blended again. */
export class RegionFull extends Error {
  readonly region: 'times' | 'values'

  constructor(region: 'times' | 'values') {
    super(`blend: the ${region} of this answer need a larger region`)
    this.region = region
  }
}

/** Memory of the blend's kernels: rows, times of runs, values of one answer. One object serves all answers, because a blend is synchronous. */
export class BlendMemory {
  readonly kernels: BlendKernels
  /** Offsets of the source of each hour, of rows that record it. */
  readonly markOffsets: Readonly<Record<'temperature' | 'dew_point', number>>
  readonly #rowsFrom: number
  readonly #timesFrom: number
  #sky: Sky | undefined
  #layout: Layout
  /** Times of runs, which are one object for all cells of a run: stored once, all dropped when their region is nearly full. */
  #times = new Map<Float64Array, number>()
  /** Strips of runs whose values are stored in one array: the same for all cells. Valid while the times are stored. */
  #strips = new WeakMap<object, Strips>()
  #nextTimes: number
  #nextValues: number

  constructor() {
    this.kernels = instantiateKernels((hour) => this.#sky?.sun(hour * HOUR) ?? Number.NaN)
    this.#rowsFrom = (this.kernels.heapBase() + 63) & ~63
    const marksFrom = this.#rowsFrom + MAX_ROWS * MAX_HOURS * 8
    this.markOffsets = { temperature: marksFrom, dew_point: marksFrom + MAX_HOURS }
    this.#timesFrom = marksFrom + 2 * MAX_HOURS
    this.#layout = this.#createLayout(INITIAL_TIMES_BYTES, INITIAL_VALUES_BYTES)
    this.#nextTimes = this.#timesFrom
    this.#nextValues = this.#layout.valuesFrom
  }

  /** Changes when the memory has grown: views made before it are detached. */
  get buffer(): ArrayBuffer {
    return this.#layout.buffer
  }

  /** Begins an answer. @throws RangeError where its axis is longer than a row */
  begin({ start, count, shown = count }: Axis, sky: Sky): void {
    if (count > MAX_HOURS) throw new RangeError(`blend: wanted at most ${MAX_HOURS} hours, got ${count}; ask for fewer`)
    this.#sky = sky
    const { valuesFrom } = this.#layout
    this.#nextValues = valuesFrom
    if (this.#nextTimes + TIMES_OF_ANSWER_BYTES > valuesFrom) this.#dropTimes()
    this.kernels.begin(Math.round(start / HOUR), count, shown)
  }

  /** Offset of a row with this many hours. */
  rowOffset(row: number, hours: number): number {
    return this.#rowsFrom + row * hours * 8
  }

  /** Views of rows; valid for any answer with rows of this many hours, until the memory grows. */
  rowsView(row: number, rows: number, hours: number): Float64Array {
    return new Float64Array(this.#layout.buffer, this.rowOffset(row, hours), rows * hours)
  }

  /** Source of each hour of a row, by number of the dataset. */
  marksOf(name: keyof BlendMemory['markOffsets']): Uint8Array {
    return new Uint8Array(this.#layout.buffer, this.markOffsets[name], MAX_HOURS)
  }

  /** Offset of a run's times; valid for this answer. @throws RegionFull */
  timesOffset(times: Float64Array): number {
    let offset = this.#times.get(times)
    if (offset !== undefined) return offset
    offset = this.#nextTimes
    const { doubles, integers, valuesFrom } = this.#layout
    const end = offset + Math.ceil((times.length * 12) / 8) * 8
    if (end > valuesFrom) throw new RegionFull('times')
    this.#nextTimes = end
    for (let i = 0; i < times.length; i++) {
      doubles[offset / 8 + i] = times[i] / HOUR
      integers[offset / 4 + times.length * 2 + i] = Math.ceil(times[i] / HOUR)
    }
    this.#times.set(times, offset)
    return offset
  }

  /** Stores values for this answer. @returns their offset @throws RegionFull */
  putValues(values: Float32Array): number {
    const offset = this.#nextValues
    this.#nextValues += values.length * 4
    if (this.#nextValues > this.#layout.end) throw new RegionFull('values')
    this.#layout.floats.set(values, offset / 4)
    return offset
  }

  /** The strips of a run, computed once while its times are stored. @throws RegionFull */
  stripsOf(rows: object, compute: () => Strips): Strips {
    let strips = this.#strips.get(rows)
    if (!strips) this.#strips.set(rows, (strips = compute()))
    return strips
  }

  /** Doubles a region. @throws RangeError at the limit */
  grow({ region }: RegionFull): void {
    const times = this.#layout.valuesFrom - this.#timesFrom
    const values = this.#layout.end - this.#layout.valuesFrom
    const wanted = 2 * (region === 'times' ? times : values)
    if (wanted > MAX_REGION_BYTES)
      throw new RangeError(`blend: the ${region} of one answer take more than ${MAX_REGION_BYTES / 1_048_576} MiB`)
    this.#layout = region === 'times' ? this.#createLayout(wanted, values) : this.#createLayout(times, wanted)
    this.#dropTimes()
  }

  #createLayout(timesBytes: number, valuesBytes: number): Layout {
    const valuesFrom = this.#timesFrom + timesBytes
    const end = valuesFrom + valuesBytes
    const { memory } = this.kernels
    const missing = end - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / 65_536))
    const { buffer } = memory
    return {
      buffer,
      floats: new Float32Array(buffer),
      doubles: new Float64Array(buffer),
      integers: new Int32Array(buffer),
      valuesFrom,
      end,
    }
  }

  #dropTimes(): void {
    this.#times = new Map()
    this.#strips = new WeakMap()
    this.#nextTimes = this.#timesFrom
  }
}
