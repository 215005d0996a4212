import { expect, test } from 'vitest'
import { frameDatasets } from '../../ingest/catalog.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'

test('has a source for every frame dataset in the order of the catalog', () => {
  expect(frameSources.map(({ dataset }) => dataset)).toEqual(frameDatasets)
})
