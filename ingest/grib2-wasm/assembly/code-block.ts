import { begin, beginRaw, contexts, decision, QE, rawBit, resetContexts, SYMBOL } from './mq'

// Coefficient bit modelling of ISO/IEC 15444-1, annex D. One word of flags has a column of four coefficients with all its neighbours: bits
// 0–17 significance, three columns × six rows (row above, the four, row below); 18 sign of the row above; then for each of the four its
// sign (19 + 3r), "refined" (20 + 3r) and "visited" (21 + 3r); 31 sign of the row below (which is also sign + 3 × 4).
/** Offsets of the contexts of a run and of equal odds. */
const RUN: usize = 17 << 2
const UNIFORM: usize = 18 << 2
const SELF: u32 = 1 << 4
const AROUND: u32 = 0x1ef
const REFINED: u32 = 1 << 20
const VISITED: u32 = 1 << 21
const ALL_VISITED: u32 = (1 << 21) | (1 << 24) | (1 << 27) | (1 << 30)

/** Flags for a block of up to 4096 coefficients with sides of up to 1024, with a border: at most 1026 × 3 words. */
const flags: usize = memory.data(16384, 16)
const data: usize = memory.data(4096 * 4 + 64, 16)
const zeroContexts: usize = memory.data(4 * 512, 16)
const signContexts: usize = memory.data(256, 16)

function clampOne(n: i32): i32 {
  return max(-1, min(1, n))
}

/** Table D.1: the context of a zero coding, by subband and significance around. */
function zeroContext(band: i32, f: i32): i32 {
  let h = ((f >> 3) & 1) + ((f >> 5) & 1)
  let v = ((f >> 1) & 1) + ((f >> 7) & 1)
  const d = (f & 1) + ((f >> 2) & 1) + ((f >> 6) & 1) + ((f >> 8) & 1)
  if (band == 3) {
    const hv = h + v
    if (d >= 3) return 8
    if (d == 2) return hv >= 1 ? 7 : 6
    if (d == 1) return hv >= 2 ? 5 : hv == 1 ? 4 : 3
    return hv >= 2 ? 2 : hv
  }
  if (band == 1) {
    const swap = h
    h = v
    v = swap
  }
  if (h == 2) return 8
  if (h == 1) return v >= 1 ? 7 : d >= 1 ? 6 : 5
  if (v == 2) return 4
  if (v == 1) return 3
  return d >= 2 ? 2 : d
}

/** Tables D.2 and D.3: context, with the sign flip in bit 7. Bits of f: signs W 0, E 2, N 4, S 6; significance N 1, W 3, E 5, S 7. */
function signContext(f: i32): i32 {
  const west = (f >> 3) & 1 ? 1 - 2 * (f & 1) : 0
  const east = (f >> 5) & 1 ? 1 - 2 * ((f >> 2) & 1) : 0
  const north = (f >> 1) & 1 ? 1 - 2 * ((f >> 4) & 1) : 0
  const south = (f >> 7) & 1 ? 1 - 2 * ((f >> 6) & 1) : 0
  let h = clampOne(west + east)
  let v = clampOne(north + south)
  let flip = 0
  if (h < 0 || (h == 0 && v < 0)) {
    flip = 0x80
    h = -h
    v = -v
  }
  if (h == 0) return (v == 0 ? 9 : 10) | flip
  return (v < 0 ? 11 : v == 0 ? 12 : 13) | flip
}

for (let f = 0; f < 512; f++) {
  for (let band = 0; band < 4; band++) store<u8>(zeroContexts + <usize>(band * 512 + f), <u8>(zeroContext(band, f) << 2))
}
for (let f = 0; f < 256; f++) {
  const context = signContext(f)
  store<u8>(signContexts + <usize>f, <u8>(((context & 0x7f) << 2) | (context & 0x80)))
}

let width: i32 = 0
let height: i32 = 0
/** Octets from one row of flag words to the next. */
let pitch: usize = 0
/** Contexts do not look at the stripe below: what becomes significant there is not marked here. */
let vertical: bool = false

@inline
function signIndex(f: u32, west: u32, east: u32, r: u32): u32 {
  const r3 = r * 3
  return (
    ((f >> r3) & 0xaa) |
    ((west >> (19 + r3)) & 1) |
    (((east >> (19 + r3)) & 1) << 2) |
    (((r == 0 ? f >> 18 : f >> (16 + r3)) & 1) << 4) |
    (((f >> (22 + r3)) & 1) << 6)
  )
}

/** Marks coefficient r of the column at `p` as significant in the words around it; the column's own word is the caller's. */
@inline
function mark(p: usize, r: u32, sign: u32): void {
  const r3 = r * 3
  store<u32>(p - 4, load<u32>(p - 4) | ((1 << 5) << r3))
  store<u32>(p + 4, load<u32>(p + 4) | ((1 << 3) << r3))
  if (r == 0) {
    if (vertical) return
    const n = p - pitch
    store<u32>(n, load<u32>(n) | (sign << 31) | (1 << 16))
    store<u32>(n - 4, load<u32>(n - 4) | (1 << 17))
    store<u32>(n + 4, load<u32>(n + 4) | (1 << 15))
  } else if (r == 3) {
    const s = p + pitch
    store<u32>(s, load<u32>(s) | (sign << 18) | (1 << 1))
    store<u32>(s - 4, load<u32>(s - 4) | (1 << 2))
    store<u32>(s + 4, load<u32>(s + 4) | 1)
  }
}

let sign: u32 = 0

/** Decodes the sign of coefficient r, stores its first value and marks it for its neighbours; returns the new state. */
function become(state: u64, p: usize, f: u32, r: u32, at: usize, value: i32): u64 {
  const entry = <u32>load<u8>(signContexts + <usize>signIndex(f, load<u32>(p - 4), load<u32>(p + 4), r))
  state = decision(state, contexts + <usize>(entry & 0x7f))
  sign = <u32>(state >> 63) ^ (entry >> 7)
  store<i32>(at, sign ? -value : value)
  mark(p, r, sign)
  return state
}

function significance(state: u64, value: i32, zero: usize): u64 {
  const row = <usize>width << 2
  for (let y = 0; y < height; y += 4) {
    const rows = <u32>0x249 & ((1 << (3 * min(4, height - y))) - 1)
    let p = flags + pitch * <usize>((y >> 2) + 1) + 4
    let column = data + (<usize>(y * width) << 2)
    const end = p + row
    for (; p < end; p += 4, column += 4) {
      let f = load<u32>(p)
      // One bit in three for each of the four that is not significant yet; where nothing is around, none is looked at.
      let todo = f ? ~(f >> 4) & rows : 0
      if (!todo) continue
      do {
        const r3 = ctz<u32>(todo)
        todo &= todo - 1
        const g = f >> r3
        if ((g & AROUND) == 0) continue
        state = decision(state, contexts + <usize>load<u8>(zero + <usize>(g & AROUND)))
        let news = VISITED
        if (<i64>state < 0) {
          const r = (r3 * 0x56) >> 8
          state = become(state, p, f, r, column + <usize>r * row, value)
          news = VISITED | SELF | (sign << 19)
        }
        f |= news << r3
      } while (todo)
      store<u32>(p, f)
    }
  }
  return state
}

/** The significance pass where the arithmetic coder is bypassed (D.6): bits as they are. */
function rawSignificance(value: i32): void {
  const row = <usize>width << 2
  for (let y = 0; y < height; y += 4) {
    const rows = <u32>0x249 & ((1 << (3 * min(4, height - y))) - 1)
    let p = flags + pitch * <usize>((y >> 2) + 1) + 4
    let column = data + (<usize>(y * width) << 2)
    const end = p + row
    for (; p < end; p += 4, column += 4) {
      let f = load<u32>(p)
      let todo = f ? ~(f >> 4) & rows : 0
      while (todo) {
        const r3 = ctz<u32>(todo)
        todo &= todo - 1
        if (((f >> r3) & AROUND) == 0) continue
        let news = VISITED
        if (rawBit()) {
          const r = (r3 * 0x56) >> 8
          const negative = rawBit()
          store<i32>(column + <usize>r * row, negative ? -value : value)
          mark(p, r, negative)
          news = VISITED | SELF | (negative << 19)
        }
        f |= news << r3
      }
      store<u32>(p, f)
    }
  }
}

function rawRefinement(half: i32): void {
  const row = <usize>width << 2
  for (let y = 0; y < height; y += 4) {
    let p = flags + pitch * <usize>((y >> 2) + 1) + 4
    let column = data + (<usize>(y * width) << 2)
    const end = p + row
    for (; p < end; p += 4, column += 4) {
      const f = load<u32>(p)
      let todo = (f >> 4) & ~(f >> 21) & 0x249
      store<u32>(p, f | (todo << 20))
      while (todo) {
        const r3 = ctz<u32>(todo)
        todo &= todo - 1
        const at = column + <usize>((r3 * 0x56) >> 8) * row
        const value = load<i32>(at)
        const flip = (value >> 31) ^ (<i32>rawBit() - 1)
        store<i32>(at, value + ((half ^ flip) - flip))
      }
    }
  }
}

function refinement(state: u64, half: i32): u64 {
  const row = <usize>width << 2
  for (let y = 0; y < height; y += 4) {
    let p = flags + pitch * <usize>((y >> 2) + 1) + 4
    let column = data + (<usize>(y * width) << 2)
    const end = p + row
    for (; p < end; p += 4, column += 4) {
      const f = load<u32>(p)
      // Significant and not visited: one bit in three for each of the four.
      let todo = (f >> 4) & ~(f >> 21) & 0x249
      store<u32>(p, f | (todo << 20))
      while (todo) {
        const r3 = ctz<u32>(todo)
        todo &= todo - 1
        const g = f >> r3
        state = decision(state, contexts + (g & REFINED ? 64 : g & AROUND ? 60 : 56))
        const at = column + <usize>((r3 * 0x56) >> 8) * row
        const value = load<i32>(at)
        const flip = (value >> 31) ^ (<i32>(state >> 63) - 1)
        store<i32>(at, value + ((half ^ flip) - flip))
      }
    }
  }
  return state
}

function cleanup(state: u64, value: i32, zero: usize): u64 {
  const row = <usize>width << 2
  for (let y = 0; y < height; y += 4) {
    const rows = <u32>0x249 & ((1 << (3 * min(4, height - y))) - 1)
    let p = flags + pitch * <usize>((y >> 2) + 1) + 4
    let column = data + (<usize>(y * width) << 2)
    const end = p + row
    for (; p < end; p += 4, column += 4) {
      let f = load<u32>(p)
      let todo = ~(f >> 4) & ~(f >> 21) & rows
      if (f == 0 && rows == 0x249) {
        const entry = load<u32>(contexts + RUN)
        if (!(entry & SYMBOL)) {
          // Empty columns in a row: as long as each only takes Qe from both registers, nothing else changes.
          const qe = <u64>(entry & QE)
          const both = (qe << 47) + qe
          state &= 0x7fffffffffffffff
          while (state >> 47 >= qe && (state - both) & 0x8000) {
            state -= both
            p += 4
            if (p == end || load<u32>(p)) break
          }
          if (p == end) break
          column = data + (<usize>(y * width) << 2) + (p - (end - row))
          if (load<u32>(p)) {
            // Not empty: this column is for the next turn.
            p -= 4
            column -= 4
            continue
          }
        }
        state = decision(state, contexts + RUN)
        if (<i64>state >= 0) continue
        state = decision(state, contexts + UNIFORM)
        let r = <u32>(state >> 63) << 1
        state = decision(state, contexts + UNIFORM)
        r |= <u32>(state >> 63)
        state = become(state, p, f, r, column + <usize>r * row, value)
        f |= (SELF | (sign << 19)) << (r * 3)
        todo = 0x249 & ~((8 << (r * 3)) - 1)
      }
      while (todo) {
        const r3 = ctz<u32>(todo)
        todo &= todo - 1
        const g = f >> r3
        state = decision(state, contexts + <usize>load<u8>(zero + <usize>(g & AROUND)))
        if (<i64>state < 0) {
          const r = (r3 * 0x56) >> 8
          state = become(state, p, f, r, column + <usize>r * row, value)
          f |= (SELF | (sign << 19)) << r3
        }
      }
      store<u32>(p, f & ~ALL_VISITED)
    }
  }
  return state
}

const BYPASS: i32 = 1
const RESET: i32 = 2
const VERTICALLY_CAUSAL: i32 = 8
const SEGMENT_SYMBOLS: i32 = 32
/** The first pass that bypasses the arithmetic coder where the style has the bypass flag. */
const FIRST_RAW: i32 = 10

/** Begins a code block of `w` × `h` (at most 4096 coefficients): all coefficients 0. */
export function beginBlock(w: i32, h: i32): void {
  width = w
  height = h
  pitch = <usize>(w + 2) << 2
  memory.fill(flags, 0, pitch * <usize>(((h + 3) >> 2) + 2))
  memory.fill(data, 0, <usize>(w * h) << 2)
  resetContexts()
}

/**
 * Decodes passes `first` to `last` − 1 of the block in subband `band` (0 LL, 1 HL, 2 LH, 3 HH), counted from its
 * `planes`: one codeword segment at `source`, ended by 0xFF 0xFF. `style` is that of table A.19.
 */
export function decodeSegment(source: usize, band: i32, planes: i32, first: i32, last: i32, style: i32): void {
  const zero = zeroContexts + <usize>(band << 9)
  const raw = (style & BYPASS) != 0 && first >= FIRST_RAW && first % 3 != 0
  vertical = (style & VERTICALLY_CAUSAL) != 0
  let state = raw ? beginRaw(source) : begin(source)
  for (let pass = first; pass < last; pass++) {
    // Pass 0 is the cleanup of the highest plane. One bit below the plane stays for the middle: plane 1 is the last.
    const plane = planes - (pass + 2) / 3
    if (plane < 1) break
    const kind = (pass + 2) % 3
    const one = 1 << plane
    const half = one >> 1
    if (raw) {
      if (kind == 0) rawSignificance(one | half)
      else if (kind == 1) rawRefinement(half)
      continue
    }
    if (kind == 0) state = significance(state, one | half, zero)
    else if (kind == 1) state = refinement(state, half)
    else {
      state = cleanup(state, one | half, zero)
      if (style & SEGMENT_SYMBOLS) for (let k = 0; k < 4; k++) state = decision(state, contexts + UNIFORM)
    }
    if (style & RESET) resetContexts()
  }
}

/** Moves coefficients of a region of interest down by `shift` bits (annex H.1): those that are that large. */
function lowerRegion(shift: i32): void {
  const end = data + (<usize>(width * height) << 2)
  for (let p = data; p < end; p += 4) {
    const value = load<i32>(p)
    const size = abs(value)
    if (shift >= 31) store<i32>(p, 0)
    else if (size >= 1 << shift) store<i32>(p, value < 0 ? -(size >> shift) : size >> shift)
  }
}

/**
 * Puts the coefficients of the block at `out`, rows `stride` words apart; those that end before the last plane are in the
 * middle of the range that is left, as ISO advises. Quantized coefficients (`quantum` above 0) become floats.
 */
export function storeBlock(regionShift: i32, quantum: f32, out: usize, stride: i32): void {
  if (regionShift) lowerRegion(regionShift)
  // The bit for the middle makes data twice as large.
  const scale = quantum * <f32>0.5
  const octets = <usize>width << 2
  for (let y = 0; y < height; y++) {
    const from = data + <usize>y * octets
    const to = out + (<usize>y * <usize>stride << 2)
    let x: usize = 0
    if (quantum > 0) {
      for (; x < octets; x += 4) store<f32>(to + x, <f32>load<i32>(from + x) * scale)
      continue
    }
    for (; x + 16 <= octets; x += 16) {
      const v = v128.load(from + x)
      v128.store(to + x, i32x4.shr_s(i32x4.add(v, i32x4.shr_u(v, 31)), 1))
    }
    for (; x < octets; x += 4) store<i32>(to + x, load<i32>(from + x) / 2)
  }
}
