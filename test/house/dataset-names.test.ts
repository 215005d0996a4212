import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalog, gridDatasets } from '../../ingest/catalog.ts'
import { sourceFiles } from './imports.ts'

/** Folders that know datasets only by their roles, which ingest/datasets and the table of fields declare. */
const folders = /^(?:api\/(?:blend|keys|sign-in)|ingest\/(?:decode|grid|nowcast|tile|ports)|workers)\//
/** Folders where this holds for datasets on grids: feeds have the names of sections there. */
const gridFolders = /^api\/(?:answer|sections)\//
const tables = [
  'api/blend/field-table.ts',
  // The dataset of each observed member, for `provenance`.
  'api/sections/derived-members.ts',
  // The inputs of verification, which are compared by their names.
  'api/answer/station-forecasts.ts',
]

test('names no dataset in code for which its role is enough', () => {
  const ids = new Set(catalog.map(({ id }) => id))
  const gridIds = new Set(gridDatasets.map(({ id }) => id))
  const idsFor = (file: string) => (folders.test(file) ? ids : gridFolders.test(file) ? gridIds : new Set<string>())
  const named = sourceFiles()
    .filter((file) => !tables.includes(file) && !file.includes('.generated.'))
    .flatMap((file) => {
      const code = readFileSync(file, 'utf8').replaceAll(/doc\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '')
      const strings = code.matchAll(/(['"])([a-z0-9-]+)\1/g)
      return Array.from(strings, ([, , text = '']) => text).flatMap((text) =>
        idsFor(file).has(text) ? [`${file}: ${text}`] : [],
      )
    })
  expect(named).toEqual([])
})
