// Kernels report faults as a code and two numbers; the TypeScript side formats the message.
export let wanted: f64 = 0
export let got: f64 = 0

export const OK: i32 = 0
export const GROUP_HEADERS_TOO_LONG: i32 = 2
export const GROUP_DATA_TOO_LONG: i32 = 3
export const GROUP_LENGTHS: i32 = 4
export const GROUP_WIDTH: i32 = 5
/** Not a fault: single precision is not sufficient, so the caller runs the kernel again in double precision. */
export const NEEDS_DOUBLE: i32 = 6
export const FIRST_VALUE: i32 = 7
export const DEFLATE_BLOCK: i32 = 10
export const DEFLATE_CODES: i32 = 11
export const DEFLATE_DISTANCE: i32 = 12
export const DEFLATE_END: i32 = 13
export const PNG_FILTER: i32 = 14
export const PNG_SIZE: i32 = 15
export const AEC_OPTION: i32 = 20
export const AEC_END: i32 = 21

/** Stores the expected and the actual value, and returns the code. */
export function fault(code: i32, wantedValue: f64, gotValue: f64): i32 {
  wanted = wantedValue
  got = gotValue
  return code
}

@inline
export function bigEndian32(p: usize): u32 {
  return bswap<u32>(load<u32>(p))
}

/** Passes `count` finished floats at `from` to the host, which copies them because the memory is reused. */
@external("host", "emit")
export declare function emit(from: usize, count: i32): void

/** Number of floats that are collected before they are emitted: 128 KB, so that the host reads them from the cache. */
export const PORTION: i32 = 32768
