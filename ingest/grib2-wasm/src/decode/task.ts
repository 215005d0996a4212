import type { Packing } from '../packing.ts'

/** One section 7 to unpack. */
export interface UnpackTask {
  readonly packing: Packing
  /** Section 7 from octet 6. */
  readonly octets: Uint8Array
  /** Reference / 10^decimalScale: the value of integer 0. */
  readonly base: number
  /** Offsets in the module's memory for the values and, last, for the octets. */
  readonly out: number
  readonly input: number
  /** Length of the rows if every second is to be turned on the way, else 0. */
  readonly turn: number
  /** The values are emitted as they are finished; `out` has the capacity that `streams` requires. */
  readonly streaming: boolean
  /** PNG alone: what is emitted are its rows of octets, not values. */
  readonly raw?: boolean
}

/** Unpacks a data template. */
export interface Unpacker {
  run(task: UnpackTask): void
  /** It can turn alternating rows itself. */
  readonly turns?: boolean
  /** Floats that `out` must have space for when values are emitted as they are finished; absent: it cannot. */
  streams?(packing: Packing, nx: number): number
}

/** Floats a kernel gathers before it emits them: `PORTION` in assembly/memory.ts. */
export const PORTION = 32768
