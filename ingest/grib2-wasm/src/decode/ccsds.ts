import { GribError } from '../fault.ts'
import { copyIn, kernels } from '../kernels.ts'
import { PORTION, type Unpacker, type UnpackTask } from './task.ts'

const SIGNED = 1
const PREPROCESS = 8
const RESTRICTED = 16
const PAD_RSI = 32

/** Data template 5.42: CCSDS 121.0-B. */
export const ccsds: Unpacker = {
  streams: () => PORTION + 64,
  run({ packing, octets, base, out, input, streaming }: UnpackTask) {
    const { section, bits, values } = packing
    const flags = section.u1(22)
    const block = section.u1(23)
    const interval = section.u2(24)
    if (bits > 32) section.fail(20, 'at most 32 bits a value', bits, 'unsupported')
    if (flags & SIGNED) section.fail(22, 'samples without sign', `flags 0x${flags.toString(16)}`, 'unsupported')
    if (block < 2 || block > 64 || block % 2 !== 0) section.fail(23, 'blocks of 8, 16, 32 or 64 samples', block)
    if (interval < 1) section.fail(24, 'a reference interval of at least 1 block', interval)
    copyIn(octets, input)
    const has = (flag: number) => (flags & flag) !== 0
    const options = [has(PREPROCESS), has(PAD_RSI), has(RESTRICTED)] as const
    const { quantum } = packing
    const size = octets.length
    const code = kernels.unpackAec(
      input,
      size,
      values,
      bits,
      block,
      interval,
      ...options,
      base,
      quantum,
      out,
      streaming,
    )
    if (code === 20) {
      throw new GribError('corrupt', 7, 6, `a code of at most ${kernels.wanted.value}`, `${kernels.got.value}`)
    }
    if (code) {
      throw new GribError('truncated', 7, 6, `CCSDS data for ${values} values`, `the end after ${kernels.got.value}`)
    }
  },
}
