import { ccsds } from './decode/ccsds.ts'
import { complex } from './decode/complex.ts'
import { jpeg2000 } from './decode/jpeg2000.ts'
import { pixelOctets, png } from './decode/png.ts'
import { constant, ieee, simple } from './decode/simple.ts'
import { PORTION, type Unpacker, type UnpackTask } from './decode/task.ts'
import { GribError } from './fault.ts'
import type { Grid } from './grid/grid.ts'
import { allocate, collectFloats, copyIn, kernels, memory, PADDING, streamBytes } from './kernels.ts'
import type { MessageSection } from './octets.ts'
import type { Packing } from './packing.ts'

export interface DecodeJob {
  readonly grid: Grid
  readonly packing: Packing
  readonly data: MessageSection
  /** This field's section 6, and the latest one that has a bitmap (indicator 254 refers to it). */
  readonly own: MessageSection
  readonly bitmap: MessageSection | undefined
  readonly maxPoints: number
}

/** Decoders by data template 5.N. */
const UNPACKERS: Readonly<Record<number, Unpacker>> = {
  0: simple,
  2: complex,
  3: complex,
  4: ieee,
  40: jpeg2000,
  41: png,
  42: ccsds,
}

/** Returns the octets of the bitmap of this field; undefined if it has none. */
function bitmapOf({ own, bitmap, grid }: DecodeJob): Uint8Array | undefined {
  const indicator = own.u1(6)
  if (indicator === 255) return undefined
  let section = own
  if (indicator === 254) {
    if (!bitmap) return own.fail(6, 'a bitmap earlier in the message (indicator 254)', 'none')
    if (bitmap.u1(6) === 255) return undefined
    section = bitmap
  }
  if (section.u1(6) !== 0) section.fail(6, 'bitmap indicator 0, 254 or 255', section.u1(6), 'unsupported')
  const expected = Math.ceil(grid.points / 8)
  if (section.length - 6 < expected) {
    throw new GribError(
      'truncated',
      6,
      7,
      `a bitmap of ${expected} octets for ${grid.points} points`,
      `${section.length - 6}`,
    )
  }
  return section.bytes.subarray(6, 6 + expected)
}

interface DecodePlan {
  readonly bits: Uint8Array | undefined
  readonly columns: boolean
  readonly alternating: boolean
}

/** Checks everything that can be checked before the values are read. */
function planOf(job: DecodeJob): DecodePlan {
  const { grid, packing, maxPoints } = job
  const { points, scan } = grid
  if (points > maxPoints) {
    throw new GribError('range', 3, 7, `at most ${maxPoints} points (raise maxPoints to decode more)`, `${points}`)
  }
  const bits = bitmapOf(job)
  const n = packing.values
  if (bits ? n > points : n !== points) {
    packing.section.fail(6, `${bits ? 'at most ' : ''}${points} values, one for each point`, n)
  }
  return { bits, columns: (scan & 0x20) !== 0, alternating: (scan & 0x10) !== 0 }
}

function unpackerOf({ section, template, bits }: Packing): Unpacker {
  // Templates 5.40 to 5.42 also mark a constant field by 0 bits.
  const unpacker = bits === 0 && template >= 40 && template <= 42 ? constant : UNPACKERS[template]
  if (unpacker) return unpacker
  const known = Object.keys(UNPACKERS).map((number) => `5.${number}`)
  return section.fail(10, `data template ${known.join(', ')}`, `5.${template}`, 'unsupported')
}

/** Decodes one field into the module's memory and returns a view of it; see `Message.decode`. */
export function decode(job: DecodeJob): Float32Array {
  const { grid, packing, data } = job
  const { points, nx, ny } = grid
  const { bits, columns, alternating } = planOf(job)
  const unpacker = unpackerOf(packing)
  const [rowLength, rows] = columns ? [ny, nx] : [nx, ny]
  const offsets = allocate({
    out: points * 4 + PADDING,
    turned: columns ? points * 4 + PADDING : 0,
    bitmap: bits ? bits.length : 0,
    input: data.length + PADDING,
  })
  if (bits) {
    copyIn(bits, offsets.bitmap)
    const set = kernels.countBits(offsets.bitmap, points)
    if (set !== packing.values) packing.section.fail(6, `${set} values, one for each bit of the bitmap`, packing.values)
  }
  const turn = alternating && !bits && unpacker.turns ? rowLength : 0
  if (packing.values > 0) unpacker.run(taskOf(job, offsets.out, offsets.input, turn, false))
  if (bits) kernels.spread(offsets.bitmap, points, packing.values, offsets.out)
  if (alternating && !turn) kernels.turnRows(offsets.out, rowLength, rows)
  if (columns) kernels.columnsToRows(offsets.out, nx, ny, offsets.turned)
  return new Float32Array(memory.buffer, columns ? offsets.turned : offsets.out, points)
}

/** Decodes one field into `target`, which has as many floats as there are points. */
export function decodeInto(job: DecodeJob, target: Float32Array): void {
  const { grid, packing, data } = job
  const { bits, columns, alternating } = planOf(job)
  const unpacker = unpackerOf(packing)
  // Finished values are copied to the target block by block while they are in the cache, unless the whole field is needed first.
  if (bits || columns || !unpacker.streams || (alternating && !unpacker.turns)) {
    target.set(decode(job))
    return
  }
  const offsets = allocate({ out: unpacker.streams(packing, grid.nx) * 4 + PADDING, input: data.length + PADDING })
  const turn = alternating ? grid.nx : 0
  collectFloats(target, () => unpacker.run(taskOf(job, offsets.out, offsets.input, turn, true)))
}

/** The samples of a PNG-packed field before scaling. */
export interface Samples {
  /** Octets of a sample, 1 to 4; the high octet comes first. */
  readonly octets: number
  /**
   * Passes every sample to `take`, some whole rows at a time from the first, as a view that is valid during the call only. @throws GribError if the picture cannot be read, after the rows before the fault
   */
  read(take: (rows: Uint8Array) => void): void
}

/** See `Message.samples`. */
export function samplesOf(job: DecodeJob): Samples | undefined {
  const { grid, packing, data } = job
  const { bits, columns, alternating } = planOf(job)
  if (packing.template !== 41 || packing.bits === 0 || bits || columns || alternating) return undefined
  const octets = pixelOctets(data.bytes.subarray(5), grid.nx, grid.ny)
  if (octets === undefined) return undefined
  return {
    octets,
    read(take) {
      const offsets = allocate({ out: PORTION * 4 + grid.nx * octets + PADDING, input: data.length + PADDING })
      streamBytes(take, () => png.run({ ...taskOf(job, offsets.out, offsets.input, 0, true), raw: true }))
    },
  }
}

function taskOf(
  { packing, data }: DecodeJob,
  out: number,
  input: number,
  turn: number,
  streaming: boolean,
): UnpackTask {
  const base = packing.reference * 10 ** -packing.decimalScale
  return { packing, octets: data.bytes.subarray(5), base, out, input, turn, streaming }
}
