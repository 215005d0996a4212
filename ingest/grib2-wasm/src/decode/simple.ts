import { GribError } from '../fault.ts'
import { copyIn, emit, kernels } from '../kernels.ts'
import type { Packing } from '../packing.ts'
import { PORTION, type Unpacker, type UnpackTask } from './task.ts'

function requireOctets({ packing, octets }: UnpackTask): void {
  const expected = Math.ceil((packing.values * packing.bits) / 8)
  if (octets.length < expected) {
    const what = `${expected} octets for ${packing.values} values of ${packing.bits} bits`
    throw new GribError('truncated', 7, 6, what, `${octets.length}`)
  }
}

/** Number of values in a portion. If rows are reversed, it is a multiple of eight rows, so that each portion begins at a whole octet. */
function portionOf(turn: number): number {
  return turn === 0 ? PORTION : 8 * turn * Math.max(1, Math.floor(PORTION / (8 * turn)))
}

/** Runs `part(first, count)` over all values, in portions or at once, and reverses every second row. */
function portions({ packing, out, streaming, turn }: UnpackTask, part: (first: number, count: number) => void): void {
  const portion = streaming ? portionOf(turn) : packing.values
  for (let first = 0; first < packing.values; first += portion) {
    const count = Math.min(portion, packing.values - first)
    part(first, count)
    if (turn) kernels.turnRows(out, turn, Math.floor(count / turn))
    if (streaming) emit(out, count)
  }
}

const streams = (packing: Packing, nx: number) => Math.max(PORTION, Math.min(8 * nx, packing.values))

/** The value of a constant field is its reference value without the decimal scale, as NCEP writes it and ecCodes reads it. */
export const constant: Unpacker = {
  turns: true,
  streams,
  run(task) {
    portions({ ...task, turn: 0 }, (_first, count) => kernels.fillFloats(task.out, count, task.packing.reference))
  },
}

/** Data template 5.0. */
export const simple: Unpacker = {
  turns: true,
  streams,
  run(task) {
    const { packing, octets, base, out, input } = task
    const { bits } = packing
    if (bits === 0) {
      constant.run(task)
      return
    }
    if (bits > 32) packing.section.fail(20, 'at most 32 bits a value', bits, 'unsupported')
    requireOctets(task)
    // A portion is a multiple of 8 values, so each begins at a whole octet. Its octets are copied just before they are unpacked, so that
    // they are read from the cache: this is 1.3 times as fast for 3 million values of 17 bits.
    portions(task, (first, count) => {
      const from = (first * bits) / 8
      copyIn(octets.subarray(from, from + Math.ceil((count * bits) / 8)), input)
      kernels.unpackSimple(input, count, bits, base, packing.quantum, out)
    })
  },
}

/** Data template 5.4. */
export const ieee: Unpacker = {
  turns: true,
  streams,
  run(task) {
    const octets = task.packing.bits / 8
    requireOctets(task)
    portions(task, (first, count) => {
      copyIn(task.octets.subarray(first * octets, (first + count) * octets), task.input)
      kernels.unpackIeee(task.input, count, octets, task.out)
    })
  },
}
