import { fourFields, maskRow, oneField, placedFour, placedRow, WIDEST, WIDEST_IN_PLACE } from './bits'

/** Converts four integers to floats: base + integer × step in doubles, rounded once. */
@inline
export function scaleFour(fields: v128, base: v128, step: v128): v128 {
  const low = f64x2.add(base, f64x2.mul(step, f64x2.convert_low_i32x4_s(fields)))
  const high = f64x2.add(base, f64x2.mul(step, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(fields, fields, 2, 3, 2, 3))))
  return v128.shuffle<i32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5)
}

/** Returns whether single precision is exact: integers of up to 24 bits, a step that is a power of two, and a base that is a float. */
@inline
export function isExact(width: i32, base: f64, step: f64): bool {
  const mantissa = reinterpret<u64>(step) & 0xfffffffffffff
  return width <= 24 && mantissa == 0 && <f64><f32>step == step && <f64><f32>base == base
}

@inline
export function scaleFourExact(fields: v128, base: v128, step: v128): v128 {
  return f32x4.add(base, f32x4.mul(step, f32x4.convert_i32x4_s(fields)))
}

/** Two steps of the scale for two lanes each, without the powers of two of the lanes. */
@inline
function lanes(row: usize, step: f64, from: usize): v128 {
  return f64x2.mul(f64x2.splat(step), f64x2.promote_low_f32x4(v128.load64_zero(row + 32 + from)))
}

/** Works like `scaleFour`, with a step for each lane. */
@inline
function scalePlaced(fields: v128, base: v128, low: v128, high: v128): v128 {
  const a = f64x2.add(base, f64x2.mul(low, f64x2.convert_low_i32x4_s(fields)))
  const b = f64x2.add(base, f64x2.mul(high, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(fields, fields, 2, 3, 2, 3))))
  return v128.shuffle<i32>(f32x4.demote_f64x2_zero(a), f32x4.demote_f64x2_zero(b), 0, 1, 4, 5)
}

/** `unpackSimple` for fields of up to 17 bits. */
function unpackPlaced(source: usize, n: i32, width: i32, base: f64, step: f64, out: usize): void {
  const second = 4 * width
  const row1 = placedRow(width, 0)
  const row2 = placedRow(width, second & 7)
  const swizzle1 = v128.load(row1)
  const mask1 = v128.load(row1, 16)
  const swizzle2 = v128.load(row2)
  const mask2 = v128.load(row2, 16)
  const half = <usize>(second >> 3)
  // The smallest steps would lose bits if a power of two of up to 2^-23 makes them subnormal.
  if (isExact(width, base, step) && abs(step) > 1e-30) {
    const bases = f32x4.splat(<f32>base)
    const steps1 = f32x4.mul(f32x4.splat(<f32>step), v128.load(row1, 32))
    const steps2 = f32x4.mul(f32x4.splat(<f32>step), v128.load(row2, 32))
    for (let i = 0; i < n; i += 8) {
      const a = f32x4.convert_i32x4_s(placedFour(source, swizzle1, mask1))
      const b = f32x4.convert_i32x4_s(placedFour(source + half, swizzle2, mask2))
      v128.store(out, f32x4.add(bases, f32x4.mul(steps1, a)))
      v128.store(out, f32x4.add(bases, f32x4.mul(steps2, b)), 16)
      out += 32
      source += width
    }
    return
  }
  const bases = f64x2.splat(base)
  const low1 = lanes(row1, step, 0)
  const high1 = lanes(row1, step, 8)
  const low2 = lanes(row2, step, 0)
  const high2 = lanes(row2, step, 8)
  for (let i = 0; i < n; i += 8) {
    v128.store(out, scalePlaced(placedFour(source, swizzle1, mask1), bases, low1, high1))
    v128.store(out, scalePlaced(placedFour(source + half, swizzle2, mask2), bases, low2, high2), 16)
    out += 32
    source += width
  }
}

/** `unpackSimple` for fields of 16 bits: whole octets need neither a mask nor a scale by lane. */
function unpackOctetPairs(source: usize, n: i32, base: f64, step: f64, out: usize): void {
  const exact = isExact(16, base, step)
  const bases = f32x4.splat(<f32>base)
  const steps = f32x4.splat(<f32>step)
  const wideBases = f64x2.splat(base)
  const wideSteps = f64x2.splat(step)
  for (let i = 0; i < n; i += 8) {
    const pairs = i8x16.swizzle(v128.load(source), i8x16(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14))
    const low = i32x4.extend_low_i16x8_u(pairs)
    const high = i32x4.extend_high_i16x8_u(pairs)
    v128.store(out, exact ? scaleFourExact(low, bases, steps) : scaleFour(low, wideBases, wideSteps))
    v128.store(out, exact ? scaleFourExact(high, bases, steps) : scaleFour(high, wideBases, wideSteps), 16)
    out += 32
    source += 16
  }
}

/** `unpackSimple` for fields of 8 bits. */
function unpackOctets(source: usize, n: i32, base: f64, step: f64, out: usize): void {
  const exact = isExact(8, base, step)
  const bases = f32x4.splat(<f32>base)
  const steps = f32x4.splat(<f32>step)
  const wideBases = f64x2.splat(base)
  const wideSteps = f64x2.splat(step)
  for (let i = 0; i < n; i += 8) {
    const octets = i16x8.extend_low_i8x16_u(v128.load64_zero(source))
    const low = i32x4.extend_low_i16x8_u(octets)
    const high = i32x4.extend_high_i16x8_u(octets)
    v128.store(out, exact ? scaleFourExact(low, bases, steps) : scaleFour(low, wideBases, wideSteps))
    v128.store(out, exact ? scaleFourExact(high, bases, steps) : scaleFour(high, wideBases, wideSteps), 16)
    out += 32
    source += 8
  }
}

/** Octets, mask and steps of the two fields from bit `phase` on: 48 bytes of `pairRows`. */
const pairRows: usize = memory.data(4 * 48, 16)

function makePairRow(row: usize, width: i32, phase: i32, step: f64): void {
  for (let lane = 0; lane < 2; lane++) {
    const bit = phase + lane * width
    const places = 40 - (bit & 7) - width
    // A field lies in five octets; an index beyond 15 gives 0.
    for (let k = 0; k < 8; k++) store<u8>(row + <usize>(lane * 8 + k), k < 5 ? <u8>((bit >> 3) + 4 - k) : 0xff)
    store<u64>(row + 16 + <usize>(lane * 8), (((<u64>1) << width) - 1) << places)
    store<f64>(row + 32 + <usize>(lane * 8), step / <f64>((<u64>1) << places))
  }
}

/**
 * Two fields of up to 32 bits as doubles, each times a power of two: with the exponent of 2^52 their bits are the number 2^52 + field, and
 * the difference is exact.
 */
@inline
function scalePair(p: usize, row: usize, base: v128): v128 {
  const magic = i64x2.splat(0x4330000000000000)
  const fields = v128.and(i8x16.swizzle(v128.load(p), v128.load(row)), v128.load(row, 16))
  const numbers = f64x2.sub(v128.or(fields, magic), f64x2.splat(4503599627370496))
  return f32x4.demote_f64x2_zero(f64x2.add(base, f64x2.mul(v128.load(row, 32), numbers)))
}

/** `unpackSimple` for fields of more than 25 bits. */
function unpackWide(source: usize, n: i32, width: i32, base: f64, step: f64, out: usize): void {
  for (let pair = 0; pair < 4; pair++) makePairRow(pairRows + <usize>(pair * 48), width, (2 * pair * width) & 7, step)
  const bases = f64x2.splat(base)
  const second = <usize>((2 * width) >> 3)
  const third = <usize>((4 * width) >> 3)
  const fourth = <usize>((6 * width) >> 3)
  for (let i = 0; i < n; i += 8) {
    const a = scalePair(source, pairRows, bases)
    const b = scalePair(source + second, pairRows + 48, bases)
    v128.store(out, v128.shuffle<i32>(a, b, 0, 1, 4, 5))
    const c = scalePair(source + third, pairRows + 96, bases)
    const d = scalePair(source + fourth, pairRows + 144, bases)
    v128.store(out, v128.shuffle<i32>(c, d, 0, 1, 4, 5), 16)
    out += 32
    source += width
  }
}

/**
 * Unpacks data template 5.0: `n` fields of 1 to 32 bits, base + integer × step. Writes up to 7 floats beyond the last, and reads up to 40
 * bytes beyond the input.
 */
export function unpackSimple(source: usize, n: i32, width: i32, base: f64, step: f64, out: usize): void {
  if (width == 8) return unpackOctets(source, n, base, step, out)
  if (width == 16) return unpackOctetPairs(source, n, base, step, out)
  if (width > WIDEST && abs(step) > 1e-280) return unpackWide(source, n, width, base, step, out)
  if (width > WIDEST) {
    let bit: u64 = 0
    for (let i = 0; i < n; i++) {
      store<f32>(out + (<usize>i << 2), <f32>(base + step * <f64>oneField(source, bit, width)))
      bit += width
    }
    return
  }
  if (width <= WIDEST_IN_PLACE && abs(step) > 1e-280) {
    unpackPlaced(source, n, width, base, step, out)
    return
  }
  const second = 4 * width
  const row1 = maskRow(width, 0)
  const row2 = maskRow(width, second & 7)
  const mask1 = v128.load(row1)
  const factor1 = v128.load(row1, 16)
  const mask2 = v128.load(row2)
  const factor2 = v128.load(row2, 16)
  const drop = 32 - width
  const half = <usize>(second >> 3)
  if (isExact(width, base, step)) {
    // This holds without a decimal scale (half of HRRR), and is three times as fast.
    const bases = f32x4.splat(<f32>base)
    const steps = f32x4.splat(<f32>step)
    for (let i = 0; i < n; i += 8) {
      v128.store(out, scaleFourExact(fourFields(source, mask1, factor1, drop), bases, steps))
      v128.store(out, scaleFourExact(fourFields(source + half, mask2, factor2, drop), bases, steps), 16)
      out += 32
      source += width
    }
    return
  }
  const bases = f64x2.splat(base)
  const steps = f64x2.splat(step)
  for (let i = 0; i < n; i += 8) {
    v128.store(out, scaleFour(fourFields(source, mask1, factor1, drop), bases, steps))
    v128.store(out, scaleFour(fourFields(source + half, mask2, factor2, drop), bases, steps), 16)
    out += 32
    source += width
  }
}

/** Unpacks data template 5.4, which has IEEE floats of 4 or 8 octets. */
export function unpackIeee(source: usize, n: i32, octets: i32, out: usize): void {
  for (let i = 0; i < n; i++) {
    if (octets == 4) {
      store<u32>(out, bswap<u32>(load<u32>(source)))
    } else {
      store<f32>(out, <f32>reinterpret<f64>(bswap<u64>(load<u64>(source))))
    }
    out += 4
    source += octets
  }
}

/** Fills `n` floats. */
export function fillFloats(out: usize, n: i32, value: f32): void {
  const four = f32x4.splat(value)
  for (let i = 0; i < n; i += 4) {
    v128.store(out, four)
    out += 16
  }
}

/**
 * Distributes the values at the front of `out` to the points whose bit is set, from the back so that it works in place; all other points
 * become NaN.
 */
export function spread(bitmap: usize, n: i32, values: i32, out: usize): void {
  let from = values
  let i = n
  while (i > 0) {
    if ((i & 7) == 0) {
      const octet = load<u8>(bitmap + <usize>((i >> 3) - 1))
      if (octet == 0) {
        i -= 8
        const p = out + (<usize>i << 2)
        v128.store(p, f32x4.splat(NaN))
        v128.store(p, f32x4.splat(NaN), 16)
        continue
      }
      if (octet == 255) {
        i -= 8
        from -= 8
        const p = out + (<usize>i << 2)
        const q = out + (<usize>from << 2)
        const low = v128.load(q)
        const high = v128.load(q, 16)
        v128.store(p, low)
        v128.store(p, high, 16)
        continue
      }
    }
    i--
    const set = (load<u8>(bitmap + <usize>(i >> 3)) >> <u8>(7 - (i & 7))) & 1
    store<f32>(out + (<usize>i << 2), set ? load<f32>(out + (<usize>--from << 2)) : <f32>NaN)
  }
}

/** Returns how many of the first `n` bits are set. */
export function countBits(bitmap: usize, n: i32): i32 {
  let count = 0
  const whole = n >> 3
  for (let k = 0; k < whole; k++) count += <i32>popcnt<u32>(load<u8>(bitmap + <usize>k))
  const rest = n & 7
  if (rest) count += <i32>popcnt<u32>(<u32>load<u8>(bitmap + <usize>whole) >> <u32>(8 - rest))
  return count
}
