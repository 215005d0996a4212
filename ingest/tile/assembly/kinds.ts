import {
  BASE,
  CODING,
  CODINGS,
  CONSTANT,
  FIRST_K,
  FIRST_PREDICTION,
  GROUPED_MASKS,
  GROUPS,
  HAS_MISSING,
  K,
  kindOf,
  LINEAR,
  MISSING,
  PLAIN,
  PREDICTION,
  RUNS,
  RUNS_1,
  TIME,
  timesOf,
  ZEROS,
} from './block'

// The coding of each variable of a block, as stored bytes and in the form that the decoder needs. Format version 2 has
// a byte with the coding and its k, a byte with the first row's k, the prediction and two flags, and the base. A
// constant has one byte, followed by its value unless the value is 0 or missing.

/**
 * First byte: below 16, plain coding with this k; then grouped coding; constants; from 128 on runs, with three bits for
 * the k of the zeros.
 */
const GROUPS_FROM: u32 = 16
const ZERO: u32 = 31
const ALL_MISSING: u32 = 63
const VALUE: u32 = 95
const RUNS_FROM: u32 = 128
export const MAX_K: u32 = 14
export const MAX_ZEROS_K: u32 = 7
const MISSING_BIT: u32 = 64
const LINEAR_BIT: u32 = 128

/** In version 1, rows with fewer times than this have no flags for their groups. */
const FLAGS_1: i32 = 8

/** Writes a variable whose values are all the same. @returns the address after it */
export function writeConstant(value: i32, to: usize): usize {
  if (value === MISSING || value === 0) {
    store<u8>(to, <u8>(value === 0 ? ZERO : ALL_MISSING))
    return to + 1
  }
  store<u8>(to, <u8>VALUE)
  store<i16>(to + 1, <i16>value)
  return to + 3
}

/** Writes the coding of a variable from `kinds`. @returns the address after it */
export function writeKind(kind: usize, to: usize): usize {
  const flags = <i32>load<u8>(kind + CODING)
  const coding = flags & CODINGS
  let bits = <u32>load<u8>(kind + K)
  if (coding === GROUPS) bits |= GROUPS_FROM
  else if (coding === RUNS) bits |= RUNS_FROM | (<u32>load<u8>(kind + ZEROS) << 4)
  let second = <u32>load<u8>(kind + FIRST_K) | (<u32>load<u8>(kind + PREDICTION) << 4)
  if (flags & HAS_MISSING) second |= MISSING_BIT
  if (<i32>load<u8>(kind + FIRST_PREDICTION) === LINEAR) second |= LINEAR_BIT
  store<u8>(to, <u8>bits)
  store<u8>(to + 1, <u8>second)
  store<i16>(to + 2, load<i16>(kind + BASE))
  return to + 4
}

/** One store writes the whole description: BASE is the last two of the 8 bytes. */
@inline
function set(kind: usize, prediction: u32, coding: u32, k: u32, zeros: u32, first: u32, firstK: u32, base: i16): void {
  const low = prediction | (coding << 8) | (k << 16) | (zeros << 24)
  const high = first | (firstK << 8) | ((<u32>base & 0xffff) << 16)
  store<u64>(kind, <u64>low | (<u64>high << 32))
}

/** Loads from an unaligned address. */
@inline
function baseAt(at: usize): i16 {
  return load<i16>(at)
}

/** Reads the codings of the variables. @returns the address after them */
export function readKinds(from: usize, variables: i32, layout: usize, kinds: usize, version: i32): usize {
  let at = from
  for (let v = 0; v < variables; v++) {
    const kind = kindOf(kinds, v)
    const type = <u32>load<u8>(at)
    if (version === 1) {
      const runs = <u32>load<u8>(at + 1)
      const k = (type >> 2) & 15
      const long = timesOf(layout, v) >= FLAGS_1
      let coding = runs ? RUNS_1 : long ? GROUPS : PLAIN
      if (type & 128) coding |= CONSTANT
      if (type & 64) coding |= long ? HAS_MISSING | GROUPED_MASKS : HAS_MISSING
      set(kind, type & 3, coding, k, (runs - 1) & 15, TIME, k, baseAt(at + 2))
      at += 4
      continue
    }
    if (type === ZERO || type === ALL_MISSING || type === VALUE) {
      const value: i16 = type === VALUE ? baseAt(at + 1) : type === ZERO ? 0 : <i16>MISSING
      set(kind, 0, CONSTANT, 0, 0, TIME, 0, value)
      at += type === VALUE ? 3 : 1
      continue
    }
    const second = <u32>load<u8>(at + 1)
    let coding = type >= RUNS_FROM ? RUNS : type & GROUPS_FROM ? GROUPS : PLAIN
    if (second & MISSING_BIT) coding |= HAS_MISSING | GROUPED_MASKS
    const first = second & LINEAR_BIT ? LINEAR : TIME
    set(kind, (second >> 4) & 3, coding, type & 15, (type >> 4) & 7, first, second & 15, baseAt(at + 2))
    at += 4
  }
  return at
}
