// The MQ arithmetic decoder of ISO/IEC 15444-1, annex C. A context is one octet: table row × 2 + more probable symbol.
// Interval and code register travel as one number (interval in bits 32–47, code in 0–31, decision in 63), so that they
// stay in registers through a coding pass.

const ROWS: i32 = 47
const rows = memory.data<u16>([
  0x5601, 1, 1, 1, 0x3401, 2, 6, 0, 0x1801, 3, 9, 0, 0x0ac1, 4, 12, 0, 0x0521, 5, 29, 0, 0x0221, 38, 33, 0, 0x5601, 7, 6, 1,
  0x5401, 8, 14, 0, 0x4801, 9, 14, 0, 0x3801, 10, 14, 0, 0x3001, 11, 17, 0, 0x2401, 12, 18, 0, 0x1c01, 13, 20, 0,
  0x1601, 29, 21, 0, 0x5601, 15, 14, 1, 0x5401, 16, 14, 0, 0x5101, 17, 15, 0, 0x4801, 18, 16, 0, 0x3801, 19, 17, 0,
  0x3401, 20, 18, 0, 0x3001, 21, 19, 0, 0x2801, 22, 19, 0, 0x2401, 23, 20, 0, 0x2201, 24, 21, 0, 0x1c01, 25, 22, 0,
  0x1801, 26, 23, 0, 0x1601, 27, 24, 0, 0x1401, 28, 25, 0, 0x1201, 29, 26, 0, 0x1101, 30, 27, 0, 0x0ac1, 31, 28, 0,
  0x09c1, 32, 29, 0, 0x08a1, 33, 30, 0, 0x0521, 34, 31, 0, 0x0441, 35, 32, 0, 0x02a1, 36, 33, 0, 0x0221, 37, 34, 0,
  0x0141, 38, 35, 0, 0x0111, 39, 36, 0, 0x0085, 40, 37, 0, 0x0049, 41, 38, 0, 0x0025, 42, 39, 0, 0x0015, 43, 40, 0,
  0x0009, 44, 41, 0, 0x0005, 45, 42, 0, 0x0001, 45, 43, 0, 0x5601, 46, 46, 0,
])
/** By context octet: Qe in bits 0–15, next octet after the more probable symbol in 16–23, after the less probable in 24–31. */
const table: usize = memory.data(47 * 2 * 4, 16)
/** 19 contexts of one code block. */
export const contexts: usize = memory.data(32, 16)

for (let row = 0; row < ROWS; row++) {
  for (let mps: u32 = 0; mps < 2; mps++) {
    const from = rows + <usize>(row << 3)
    const more = (<u32>load<u16>(from, 2) << 1) | mps
    const less = (<u32>load<u16>(from, 4) << 1) | (mps ^ load<u16>(from, 6))
    store<u32>(table + <usize>(((row << 1) | mps) << 2), <u32>load<u16>(from) | (more << 16) | (less << 24))
  }
}

let at: usize = 0
let left: u32 = 0
/** Octets of ones that were made up behind the end. */
export let madeUp: i32 = 0

export function resetContexts(): void {
  memory.fill(contexts, 0, 32)
  store<u8>(contexts, 4 << 1)
  store<u8>(contexts + 17, 3 << 1)
  store<u8>(contexts + 18, 46 << 1)
}

/** Adds the next octet to the code register. Behind a marker (0xFF and more than 0x8F) there are ones without end. */
function nextOctet(code: u32): u32 {
  const next = <u32>load<u8>(at + 1)
  if (load<u8>(at) == 0xff) {
    if (next > 0x8f) {
      left = 8
      madeUp++
      return code + 0xff00
    }
    at++
    left = 7
    return code + (next << 9)
  }
  at++
  left = 8
  return code + (next << 8)
}

/** Begins on octets that end with 0xFF 0xFF; gives the state. */
export function begin(source: usize): u64 {
  at = source
  madeUp = 0
  const code = nextOctet(<u32>load<u8>(source) << 16) << 7
  left -= 7
  return (<u64>0x8000 << 32) | <u64>code
}

/** The path that is not just "more probable symbol, interval still large": exchange, next row, shift in new octets. */
function slow(interval: u32, code: u32, qe: u32, entry: u32, context: usize, symbol: u32, below: bool): u64 {
  let decision: u32
  let less: bool
  if (below) {
    less = interval >= qe
    interval = qe
  } else {
    less = interval < qe
  }
  decision = less ? symbol ^ 1 : symbol
  store<u8>(context, <u8>(less ? entry >> 24 : entry >> 16))
  let shift = <u32>clz<u32>(interval) - 16
  interval <<= shift
  while (shift > 0) {
    if (left == 0) code = nextOctet(code)
    const part = min(shift, left)
    code <<= part
    left -= part
    shift -= part
  }
  return (<u64>decision << 63) | (<u64>interval << 32) | <u64>code
}

/** Decodes one symbol: the new state, with the decision in its highest bit. */
@inline
export function decision(state: u64, context: usize): u64 {
  const octet = <u32>load<u8>(context)
  const entry = load<u32>(table + <usize>(octet << 2))
  const qe = entry & 0xffff
  const interval = (<u32>(state >> 32) & 0xffff) - qe
  const code = <u32>state
  const symbol = octet & 1
  if (code >> 16 < qe) return slow(interval, code, qe, entry, context, symbol, true)
  const rest = code - (qe << 16)
  if (interval & 0x8000) return (<u64>symbol << 63) | (<u64>interval << 32) | <u64>rest
  return slow(interval, rest, qe, entry, context, symbol, false)
}
