/** An index from folded names to rows, sorted and stored as bytes, because a map of strings and lists takes six times the memory. */
export class NameIndex {
  readonly #text: Buffer
  /** Offsets at which the names begin, and the offset at which the last name ends. */
  readonly #starts: Uint32Array
  readonly #rows: Uint32Array

  /** @param entries names (ASCII letters, digits and spaces) with their rows; rows of the same name must be in the order of the result */
  constructor(entries: readonly (readonly [name: string, row: number])[]) {
    const sorted = [...entries].sort(([name, row], [other, otherRow]) =>
      name < other ? -1 : name > other ? 1 : row - otherRow,
    )
    const own = sorted.filter(([name, row], i) => name !== sorted[i - 1]?.[0] || row !== sorted[i - 1]?.[1])
    this.#text = Buffer.from(own.map(([name]) => name).join(''), 'latin1')
    this.#rows = Uint32Array.from(own, ([, row]) => row)
    this.#starts = new Uint32Array(own.length + 1)
    for (const [i, [name]] of own.entries()) this.#starts[i + 1] = this.#starts[i]! + name.length
  }

  /** Returns the rows with exactly this name, ascending. */
  named(name: string): number[] {
    const rows: number[] = []
    for (let i = this.#first(name); i < this.#rows.length && this.#name(i) === name; i++) rows.push(this.#rows[i]!)
    return rows
  }

  /** Yields the rows of names with this prefix, in the order of the names. */
  *beginning(prefix: string): Generator<number> {
    for (let i = this.#first(prefix); i < this.#rows.length && this.#name(i).startsWith(prefix); i++)
      yield this.#rows[i]!
  }

  /** Yields the names that are at most `more` characters longer or shorter than `length`, with their rows. */
  *ofLength(length: number, more: number): Generator<readonly [name: string, row: number]> {
    for (let i = 0; i < this.#rows.length; i++)
      if (Math.abs(this.#starts[i + 1]! - this.#starts[i]! - length) <= more) yield [this.#name(i), this.#rows[i]!]
  }

  #name(i: number): string {
    return this.#text.toString('latin1', this.#starts[i], this.#starts[i + 1])
  }

  /** Returns the index of the first name that does not sort before this name. */
  #first(name: string): number {
    let low = 0
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#name(middle) < name) low = middle + 1
      else high = middle
    }
    return low
  }
}
