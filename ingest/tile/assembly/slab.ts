import { MISSING } from './block'

// A packed slab has for each group of neighbouring cells: the smallest code (i16); the width of the differences from it
// (u8; bit 7 says that the greatest difference of this width means "missing"); and the differences, `width` bits each
// from the least significant bit up, padded to a whole byte.

const GAPS: u32 = 128

/**
 * Packs groups of cells.
 * @param codes i16, in the order of the cells
 * @param sizes one u16 a group: its number of cells, at most 343; @param groups number of groups
 * @returns the address after the last byte; up to 8 more bytes are overwritten
 */
export function packGroups(codes: usize, sizes: usize, groups: i32, out: usize): usize {
  let from = codes
  let to = out
  for (let g = 0; g < groups; g++) {
    const n = <usize>load<u16>(sizes + (<usize>g << 1))
    to = packGroup(from, n, to)
    from += n << 1
  }
  return to
}

function packGroup(from: usize, n: usize, out: usize): usize {
  let least: i32 = 32767
  let most: i32 = -32768
  let gaps: u32 = 0
  const end = from + (n << 1)
  if (n >= 8) {
    let low = i16x8.splat(32767)
    let high = i16x8.splat(-32768)
    const none = i16x8.splat(<i16>MISSING)
    let gone = i16x8.splat(0)
    let p = from
    while (true) {
      const x = v128.load(p)
      const hole = i16x8.eq(x, none)
      gone = v128.or(gone, hole)
      low = i16x8.min_s(low, v128.or(v128.andnot(x, hole), v128.and(hole, i16x8.splat(32767))))
      high = i16x8.max_s(high, x)
      if (p + 16 === end) break
      p = min(p + 16, end - 16)
    }
    low = i16x8.min_s(low, v128.shuffle<i16>(low, low, 4, 5, 6, 7, 4, 5, 6, 7))
    low = i16x8.min_s(low, v128.shuffle<i16>(low, low, 2, 3, 2, 3, 2, 3, 2, 3))
    high = i16x8.max_s(high, v128.shuffle<i16>(high, high, 4, 5, 6, 7, 4, 5, 6, 7))
    high = i16x8.max_s(high, v128.shuffle<i16>(high, high, 2, 3, 2, 3, 2, 3, 2, 3))
    least = min(<i32>i16x8.extract_lane_s(low, 0), <i32>i16x8.extract_lane_s(low, 1))
    most = max(<i32>i16x8.extract_lane_s(high, 0), <i32>i16x8.extract_lane_s(high, 1))
    gaps = v128.any_true(gone) ? GAPS : 0
  } else {
    for (let p = from; p < end; p += 2) {
      const x = <i32>load<i16>(p)
      if (x === MISSING) gaps = GAPS
      else {
        least = min(least, x)
        most = max(most, x)
      }
    }
  }
  if (most === MISSING) {
    store<i16>(out, <i16>MISSING)
    store<u8>(out + 2, 0)
    return out + 3
  }
  const span = <u32>(most - least) + (gaps ? 1 : 0)
  const width = 32 - clz(span)
  store<i16>(out, <i16>least)
  store<u8>(out + 2, <u8>(width | gaps))
  let to = out + 3
  if (width === 0) return to
  const gap = (<u32>1 << width) - 1
  let p = from
  if (width <= 8) {
    // Eight differences of `width` bits are `width` bytes.
    const leasts = i16x8.splat(<i16>least)
    const none = i16x8.splat(<i16>MISSING)
    const gapsHere = i16x8.splat(<i16>gap)
    const pairs = i32x4.splat((1 << (width + 16)) | 1)
    const low = i64x2.splat(0xffffffff)
    for (; p + 16 <= end; p += 16) {
      const x = v128.load(p)
      let d = i16x8.sub(x, leasts)
      if (gaps) d = v128.bitselect(gapsHere, d, i16x8.eq(x, none))
      // Merges 8 differences of w bits into 4 pairs of 2w bits, then 2 of 4w, and 1 of 8w.
      const two = i32x4.dot_i16x8_s(d, pairs)
      const four = v128.or(v128.and(two, low), i64x2.shl(i64x2.shr_u(two, 32), width << 1))
      store<u64>(to, i64x2.extract_lane(four, 0) | (i64x2.extract_lane(four, 1) << (width << 2)))
      to += width
    }
  }
  let bits: u64 = 0
  let have: u32 = 0
  for (; p < end; p += 2) {
    const x = <i32>load<i16>(p)
    const distance = gaps && x === MISSING ? gap : <u32>(x - least)
    bits |= <u64>distance << have
    have += width
    if (have >= 32) {
      store<u32>(to, <u32>bits)
      to += 4
      bits >>= 32
      have -= 32
    }
  }
  store<u32>(to, <u32>bits)
  return to + ((have + 7) >> 3)
}

/** Unpacks one group of n cells to `codes`. @returns the address after it */
export function unpackGroup(from: usize, n: i32, codes: usize): usize {
  const least = <i32>load<i16>(from)
  const kind = <u32>load<u8>(from + 2)
  const width = kind & 31
  let p = from + 3
  if (width === 0) {
    const x = i16x8.splat(<i16>least)
    for (let i = 0; i < n; i += 8) v128.store(codes + (<usize>i << 1), x)
    return p
  }
  const mask = (<u32>1 << width) - 1
  const after = p + ((<u32>n * width + 7) >> 3)
  let i = 0
  if (width <= 8) {
    const leasts = i16x8.splat(<i16>least)
    const none = i16x8.splat(<i16>MISSING)
    const gapsHere = i16x8.splat(kind & GAPS ? <i16>mask : -1)
    const two = i64x2.splat((<i64>1 << (width << 1)) - 1)
    const one = i32x4.splat(mask)
    for (; i + 8 <= n; i += 8) {
      const eight = load<u64>(p)
      const four = i64x2.replace_lane(i64x2.splat(eight), 1, eight >> (width << 2))
      const pairs = v128.or(
        v128.and(four, two),
        i64x2.shl(v128.and(i64x2.shr_u(four, width << 1), two), 32),
      )
      const d = v128.or(v128.and(pairs, one), i32x4.shl(v128.and(i32x4.shr_u(pairs, width), one), 16))
      const x = i16x8.add(d, leasts)
      v128.store(codes + (<usize>i << 1), v128.bitselect(none, x, i16x8.eq(d, gapsHere)))
      p += width
    }
  }
  let bit: u32 = 0
  for (; i < n; i++) {
    const distance = (load<u32>(p + (bit >> 3)) >> (bit & 7)) & mask
    const gone = (kind & GAPS) !== 0 && distance === mask
    store<i16>(codes + (<usize>i << 1), gone ? <i16>MISSING : <i16>(least + <i32>distance))
    bit += width
  }
  return after
}
