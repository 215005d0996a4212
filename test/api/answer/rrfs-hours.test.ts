import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type { Current } from '../../../api/live/served-runs.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { CellVariables } from '../../../ingest/tile/read.ts'
import { analyticCurrent, runsAt } from '../analytic-runs.ts'
import { parsed } from './parsed.ts'

const now = Date.parse('2026-11-21T20:37:00Z')
const runs = {
  ...runsAt(now),
  rrfs: Date.parse('2026-11-21T18:00:00Z'),
  'rrfs-long': Date.parse('2026-11-21T12:00:00Z'),
}
/** A pressure of each dataset, hPa, so that an answer says where it is from. */
const pressures: Readonly<Record<string, number>> = {
  hrrr: 1001,
  rrfs: 1002,
  'rrfs-long': 1003,
  'hrrr-long': 1004,
  gfs: 1005,
}

function marked(current: Current): Current {
  return {
    ...current,
    served(dataset, domain) {
      const served = current.served(dataset, domain)
      const mark = pressures[dataset]
      if (!served?.opened || mark === undefined) return served
      const { opened } = served
      const point = async (cell: string) => {
        const series = await opened.point(cell)
        if (!series) return undefined
        const get: CellVariables['get'] = (name) => {
          const own = series.variables.get(name)
          return own && name === 'pressure' ? { ...own, values: own.values.map(() => mark * 100) } : own
        }
        return { ...series, variables: { get, keys: () => series.variables.keys() } }
      }
      const changed = { ...opened, point, variables: opened.variables }
      return { ...served, opened: changed, open: async () => changed }
    },
  }
}

async function pressuresAt(lat: string, lon: string, from: Readonly<Record<string, number | undefined>>) {
  const weather = createWeather({
    current: marked(analyticCurrent(now, from)),
    datasets: gridDatasets,
    suppliers: {},
    resolution: 7,
    cacheBytes: 1,
  })
  const query = { lat, lon, units: 'metric', include: 'hourly', hourly_hours: '120' }
  const answer = parsed(await weather.answer(parseWeather(query), now)) as {
    hourly: { time: string; pressure: number | null }[]
    meta: { degraded: boolean; warnings: { product_id?: string }[] }
  }
  const at = (iso: string) => answer.hourly.find(({ time }) => Date.parse(time) === Date.parse(iso))?.pressure
  return { at, meta: answer.meta }
}

test('takes pressure from HRRR to its hour 18, then from RRFS to its hour 84, then from GFS', async () => {
  const { at } = await pressuresAt('39.74', '-104.99', runs)
  expect(at('2026-11-22T13:00:00Z')).toBe(1001)
  expect(at('2026-11-22T14:00:00Z')).toBe(1003)
  expect(at('2026-11-24T23:00:00Z')).toBe(1003)
  expect(at('2026-11-25T06:00:00Z')).toBe(1005)
})

test('takes pressure over Hawaii, where HRRR does not run, from RRFS', async () => {
  const { at } = await pressuresAt('21.31', '-157.86', runs)
  expect(at('2026-11-22T10:00:00Z')).toBe(1002)
  expect(at('2026-11-22T20:00:00Z')).toBe(1003)
})

test('answers without RRFS as before, and does not call it missing', async () => {
  const { at, meta } = await pressuresAt('39.74', '-104.99', runsAt(now))
  expect(at('2026-11-22T20:00:00Z')).toBe(1004)
  expect(at('2026-11-24T12:00:00Z')).toBe(1005)
  expect(meta.warnings.filter(({ product_id }) => product_id?.startsWith('rrfs'))).toEqual([])
  const stale = await pressuresAt('39.74', '-104.99', { ...runs, 'rrfs-long': now - 48 * HOUR })
  expect(stale.at('2026-11-22T20:00:00Z')).toBe(1004)
  expect(stale.meta.degraded).toBe(meta.degraded)
})
