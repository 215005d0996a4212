// Numbers as members of a JSON object. A field takes 40 octets: where its key stands (`,"name":`), how many octets the key
// has, how many decimals are shown and 10 to that power, all u32; scale and offset, f64; and what was left, 8 octets.

const FIELD: usize = 40
const NULL: u32 = 0x6c6c756e

/** The first octet that callers may use. */
export function heapBase(): usize {
  return __heap_base
}

/**
 * Writes `,"name":number` for each field, `null` where the value is NaN.
 * @param values one f64 a field, canonical
 * @returns the place behind the last octet; at most 16 more are touched
 */
export function writeMembers(fields: usize, count: i32, values: usize, out: usize): usize {
  let to = out
  for (let i = 0; i < count; i++) {
    const field = fields + <usize>i * FIELD
    const key = <usize>load<u32>(field)
    const length = <usize>load<u32>(field, 4)
    for (let at: usize = 0; at < length; at += 16) v128.store(to + at, v128.load(key + at))
    const power = load<u32>(field, 12)
    const value = load<f64>(values + (<usize>i << 3))
    // As JavaScript rounds: halves upwards.
    const exact = (value * load<f64>(field, 16) + load<f64>(field, 24)) * <f64>power
    let steps = Math.floor(exact)
    if (exact - steps >= 0.5) steps += 1
    to = writeNumber(steps, power, load<u32>(field, 8), to + length)
  }
  return to
}

/** A number of steps of 1 / power, in the fewest digits; what no source can mean (NaN among it) as null. */
@inline
function writeNumber(signed: f64, power: u32, decimals: u32, out: usize): usize {
  let to = out
  if (!(Math.abs(signed) < 2147483648)) {
    store<u32>(to, NULL)
    return to + 4
  }
  if (signed < 0) store<u8>(to++, 0x2d)
  const steps = <u32>Math.abs(signed)
  // Divisors that are known cost a multiplication.
  const whole = power === 1 ? steps : power === 10 ? steps / 10 : power === 100 ? steps / 100 : steps / power
  let rest = steps - whole * power
  to = writeDigits(whole, digitsOf(whole), to)
  if (rest === 0) return to
  store<u8>(to++, 0x2e)
  let digits = decimals
  while (rest % 10 === 0) {
    rest /= 10
    digits--
  }
  return writeDigits(rest, digits, to)
}

@inline
function digitsOf(value: u32): u32 {
  if (value < 10) return 1
  if (value < 100) return 2
  if (value < 1000) return 3
  if (value < 10000) return 4
  let digits: u32 = 4
  for (let rest = value / 10000; rest > 0; rest /= 10) digits++
  return digits
}

/** So many digits of a value, with zeros before it. */
@inline
function writeDigits(value: u32, digits: u32, to: usize): usize {
  let rest = value
  for (let at = to + digits; at > to; rest /= 10) store<u8>(--at, <u8>(0x30 + (rest % 10)))
  return to + digits
}
