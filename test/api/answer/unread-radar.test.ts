import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { Fault, type FaultKind } from '../../../ingest/domain/fault.ts'
import { analyticCurrent, runsAt } from '../analytic-runs.ts'
import { parsed } from './parsed.ts'

const now = Date.parse('2026-05-04T20:20:00Z')

/** An answer with hours only, over radar sources of which one fails. */
async function answerWithout(source: 'nowcast' | 'scans', kind: FaultKind) {
  const fail = async () => {
    throw new Fault(kind, 'as the test wants it')
  }
  const current = analyticCurrent(now, runsAt(now), [])
  const weather = createWeather({ current, datasets: gridDatasets, suppliers: { [source]: fail }, resolution: 7 })
  const query = { lat: '41.25', lon: '-96', include: 'hourly', hourly_hours: '6' }
  const answer = await weather.answer(parseWeather(query), now)
  const { meta } = parsed(answer) as { meta: { warnings: { code: string; section: string }[] } }
  const failures = meta.warnings.filter(({ code }) => code === 'source_failed')
  return { cacheControl: answer.cacheControl(now), failures }
}

test.each(['nowcast', 'scans'] as const)(
  'hours without %s that could not be read say so and are not kept',
  async (source) => {
    const { cacheControl, failures } = await answerWithout(source, 'Refused')
    expect(cacheControl).toBe('no-store')
    expect(failures).toMatchObject([{ section: 'meta' }])
  },
)

test.each(['nowcast', 'scans'] as const)('hours at a place without %s are kept', async (source) => {
  const { cacheControl, failures } = await answerWithout(source, 'Missing')
  expect(cacheControl).toMatch(/^max-age=/)
  expect(failures).toEqual([])
})
