import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { readShapes, type Shapes } from './shapes.ts'

const folder = join(import.meta.dirname, 'data')

/** Reads a generated table once, at its first use. */
export function table<T>(name: string, row: (cells: readonly string[]) => T): () => readonly T[] {
  return once(() =>
    zstdDecompressSync(readFileSync(join(folder, `${name}.zst`)))
      .toString()
      .split('\n')
      .map((line) => row(line.split('\t'))),
  )
}

export function shapes(name: string): () => Shapes {
  return once(() => readShapes(readFileSync(join(folder, `${name}.zst`))))
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
