import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/**
 * Folders with loops over typed arrays, in which each index is below the length that the loop ends at. A checked read is
 * 13 to 16 times as slow there (docs/decisions/0011-elements.md).
 */
const numeric = [
  'api/blend/',
  'api/picture/',
  'api/sections/',
  'infra/simulator/',
  'ingest/decode/',
  'ingest/domain/cell.ts',
  'ingest/domain/shape/',
  'ingest/domain/sky/',
  'ingest/domain/verification/',
  'ingest/geo/',
  'ingest/grib2-wasm/',
  'ingest/nowcast/',
  'ingest/steps/',
  'ingest/tile/',
  'sql/queries/verification-sums.ts',
  'test/bench/elements.ts',
]

/** Bound of all such reads, which may only fall. */
const MOST = 925

test('elements of lists are read with a check, outside loops over numbers', () => {
  const reads = sourceFiles().flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.flatMap((line, at) => [...line.matchAll(/\w\[[^\]\n]{1,200}\]!/g)].map(() => ({ file, at: at + 1 })))
  })
  const outside = reads.filter(({ file }) => !numeric.some((place) => file.startsWith(place)))
  expect(outside.map(({ file, at }) => `${file}:${at}`)).toEqual([])
  expect(reads.length).toBeLessThanOrEqual(MOST)
})
