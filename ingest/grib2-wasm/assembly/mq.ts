// The MQ arithmetic decoder of ISO/IEC 15444-1, annex C.
// The registers travel as one number, so that they stay in a machine register through a coding pass: bits 0–15 interval
// (A), 47–62 the part of the code that is compared (Chigh), 16–46 code bits fetched ahead, 63 the decision. Renormalizing
// is then one shift of it all.

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
/**
 * By table row × 2 + more probable symbol: Qe in bits 0–14 (its highest is 0x5601), the symbol in 15, next index after the more probable symbol in
 * 16–23, after the less probable in 24–31.
 */
const table: usize = memory.data(47 * 2 * 4, 16)
/** The entry of each of the 19 contexts of a code block: one load a decision. A context is named by its offset in octets. */
export const contexts: usize = memory.data(19 * 4, 16)
/** Of an entry. */
export const QE: u32 = 0x7fff
export const SYMBOL: u32 = 0x8000

for (let row = 0; row < ROWS; row++) {
  for (let mps: u32 = 0; mps < 2; mps++) {
    const from = rows + <usize>(row << 3)
    const more = (<u32>load<u16>(from, 2) << 1) | mps
    const less = (<u32>load<u16>(from, 4) << 1) | (mps ^ load<u16>(from, 6))
    const entry = <u32>load<u16>(from) | (mps << 15) | (more << 16) | (less << 24)
    store<u32>(table + <usize>(((row << 1) | mps) << 2), entry)
  }
}

let at: usize = 0
/** Bits fetched ahead, less than none when more are due. */
let ahead: i32 = 0

export function resetContexts(): void {
  for (let k: usize = 0; k < 76; k += 4) store<u32>(contexts + k, load<u32>(table))
  store<u32>(contexts, load<u32>(table + (4 << 3)))
  store<u32>(contexts + 68, load<u32>(table + (3 << 3)))
  store<u32>(contexts + 72, load<u32>(table + (46 << 3)))
}

/**
 * Fetches octets while there is room. After 0xFF an octet has seven new bits, and its first, the stuffed one, is a carry
 * into those before. Behind a marker (0xFF and more than 0x8F) there are ones without end.
 */
function fetch(state: u64): u64 {
  while (ahead <= 23) {
    const next = <u64>load<u8>(at + 1)
    if (load<u8>(at) != 0xff) {
      at++
      state += next << (39 - <u64>ahead)
      ahead += 8
    } else if (next > 0x8f) {
      state += <u64>0xff << (39 - <u64>ahead)
      ahead += 8
    } else {
      at++
      state += next << (40 - <u64>ahead)
      ahead += 7
    }
  }
  return state
}

/** Begins on octets that end with 0xFF 0xFF; returns the state: the first octet in Chigh behind one bit, A = 0x8000. */
export function begin(source: usize): u64 {
  at = source
  ahead = -7
  return fetch((<u64>load<u8>(source) << 54) | 0x8000)
}

/** Decodes one symbol: the new state, with the decision in its highest bit. */
@inline
export function decision(state: u64, context: usize): u64 {
  const entry = load<u32>(context)
  const qe = <u64>(entry & QE)
  // The upper part of the interval leaves both registers less by Qe. A borrow (bit 63): the code lies in the lower part.
  const upper = (state & 0x7fffffffffffffff) - (qe << 47) - qe
  if ((upper & 0x8000000000008000) == 0x8000) return upper | (<u64>(entry & SYMBOL) << 48)
  return renormalize(upper, entry, context)
}

/** The rest of a decision where the interval gets below half. The lower part is Qe long and leaves the code. */
@inline
function renormalize(upper: u64, entry: u32, context: usize): u64 {
  const qe = entry & QE
  const rest = <u32>upper & 0xffff
  const below = <u32>(upper >> 63)
  const less = below ^ <u32>(rest < qe)
  let state = below ? upper + (<u64>qe << 47) + <u64>qe - <u64>rest : upper
  const bit = <u64>(((entry & SYMBOL) >> 15) ^ less) << 63
  const shift = <i32>clz<u32>(<u32>state & 0xffff) - 16
  const next = less ? entry >> 24 : (entry >> 16) & 0xff
  store<u32>(context, load<u32>(table + <usize>(next << 2)))
  state <<= <u64>shift
  ahead -= shift
  if (ahead < 0) state = fetch(state)
  return state | bit
}

let rawOctet: u32 = 0
let rawLeft: i32 = 0

/** Begins a segment of raw bits; it has no state of the arithmetic decoder. */
export function beginRaw(source: usize): u64 {
  at = source
  rawOctet = 0
  rawLeft = 0
  return 0
}

/** The next raw bit: after 0xFF an octet has seven; behind a marker there are ones without end. */
export function rawBit(): u32 {
  if (rawLeft == 0) {
    const next = <u32>load<u8>(at)
    if (rawOctet == 0xff && next > 0x8f) {
      rawLeft = 8
    } else {
      rawLeft = rawOctet == 0xff ? 7 : 8
      rawOctet = next
      at++
    }
  }
  rawLeft--
  return (rawOctet >> rawLeft) & 1
}
