import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchOutlooks } from '../../api/outlooks-at.ts'
import { parseWeather } from '../../api/query.ts'
import { createWeather } from '../../api/weather.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { openDatabase } from '../../ingest/ports/database.ts'
import { markConfirmed } from '../../sql/queries/feeds.ts'
import { analyticCurrent } from './analytic-runs.ts'

const NOW = Date.parse('2026-11-21T20:37:00Z')

test('a feed that was looked at and holds no issue yet is answered, not failed on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-outlooks-'))
  const database = await openDatabase({ dataDir, databasePool: 1 })
  const outlooks = await watchOutlooks({ database, clock: () => NOW })
  try {
    const unread = await outlooks
      .at({ lat: 39.74, lon: -104.99, now: NOW } as never)
      .catch((error) => isFault(error, 'Missing'))
    expect(unread).toBe(true)

    await markConfirmed(database, 'spc/day1otlk_cat', { suspicious: false, rejected: {} })
    await outlooks.read()
    const weather = createWeather({
      current: analyticCurrent(NOW),
      datasets: gridDatasets,
      suppliers: { outlooks: outlooks.at },
      resolution: 7,
    })
    const answer = await weather.answer(parseWeather({ lat: '39.74', lon: '-104.99' }), NOW)
    const { meta, outlooks: shown } = answer.value() as {
      meta: { freshness: { product_id: string; reference_time: string | null }[] }
      outlooks: object[]
    }
    expect(shown).toEqual([])
    expect(meta.freshness.find(({ product_id }) => product_id === 'spc-outlooks')?.reference_time).toBeNull()
  } finally {
    await outlooks.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
