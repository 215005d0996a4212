// Faults travel out of the kernels as a code and two numbers; the TypeScript side makes the sentence.
export let wanted: f64 = 0
export let got: f64 = 0

export const OK: i32 = 0
export const GROUP_HEADERS_TOO_LONG: i32 = 2
export const GROUP_DATA_TOO_LONG: i32 = 3
export const GROUP_LENGTHS: i32 = 4
export const GROUP_WIDTH: i32 = 5
/** Not a fault: single precision was not enough, once more without it. */
export const AGAIN: i32 = 6
export const DEFLATE_BLOCK: i32 = 10
export const DEFLATE_CODES: i32 = 11
export const DEFLATE_DISTANCE: i32 = 12
export const DEFLATE_END: i32 = 13
export const PNG_FILTER: i32 = 14
export const PNG_SIZE: i32 = 15
export const AEC_OPTION: i32 = 20
export const AEC_END: i32 = 21

/** Remembers what was wanted and what was found, and gives the code back. */
export function fault(code: i32, want: f64, found: f64): i32 {
  wanted = want
  got = found
  return code
}

@inline
export function bigEndian32(p: usize): u32 {
  return bswap<u32>(load<u32>(p))
}

/** Hands `count` finished floats at `from` to the caller; what it does not take now is written over. */
@external("host", "emit")
export declare function emit(from: usize, count: i32): void

/** Floats that are gathered before they are handed on: 128 KB, so that they are read while they are in the cache. */
export const PORTION: i32 = 32768
