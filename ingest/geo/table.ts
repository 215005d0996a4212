import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import { readShapes, type Shapes } from './shapes.ts'

const folder = join(import.meta.dirname, 'data')

/** Returns the text of a generated table, with one row per line and tabs between the cells. */
export const tableText = (name: string): Buffer => zstdDecompressSync(readFileSync(join(folder, `${name}.zst`)))

const NEWLINE = 0x0a

/** The lines of a table, stored as bytes and decoded one at a time, because objects of a large table take five times the memory. */
export class Lines {
  readonly #text: Buffer
  /** Offsets at which the lines begin, and the offset at which the last line ends. */
  readonly #starts: Uint32Array

  constructor(text: Buffer) {
    const starts = [0]
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) starts.push(at + 1)
    this.#text = text
    this.#starts = Uint32Array.from([...starts, text.length + 1])
  }

  get count(): number {
    return this.#starts.length - 1
  }

  /**
   * Returns a line.
   * @param length number of bytes from the beginning of the line; if absent, the whole line is returned
   */
  at(index: number, length?: number): string {
    const start = this.#starts[index]!
    const end = this.#starts[index + 1]! - 1
    return this.#text.toString('utf8', start, length === undefined ? end : Math.min(end, start + length))
  }
}

/** Returns a function that reads a generated table at its first call. */
export function table<T>(name: string, row: (cells: readonly string[]) => T): () => readonly T[] {
  return once(() =>
    tableText(name)
      .toString()
      .split('\n')
      .map((line) => row(line.split('\t'))),
  )
}

export function shapes(name: string): () => Shapes {
  return once(() => readShapes(readFileSync(join(folder, `${name}.zst`))))
}

const makers: (() => unknown)[] = []

export function once<T>(make: () => T): () => T {
  let result: { value: T } | undefined
  const get = () => (result ??= { value: make() }).value
  makers.push(get)
  return get
}

/**
 * Creates everything that `once` would create at its first use, so that no request waits for it: 1 s and 200 MB in total, 0.3 s for the
 * largest.
 */
export async function makeAll(): Promise<void> {
  for (const get of makers) {
    get()
    await setImmediate()
  }
}
