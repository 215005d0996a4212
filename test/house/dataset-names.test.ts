import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalog } from '../../ingest/catalog.ts'
import { sourceFiles } from './imports.ts'

/** Rooms that know datasets by their roles alone: those are declared in ingest/datasets and in the table of fields. */
const rooms = /^(?:api\/(?:blend|keys|sign-in)|ingest\/(?:decode|grid|nowcast|tile|ports)|workers)\//
const table = 'api/blend/field-table.ts'

/** Ids and families of models, analyses and radar products. The tools know these by their roles, but name their feeds. */
const gridded = /^(?:nbm|hrrr|gfs|rtma|urma|mrms|goes)(?:-[a-z0-9-]+)?$/

/** The string literals in the files of some folders that are names of datasets. */
function namesIn(isRoom: (file: string) => boolean, isName: (text: string) => boolean): string[] {
  return sourceFiles()
    .filter((file) => isRoom(file) && file !== table && !file.includes('.generated.'))
    .flatMap((file) => {
      const strings = readFileSync(file, 'utf8').matchAll(/(['"])([a-z0-9-]+)\1/g)
      return Array.from(strings, ([, , text = '']) => text).flatMap((text) =>
        isName(text) ? [`${file}: ${text}`] : [],
      )
    })
}

test('no dataset is named where its role is enough', () => {
  const ids = new Set(catalog.map(({ id }) => id))
  expect(
    namesIn(
      (file) => rooms.test(file),
      (text) => ids.has(text),
    ),
  ).toEqual([])
})

test('no model, analysis or radar product is named by the tools', () => {
  expect(
    namesIn(
      (file) => file.startsWith('api/mcp/'),
      (text) => gridded.test(text),
    ),
  ).toEqual([])
})
