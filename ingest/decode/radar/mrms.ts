import { gunzipSync } from 'node:zlib'
import { GribError, type Message, readMessages } from 'grib2-wasm'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'

/** An MRMS grid. Its samples are packed numbers, which `meaning` converts to values. */
export interface MrmsGrid {
  /** Name in MRMS's table, or `var209-…` if the table does not have the parameter. */
  readonly parameter: string
  readonly validTime: Instant
  readonly nx: number
  readonly ny: number
  /** Latitude and longitude of the centre of the first pixel, and the steps to the next pixel southward and eastward; degrees. */
  readonly north: number
  readonly west: number
  readonly dLat: number
  readonly dLon: number
  /** Bytes of a sample; the high byte comes first. */
  readonly each: 1 | 2
  /**
   * Streams the samples, several whole rows at a time. The passed array is valid only during the call.
   * @throws Fault Corrupt if the samples are damaged
   */
  readonly read: (take: (rows: Uint8Array) => void) => void
  readonly meaning: (sample: number) => number
}

/** Maximum size of a decompressed file, far above any MRMS grid. It protects against decompression bombs. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads an MRMS file (`.grib2` or `.grib2.gz`) with one message. The samples of PNG-packed fields are passed on as they are packed. Any
 * other packing is decoded to numbers first.
 * @throws Fault Corrupt if the file is damaged or has another number of messages
 */
export function readMrms(bytes: Uint8Array, source: string): MrmsGrid {
  return named(source, () => {
    const grib = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes
    const messages = [...readMessages(grib)]
    if (messages.length !== 1)
      throw new Fault('Corrupt', `${source}: must have one GRIB2 message, but has ${messages.length}`)
    return gridOf(nth(messages, 0), source)
  })
}

/** Runs `read`, and adds the name of the file to its faults. */
function named<T>(source: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Fault) throw error
    const reason =
      error instanceof GribError
        ? error.message
        : `the file must be gzip and PNG, but cannot be read (${(error as Error).message})`
    throw new Fault('Corrupt', `${source}: ${reason}. Fetch it again.`, { source }, error)
  }
}

function gridOf(message: Message, source: string): MrmsGrid {
  const { grid, product } = message
  if (grid.template !== 0 || grid.scan !== 0) {
    const actual = `of template 3.${grid.template} with scanning mode ${grid.scan}`
    throw new Fault('Corrupt', `${source}: the grid must be latitude-longitude from the north-west, but is ${actual}`)
  }
  const { nx, ny } = grid
  const [north, west] = grid.toLatLon(0, 0)
  const [south] = grid.toLatLon(0, ny - 1)
  const { lonStep } = grid.numbers as { lonStep: number }
  return {
    parameter: product.name,
    validTime: (product.end ?? product.referenceTime).getTime(),
    nx,
    ny,
    north: rounded(north),
    west: rounded(west),
    dLat: rounded((north - south) / (ny - 1)),
    dLon: rounded(lonStep),
    ...(pictureRows(message, source) ?? numberRows(message, source)),
  }
}

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

type GridRows = Pick<MrmsGrid, 'read' | 'each' | 'meaning'>

/** Returns the samples of a PNG with one or two whole bytes per grid point; undefined for any other packing. */
function pictureRows(message: Message, source: string): GridRows | undefined {
  const { packing } = message
  const samples = message.samples()
  // Samples of three bytes (-999 next to values in hundredths) do not fit into two bytes; `numberRows` then renumbers the marks.
  if (samples?.octets !== 1 && samples?.octets !== 2) return undefined
  const factor = 2 ** packing.binaryScale / 10 ** packing.decimalScale
  const reference = packing.reference / 10 ** packing.decimalScale
  return {
    each: samples.octets,
    read: (take) => named(source, () => samples.read(take)),
    meaning: (sample) => reference + sample * factor,
  }
}

/**
 * Samples from this number on are evenly spaced values. Lower samples stand for single numbers: no data (0), and marks far below the
 * values.
 */
const FIRST_SAMPLE = 1000
const MAX_SPACINGS = 65_535 - FIRST_SAMPLE
/** Maximum number of different negative values that count as marks, in addition to those below `MARK`. */
const MAX_MARKS = FIRST_SAMPLE / 2
/** Numbers below this are marks: -99 and -999 mean no data and no coverage. No MRMS product has values this low. */
const MARK = -90

/**
 * Returns samples of two bytes for any other packing. A sample counts the steps of the packing that all values have in common. If these
 * need more than two bytes (a probability in 24 bits with four decimals has a million), the spacing is the smallest multiple that fits, and
 * values are rounded to it; zero and marks stay exact. The time is linear in the number of pixels.
 */
function numberRows(message: Message, source: string): GridRows {
  const { packing } = message
  const [unit, scale] = [2 ** packing.binaryScale, 10 ** packing.decimalScale]
  const valueAt = (step: number) => (packing.reference + step * unit) / scale
  const stepOf = (value: number) => Math.round((value * scale - packing.reference) / unit)
  const steps = pictureSteps(message, source) ?? floatSteps(message, stepOf, scale / unit)
  const { low, spacing } = latticeOf(steps, message.points, stepOf(MARK), stepOf(0))
  const marks = new Map<number, number>()
  const octets = new Uint8Array(2 * message.points)
  let last = Number.NaN
  let sample = 0
  for (let k = 0; k < message.points; k++) {
    const step = steps(k)
    // Most values are equal to their neighbour, so the last result is reused.
    if (step !== last) {
      last = step
      if (!Number.isFinite(step)) sample = 0
      else if (step >= low) sample = FIRST_SAMPLE + Math.round((step - low) / spacing)
      else sample = markOf(marks, step, source)
    }
    octets[2 * k] = sample >> 8
    octets[2 * k + 1] = sample & 255
  }
  const markSteps = [...marks.keys()]
  const meaning = (code: number) => {
    if (code === 0) return -999
    return valueAt(code < FIRST_SAMPLE ? nth(markSteps, code - 1) : low + (code - FIRST_SAMPLE) * spacing)
  }
  return { each: 2, read: (take) => take(octets), meaning }
}

/** Returns the steps of the packing at a grid point, counted from the reference value; not finite if the point has no data. */
type Steps = (point: number) => number

/** Returns the samples of a PNG with more than two bytes per pixel, which floats would round. */
function pictureSteps(message: Message, source: string): Steps | undefined {
  const samples = message.samples()
  if (!samples) return undefined
  const steps = new Uint32Array(message.points)
  let at = 0
  named(source, () =>
    samples.read((rows) => {
      for (let from = 0; from < rows.length; from += samples.octets) {
        let step = 0
        for (let k = 0; k < samples.octets; k++) step = step * 256 + rows[from + k]!
        steps[at++] = step
      }
    }),
  )
  return (point) => steps[point]!
}

/** Returns the steps from floats. If floats are coarser than the steps, the steps are rounded to the power of ten that floats resolve. */
function floatSteps(message: Message, stepOf: (value: number) => number, stepsPerUnit: number): Steps {
  const values = message.decode()
  let most = 0
  for (const value of values) if (value > most && value < Number.POSITIVE_INFINITY) most = value
  const rounding = most * 2 ** -24 * stepsPerUnit
  if (rounding < 0.5) return (point) => stepOf(values[point]!)
  const coarse = 10 ** Math.ceil(Math.log10(2 * rounding))
  const zero = stepOf(0)
  return (point) => zero + Math.round((stepOf(values[point]!) - zero) / coarse) * coarse
}

/** Returns the lowest step of the evenly spaced values and their spacing, in steps. Lower steps are marks. */
function latticeOf(steps: Steps, points: number, mark: number, zero: number): { low: number; spacing: number } {
  let range = rangeOf(steps, points, mark)
  if (range.count > MAX_SPACINGS && range.low < zero && hasFew(steps, points, mark, zero))
    range = rangeOf(steps, points, zero)
  const { low, common, count } = range
  if (count <= MAX_SPACINGS) return { low, spacing: common }
  const spacing = common * Math.ceil(count / (MAX_SPACINGS - 1))
  return { low: zero + Math.floor((low - zero) / spacing) * spacing, spacing }
}

/**
 * Returns the lowest step from `least` on, the largest spacing that all steps from there on have in common, and their range in spacings.
 */
function rangeOf(steps: Steps, points: number, least: number) {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  let common = 0
  let last = Number.NaN
  for (let k = 0; k < points; k++) {
    const step = steps(k)
    if (step === last || !(step >= least && step < Number.POSITIVE_INFINITY)) continue
    last = step
    if (low !== Number.POSITIVE_INFINITY && common !== 1) common = divisor(common, Math.abs(step - low))
    low = Math.min(low, step)
    high = Math.max(high, step)
  }
  common ||= 1
  return { low: Number.isFinite(low) ? low : 0, common, count: high >= low ? (high - low) / common : 0 }
}

/** Returns whether the different steps in `least` to `end` (exclusive) are few enough to be marks. */
function hasFew(steps: Steps, points: number, least: number, end: number): boolean {
  const different = new Set<number>()
  for (let k = 0; k < points && different.size < MAX_MARKS; k++) {
    const step = steps(k)
    if (step >= least && step < end) different.add(step)
  }
  return different.size < MAX_MARKS
}

function divisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b]
  return a
}

/**
 * Returns the sample of a mark; marks are numbered from 1 in the order of their appearance.
 * @throws Fault Corrupt if there are too many different marks
 */
function markOf(marks: Map<number, number>, step: number, source: string): number {
  const known = marks.get(step)
  if (known !== undefined) return known
  if (marks.size + 1 >= FIRST_SAMPLE) {
    const limit = `${FIRST_SAMPLE} different values below the measured values`
    throw new Fault('Corrupt', `${source}: must have fewer than ${limit}, but has more. Fetch it again.`)
  }
  marks.set(step, marks.size + 1)
  return marks.size
}
