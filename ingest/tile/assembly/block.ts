// A block holds some cells of one parent with every variable and time of a run. FORMAT.md defines the bytes. A row is
// one variable at one cell, with its codes in the order of the times. In memory the rows of a cell are consecutive,
// each padded to a whole number of vectors. `layout` has two words for each variable: the offset of its row in values,
// and its number of times.

export const MISSING: i32 = -32768
/** Number of values that share a flag for "all zero". */
export const GROUP: i32 = 16

// How a value is predicted from r (the row of the reference cell) and v (its own row).
export const SPACE: i32 = 0 // r[t]
export const BOTH: i32 = 1 // r[t] + v[t-1] - r[t-1]
export const TIME: i32 = 2 // v[t-1]
export const HALF: i32 = 3 // r[t] + (v[t-1] - r[t-1]) / 2
/** Only for the first cell: 2 v[t-1] - v[t-2]. */
export const LINEAR: i32 = 4

// Coding of a row of residuals.
export const PLAIN: i32 = 0 // value by value
export const GROUPS: i32 = 1 // each group of values behind a flag
export const RUNS: i32 = 2 // the numbers of zeros and the values after them, behind a flag for the row
export const RUNS_1: i32 = 3 // the same without the flag, as in format version 1

// Offsets in the 8 bytes that describe the coding of a variable in a block, as `readKinds` writes them; the base is an
// i16.
export const KIND: i32 = 8
export const PREDICTION: i32 = 0
export const CODING: i32 = 1
export const K: i32 = 2
export const ZEROS: i32 = 3
/** The first cell has no reference: its own prediction, and its own k. */
export const FIRST_PREDICTION: i32 = 4
export const FIRST_K: i32 = 5
export const BASE: i32 = 6

// Flags beside the coding.
export const CONSTANT: i32 = 64
/** Masks of gaps precede the rows; without GROUPED_MASKS they are coded value by value. */
export const HAS_MISSING: i32 = 32
export const GROUPED_MASKS: i32 = 16
/** Selects the coding without its flags. */
export const CODINGS: i32 = 3

@inline
export function rowOf(layout: usize, v: i32): i32 {
  return load<i32>(layout + (<usize>v << 3))
}

@inline
export function timesOf(layout: usize, v: i32): i32 {
  return load<i32>(layout + (<usize>v << 3) + 4)
}

@inline
export function kindOf(kinds: usize, v: i32): usize {
  return kinds + (<usize>v << 3)
}
