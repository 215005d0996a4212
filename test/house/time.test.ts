import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/** Packages that import nothing from the project, and modules that are compiled to WebAssembly. */
const apart = /^(api\/client|ingest\/grib2-wasm)\/|\.generated\./

test('lengths of time and texts of instants are defined in ingest/domain/time.ts alone', () => {
  const wrong = sourceFiles()
    .filter((file) => file !== 'ingest/domain/time.ts' && !apart.test(file))
    .flatMap((file) =>
      Array.from(
        readFileSync(file, 'utf8').matchAll(
          /^\s*(?:export )?const (?:(?:SECOND|MINUTE|HOUR|DAY)(?:_MS)? = [\d(]|iso\w* = \([^\n]*toISOString)[^\n]*/gm,
        ),
        ([line]) => `${file}: ${line.trim()}`,
      ),
    )
  expect(wrong).toEqual([])
})
