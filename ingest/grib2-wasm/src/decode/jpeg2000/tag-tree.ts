import type { HeaderBits } from './header-bits.ts'

interface TreeLevel {
  readonly across: number
  readonly lows: Int32Array
  readonly known: Uint8Array
}

/** A tag tree (ISO/IEC 15444-1, B.10.2): numbers of a grid, coded as minima of ever smaller squares. It is read only as far as needed. */
export class TagTree {
  /** The levels, from the leaves to the root. */
  readonly #levels: TreeLevel[] = []

  constructor(across: number, rows: number) {
    for (let [w, h] = [across, rows]; w > 0 && h > 0; [w, h] = [(w + 1) >> 1, (h + 1) >> 1]) {
      const size = w * h
      this.#levels.push({ across: w, lows: new Int32Array(size), known: new Uint8Array(size) })
      if (size === 1) break
    }
  }

  /** Reads until it is known whether the number at (x, y) is below `limit`. Returns the number if it is, otherwise `limit`. */
  read(bits: HeaderBits, x: number, y: number, limit: number): number {
    let low = 0
    for (let k = this.#levels.length - 1; k >= 0; k--) {
      const level = this.#levels[k]!
      const at = (y >> k) * level.across + (x >> k)
      if (level.lows[at]! < low) level.lows[at] = low
      while (!level.known[at] && level.lows[at]! < limit) {
        if (bits.bit()) level.known[at] = 1
        else level.lows[at]!++
      }
      low = level.lows[at]!
      // A number that is not known yet is at least `limit`, and so are the numbers below it in the tree.
      if (!level.known[at]) return limit
    }
    return low
  }
}
