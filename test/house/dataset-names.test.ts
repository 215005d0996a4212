import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalog } from '../../ingest/catalog.ts'
import { sourceFiles } from './imports.ts'

/** Folders that may know datasets only by the roles declared in ingest/datasets and in the table of fields. */
const rooms = /^(?:api\/(?:blend|keys|sign-in)|ingest\/(?:decode|grid|nowcast|tile|ports)|workers)\//
const table = 'api/blend/field-table.ts'

test('no dataset id is named in folders that decide by roles', () => {
  const ids = new Set(catalog.map(({ id }) => id))
  const named = sourceFiles()
    .filter((file) => rooms.test(file) && file !== table && !file.includes('.generated.'))
    .flatMap((file) => {
      const strings = readFileSync(file, 'utf8').matchAll(/(['"])([a-z0-9-]+)\1/g)
      return Array.from(strings, ([, , text]) => text!).flatMap((text) => (ids.has(text) ? [`${file}: ${text}`] : []))
    })
  expect(named).toEqual([])
})
