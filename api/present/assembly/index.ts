// Templates: constant text with placeholders, each filled from one f64. A JSON answer consists of some hundred of them.
//
// A part of a template takes 40 bytes: the text before its placeholder (address and length, u32), the kind of the placeholder (u32),
// and the data of the kind: a number has its decimals and 10 to that power (u32), scale and offset (f64); a choice has the address
// of its list, 8 bytes a text (address and length, u32), and its length (u32).

const PART: usize = 40
const NUMBER: u32 = 1
const INSTANT: u32 = 2
const DATE: u32 = 3
const CHOICE: u32 = 4

const NULL: u32 = 0x6c6c756e
const DAY: f64 = 86_400_000
/** Numbers with a precomputed text: 8 bytes each, the last one its length. One table for each number of decimals, 0 to 3. */
const STEPS: u32 = 16_384
let ready: usize = 0

/** The first address that callers may use. */
export function heapBase(): usize {
  return __heap_base
}

/** Writes the tables of precomputed numbers. Call once. @returns the address behind them */
export function prepare(at: usize): usize {
  ready = at
  let to = at
  for (let decimals: u32 = 0, power: u32 = 1; decimals < 4; decimals++, power *= 10) {
    for (let steps: u32 = 0; steps < STEPS; steps++, to += 8) {
      const length = writeSteps(steps, power, decimals, to) - to
      store<u8>(to, <u8>length, 7)
    }
  }
  return to
}

/**
 * @param values one f64 a part; ignored for a last part without a placeholder
 * @returns the address behind the last byte; at most 32 more bytes are overwritten
 */
export function writeTemplate(parts: usize, count: i32, values: usize, out: usize): usize {
  let to = out
  for (let i = 0; i < count; i++) {
    const part = parts + <usize>i * PART
    to = copy(part, to)
    const value = load<f64>(values + (<usize>i << 3))
    const kind = load<u32>(part, 8)
    if (kind === NUMBER) {
      // Rounds half up, as JavaScript does.
      const exact = (value * load<f64>(part, 16) + load<f64>(part, 24)) * <f64>load<u32>(part, 32)
      const below = Math.floor(exact)
      // Branch-free: half of all numbers round up.
      const steps = below + <f64>(<u32>(exact - below >= 0.5))
      const decimals = load<u32>(part, 12)
      if (steps >= 0 && steps < <f64>STEPS) {
        const text = load<u64>(ready + <usize>((decimals * STEPS + <u32>steps) << 3))
        store<u64>(to, text)
        to += <usize>(text >>> 56)
      } else to = writeOther(steps, load<u32>(part, 32), decimals, to)
    } else if (kind === CHOICE) {
      if (!(value >= 0 && value < <f64>load<u32>(part, 32))) unreachable()
      to = copy(load<u32>(part, 12) + (<usize>(<u32>value) << 3), to)
    } else if (kind === INSTANT) to = writeInstant(value, to)
    else if (kind === DATE) to = writeDate(<i32>value, to)
  }
  return to
}

/** @param text address of the address and length of the text */
@inline
function copy(text: usize, to: usize): usize {
  const from = <usize>load<u32>(text)
  const length = <usize>load<u32>(text, 4)
  // Most texts have at most 16 bytes.
  v128.store(to, v128.load(from))
  v128.store(to, v128.load(from, 16), 16)
  for (let at: usize = 32; at < length; at += 16) v128.store(to + at, v128.load(from + at))
  return to + length
}

/** `"2026-08-20T12:00:00Z"` of milliseconds since 1970, or null. */
function writeInstant(at: f64, out: usize): usize {
  if (at !== at) return writeNull(out)
  const day = Math.floor(at / DAY)
  const second = <u32>((at - day * DAY) / 1000)
  const hour = second / 3600
  store<u8>(out, 0x22)
  let to = writeDate(<i32>day, out + 1)
  store<u8>(to, 0x54)
  writeTwo(hour, to + 1)
  store<u8>(to, 0x3a, 3)
  writeTwo((second / 60) % 60, to + 4)
  store<u8>(to, 0x3a, 6)
  writeTwo(second % 60, to + 7)
  store<u16>(to, 0x225a, 9)
  return to + 11
}

/** `2026-08-20` of days since 1970, from the year 0 on: years that begin in March end with the day that may be missing. */
function writeDate(day: i32, to: usize): usize {
  const since: u32 = day + 719468
  const era = since / 146097
  const ofEra = since % 146097
  const yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146096) / 365
  const ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  const fromMarch = (5 * ofYear + 2) / 153
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month < 3 ? 1 : 0)
  writeTwo(year / 100, to)
  writeTwo(year % 100, to + 2)
  store<u8>(to, 0x2d, 4)
  writeTwo(month, to + 5)
  store<u8>(to, 0x2d, 7)
  writeTwo(ofYear - (153 * fromMarch + 2) / 5 + 1, to + 8)
  return to + 10
}

@inline
function writeTwo(value: u32, to: usize): void {
  store<u16>(to, <u16>(0x3030 + value / 10 + ((value % 10) << 8)))
}

/** Numbers without a precomputed text: negative, large, or (NaN and absurd values) null. */
function writeOther(signed: f64, power: u32, decimals: u32, out: usize): usize {
  if (!(Math.abs(signed) < 2147483648)) return writeNull(out)
  let to = out
  if (signed < 0) store<u8>(to++, 0x2d)
  return writeSteps(<u32>Math.abs(signed), power, decimals, to)
}

@inline
function writeNull(to: usize): usize {
  store<u32>(to, NULL)
  return to + 4
}

/** A number of steps of 1 / power, in the fewest digits. */
function writeSteps(steps: u32, power: u32, decimals: u32, out: usize): usize {
  const whole = steps / power
  let rest = steps - whole * power
  let length: u32 = 1
  for (let left = whole / 10; left > 0; left /= 10) length++
  const to = writeDigits(whole, length, out)
  if (rest === 0) return to
  store<u8>(to, 0x2e)
  let digits = decimals
  while (rest % 10 === 0) {
    rest /= 10
    digits--
  }
  return writeDigits(rest, digits, to + 1)
}

/** So many digits of a value, with zeros before it. */
function writeDigits(value: u32, digits: u32, to: usize): usize {
  let rest = value
  for (let at = to + digits; at > to; rest /= 10) store<u8>(--at, <u8>(0x30 + (rest % 10)))
  return to + digits
}
