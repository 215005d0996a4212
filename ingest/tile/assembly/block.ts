// A block: some cells of one parent, every variable and time of a run. FORMAT.md defines the bytes.
// A row is one variable at one cell, its codes in the order of the times. In memory a cell's rows are consecutive, each padded to a whole
// number of vectors; `layout` has two words a variable: the offset of its row in values, and its number of times.

export const MISSING: i32 = -32768
export const GROUP: i32 = 16
/** Shorter rows have no flags for their groups. */
export const FLAGS: i32 = 8

// Prediction of a value, from r (the reference cell's row), and v (its own).
export const SPACE: i32 = 0 // r[t]
export const BOTH: i32 = 1 // r[t] + v[t-1] - r[t-1]
export const TIME: i32 = 2 // v[t-1]
export const HALF: i32 = 3 // r[t] + (v[t-1] - r[t-1]) / 2

export const HAS_MISSING: i32 = 64
export const CONSTANT: i32 = 128
/** Flags in the byte that describes how a variable is coded. */
export const KIND: i32 = 4

@inline
export function rowOf(layout: usize, v: i32): i32 {
  return load<i32>(layout + (<usize>v << 3))
}

@inline
export function timesOf(layout: usize, v: i32): i32 {
  return load<i32>(layout + (<usize>v << 3) + 4)
}
