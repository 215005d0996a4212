import { expect, test } from 'vitest'
import { stationForecasts } from '../../../api/answer/station-forecasts.ts'
import { BLEND, valuesAt } from '../../../api/answer/values.ts'
import { Blender } from '../../../api/blend/blend.ts'
import { units } from '../../../api/present/units.ts'
import { WriterMemory } from '../../../api/present/writer-memory.ts'
import { weatherAt } from '../../../infra/simulator/atmosphere.ts'
import { catalog } from '../../../ingest/catalog.ts'
import { cellOf, centreOf } from '../../../ingest/domain/cell.ts'
import { entryOf, nth } from '../../../ingest/domain/nth.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import {
  DAY_LEAD_HOURS,
  HOUR_ELEMENTS,
  LEAD_HOURS,
  READ_SOURCES,
  type VerifiedStation,
} from '../../../ingest/domain/verification/forecast.ts'
import { analyticCurrent } from '../analytic-runs.ts'

const station = (id: string, lat: number, lon: number, state: string, timezone: string): VerifiedStation => ({
  ...{ id, name: id, lat, lon, state, timezone, office: undefined },
  domain: state === 'AK' ? 'alaska' : 'conus',
})
const stations = [
  station('KDEN', 39.8466, -104.6562, 'CO', 'America/Denver'),
  station('PANC', 61.1687, -150.0279, 'AK', 'America/Anchorage'),
]
/** 06:05 in Denver. */
const now = Date.UTC(2026, 2, 4, 13, 5)
const deps = {
  current: analyticCurrent(now),
  datasets: catalog,
  suppliers: {},
  resolution: 7,
  blender: new Blender(),
  writerMemory: new WriterMemory(),
}

test('verifies the values that the API serves', async () => {
  const served = await stationForecasts(deps, { now, stations, morning: [0] })
  const width = HOUR_ELEMENTS.length
  for (const [s, { lat, lon }] of stations.entries()) {
    const variables = ['temperature', 'dew_point', 'cloud_cover', 'precip_probability']
    const ask = { datasetId: BLEND, variables, units: units.metric, now }
    const { times, data } = await valuesAt(deps, lat, lon, ask, 170)
    for (const [l, lead] of LEAD_HOURS.entries()) {
      const row = times.indexOf(Math.floor(now / HOUR) * HOUR + lead * HOUR)
      const at = (l * stations.length + s) * READ_SOURCES.length * width
      for (const name of variables) {
        const own = nth(served.hours, at + HOUR_ELEMENTS.indexOf(name as never))
        expect(Math.abs(own - entryOf(data, name)[row]!), `${name} at ${lead} h`).toBeLessThan(
          name === 'temperature' ? 0.5 : 0.51,
        )
      }
    }
  }
})

test('gives single inputs their own values, and none beyond their end', async () => {
  const served = await stationForecasts(deps, { now, stations, morning: [0] })
  const valuesFor = (source: (typeof READ_SOURCES)[number], lead: number) =>
    nth(
      served.hours,
      (LEAD_HOURS.indexOf(lead as never) * 2 * READ_SOURCES.length + READ_SOURCES.indexOf(source)) *
        HOUR_ELEMENTS.length,
    )
  const [lat, lon] = centreOf(cellOf(nth(stations, 0).lat, nth(stations, 0).lon, 7))
  const truth = (lead: number) => weatherAt(lat, lon, Math.floor(now / HOUR) * HOUR + lead * HOUR).temperature - 273.15
  for (const source of ['nbm', 'hrrr'] as const) expect(valuesFor(source, 6)).toBeCloseTo(truth(6), 3)
  expect(valuesFor('hrrr', 72)).toBeNaN()
  expect(valuesFor('gfs', 168)).toBeCloseTo(truth(168), 0)
  expect(nth(served.analysed, 0) % HOUR).toBe(0)
  // Rows of days: the high is not below any hour of the day half.
  const [high, low] = served.days
  expect(high!).toBeGreaterThan(low!)
  expect(served.days).toHaveLength(DAY_LEAD_HOURS.length * READ_SOURCES.length * 2)
  expect(served.days[(DAY_LEAD_HOURS.indexOf(72) * READ_SOURCES.length + 2) * 2]).toBeNaN()
})
