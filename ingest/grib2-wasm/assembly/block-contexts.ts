import { CONTEXT } from './mq'

// Tables of ISO/IEC 15444-1, annex D: the context of a decision, by the state of the neighbouring coefficients. Contexts are named by their
// offset.
/** Offset of the context of a run. */
export const RUN: usize = 17 * CONTEXT
/** Offset of the first of five contexts of signs. */
export const SIGNS: usize = 9 * CONTEXT
/** Offset of the first of three refinement contexts: without a significant neighbour, with one, and for later refinements. */
export const FIRST_REFINEMENT: usize = 14 * CONTEXT

/** Offset of the context, indexed by subband × 512 + significance of the nine coefficients. */
export const zeroContexts: usize = memory.data(4 * 512, 16)
/** Offset from `SIGNS`, with the sign flip in bit 0, indexed by significance and signs of the four neighbours. */
export const signContexts: usize = memory.data(256, 16)

function clampOne(n: i32): i32 {
  return max(-1, min(1, n))
}

/** Table D.1: the context of a zero coding, by subband and significance of the neighbours. */
function zeroContext(band: i32, f: i32): i32 {
  let h = ((f >> 3) & 1) + ((f >> 5) & 1)
  let v = ((f >> 1) & 1) + ((f >> 7) & 1)
  const d = (f & 1) + ((f >> 2) & 1) + ((f >> 6) & 1) + ((f >> 8) & 1)
  if (band == 3) {
    const hv = h + v
    if (d >= 3) return 8
    if (d == 2) return hv >= 1 ? 7 : 6
    if (d == 1) return hv >= 2 ? 5 : hv == 1 ? 4 : 3
    return hv >= 2 ? 2 : hv
  }
  if (band == 1) {
    const swap = h
    h = v
    v = swap
  }
  if (h == 2) return 8
  if (h == 1) return v >= 1 ? 7 : d >= 1 ? 6 : 5
  if (v == 2) return 4
  if (v == 1) return 3
  return d >= 2 ? 2 : d
}

/** Tables D.2 and D.3: context, with the sign flip in bit 7. Bits of f: significance N 1, W 3, E 5, S 7; signs one bit below each. */
function signContext(f: i32): i32 {
  let h = 0
  let v = 0
  if (f & 2) v += 1 - 2 * (f & 1)
  if (f & 0x80) v += 1 - 2 * ((f >> 6) & 1)
  if (f & 8) h += 1 - 2 * ((f >> 2) & 1)
  if (f & 0x20) h += 1 - 2 * ((f >> 4) & 1)
  h = clampOne(h)
  v = clampOne(v)
  let flip = 0
  if (h < 0 || (h == 0 && v < 0)) {
    flip = 0x80
    h = -h
    v = -v
  }
  if (h == 0) return (v == 0 ? 9 : 10) | flip
  return (v < 0 ? 11 : v == 0 ? 12 : 13) | flip
}

for (let f = 0; f < 512; f++) {
  for (let band = 0; band < 4; band++) store<u8>(zeroContexts + <usize>(band * 512 + f), <u8>(zeroContext(band, f) * <i32>CONTEXT))
}
for (let f = 0; f < 256; f++) {
  const context = signContext(f)
  store<u8>(signContexts + <usize>f, <u8>((((context & 0x7f) - 9) * <i32>CONTEXT) | (context >> 7)))
}
