// What halves of days are folded from: the extremes, the sum and the number of a column's values between two hours.

/** The first octet that callers may use. */
export function heapBase(): usize {
  return __heap_base
}

/**
 * Walks rows of f64, NaN where nothing is known, from hour `first` to `last` (none where it is before `first`).
 * @param rows place of the first row @param stride octets from one to the next
 * @param out five f64 a row: how many values there are, the greatest, the least, their mean and their sum, NaN without one
 */
export function walk(rows: usize, count: i32, stride: usize, first: i32, last: i32, out: usize): void {
  for (let i = 0; i < count; i++) {
    const row = rows + <usize>i * stride
    const end = row + (<usize>(last + 1) << 3)
    let at = row + (<usize>first << 3)
    let most = f64x2.splat(-Infinity)
    let least = f64x2.splat(Infinity)
    let known = i64x2.splat(0)
    // In the order of the hours: another would round otherwise.
    let sum: f64 = 0
    for (; at + 16 <= end; at += 16) {
      const values = v128.load(at)
      const there = f64x2.eq(values, values)
      // Of a value that is not there, these two give the other one.
      most = f64x2.pmax(most, values)
      least = f64x2.pmin(least, values)
      known = i64x2.sub(known, there)
      const kept = v128.and(values, there)
      sum += f64x2.extract_lane(kept, 0)
      sum += f64x2.extract_lane(kept, 1)
    }
    let highest = greater(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1))
    let lowest = -greater(-f64x2.extract_lane(least, 0), -f64x2.extract_lane(least, 1))
    let values = i64x2.extract_lane(known, 0) + i64x2.extract_lane(known, 1)
    if (at < end) {
      const value = load<f64>(at)
      if (value === value) {
        highest = greater(highest, value)
        lowest = -greater(-lowest, -value)
        sum += value
        values++
      }
    }
    const to = out + <usize>i * 40
    store<f64>(to, <f64>values)
    store<f64>(to, values > 0 ? highest : NaN, 8)
    store<f64>(to, values > 0 ? lowest : NaN, 16)
    store<f64>(to, values > 0 ? sum / <f64>values : NaN, 24)
    store<f64>(to, values > 0 ? sum : NaN, 32)
  }
}

@inline
function greater(a: f64, b: f64): f64 {
  return a < b ? b : a
}
