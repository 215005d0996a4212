import { nth } from './nth.ts'

/** Returns the number of edits (insertions, deletions, changes, swaps of neighbours) that turn one word into another. */
export function edits(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => {
    const row = new Array<number>(b.length + 1).fill(0)
    row[0] = i
    return row
  })
  for (let j = 0; j <= b.length; j++) nth(rows, 0)[j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min(
        nth(nth(rows, i - 1), j) + 1,
        nth(nth(rows, i), j - 1) + 1,
        nth(nth(rows, i - 1), j - 1) + (same ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, nth(nth(rows, i - 2), j - 2) + 1)
      nth(rows, i)[j] = best
    }
  }
  return nth(nth(rows, a.length), b.length)
}

/** Minimum length of a word that may abbreviate a longer word that contains it, such as `temp` or `Tornado`. */
const MIN_PART = 3

/** Returns the known words that are most similar to an unknown word, best first: they contain it or differ by at most half of its letters. */
export function nearest(word: string, known: readonly string[], most = 3): string[] {
  const wordStart = word.slice(0, 80).toLowerCase()
  return known
    .map((name) => {
      const plain = name.toLowerCase()
      const contains = plain.includes(wordStart)
      const nested = contains || wordStart.includes(plain)
      const tolerance = Math.max(2, Math.min(wordStart.length, name.length) / 2)
      // Words differ by at least the difference of their lengths.
      const isFar = !nested && Math.abs(wordStart.length - plain.length) > tolerance
      const distance = isFar
        ? Number.POSITIVE_INFINITY
        : edits(wordStart, plain) - (nested ? Math.min(wordStart.length, plain.length) / 2 : 0)
      const similar = distance <= tolerance
      return { name, distance, near: similar || (contains && wordStart.length >= MIN_PART) }
    })
    .filter(({ near }) => near)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name)
}
