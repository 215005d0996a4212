import type { Sky } from '../../ingest/domain/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { wasm } from './kernels.generated.ts'

/** What `assembly/` exports. Rows, times and values are places in its memory. */
interface BlendKernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  begin(hour: number, hours: number, shown: number): void
  open(row: number, marks: number): void
  lacks(): number
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
export const ways = { linear: 0, direction: 1, smooth: 2, solar: 3 } as const

/** The hourly axis: an hour each from `start`, a full hour, on. */
export interface Axis {
  readonly start: Instant
  readonly count: number
  /** The hours that are shown, from the first on; all where absent. */
  readonly shown?: number
}

/** Room for rows of hours, for the times of some dozens of runs (octets, and what an answer may add), and for the values of an answer. */
const MOST_HOURS = 1024
const MOST_ROWS = 64
const TIMES = 3 * 1_048_576
const TIMES_OF_ANSWER = 2 * 1_048_576
const VALUES = 4 * 1_048_576

let skyNow: Sky | undefined
const host = { exp: Math.exp, sun: (hour: number) => skyNow?.sun(hour * HOUR) ?? Number.NaN }
/** One memory for all: a blend never waits. */
export const kernels = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')), { host })
  .exports as unknown as BlendKernels

const rowsFrom = (kernels.heapBase() + 63) & ~63
const marksFrom = rowsFrom + MOST_ROWS * MOST_HOURS * 8
const timesFrom = marksFrom + 2 * MOST_HOURS
const valuesFrom = timesFrom + TIMES
const end = valuesFrom + VALUES
kernels.memory.grow(Math.ceil((end - kernels.memory.buffer.byteLength) / 65_536))
const { buffer } = kernels.memory
const floats = new Float32Array(buffer)
const doubles = new Float64Array(buffer)
const integers = new Int32Array(buffer)

/** Where it is noted which dataset an hour is of. */
export const markPlaces = { temperature: marksFrom, dew_point: marksFrom + MOST_HOURS } as const
export const marks = {
  temperature: new Uint8Array(buffer, markPlaces.temperature, MOST_HOURS),
  dew_point: new Uint8Array(buffer, markPlaces.dew_point, MOST_HOURS),
} as const

/** Begins an answer. @throws RangeError where it is longer than there is room for */
export function beginRows({ start, count, shown = count }: Axis, sky: Sky): void {
  if (count > MOST_HOURS) throw new RangeError(`blend: wanted at most ${MOST_HOURS} hours, got ${count}; ask for fewer`)
  skyNow = sky
  nextValues = valuesFrom
  if (nextTimes + TIMES_OF_ANSWER > valuesFrom) {
    laid = new Map()
    nextTimes = timesFrom
  }
  kernels.begin(Math.round(start / HOUR), count, shown)
}

/** The place of a row of so many hours. */
export const rowPlace = (row: number, hours: number) => rowsFrom + row * hours * 8

/** So many rows as they stand in the kernels' memory; good for any answer with rows of so many hours. */
export const rowsView = (row: number, rows: number, hours: number) =>
  new Float64Array(buffer, rowPlace(row, hours), rows * hours)

/** Times of runs, which are one object for all cells of a run: laid down once, all forgotten when the room is nearly full. */
let laid = new Map<Float64Array, number>()
let nextTimes = timesFrom
let nextValues = valuesFrom

/** Changes when places of times are no longer good. */
export const timesEdition = (): object => laid

/** Where a run's times lie: good for this answer, and as long as the edition. @throws RangeError */
export function timesPlace(times: Float64Array): number {
  let place = laid.get(times)
  if (place !== undefined) return place
  place = nextTimes
  nextTimes += Math.ceil((times.length * 12) / 8) * 8
  if (nextTimes > valuesFrom) throw tooMuch('times', TIMES_OF_ANSWER)
  for (let i = 0; i < times.length; i++) {
    doubles[place / 8 + i] = times[i] / HOUR
    integers[place / 4 + times.length * 2 + i] = Math.ceil(times[i] / HOUR)
  }
  laid.set(times, place)
  return place
}

/** Puts values down for this answer. @throws RangeError where they are more than there is room for */
export function putValues(values: Float32Array): number {
  const place = nextValues
  nextValues += values.length * 4
  if (nextValues > end) throw tooMuch('values', VALUES)
  floats.set(values, place / 4)
  return place
}

const tooMuch = (what: string, most: number) =>
  new RangeError(`blend: wanted at most ${most} octets of ${what} for an answer, got more; ask of fewer runs`)
