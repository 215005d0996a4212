import { GribError } from '../fault.ts'
import { emit, kernels, put } from '../kernels.ts'
import { PORTION, type Task, type Unpacker } from './task.ts'

function need({ packing, octets }: Task): void {
  const wanted = Math.ceil((packing.values * packing.bits) / 8)
  if (octets.length < wanted) {
    const what = `${wanted} octets for ${packing.values} values of ${packing.bits} bits`
    throw new GribError('truncated', 7, 6, what, `${octets.length}`)
  }
}

/** Runs `part(first, count)` over all values: as a whole, or portion by portion. */
function portions({ packing, out, streaming }: Task, part: (first: number, count: number) => void): void {
  const portion = streaming ? PORTION : packing.values
  for (let first = 0; first < packing.values; first += portion) {
    const count = Math.min(portion, packing.values - first)
    part(first, count)
    if (streaming) emit(out, count)
  }
}

/** A constant field is its reference value, without the decimal scale: so NCEP writes it and ecCodes reads it. */
export const constant: Unpacker = {
  turns: true,
  streams: () => PORTION,
  run(task) {
    portions(task, (_first, count) => kernels.fillFloats(task.out, count, task.packing.reference))
  },
}

/** Data template 5.0. */
export const simple: Unpacker = {
  streams: () => PORTION,
  run(task) {
    const { packing, octets, base, out, input } = task
    const { bits } = packing
    if (bits === 0) {
      constant.run(task)
      return
    }
    if (bits > 32) packing.section.fail(20, 'at most 32 bits a value', bits, 'unsupported')
    need(task)
    put(octets, input)
    // A portion is a multiple of 8 values, so each begins at a whole octet.
    portions(task, (first, count) =>
      kernels.unpackSimple(input + (first * bits) / 8, count, bits, base, packing.quantum, out),
    )
  },
}

/** Data template 5.4. */
export const ieee: Unpacker = {
  streams: () => PORTION,
  run(task) {
    const octets = task.packing.bits / 8
    need(task)
    put(task.octets, task.input)
    portions(task, (first, count) => kernels.unpackIeee(task.input + first * octets, count, octets, task.out))
  },
}
