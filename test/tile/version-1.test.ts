import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cellOfId } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { runName } from '../../ingest/domain/time.ts'
import { createTileCache } from '../../ingest/tile/cache.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { KeptObjects } from './kept-objects.ts'
import { codesOf, version1Runs } from './version-1-runs.ts'

const folder = join(import.meta.dirname, '../cases/tiles-1')

test.each(Object.entries(version1Runs))('a run that version 1 wrote is read: %s', async (_name, recordedRun) => {
  const objects = new KeptObjects()
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) {
      const path = join(file.parentPath, file.name)
      await objects.put(path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path))
    }
  const keys = [...objects.stored.keys()]
  const manifestKey = keys.find(
    (key) => key.includes(`/${runName(recordedRun.run)}/${recordedRun.stage}-`) && key.endsWith('manifest'),
  )!
  expect(Buffer.from(objects.stored.get(manifestKey)!).toString()).toContain('"format":1')
  const opened = await openRun(objects, manifestKey, createTileCache(1 << 20))
  const codes = codesOf(recordedRun)
  for (let c = 0; c < recordedRun.ids.length; c++) {
    const point = await opened.point(cellOfId(nth(recordedRun.ids, c), 7))
    for (const [variable, times] of codes) {
      const expected = times.map((list) => (list[c] === -32768 ? Number.NaN : Math.fround(nth(list, c) * 0.1)))
      expect(Array.from(point!.variables.get(variable)!.values), `${variable} at cell ${c}`).toEqual(expected)
    }
  }
})
