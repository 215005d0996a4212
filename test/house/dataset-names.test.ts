import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalog } from '../../ingest/catalog.ts'
import { sourceFiles } from './imports.ts'

/** Folders that know datasets only by their roles, which are declared in ingest/datasets and in the table of fields. */
const folders =
  /^(?:api\/(?:blend|dataset|keys|live|pages|picture|sign-in)|ingest\/(?:decode|grid|nowcast|tile|ports)|workers)\//
/**
 * Code in the browser is a client and requests data by public ids; guides show ids in examples; each scored model has its own mark.
 */
const exempt = /^api\/(?:blend\/field-table\.ts$|pages\/(?:browser|guides|skill)\/)/
/** Ids of datasets that are also names of sections and of kinds of storage. */
const otherNames: ReadonlySet<string> = new Set(['metar', 'normals'])

test('no dataset id is named in folders that decide by roles', () => {
  const ids = new Set(catalog.map(({ id }) => id).filter((id) => !otherNames.has(id)))
  const named = sourceFiles()
    .filter((file) => folders.test(file) && !exempt.test(file) && !file.includes('.generated.'))
    .flatMap((file) => {
      const strings = readFileSync(file, 'utf8').matchAll(/(['"])([a-z0-9-]+)\1/g)
      return Array.from(strings, ([, , text]) => text!).flatMap((text) => (ids.has(text) ? [`${file}: ${text}`] : []))
    })
  expect(named).toEqual([])
})
