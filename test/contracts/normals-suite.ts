import { expect, test } from 'vitest'
import { climateSources, simulatedNormal } from '../../infra/simulator/feeds/climate.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { leapDay } from '../../ingest/domain/weather/climate.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { firstWithTemperatures, loadStationList } from '../../ingest/steps/climate/station-normals.ts'
import { readStationList, stationKey, stationListKey } from '../../ingest/tile/normals-file.ts'

/** Station normals over any object store. */
export function normalsSuite(open: () => Promise<Objects>): void {
  test('are read from upstream once, come from the store while upstream is away, and are read again if an object is corrupt', async () => {
    const objects = await open()
    const mirror = await startMirror({ sources: climateSources, now: Date.now })
    const upstream = openUpstream({ mirror: mirror.url })
    const deps = { upstream, objects, simulated: true }
    const stations = (await loadStationList(deps))?.stations
    expect(stations!.length).toBeGreaterThan(100)
    expect(await loadStationList(deps)).toBeUndefined()
    expect(readStationList(await objects.get(stationListKey(true)))).toEqual(stations)

    const firstStations = stations!.slice(0, 8)
    const first = await firstWithTemperatures(deps, firstStations)
    const { high } = simulatedNormal(first!.station.lat, leapDay(7, 4)!)
    expect(nth(first!.days, leapDay(7, 4)!).high).toBe(high)
    mirror.misbehaviours.push({ path: '', how: 'html' })
    expect(await firstWithTemperatures(deps, firstStations)).toEqual(first)
    await objects.put(stationKey(true, first!.station.id), new Uint8Array(50))
    await expect(firstWithTemperatures(deps, firstStations)).rejects.toMatchObject({ kind: 'Corrupt' })
    mirror.misbehaviours.length = 0
    expect(await firstWithTemperatures(deps, firstStations)).toEqual(first)
    await upstream.close()
    await mirror.close()
    await objects.close()
  })
}
