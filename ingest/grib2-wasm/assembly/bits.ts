import { bigEndian32 } from './memory'

// A row of fields of one width repeats its bit phases every eight fields, because eight fields of w bits are w whole bytes. Four fields of
// up to 25 bits that start within the first byte lie in 14 bytes, so one 16-byte load covers them: a swizzle brings each field's four bytes
// into its lane, a multiplication by 2^phase pushes the bits in front of it out at the top, and one shift right for all lanes drops those
// behind it. Masks and multipliers depend on (width, phase) only and are computed once: 32 bytes for each of 25 × 8 pairs.
export const WIDEST: i32 = 25
const ROW: usize = 32
const table: usize = memory.data(25 * 8 * 32, 16)

function makeTable(): void {
  for (let width = 1; width <= WIDEST; width++) {
    for (let phase = 0; phase < 8; phase++) {
      const row = maskRow(width, phase)
      for (let lane = 0; lane < 4; lane++) {
        const bit = phase + lane * width
        const byte = bit >> 3
        for (let k = 0; k < 4; k++) store<u8>(row + <usize>(lane * 4 + 3 - k), <u8>(byte + k))
        store<u32>(row + 16 + <usize>(lane * 4), 1 << (bit & 7))
      }
    }
  }
}
makeTable()

@inline
export function maskRow(width: i32, phase: i32): usize {
  return table + <usize>(((width - 1) << 3) + phase) * ROW
}

/** Reads four fields at once from the bytes at p, which a row of the table places; `drop` = 32 − width. */
@inline
export function fourFields(p: usize, mask: v128, factor: v128, drop: i32): v128 {
  return i32x4.shr_u(i32x4.mul(i8x16.swizzle(v128.load(p), mask), factor), drop)
}

// For scaling, fields of up to 17 bits need not be moved: three bytes hold one, and as a number of 24 bits it is the field times a power of
// two that differs by lane. The scale takes that power back, exactly. This saves a multiplication and a shift of integers, three of ten
// operations. Swizzle, mask of the field's bits, and 2^-places: 48 bytes for each of 17 × 8 pairs.
export const WIDEST_IN_PLACE: i32 = 17
const PLACED_ROW: usize = 48
const placed: usize = memory.data(17 * 8 * 48, 16)

function makePlaced(): void {
  for (let width = 1; width <= WIDEST_IN_PLACE; width++) {
    for (let phase = 0; phase < 8; phase++) {
      const row = placedRow(width, phase)
      for (let lane = 0; lane < 4; lane++) {
        const bit = phase + lane * width
        const places = 24 - (bit & 7) - width
        // An index beyond 15 gives 0.
        store<u8>(row + <usize>(lane * 4 + 3), 0xff)
        for (let k = 0; k < 3; k++) store<u8>(row + <usize>(lane * 4 + 2 - k), <u8>((bit >> 3) + k))
        store<u32>(row + 16 + <usize>(lane * 4), ((1 << width) - 1) << places)
        store<f32>(row + 32 + <usize>(lane * 4), <f32>(1.0 / <f64>(1 << places)))
      }
    }
  }
}
makePlaced()

@inline
export function placedRow(width: i32, phase: i32): usize {
  return placed + <usize>(((width - 1) << 3) + phase) * PLACED_ROW
}

/** Reads four fields, each times a power of two, from the bytes at p by the first two parts of a row of the table. */
@inline
export function placedFour(p: usize, swizzle: v128, mask: v128): v128 {
  return v128.and(i8x16.swizzle(v128.load(p), swizzle), mask)
}

/** Reads one field of 0 to 32 bits that begins at bit `bit` after `base`. */
@inline
export function oneField(base: usize, bit: u64, width: i32): u32 {
  if (width == 0) return 0
  const p = base + <usize>(bit >> 3)
  const word = (<u64>bigEndian32(p) << 32) | <u64>bigEndian32(p + 4)
  return <u32>((word << (bit & 7)) >> (64 - width))
}

/**
 * Reads `n` fields of 0 to 32 bits into 32-bit integers. Writes up to 7 words beyond the last field, and reads up to 23 bytes beyond it.
 */
export function unpackFields(base: usize, firstBit: u64, n: i32, width: i32, out: usize): void {
  if (width == 0) {
    memory.fill(out, 0, <usize>n << 2)
    return
  }
  if (width > WIDEST) {
    let bit = firstBit
    for (let i = 0; i < n; i++) {
      store<u32>(out + (<usize>i << 2), oneField(base, bit, width))
      bit += width
    }
    return
  }
  const phase = <i32>(firstBit & 7)
  const second = phase + 4 * width
  const row1 = maskRow(width, phase)
  const row2 = maskRow(width, second & 7)
  const mask1 = v128.load(row1)
  const factor1 = v128.load(row1, 16)
  const mask2 = v128.load(row2)
  const factor2 = v128.load(row2, 16)
  const drop = 32 - width
  const half = <usize>(second >> 3)
  let p = base + <usize>(firstBit >> 3)
  for (let i = 0; i < n; i += 8) {
    v128.store(out, fourFields(p, mask1, factor1, drop))
    v128.store(out, fourFields(p + half, mask2, factor2, drop), 16)
    out += 32
    p += width
  }
}
