/** Returns a generator of reproducible numbers in [0, 1) from a seed (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let h = Math.imul(state ^ (state >>> 15), 1 | state)
    h = (h + Math.imul(h ^ (h >>> 7), 61 | h)) ^ h
    return ((h ^ (h >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (low: number, high: number) => low + (high - low) * next(),
    integer: (low: number, high: number) => Math.floor(low + (high - low + 1) * next()),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  }
}

export type Random = ReturnType<typeof randomFrom>
