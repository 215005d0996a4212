import { begin, contexts, decision, madeUp, resetContexts, table } from './mq'

// Coefficient bit modelling of ISO/IEC 15444-1, annex D. One word of flags holds a column of four coefficients with all
// its neighbours: bits 0–17 significance, three columns × six rows (row above, the four, row below); 18 sign of the row
// above; then for each of the four its sign (19 + 3r), "refined" (20 + 3r) and "visited" (21 + 3r); 31 sign of the row
// below (which is also sign + 3 × 4).
const SELF: u32 = 1 << 4
const AROUND: u32 = 0x1ef
const REFINED: u32 = 1 << 20
const VISITED: u32 = 1 << 21
const ALL_VISITED: u32 = (1 << 21) | (1 << 24) | (1 << 27) | (1 << 30)

/** An encoder leaves out a few octets of ones at most: passes that begin far behind the end have no data. */
const ENOUGH: i32 = 64

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
  for (let band = 0; band < 4; band++) store<u8>(zeroContexts + <usize>(band * 512 + f), <u8>zeroContext(band, f))
}
for (let f = 0; f < 256; f++) store<u8>(signContexts + <usize>f, <u8>signContext(f))

let width: i32 = 0
let height: i32 = 0
/** Octets from one row of flag words to the next. */
let pitch: usize = 0

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

/** Tells the words around the column at `p` that its coefficient r is significant; the column's own word is the caller's. */
@inline
function tell(p: usize, r: u32, sign: u32): void {
  const r3 = r * 3
  store<u32>(p - 4, load<u32>(p - 4) | ((1 << 5) << r3))
  store<u32>(p + 4, load<u32>(p + 4) | ((1 << 3) << r3))
  if (r == 0) {
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

/** Decodes the sign of coefficient r, stores its first value and tells its neighbours; gives the new state. */
function become(state: u64, p: usize, f: u32, r: u32, at: usize, value: i32): u64 {
  const entry = <u32>load<u8>(signContexts + <usize>signIndex(f, load<u32>(p - 4), load<u32>(p + 4), r))
  state = decision(state, contexts + <usize>(entry & 0x7f))
  sign = <u32>(state >> 63) ^ (entry >> 7)
  store<i32>(at, sign ? -value : value)
  tell(p, r, sign)
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
        state = decision(state, contexts + (g & REFINED ? 16 : g & AROUND ? 15 : 14))
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
        const octet = <u32>load<u8>(contexts + 17)
        if (!(octet & 1)) {
          // Empty columns in a row: as long as each only takes Qe from both registers, nothing else changes.
          const qe = <u64>load<u16>(table + <usize>(octet << 2))
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
        state = decision(state, contexts + 17)
        if (<i64>state >= 0) continue
        state = decision(state, contexts + 18)
        let r = <u32>(state >> 63) << 1
        state = decision(state, contexts + 18)
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

/**
 * Decodes a code block of `w` × `h` (at most 4096 coefficients) in subband `band` (0 LL, 1 HL, 2 LH, 3 HH): `passes` coding
 * passes from bit plane `planes` − 1 down, octets at `source` ended by 0xFF 0xFF. Puts the coefficients at `out`, rows
 * `stride` words apart; those that end before the last plane stand in the middle of what is left open, as ISO advises.
 * Quantized coefficients (`quantum` above 0) become floats.
 */
export function decodeBlock(
  source: usize, w: i32, h: i32, band: i32, planes: i32, passes: i32, reset: bool, symbols: bool, quantum: f32,
  out: usize, stride: i32,
): void {
  width = w
  height = h
  pitch = <usize>(w + 2) << 2
  memory.fill(flags, 0, pitch * <usize>(((h + 3) >> 2) + 2))
  memory.fill(data, 0, <usize>(w * h) << 2)
  resetContexts()
  let state = begin(source)
  const zero = zeroContexts + <usize>(band << 9)
  let plane = planes
  let kind = 2
  for (let pass = 0; pass < passes && plane > 0 && madeUp < ENOUGH; pass++) {
    // One bit below the plane stays for the middle: plane 1 is the last.
    const one = 1 << plane
    const half = one >> 1
    if (kind == 0) state = significance(state, one | half, zero)
    else if (kind == 1) state = refinement(state, half)
    else {
      state = cleanup(state, one | half, zero)
      if (symbols) for (let k = 0; k < 4; k++) state = decision(state, contexts + 18)
    }
    if (reset) resetContexts()
    if (++kind == 3) {
      kind = 0
      plane--
    }
  }
  // The bit for the middle makes data twice as large.
  const scale = quantum * <f32>0.5
  for (let y = 0; y < h; y++) {
    const from = data + (<usize>(y * w) << 2)
    const to = out + (<usize>y * <usize>stride << 2)
    let x: usize = 0
    if (quantum > 0) {
      for (; x < <usize>w << 2; x += 4) store<f32>(to + x, <f32>load<i32>(from + x) * scale)
      continue
    }
    for (; x + 16 <= <usize>w << 2; x += 16) {
      const v = v128.load(from + x)
      v128.store(to + x, i32x4.shr_s(i32x4.add(v, i32x4.shr_u(v, 31)), 1))
    }
    for (; x < <usize>w << 2; x += 4) store<i32>(to + x, load<i32>(from + x) / 2)
  }
}
