import type { Packing } from '../packing.ts'

/** The input for unpacking one section 7. */
export interface UnpackTask {
  readonly packing: Packing
  /** Section 7 from octet 6 on. */
  readonly octets: Uint8Array
  /** Reference / 10^decimalScale: the value of integer 0. */
  readonly base: number
  /** Offsets in the module's memory for the values and, last, for the octets. */
  readonly out: number
  readonly input: number
  /** Length of the rows if the kernel reverses every second row, otherwise 0. */
  readonly turn: number
  /** Whether values are emitted as they are finished; `out` then has the capacity that `streams` requires. */
  readonly streaming: boolean
  /** Only for PNG: whether rows of octets are emitted instead of values. */
  readonly raw?: boolean
}

/** Unpacks a data template. */
export interface Unpacker {
  run(task: UnpackTask): void
  /** Whether the unpacker reverses alternating rows itself. */
  readonly turns?: boolean
  /** Returns the floats that `out` must have space for if values are emitted as they are finished; absent if that is not possible. */
  streams?(packing: Packing, nx: number): number
}

/** Number of floats that a kernel collects before it emits them: `PORTION` in assembly/memory.ts. */
export const PORTION = 32768
