import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/** All columns of a table, in a statement or by the query builder. */
const ALL_COLUMNS = /\bselectAll\(|\breturningAll\(|\b(?:select|returning) \*|\bselect .*\b[a-z]+\.\*/

/** Statements that have all columns of a part of the statement which names them, or of a subquery whose result they do not return. */
const named: Readonly<Record<string, number>> = {
  'sql/queries/keys.ts': 1,
  'sql/queries/quarantine.ts': 1,
  'sql/queries/texts.ts': 1,
  'sql/queries/usage.ts': 1,
  'sql/queries/versions.ts': 1,
}

/**
 * PostgreSQL refuses a prepared statement whose columns have changed ("cached plan must not change result type"), on the same connection
 * again and again. The migration of a later release would so disturb the processes of this one.
 */
test('every statement names its columns, so that a later release may add some', () => {
  const uses = sourceFiles()
    .filter((file) => /^(api|bin|ingest|sql|workers)\//.test(file) && !/\/test\/|\/pages\/browser\//.test(file))
    .map((file) => {
      const lines = readFileSync(file, 'utf8').split('\n')
      return [file, lines.filter((line) => ALL_COLUMNS.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line)).length] as const
    })
    .filter(([, count]) => count > 0)
  expect(Object.fromEntries(uses)).toEqual(named)
})
