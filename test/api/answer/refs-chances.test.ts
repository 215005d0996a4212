import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { fallenInHour, weatherAt } from '../../../infra/simulator/atmosphere.ts'
import { memberTimes } from '../../../infra/simulator/refs.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { cellOf, centreOf } from '../../../ingest/domain/cell.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { analyticCurrent, type RunTimes, runsAt } from '../analytic-runs.ts'
import { parsed } from './parsed.ts'

const now = Date.parse('2026-11-21T20:37:00Z')
const RUN = Date.parse('2026-11-21T12:00:00Z')
const runs: RunTimes = { ...runsAt(now), refs: RUN, 'refs-agreement': RUN }
const [LAT, LON] = [44.98, -93.27]
const point = centreOf(cellOf(LAT, LON, 7))

interface Row {
  readonly time: string
  readonly uncertainty: Readonly<Record<string, number | string | null>> | null
}

async function answerOf(from: RunTimes) {
  const weather = createWeather({
    current: analyticCurrent(now, from),
    datasets: gridDatasets,
    suppliers: {},
    resolution: 7,
    cacheBytes: 1,
  })
  const query = { lat: String(LAT), lon: String(LON), include: 'hourly,daily,uncertainty', hourly_hours: '72' }
  return parsed(await weather.answer(parseWeather(query), now)) as {
    hourly: Row[]
    daily: Row[]
    meta: { degraded: boolean; warnings: { product_id?: string }[] }
  }
}

const percent = (times: readonly number[], isMet: (time: number) => boolean) =>
  Math.round((100 * times.filter(isMet).length) / times.length)
const total = (kind: 'liquid' | 'snow', end: number) =>
  Array.from({ length: 24 }, (_, k) => fallenInHour(...point, end - k * HOUR)[kind]).reduce((sum, x) => sum + x, 0)
const membersAt = (time: number) => memberTimes('conus', (time - RUN) / HOUR, time)

test('gives the share of members at each hour to hour 60, and how many there are', async () => {
  const { hourly } = await answerOf(runs)
  const known = hourly.filter(({ uncertainty }) => uncertainty?.['ensemble_members'] != null)
  expect(known.length).toBe(52)
  for (const { time, uncertainty } of known) {
    const members = membersAt(Date.parse(time))
    expect(uncertainty).toMatchObject({
      ensemble_members: members.length,
      ensemble_visibility_prob_below_5mi: percent(members, (at) => weatherAt(...point, at).visibility < 8049),
    })
  }
  expect(known.at(-1)?.time).toBe('2026-11-24T00:00:00Z')
})

test('gives the chances of one window of 24 hours for each day, with its window and members', async () => {
  const { daily } = await answerOf(runs)
  const known = daily.flatMap(({ uncertainty }) => (uncertainty?.['ensemble_window_end'] ? [uncertainty] : []))
  expect(known.length).toBeGreaterThanOrEqual(2)
  for (const uncertainty of known) {
    const end = Date.parse(String(uncertainty['ensemble_window_end']))
    const members = membersAt(end)
    expect(Date.parse(String(uncertainty['ensemble_window_start']))).toBe(end - 24 * HOUR)
    expect(uncertainty).toMatchObject({
      ensemble_members: members.length,
      ensemble_snow_nearby_prob_gt_3in: percent(members, (at) => total('snow', at) > 76),
      ensemble_precip_prob_gt_025in: percent(members, (at) => total('liquid', at) > 6.35),
      ensemble_snow_nearby_prob_gt_18in: null,
    })
  }
})

test('answers without REFS as before, and does not call it missing', async () => {
  const { hourly, daily, meta } = await answerOf(runsAt(now))
  for (const { uncertainty } of [...hourly, ...daily]) expect(uncertainty?.['ensemble_members'] ?? null).toBeNull()
  expect(meta.warnings.filter(({ product_id }) => product_id?.startsWith('refs'))).toEqual([])
  const stale = await answerOf({ ...runs, refs: now - 48 * HOUR })
  expect(stale.meta.degraded).toBe(meta.degraded)
})
