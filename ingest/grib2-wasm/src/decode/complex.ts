import { GribError } from '../fault.ts'
import { allocateAt, copyIn, kernels, PADDING, rewind } from '../kernels.ts'
import { constant } from './simple.ts'
import { PORTION, type Unpacker, type UnpackTask } from './task.ts'

/** The octet of section 5 to which a fault of the kernel refers, by the code of the fault. */
const FAULTS: Readonly<
  Record<number, readonly [section: number, octet: number, wanted: (n: number) => string, got: (n: number) => string]>
> = {
  2: [7, 6, (n) => `${n} octets of group headers`, (n) => `a section with ${n}`],
  3: [7, 6, (n) => `${n} octets of packed groups`, (n) => `${n} behind the group headers`],
  4: [5, 43, (n) => `group lengths that add up to ${n} values`, (n) => `${n}`],
  5: [5, 36, (n) => `a group width of at most ${n} bits`, (n) => `${n}`],
  7: [7, 6, (n) => `first values of at most ${n}`, (n) => `${n}`],
}

/** Not a fault: the integers are too large for single precision. */
const NEEDS_DOUBLE = 6

function run(task: UnpackTask): void {
  const { packing, octets, base, out, input, turn, streaming } = task
  const { section, template, bits, values: n } = packing
  const groups = section.u4(32)
  if (bits > 31) section.fail(20, 'group references of at most 31 bits', bits, 'unsupported')
  if (groups === 0) {
    // NCEP writes constant fields without any group.
    constant.run(task)
    return
  }
  if (groups > n) section.fail(32, `at most ${n} groups, one a value`, groups)
  // Each group takes bits in three headers. If all three have no bits, only a small number of groups is plausible.
  if (groups > 8 * octets.length + 1024)
    section.fail(32, `at most ${8 * octets.length + 1024} groups in so few octets`, groups)
  const widthBits = section.u1(37)
  if (widthBits > 8) section.fail(37, 'group widths of at most 8 bits', widthBits, 'unsupported')
  const lengthBits = section.u1(47)
  if (lengthBits > 32) section.fail(47, 'group lengths of at most 32 bits', lengthBits)
  let order = 0
  let extra = 0
  if (template === 3) {
    order = section.u1(48)
    extra = section.u1(49)
    if (order > 2) section.fail(48, 'spatial differencing of order 0, 1 or 2', order, 'unsupported')
    if (extra > 8) section.fail(49, 'at most 8 octets for each extra descriptor', extra)
  }
  const scratch = allocateAt(input + octets.length + PADDING, (groups + 8) * 12 + PADDING)
  copyIn(octets, input)
  const widthLeast = section.u1(36)
  const lengths = [section.u4(38), section.u1(42), section.u4(43), lengthBits] as const
  const unpack = (single: boolean) =>
    kernels.unpackComplex(
      input,
      octets.length,
      n,
      scratch,
      out,
      base,
      packing.quantum,
      bits,
      packing.missingManagement,
      groups,
      widthLeast,
      widthBits,
      ...lengths,
      order,
      extra,
      turn,
      streaming,
      single,
    )
  let code = unpack(true)
  if (code === NEEDS_DOUBLE) {
    rewind()
    code = unpack(false)
  }
  const fault = FAULTS[code]
  if (fault) {
    const [where, octet, expected, actual] = fault
    throw new GribError('corrupt', where, octet, expected(kernels.wanted.value), actual(kernels.got.value))
  }
}

/** Data templates 5.2 and 5.3: complex packing, with or without spatial differencing. */
export const complex: Unpacker = {
  run,
  turns: true,
  streams: (_packing, nx) => 2 * PORTION + nx,
}
