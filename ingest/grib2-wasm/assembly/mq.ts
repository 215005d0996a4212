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
 * The entries after the more and the less probable symbol, by table row × 2 + more probable symbol. An entry has Qe in bits 0–14 and 47–61, as
 * the state has interval and code; the offset of its own successors in 16–26; the more probable symbol in 63.
 */
const successors: usize = memory.data(47 * 2 * 16, 16)
/** For each of the 18 adaptive contexts of a code block: its entry and its two successors, so that no decision waits for a table lookup. */
export const contexts: usize = memory.data(18 * 24, 16)
/** Size of a context in octets. Contexts are named by their offset. */
export const CONTEXT: usize = 24
/** Members of an entry. */
export const QE: u64 = 0x7fff
export const BOTH: u64 = 0x7fff | (0x7fff << 47)
export const SYMBOL: u64 = 1 << 63

function entryOf(row: u32, mps: u32): u64 {
  const qe = <u64>load<u16>(rows + <usize>(row << 3))
  return qe | (qe << 47) | (<u64>((row << 1) | mps) << 20) | (<u64>mps << 63)
}

for (let row: u32 = 0; row < <u32>ROWS; row++) {
  for (let mps: u32 = 0; mps < 2; mps++) {
    const from = rows + <usize>(row << 3)
    const to = successors + <usize>(((row << 1) | mps) << 4)
    store<u64>(to, entryOf(load<u16>(from, 2), mps))
    store<u64>(to, entryOf(load<u16>(from, 4), mps ^ load<u16>(from, 6)), 8)
  }
}

/** Address before the next octet of the codeword. */
let at: usize = 0

/** Stores the entry of a context and its successors. */
@inline
export function setContext(context: usize, entry: u64): void {
  store<u64>(context, entry, contexts)
  v128.store(context, v128.load(<usize>((entry >> 16) & 0x7f0), successors), contexts + 8)
}

export function resetContexts(): void {
  for (let k: usize = 0; k < 18; k++) setContext(k * CONTEXT, entryOf(0, 0))
  setContext(0, entryOf(4, 0))
  setContext(17 * CONTEXT, entryOf(3, 0))
}

/**
 * Fetches octets while there is room below the end bit. After 0xFF an octet has seven new bits, and its first, the stuffed one, is a carry
 * into those before. Behind a marker (0xFF and more than 0x8F) there are ones without end.
 */
function fetch(code: u64, end: u64): u64 {
  while (end >= 24) {
    const next = <u64>load<u8>(at + 1)
    if (load<u8>(at) != 0xff) {
      at++
      code += next << (end - 7)
      end -= 8
    } else if (next > 0x8f) {
      code += <u64>0xff << (end - 7)
      end -= 8
    } else {
      at++
      code += next << (end - 6)
      end -= 7
    }
  }
  return code | (<u64>1 << end)
}

/** Fetches two octets, or fewer after 0xFF. The end bit is at 32 or above, so there is space for both. */
function refill(state: u64): u64 {
  const end = ctz<u64>(state & 0x7fffffffffff0000)
  const octets = load<u32>(at)
  state ^= <u64>1 << end
  if ((octets & 0xff) == 0xff || (octets & 0xff00) == 0xff00) return fetch(state, end)
  at += 2
  return state + (<u64>(((octets & 0xff00) << 1) | ((octets >> 15) & 0x1fe) | 1) << (end - 16))
}

/** Begins on octets that end with 0xFF 0xFF. Returns the state: the first octet in Chigh after one bit, and A = 0x8000. */
export function begin(source: usize): u64 {
  at = source
  return fetch((<u64>load<u8>(source) << 54) | 0x8000, 53)
}

/** The last decision, in its highest bit. It is stored apart from the state, so that the next decoding need not remove it. */
export let symbol: u64 = 0

/** Decodes one symbol: returns the new state and sets `symbol`. It has no branch, because half of the branches would be predicted wrongly. */
@inline
export function decision(state: u64, context: usize): u64 {
  const entry = load<u64>(context, contexts)
  const both = entry & BOTH
  const qe = entry & QE
  // The upper part of the interval leaves both registers less by Qe. A borrow (bit 63): the code lies in the lower part, Qe long.
  const upper = state - both
  const interval = state & 0xffff
  const below = <u64>(<i64>upper >> 63)
  const less = upper ^ (interval - (qe << 1))
  const part = upper + (below & (both + qe - interval))
  const shift = clz<u64>(part << 48)
  const after = select<u64>(load<u64>(context, contexts + 16), load<u64>(context, contexts + 8), <i64>less < 0)
  setContext(context, select<u64>(after, entry, shift != 0))
  state = part << shift
  symbol = less ^ entry
  if ((state & 0xffff0000) == 0) state = refill(state)
  return state
}

/** Decodes one symbol with equal probabilities, whose Qe is always 0x5601. */
@inline
export function evenDecision(state: u64): u64 {
  const upper = state - (0x5601 | (0x5601 << 47))
  const interval = state & 0xffff
  const below = <u64>(<i64>upper >> 63)
  const less = upper ^ (interval - 2 * 0x5601)
  const part = upper + (below & ((0x5601 << 47) + 2 * 0x5601 - interval))
  state = part << clz<u64>(part << 48)
  symbol = less
  if ((state & 0xffff0000) == 0) state = refill(state)
  return state
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

/** Reads the next raw bit. After 0xFF an octet has seven bits; after a marker all bits are ones. */
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
