import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { watchOutlooks } from '../../../api/live/outlooks.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { gridDatasets, outlookFiles } from '../../../ingest/catalog.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import { markAbsent, markConfirmed, markFailed } from '../../../sql/queries/feeds.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { parsed } from '../answer/parsed.ts'

const NOW = Date.parse('2026-11-21T20:37:00Z')

test('answers from a feed that was read and has no issue yet', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-outlooks-'))
  const database = await openDatabase({ dataDir, databasePool: 1 })
  const outlooks = await watchOutlooks({ database, clock: () => NOW })
  try {
    const unread = await outlooks
      .at({ lat: 39.74, lon: -104.99, now: NOW } as never)
      .catch((error) => isFault(error, 'Missing'))
    expect(unread).toBe(true)

    const confirm = async (...products: string[]) => {
      for (const product of products)
        await markConfirmed(database, `spc/${product}`, { suspicious: false, rejected: {} })
      await outlooks.read()
    }
    // An empty result from the first of many files does not mean that there is no risk.
    const [first = '', ...further] = outlookFiles.map(({ product }) => product)
    await confirm(first)
    const part = await outlooks.at({ lat: 39.74, lon: -104.99, domain: 'conus', now: NOW } as never).catch(String)
    expect(part).toContain(`${further.length} of ${further.length + 1} SPC products have not been read yet`)
    await confirm(...further.slice(2))
    await markAbsent(database, `spc/${further[0]}`)
    await markFailed(database, `spc/${further[1]}`, 'refused')
    await outlooks.read()
    const weather = createWeather({
      current: analyticCurrent(NOW),
      datasets: gridDatasets,
      suppliers: { outlooks: outlooks.at },
      resolution: 7,
    })
    const answer = await weather.answer(parseWeather({ lat: '39.74', lon: '-104.99' }), NOW)
    const { meta, outlooks: shown } = parsed(answer) as {
      meta: { warnings: object[]; freshness: { product_id: string; reference_time: string | null }[] }
      outlooks: object[]
    }
    expect(shown).toEqual([])
    expect(meta.warnings).toContainEqual(
      expect.objectContaining({ code: 'feed_unconfirmed', detail: expect.stringContaining(`shown: ${further[1]}`) }),
    )
    expect(answer.cacheControl(NOW)).toBe('no-store')
    expect(meta.freshness.find(({ product_id }) => product_id === 'spc-outlooks')?.reference_time).toBeNull()

    // Fifty names of files would leave no room for the answer.
    for (const product of further) await markFailed(database, `spc/${product}`, 'refused')
    await outlooks.read()
    const names = outlookFiles.map(({ product }) => product).filter((product) => product !== first)
    expect(outlooks.warnings(NOW).map(({ detail }) => detail)).toContainEqual(
      `could not be read just now, the last known outlooks are shown: ${names.toSorted().slice(0, 3).join(', ')} and ${names.length - 3} more`,
    )

    // Outside the area of the SPC, an empty list without a warning would look as if there were no risk.
    const honolulu = await weather.answer(parseWeather({ lat: '21.3', lon: '-157.86', include: 'outlooks' }), NOW)
    const none = expect.objectContaining({ code: 'no_coverage', section: 'outlooks' })
    expect((parsed(honolulu) as { meta: { warnings: object[] } }).meta.warnings).toContainEqual(none)
    const daily = await weather.answer(parseWeather({ lat: '21.3', lon: '-157.86', include: 'daily' }), NOW)
    expect((parsed(daily) as { meta: { warnings: object[] } }).meta.warnings).not.toContainEqual(none)
  } finally {
    await outlooks.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
