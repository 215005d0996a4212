import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalog, frameDatasets, gridDatasets } from '../../ingest/catalog.ts'
import { sourceFiles } from './imports.ts'

/** Folders that know datasets only by their roles, which ingest/datasets and the table of fields declare. */
const folders =
  /^(?:api\/(?:blend|dataset|keys|live|pages|picture|sign-in)|ingest\/(?:decode|grid|nowcast|tile|ports)|workers)\//
/** Folders where this holds for models, analyses and radar; feeds have the names of sections and tools there. */
const gridFolders = /^api\/(?:answer|mcp|sections)\//
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
  const gridIds = new Set([...gridDatasets, ...frameDatasets].map(({ id }) => id))
  const idsFor = (file: string) => (folders.test(file) ? ids : gridFolders.test(file) ? gridIds : new Set<string>())
  const named = sourceFiles()
    .filter((file) => !exempt.some((pattern) => pattern.test(file)) && !file.includes('.generated.'))
    .flatMap((file) => {
      const strings = readFileSync(file, 'utf8').matchAll(/(['"])([a-z0-9-]+)\1/g)
      return Array.from(strings, ([, , text = '']) => text).flatMap((text) =>
        idsFor(file).has(text) ? [`${file}: ${text}`] : [],
      )
    })
  expect(named).toEqual([])
})
