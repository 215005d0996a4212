import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { QueryContext } from '../../../api/dataset/context.ts'
import { countValues } from '../../../api/dataset/count-values.ts'
import { QueryError } from '../../../api/dataset/error.ts'
import { readFrames } from '../../../api/dataset/frame-read.ts'
import { frameDatasets } from '../../../ingest/catalog.ts'
import { loadConfig } from '../../../ingest/config.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import { openObjects } from '../../../ingest/ports/objects/open.ts'
import { publishRun } from '../../../sql/queries/runs.ts'

const counting = () => {
  const counted: number[] = []
  return { counted, context: { count: async (calls: number) => void counted.push(calls) } }
}

test('counts every ten thousand values as a call; the request is the first', async () => {
  const { counted, context } = counting()
  await countValues(context, 10_000, '')
  expect(counted).toEqual([])
  await countValues(context, 10_001, '')
  await countValues(context, 100_000, '')
  expect(counted).toEqual([1, 9])
  await expect(countValues(context, 100_001, '500 points × 201 frames')).rejects.toThrow(QueryError)
  expect(counted).toEqual([1, 9])
})

/** With a scan every two minutes, eight hours at 500 points are 120,000 values, not 4,000. */
test('counts values of frames by the stored frames, not by the hours', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-count-'))
  const config = loadConfig({ DATA_DIR: folder })
  const database = await openDatabase(config)
  const objects = await openObjects(config)
  try {
    const start = Date.parse('2026-08-20T12:00:00Z')
    const dataset = frameDatasets.find(({ id }) => id === 'mrms-precip-rate')
    if (!dataset) throw new Error('the catalog has no mrms-precip-rate')
    const published = { stage: 0, publishedTo: 0, manifest: {}, wanted: 1, got: 1, missing: 0 }
    for (let i = 0; i < 201; i++) {
      const key = { dataset: dataset.id, domain: 'conus', run: new Date(start + i * 120_000) }
      await publishRun(database, { ...key, ...published, manifestKey: `frame/${i}` }, [])
    }
    const { counted, context } = counting()
    const query = (points: number) =>
      readFrames(
        { ...context, signal: new AbortController().signal, deps: { database, objects } } as unknown as QueryContext,
        Array.from({ length: points }, (_, index) => ({
          ...{ index, lat: 40, lon: -100, name: '' },
          spot: { resolved: { domain: 'conus' } } as never,
        })),
        {
          family: { id: 'mrms', storage: 'frames', members: [dataset] } as never,
          ...{
            variables: dataset.gives.map(({ name }) => name),
            from: start,
            to: start + 8 * HOUR,
            units: 'metric' as const,
          },
        } as never,
      )
    await expect(query(500)).rejects.toThrow(/500 points × 201 frames are 100500 values/)
    expect(counted).toEqual([])
    await query(100)
    expect(counted).toEqual([2])
  } finally {
    await objects.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)
