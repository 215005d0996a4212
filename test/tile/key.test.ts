import { expect, test } from 'vitest'
import { revisionOfKey, runPrefix, stagePrefix } from '../../ingest/tile/key.ts'

const stage = { dataset: 'nbm', domain: 'conus', run: Date.UTC(2026, 7, 20, 12), stage: 'h051' } as const

test('names the revision in the keys of a stage, and reads it from them', () => {
  expect(stagePrefix({ ...stage, revision: 2 }, '0a1b2c3d')).toBe('tiles/v1/nbm/conus/2026-08-20T12Z/h051-r2-0a1b2c3d')
  expect(revisionOfKey(`${stagePrefix({ ...stage, revision: 2 }, '0a1b2c3d')}/0000.tile`)).toBe(2)
  expect(revisionOfKey(`${stagePrefix({ ...stage, revision: 12 }, '0a1b2c3d')}/manifest`)).toBe(12)
})

test('counts objects of earlier versions as revision 0', () => {
  expect(revisionOfKey(`${runPrefix('nbm', 'conus', stage.run)}/h051-0a1b2c3d/manifest`)).toBe(0)
})
