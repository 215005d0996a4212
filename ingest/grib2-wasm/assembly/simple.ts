import { fourFields, maskRow, oneField, WIDEST } from './bits'

/** Four integers to four floats: base + integer × step in doubles, rounded once. */
@inline
export function scaleFour(fields: v128, base: v128, step: v128): v128 {
  const low = f64x2.add(base, f64x2.mul(step, f64x2.convert_low_i32x4_s(fields)))
  const high = f64x2.add(base, f64x2.mul(step, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(fields, fields, 2, 3, 2, 3))))
  return v128.shuffle<i32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5)
}

/** Single precision loses nothing: integers of up to 24 bits, a step that is a power of two, a base that is a float. */
@inline
export function isExact(width: i32, base: f64, step: f64): bool {
  const mantissa = reinterpret<u64>(step) & 0xfffffffffffff
  return width <= 24 && mantissa == 0 && <f64><f32>step == step && <f64><f32>base == base
}

@inline
export function scaleFourExact(fields: v128, base: v128, step: v128): v128 {
  return f32x4.add(base, f32x4.mul(step, f32x4.convert_i32x4_s(fields)))
}

/**
 * Data template 5.0: `n` fields of 1 to 32 bits, base + integer × step.
 * Writes up to 7 floats behind the last, reads up to 23 bytes.
 */
export function unpackSimple(source: usize, n: i32, width: i32, base: f64, step: f64, out: usize): void {
  if (width > WIDEST) {
    let bit: u64 = 0
    for (let i = 0; i < n; i++) {
      store<f32>(out + (<usize>i << 2), <f32>(base + step * <f64>oneField(source, bit, width)))
      bit += width
    }
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
    // Without a decimal scale (half of HRRR) this is so, and three times as fast.
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

/** Data template 5.4: IEEE floats of 4 or 8 octets. */
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
 * Spreads the values at the front of `out` over the points whose bit is set, from the back so that it works
 * in place; the others become NaN.
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

/** How many of the first `n` bits are set. */
export function countBits(bitmap: usize, n: i32): i32 {
  let count = 0
  const whole = n >> 3
  for (let k = 0; k < whole; k++) count += <i32>popcnt<u32>(load<u8>(bitmap + <usize>k))
  const rest = n & 7
  if (rest) count += <i32>popcnt<u32>(<u32>load<u8>(bitmap + <usize>whole) >> <u32>(8 - rest))
  return count
}
