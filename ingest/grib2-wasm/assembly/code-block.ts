import { FIRST_REFINEMENT, RUN, SIGNS, signContexts, zeroContexts } from './block-contexts'
import { begin, BOTH, beginRaw, CONTEXT, contexts, decision, evenDecision, QE, rawBit, resetContexts, SYMBOL, symbol } from './mq'

// Coefficient bit modelling of ISO/IEC 15444-1, annex D. One word of flags has a column of four coefficients with all its neighbours: bits
// 0–17 significance, three columns × six rows (row above, the four, row below); for each of the four "visited" (18 + 3r) and "refined"
// (19 + 3r); from 32 on signs, laid out as the significance. Shifted by 3r the neighbours of coefficient r are in the same bits.
const AROUND: u64 = 0x1ef
const REFINED: u32 = 1 << 19
const ALL_VISITED: u64 = (1 << 18) | (1 << 21) | (1 << 24) | (1 << 27)

/** Flags for a block of up to 4096 coefficients with sides of up to 1024, with a border: at most 1026 × 3 words. */
const flags: usize = memory.data(24640, 16)
const data: usize = memory.data(4096 * 4 + 64, 16)

let width: i32 = 0
let height: i32 = 0
/** Octets from one row of flag words to the next. */
let pitch: usize = 0

/** Coefficients of the stripe at row y, one bit in three. */
@inline
function rowsAt(y: i32): u32 {
  return <u32>0x249 & ((1 << (3 * min(4, height - y))) - 1)
}

/** Bit of a row of a stripe in the column above or below; 0 for inner rows. There is a word for each bit. */
const seams: usize = memory.data(40, 16)

/** Marks the coefficient at bit `r3` of the column at `p`, significant with `bits` (sign in 32), in its word and those around it. */
@inline
function mark(p: usize, r3: u64, bits: u64): void {
  const own = bits << r3
  store<u64>(p, load<u64>(p) | (own << 4))
  store<u64>(p - 8, load<u64>(p - 8) | (own << 5))
  store<u64>(p + 8, load<u64>(p + 8) | (own << 3))
  // Every row writes to the stripe above or below, and inner rows write nothing there: a branch would be predicted correctly only half of
  // the time.
  const q = select<usize>(p - pitch, p + pitch, r3 == 0)
  const seam = <u64>load<u32>(<usize>(r3 << 2), seams) * bits
  store<u64>(q, load<u64>(q) | seam)
  store<u64>(q - 8, load<u64>(q - 8) | (seam << 1))
  store<u64>(q + 8, load<u64>(q + 8) | (seam >> 1))
}

/** Decodes the sign of a coefficient, stores its first size and marks it for its neighbours; returns the new state, with the sign as its decision. */
@inline
function become(state: u64, p: usize, g: u64, r3: u64, at: usize, size: i32): u64 {
  const entry = <u32>load<u8>(<usize>((g & 0xaa) | ((g >> 33) & 0x55)), signContexts)
  state = decision(state, SIGNS + <usize>(entry & 0xf8))
  store<i32>(at, size)
  mark(p, r3, 1 | ((symbol ^ (<u64>entry << 63)) >> 63 << 32))
  return state
}

/** Returns one bit in three for the coefficients of a column that have a significant neighbour. */
@inline
function nextTo(word: u64): u32 {
  const f = <u32>word
  const any = f | (f >> 1) | (f >> 2)
  return any | (any >> 3) | (any >> 6)
}

/** Octets from the first coefficient of a column to that at bit `r3`. */
@inline
function inColumn(r3: u64): usize {
  return <usize>((r3 * 0x156) >> 8) & 12
}

/** Flags of four columns without their signs. Loads of a word each: they may wait for stores of the columns before. */
@inline
function fourColumns(p: usize): v128 {
  const first = v128.load64_lane(p + 16, v128.load64_zero(p), 1)
  const second = v128.load64_lane(p + 24, v128.load64_zero(p + 8), 1)
  return v128.shuffle<i32>(first, second, 0, 4, 2, 6)
}

/** One bit in three of four columns, 16 bits a column. */
@inline
function gathered(bits: v128): u64 {
  return i64x2.extract_lane(i16x8.narrow_i32x4_u(bits, bits), 0)
}

/** Sets flags of four columns: bits as `gathered` has them, moved left by `shift`. */
@inline
function setInFour(p: usize, bits: u64, shift: i32): void {
  const spread = i32x4.shl(i32x4.extend_low_i16x8_u(i64x2.splat(bits)), shift)
  v128.store(p, v128.or(v128.load(p), i64x2.extend_low_i32x4_u(spread)))
  v128.store(p, v128.or(v128.load(p, 16), i64x2.extend_high_i32x4_u(spread)), 16)
}

/** Bits of `gathered` for up to four of the columns from x on. */
@inline
function columnsFrom(x: i32): u64 {
  return x + 4 <= width ? 0xffffffffffffffff : ((<u64>1) << (<u64>(width - x) << 4)) - 1
}

/** Marks a coefficient at the later coefficients that have it as a neighbour: the one below and three in the next column. */
const LATER: u64 = (1 << 3) | (1 << 13) | (1 << 16) | (1 << 19)

function significance(state: u64, size: i32, zero: usize): u64 {
  let column = data
  for (let y = 0; y < height; y += 4) {
    const rows = i32x4.splat(rowsAt(y))
    let p = flags + pitch * <usize>((y >> 2) + 1) + 8
    // Four columns are tested at once, because the end of an inner loop is often predicted wrongly.
    for (let x = 0; x < width; x += 4, p += 32, column += 64) {
      const f = fourColumns(p)
      const any = v128.or(v128.or(f, i32x4.shr_u(f, 1)), i32x4.shr_u(f, 2))
      const near = v128.or(v128.or(any, i32x4.shr_u(any, 3)), i32x4.shr_u(any, 6))
      const still = v128.andnot(rows, i32x4.shr_u(f, 4))
      let todo = gathered(v128.and(near, still)) & columnsFrom(x)
      if (!todo) continue
      const open = gathered(still) & columnsFrom(x)
      let visited = todo
      do {
        const at = ctz<u64>(todo)
        todo &= todo - 1
        const r3 = at & 15
        const q = p + <usize>(at >> 4 << 3)
        const g = load<u64>(q) >> r3
        state = decision(state, <usize>load<u8>(zero + <usize>(g & AROUND), zeroContexts))
        if (<i64>symbol < 0) {
          state = become(state, q, g, r3, column + <usize>(at >> 4 << 4) + inColumn(r3), size)
          const added = (LATER << at) & open
          todo |= added
          visited |= added
        }
      } while (todo)
      setInFour(p, visited, 18)
    }
    column -= <usize>(-width & 3) << 4
  }
  return state
}

/** The significance pass if the arithmetic coder is bypassed (D.6), which reads raw bits. */
function rawSignificance(size: i32): void {
  let column = data
  for (let y = 0; y < height; y += 4) {
    const rows = rowsAt(y)
    let p = flags + pitch * <usize>((y >> 2) + 1) + 8
    const end = p + (<usize>width << 3)
    for (; p < end; p += 8, column += 16) {
      const f = load<u64>(p)
      const open = ~<u32>(f >> 4) & rows
      let todo = nextTo(f) & open
      let visited = todo
      while (todo) {
        const r3 = <u64>ctz<u32>(todo)
        todo &= todo - 1
        if (!rawBit()) continue
        const negative = <u64>rawBit()
        store<i32>(column + inColumn(r3), size)
        mark(p, r3, 1 | (negative << 32))
        const added = (8 << <u32>r3) & open
        todo |= added
        visited |= added
      }
      store<u64>(p, load<u64>(p) | (<u64>visited << 18))
    }
  }
}

/** Refines a coefficient by one bit, which selects the upper or the lower half of its range. */
@inline
function refine(at: usize, half: i32, bit: i32): void {
  store<i32>(at, load<i32>(at) - half + ((half << 1) & -bit))
}

function rawRefinement(half: i32): void {
  let column = data
  for (let y = 0; y < height; y += 4) {
    let p = flags + pitch * <usize>((y >> 2) + 1) + 8
    const end = p + (<usize>width << 3)
    for (; p < end; p += 8, column += 16) {
      const f = load<u32>(p)
      let todo = (f >> 4) & ~(f >> 18) & 0x249
      store<u32>(p, f | (todo << 19))
      while (todo) {
        refine(column + inColumn(ctz<u32>(todo)), half, rawBit())
        todo &= todo - 1
      }
    }
  }
}

function refinement(state: u64, half: i32): u64 {
  let column = data
  for (let y = 0; y < height; y += 4) {
    let p = flags + pitch * <usize>((y >> 2) + 1) + 8
    for (let x = 0; x < width; x += 4, p += 32, column += 64) {
      // These are the coefficients that are significant and not visited, one bit in three for each of the four.
      const f = fourColumns(p)
      const due = v128.and(v128.andnot(i32x4.shr_u(f, 4), i32x4.shr_u(f, 18)), i32x4.splat(0x249))
      let todo = gathered(due) & columnsFrom(x)
      if (!todo) continue
      const refined = todo
      do {
        const at = ctz<u64>(todo)
        todo &= todo - 1
        const r3 = at & 15
        const g = <u32>(load<u64>(p + <usize>(at >> 4 << 3)) >> r3)
        const first = select<usize>(FIRST_REFINEMENT + CONTEXT, FIRST_REFINEMENT, (g & <u32>AROUND) != 0)
        state = decision(state, select<usize>(FIRST_REFINEMENT + 2 * CONTEXT, first, (g & REFINED) != 0))
        refine(column + <usize>(at >> 4 << 4) + inColumn(r3), half, <i32>(symbol >> 63))
      } while (todo)
      setInFour(p, refined, 19)
    }
    column -= <usize>(-width & 3) << 4
  }
  return state
}

function cleanup(state: u64, size: i32, zero: usize): u64 {
  let stripe = data
  for (let y = 0; y < height; y += 4) {
    const rows = rowsAt(y)
    const start = flags + pitch * <usize>((y >> 2) + 1) + 8
    const end = start + (<usize>width << 3)
    for (let p = start; p < end; p += 8) {
      const f = load<u64>(p)
      let todo = ~<u32>(f >> 4) & ~<u32>(f >> 18) & rows
      if (f == 0 && rows == 0x249) {
        const entry = load<u64>(contexts + RUN)
        if (!(entry & SYMBOL)) {
          // Consecutive empty columns change nothing except that each subtracts Qe from both registers.
          const qe = entry & QE
          const both = entry & BOTH
          while (state >> 47 >= qe && (state - both) & 0x8000) {
            state -= both
            p += 8
            if (p == end || load<u64>(p)) break
          }
          if (p == end) break
          if (load<u64>(p)) {
            // The column is not empty, so the next iteration decodes it.
            p -= 8
            continue
          }
        }
        state = decision(state, RUN)
        if (<i64>symbol >= 0) continue
        state = evenDecision(state)
        let r3 = (symbol >> 63) * 6
        state = evenDecision(state)
        r3 += (symbol >> 63) * 3
        state = become(state, p, 0, r3, stripe + ((p - start) << 1) + inColumn(r3), size)
        todo = 0x249 & ~((8 << <u32>r3) - 1)
      }
      while (todo) {
        const r3 = <u64>ctz<u32>(todo)
        todo &= todo - 1
        const g = load<u64>(p) >> r3
        state = decision(state, <usize>load<u8>(zero + <usize>(g & AROUND), zeroContexts))
        if (<i64>symbol < 0) {
          state = become(state, p, g, r3, stripe + ((p - start) << 1) + inColumn(r3), size)
        }
      }
      store<u64>(p, load<u64>(p) & ~ALL_VISITED)
    }
    stripe += <usize>width << 4
  }
  return state
}

const BYPASS: i32 = 1
const RESET: i32 = 2
const VERTICALLY_CAUSAL: i32 = 8
const SEGMENT_SYMBOLS: i32 = 32
/** The first pass that bypasses the arithmetic coder where the style has the bypass flag. */
const FIRST_RAW: i32 = 10

/** Begins a code block of `w` × `h` (at most 4096) coefficients, all of which are 0. */
export function beginBlock(w: i32, h: i32): void {
  width = w
  height = h
  pitch = <usize>(w + 2) << 3
  memory.fill(flags, 0, pitch * <usize>(((h + 3) >> 2) + 2))
  memory.fill(data, 0, <usize>(w * ((h + 3) & ~3)) << 2)
  resetContexts()
}

/**
 * Decodes passes `first` to `last` − 1 of the block in subband `band` (0 LL, 1 HL, 2 LH, 3 HH), counted from its
 * `planes`: one codeword segment at `source`, ended by 0xFF 0xFF. `style` is that of table A.19.
 */
export function decodeSegment(source: usize, band: i32, planes: i32, first: i32, last: i32, style: i32): void {
  const zero = <usize>(band << 9)
  const raw = (style & BYPASS) != 0 && first >= FIRST_RAW && first % 3 != 0
  // Vertically causal contexts ignore the stripe below, so significance is not marked there.
  const causal = (style & VERTICALLY_CAUSAL) != 0
  store<u32>(seams, causal ? 0 : 1 << 16)
  store<u32>(seams + 36, 1 << 1)
  let state = raw ? beginRaw(source) : begin(source)
  for (let pass = first; pass < last; pass++) {
    // Pass 0 is the cleanup of the highest plane. One bit below the plane is reserved for the middle of the range, so plane 1 is the last.
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
      if (style & SEGMENT_SYMBOLS) for (let k = 0; k < 4; k++) state = evenDecision(state)
    }
    if (style & RESET) resetContexts()
  }
}

/** Shifts the coefficients of a region of interest down by `shift` bits (annex H.1); only such coefficients are that large. */
function lowerRegion(shift: i32): void {
  const end = data + (<usize>(width * ((height + 3) & ~3)) << 2)
  for (let p = data; p < end; p += 4) {
    const size = load<i32>(p)
    if (shift >= 31) store<i32>(p, 0)
    else if (size >= 1 << shift) store<i32>(p, size >> shift)
  }
}

/** A column of four with the signs of its flags. */
@inline
function signed(sizes: usize, p: usize): v128 {
  const signs = v128.and(i32x4.splat(load<i32>(p, 4)), i32x4(1 << 4, 1 << 7, 1 << 10, 1 << 13))
  const negative = i32x4.ne(signs, i32x4.splat(0))
  return i32x4.sub(v128.xor(v128.load(sizes), negative), negative)
}

/** Writes up to four coefficients of a row, halved towards 0 or as floats. */
@inline
function storeRow(to: usize, v: v128, columns: i32, scale: f32): void {
  let result = i32x4.shr_s(i32x4.add(v, i32x4.shr_u(v, 31)), 1)
  if (scale > 0) result = f32x4.mul(f32x4.convert_i32x4_s(v), f32x4.splat(scale))
  if (columns == 4) {
    v128.store(to, result)
    return
  }
  v128.store32_lane(to, result, 0)
  if (columns > 1) v128.store32_lane(to, result, 1, 4)
  if (columns > 2) v128.store32_lane(to, result, 2, 8)
}

/** Writes the zeros of a block without data to `out`. */
export function storeEmptyBlock(w: i32, h: i32, out: usize, stride: i32): void {
  for (let y = 0; y < h; y++) memory.fill(out + (<usize>y * <usize>stride << 2), 0, <usize>w << 2)
}

/**
 * Writes the coefficients of the block to `out`, with rows `stride` words apart. A coefficient that ends before the last plane is set to
 * the middle of its remaining range, as ISO recommends. Quantized coefficients (`quantum` above 0) become floats.
 */
export function storeBlock(regionShift: i32, quantum: f32, out: usize, stride: i32): void {
  if (regionShift) lowerRegion(regionShift)
  // The bit for the middle makes the data twice as large.
  const scale = quantum * <f32>0.5
  for (let y = 0; y < height; y += 4) {
    const rows = min(4, height - y)
    let from = data + (<usize>(y * width) << 2)
    let p = flags + pitch * <usize>((y >> 2) + 1) + 8
    for (let x = 0; x < width; x += 4, from += 64, p += 32) {
      // This transposes four columns of four into rows.
      const a = signed(from, p)
      const b = signed(from + 16, p + 8)
      const c = signed(from + 32, p + 16)
      const d = signed(from + 48, p + 24)
      const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5)
      const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5)
      const abLow = v128.shuffle<i32>(a, b, 2, 6, 3, 7)
      const cdLow = v128.shuffle<i32>(c, d, 2, 6, 3, 7)
      let to = out + ((<usize>y * <usize>stride + <usize>x) << 2)
      const columns = min(4, width - x)
      storeRow(to, v128.shuffle<i64>(ab, cd, 0, 2), columns, scale)
      if (rows > 1) storeRow((to += <usize>stride << 2), v128.shuffle<i64>(ab, cd, 1, 3), columns, scale)
      if (rows > 2) storeRow((to += <usize>stride << 2), v128.shuffle<i64>(abLow, cdLow, 0, 2), columns, scale)
      if (rows > 3) storeRow((to += <usize>stride << 2), v128.shuffle<i64>(abLow, cdLow, 1, 3), columns, scale)
    }
  }
}
