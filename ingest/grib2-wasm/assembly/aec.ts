import { AEC_END, AEC_OPTION, emit, fault, OK, PORTION } from './memory'

// Adaptive entropy coding by CCSDS 121.0-B. Samples are in small blocks, whose first bits name their coding. Every `rsi` blocks the
// predictor restarts from an uncoded sample.

let input: usize = 0
let inputEnd: usize = 0
/** Unread bits; the next bit is the highest. */
let buffer: u64 = 0
let bitCount: u64 = 0

@inline
function refill(): void {
  buffer |= bswap<u64>(load<u64>(input)) >> bitCount
  input += <usize>((63 - bitCount) >> 3)
  bitCount |= 56
}

@inline
function take(bits: u32): u32 {
  if (bits == 0) return 0
  refill()
  const value = <u32>(buffer >> (64 - <u64>bits))
  buffer <<= bits
  bitCount -= bits
  return value
}

@inline
function overrun(): bool {
  return input - <usize>(bitCount >> 3) > inputEnd
}

/** Counts the zeros before the next one bit, and skips that bit. */
function unary(): u32 {
  let count: u32 = 0
  while (true) {
    refill()
    const zeros = <u32>clz<u64>(buffer)
    if (zeros < 56) {
      buffer <<= zeros + 1
      bitCount -= zeros + 1
      return count + zeros
    }
    count += 56
    buffer <<= 56
    bitCount -= 56
    if (overrun()) return count
  }
}

/** Blocks have up to 64 samples; each block of a run of zero blocks is decoded by itself. */
const residuals: usize = memory.data(64 * 4, 16)

@inline
function put(k: i32, value: u32): void {
  store<u32>(residuals + (<usize>k << 2), value)
}

/**
 * Decodes data template 5.42: `n` samples of `bits` from `size` octets at `source`, in blocks of `block` samples, with `rsi` blocks from
 * one uncoded sample to the next. `predicted`: the preprocessor was used; `padded`: each such interval ends at a whole octet.
 */
export function unpackAec(
  source: usize, size: i32, n: i32, bits: i32, block: i32, rsi: i32, predicted: bool, padded: bool, restricted: bool,
  base: f64, step: f64, out: usize, streaming: bool,
): i32 {
  input = source
  inputEnd = source + <usize>size
  buffer = 0
  bitCount = 0
  const idBits = bits > 16 ? 5 : bits > 8 ? 4 : restricted && bits <= 4 ? (bits <= 2 ? 1 : 2) : 3
  const uncoded = (<u32>1 << idBits) - 1
  const most = bits == 32 ? <u32>-1 : (<u32>1 << bits) - 1
  const middle = <u32>1 << (bits - 1)
  let blocksInInterval = 0
  let zeroBlocks: u32 = 0
  let x: u32 = 0
  let done = 0
  let to = out
  while (done < n) {
    const first = blocksInInterval == 0
    const start = first && predicted ? 1 : 0
    if (zeroBlocks > 0) {
      zeroBlocks--
      for (let k = 0; k < block; k++) put(k, 0)
    } else {
      const id = take(idBits)
      if (id == uncoded) {
        for (let k = 0; k < block; k++) put(k, take(bits))
      } else if (id == 0) {
        const extension = take(1)
        if (start) put(0, take(bits))
        if (extension) {
          let k = start
          while (k < block) {
            const m = unary()
            if (m > 90) return fault(AEC_OPTION, 90, <f64>m)
            let sum: u32 = 0
            while (((sum + 1) * (sum + 2)) >> 1 <= m) sum++
            const low = m - ((sum * (sum + 1)) >> 1)
            if ((k & 1) == 0) put(k++, sum - low)
            put(k++, low)
          }
        } else {
          zeroBlocks = unary() + 1
          if (zeroBlocks == 5) zeroBlocks = <u32>min(rsi - blocksInInterval, 64 - (blocksInInterval & 63))
          else if (zeroBlocks > 5) zeroBlocks--
          if (zeroBlocks > <u32>(rsi - blocksInInterval)) return fault(AEC_OPTION, rsi - blocksInInterval, <f64>zeroBlocks)
          zeroBlocks--
          for (let k = start; k < block; k++) put(k, 0)
        }
      } else {
        const low = id - 1
        if (start) put(0, take(bits))
        for (let k = start; k < block; k++) put(k, unary() << low)
        if (low) for (let k = start; k < block; k++) put(k, load<u32>(residuals + (<usize>k << 2)) | take(low))
      }
      if (overrun()) return fault(AEC_END, n, done)
    }
    const count = min(block, n - done)
    for (let k = 0; k < count; k++) {
      const d = load<u32>(residuals + (<usize>k << 2))
      if (!predicted || (first && k == 0)) {
        x = d
      } else {
        const half = (d >> 1) + (d & 1)
        const mask = x & middle ? most : 0
        x = half <= (mask ^ x) ? x + ((d >> 1) ^ ~((d & 1) - 1)) : mask ^ d
      }
      store<f32>(to, <f32>(base + step * <f64>x))
      to += 4
    }
    done += count
    if (++blocksInInterval == rsi) {
      blocksInInterval = 0
      zeroBlocks = 0
      if (padded) {
        const odd = bitCount & 7
        buffer <<= odd
        bitCount -= odd
      }
    }
    if (streaming && (to - out >= <usize>PORTION << 2 || done == n)) {
      emit(out, <i32>((to - out) >> 2))
      to = out
    }
  }
  return OK
}
