import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalog, gridDatasets } from '../../ingest/catalog.ts'
import { sourceFiles } from './imports.ts'

/** Folders that know datasets only by their roles, which ingest/datasets and the table of fields declare. */
const folders =
  /^(?:api\/(?:blend|dataset|keys|live|pages|picture|sign-in)|ingest\/(?:decode|grid|nowcast|tile|ports)|workers)\//
/** Folders where this holds for datasets on grids: feeds have the names of sections there. */
const gridFolders = /^api\/(?:answer|sections)\//
/** Ids and families of models, analyses and radar products. The tools know these by their roles, but name their feeds. */
const gridded = /^(?:nbm|hrrr|gfs|rtma|urma|mrms|goes)(?:-[a-z0-9-]+)?$/
const exempt: readonly RegExp[] = [
  /^api\/blend\/field-table\.ts$/,
  // Code in the browser is a client and requests data by public ids; guides show ids in examples; each scored model has its own mark.
  /^api\/pages\/(?:browser|guides|skill)\//,
  // The dataset of each observed member, for `provenance`.
  /^api\/sections\/derived-members\.ts$/,
  // The inputs of verification, which are compared by their names.
  /^api\/answer\/station-forecasts\.ts$/,
]
/** Ids of datasets that are also names of sections and of kinds of storage. */
const otherNames: ReadonlySet<string> = new Set(['metar', 'normals'])

test('no dataset id is named in folders that decide by roles', () => {
  const ids = new Set(catalog.map(({ id }) => id).filter((id) => !otherNames.has(id)))
  const gridIds = new Set(gridDatasets.map(({ id }) => id))
  const isName = (file: string, text: string) =>
    (folders.test(file) && ids.has(text)) ||
    (gridFolders.test(file) && gridIds.has(text)) ||
    (file.startsWith('api/mcp/') && gridded.test(text))
  const named = sourceFiles()
    .filter((file) => !exempt.some((pattern) => pattern.test(file)) && !file.includes('.generated.'))
    .flatMap((file) => {
      // Descriptions and examples beside schemas may name datasets.
      const code = readFileSync(file, 'utf8').replaceAll(/doc\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '')
      const strings = Array.from(code.matchAll(/(['"])([a-z0-9-]+)\1/g), ([, , text = '']) => text)
      return strings.flatMap((text) => (isName(file, text) ? [`${file}: ${text}`] : []))
    })
  expect(named).toEqual([])
})
