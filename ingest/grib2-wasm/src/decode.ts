import { unpackComplex } from './decode/complex.ts'
import { unpackPng } from './decode/png.ts'
import { GribError } from './fault.ts'
import type { Grid } from './grid/grid.ts'
import { kernels, lay, memory, put, SLACK } from './kernels.ts'
import type { Section } from './octets.ts'
import type { Packing } from './packing.ts'

export interface Job {
  readonly grid: Grid
  readonly packing: Packing
  readonly data: Section
  /** This field's section 6, and the latest one with a bitmap of its own (indicator 254 refers to it). */
  readonly own: Section
  readonly bitmap: Section | undefined
  readonly maxPoints: number
}

/** The octets of the bitmap that holds for this field, or none. */
function bitmapOf({ own, bitmap, grid }: Job): Uint8Array | undefined {
  const indicator = own.u1(6)
  if (indicator === 255) return undefined
  let section = own
  if (indicator === 254) {
    if (!bitmap) return own.fail(6, 'a bitmap earlier in the message (indicator 254)', 'none')
    if (bitmap.u1(6) === 255) return undefined
    section = bitmap
  }
  if (section.u1(6) !== 0) section.fail(6, 'bitmap indicator 0, 254 or 255', section.u1(6), 'unsupported')
  const wanted = Math.ceil(grid.points / 8)
  if (section.length - 6 < wanted) {
    throw new GribError(
      'truncated',
      6,
      7,
      `a bitmap of ${wanted} octets for ${grid.points} points`,
      `${section.length - 6}`,
    )
  }
  return section.bytes.subarray(6, 6 + wanted)
}

/** Decodes one field into the module's memory and gives the view of it; see `Message.decode`. */
export function decode(job: Job): Float32Array {
  const { grid, packing, data, maxPoints } = job
  const { points, nx, ny, scan } = grid
  if (points > maxPoints) {
    throw new GribError('range', 3, 7, `at most ${maxPoints} points (raise maxPoints to decode more)`, `${points}`)
  }
  const bits = bitmapOf(job)
  const n = packing.values
  const section = packing.section
  if (bits ? n > points : n !== points) {
    section.fail(6, `${bits ? 'at most ' : ''}${points} values, one for each point`, n)
  }
  const columns = (scan & 0x20) !== 0
  const alternating = (scan & 0x10) !== 0
  const [rowLength, rows] = columns ? [ny, nx] : [nx, ny]
  const places = lay({
    out: points * 4 + SLACK,
    turned: columns ? points * 4 + SLACK : 0,
    bitmap: bits ? bits.length : 0,
    input: data.length + SLACK,
  })
  let turned = false
  if (bits) {
    put(bits, places.bitmap)
    const set = kernels.countBits(places.bitmap, points)
    if (set !== n) section.fail(6, `${set} values, one for each bit of the bitmap`, n)
  }
  if (n > 0) turned = unpack(job, places.out, places.input, alternating && !bits ? rowLength : 0)
  if (bits) kernels.spread(places.bitmap, points, n, places.out)
  if (alternating && !turned) kernels.turnRows(places.out, rowLength, rows)
  if (columns) kernels.columnsToRows(places.out, nx, ny, places.turned)
  return new Float32Array(memory.buffer, columns ? places.turned : places.out, points)
}

/** Unpacks the values to `out`; true if rows of `turn` values have been turned on the way. */
function unpack(job: Job, out: number, input: number, turn: number): boolean {
  const { packing, data } = job
  const { template, bits, values: n } = packing
  const base = packing.reference * 10 ** -packing.decimalScale
  const octets = data.bytes.subarray(5)
  const need = (wanted: number) => {
    if (octets.length < wanted) {
      throw new GribError('truncated', 7, 6, `${wanted} octets for ${n} values of ${bits} bits`, `${octets.length}`)
    }
  }
  switch (template) {
    case 0:
      if (bits === 0) {
        // A constant field is its reference value, without the decimal scale: so NCEP writes it and ecCodes reads it.
        kernels.fillFloats(out, n, packing.reference)
        return false
      }
      if (bits > 32) packing.section.fail(20, 'at most 32 bits a value', bits, 'unsupported')
      need(Math.ceil((n * bits) / 8))
      put(octets, input)
      kernels.unpackSimple(input, n, bits, base, packing.quantum, out)
      return false
    case 2:
    case 3:
      unpackComplex(packing, octets, out, input, base, turn)
      return turn > 0
    case 4:
      need((n * bits) / 8)
      put(octets, input)
      kernels.unpackIeee(input, n, bits / 8, out)
      return false
    case 41:
      if (bits === 0) kernels.fillFloats(out, n, packing.reference)
      else unpackPng(packing, octets, out, input, base)
      return false
    default:
      return packing.section.fail(
        10,
        'data template 5.0, 5.2, 5.3, 5.4, 5.40, 5.41 or 5.42',
        `5.${template}`,
        'unsupported',
      )
  }
}
