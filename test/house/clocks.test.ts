import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

const product = sourceFiles().filter(
  (file) =>
    /^(api|bin|ingest|sql|workers)\//.test(file) &&
    !/\/test\/|\/pages\/browser\/|^api\/client\/|\.generated\./.test(file),
)

/** Uses of a pattern as `file: line`, without those in comments. */
function usesOf(files: readonly string[], pattern: RegExp): { readonly file: string; readonly line: string }[] {
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line))
      .map((line) => ({ file, line: line.trim() })),
  )
}

/** Clocks, waits and random numbers that `test/simulation/virtual-time.ts` does not replace. */
const REAL =
  /\bhrtime\b|process\.uptime|os\.uptime|timeOrigin|perf_hooks|Temporal\.Now|\bscheduler\.|randomFill\(|generateKey|webcrypto|Atomics\.wait\b/

const real: Readonly<Record<string, string>> = {
  'api/sign-in/issuer.ts': 'a key that signs tokens is made once for a database',
  'bin/verbs/verify-run.ts': 'a pair of keys that an operator makes',
  'ingest/steps/grid/mapping.ts': 'a thread waits for a file that another thread writes',
  'workers/observe-activities.ts': 'a label that distinguishes two attempts in the log',
}

test('clocks, waits and random numbers are those that a simulation replaces', () => {
  const wrong = usesOf(product, REAL)
    .filter(({ file }) => !(file in real))
    .map(({ file, line }) => `${file}: ${line}`)
  expect(wrong).toEqual([])
  expect(Object.keys(real).filter((file) => usesOf([file], REAL).length === 0)).toEqual([])
})

const ANY =
  /\bDate\.now\b|new Date\(\)|\b(?:setTimeout|setInterval|setImmediate)\b|AbortSignal\.timeout|Math\.random|random(?:UUID|Bytes|Int)\b|performance\.now/

/** Folders whose functions decide from their input alone. */
const PURE =
  /^(?:ingest\/(?:datasets|decode|domain|geo|grib2-wasm|nowcast|tile)|api\/(?:blend|present|sections|query)|sql)\//

const yielding: Readonly<Record<string, string>> = {
  'ingest/decode/station/metar-feed.ts': 'lets other work run between parts of a file',
  'ingest/domain/pacer.ts': 'lets other work run between parts of a computation',
  'ingest/geo/table.ts': 'lets other work run between tables',
  'sql/queries/verification-sums.ts': 'lets other work run between rows',
}

test('functions that decide read no clock and no random number', () => {
  const files = product.filter((file) => PURE.test(file))
  expect(files.length).toBeGreaterThan(300)
  const wrong = usesOf(files, ANY)
    .filter(({ file }) => !(file in yielding))
    .map(({ file, line }) => `${file}: ${line}`)
  expect(wrong).toEqual([])
  expect(Object.keys(yielding).filter((file) => usesOf([file], ANY).length === 0)).toEqual([])
})
