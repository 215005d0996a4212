import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { apiWrites } from '../../sql/api-writes.ts'
import { sourceFiles } from './imports.ts'

const WRITE = /\b(?:insert into|delete from|update(?! set| of| skip| nothing))\s+([a-z_]+)/g

/** The tables that each exported function of sql/queries writes. */
function writesByFunction(): Map<string, Set<string>> {
  const written = new Map<string, Set<string>>()
  for (const file of sourceFiles().filter((path) => path.startsWith('sql/queries/'))) {
    const parts = readFileSync(file, 'utf8').split(/export (?:async )?function (\w+)/)
    for (let i = 1; i < parts.length; i += 2) {
      const tables = [...nth(parts, i + 1).matchAll(WRITE)].map(([, table]) => table!)
      written.set(`${file} ${parts[i]}`, new Set(tables.filter((table) => !['set', 'where'].includes(table))))
    }
  }
  return written
}

test('the API writes the tables of the list and no other table', () => {
  const writes = writesByFunction()
  const used = new Set<string>()
  for (const file of sourceFiles().filter((path) => path.startsWith('api/'))) {
    const text = readFileSync(file, 'utf8')
    for (const [, names, path] of text.matchAll(/import \{([^}]*)\} from '[./]*(sql\/queries\/[\w-]+\.ts)'/g)) {
      for (const name of names!.split(',').map((path) => path.trim())) {
        for (const table of writes.get(`${path} ${name}`) ?? []) used.add(table)
      }
    }
  }
  expect([...used].sort()).toEqual([...apiWrites].sort())
})

test('OPS.md grants the API these tables', () => {
  const page = readFileSync(new URL('../../infra/OPS.md', import.meta.url), 'utf8')
  expect(page).toContain(`grant insert, update, delete on ${apiWrites.join(', ')} to hexcast_api;`)
})
