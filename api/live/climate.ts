import { Fault, isFault } from '../../ingest/domain/fault.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { type ClimateStation, MAX_NORMALS_KM, type StationNormals } from '../../ingest/domain/weather/climate.ts'
import { type PointTree, pointTree } from '../../ingest/geo/sphere.ts'
import { readStation, readStationList, stationKey, stationListKey } from '../../ingest/tile/normals-file.ts'
import type { ClimateAtPoint } from '../contract.ts'
import type { LiveDeps, LiveSource, NormalsReader } from './source.ts'

/** Candidates for one place; of the real stations every third has temperatures. */
const MAX_CANDIDATES = 60
/** Stations in memory, about 80 KB each; another is read in a millisecond. */
const MAX_STATIONS = 100
/** Ids of stations without temperatures; there are about 10,000. */
const MAX_PLACES_WITHOUT_STATION = 20_000
/** Longest wait for files that are not stored yet; the read goes on, for the next request. */
const READ_TIMEOUT_MS = 4_000
/** A place is not retried for this long after a failure. */
const RETRY_AFTER_MS = 15_000
/** Bound of places with a recorded failure. */
const MAX_FAILURES = 1_000

interface StationList {
  readonly simulated: boolean
  readonly stations: readonly ClimateStation[]
  readonly tree: PointTree
}

export interface ClimateSource extends LiveSource {
  /** @throws Fault Missing while no list of stations is stored; Refused or Corrupt where a file could not be read just now */
  at(lat: number, lon: number): Promise<ClimateAtPoint>
}

/** Normals of the nearest station; the list and requested stations are cached in memory. */
export function openClimate(deps: LiveDeps): ClimateSource {
  const { objects, database, clock, current } = deps
  const reader = deps.normals ?? storedOnly
  let list: StationList | undefined
  let loading: Promise<StationList> | undefined
  let missingUntil = 0
  /** Evicted in order of insertion. */
  const known = new Map<string, StationNormals>()
  /** Stations without temperatures. */
  const without = new Set<string>()
  const reading = new Map<string, Promise<StationNormals | undefined>>()
  const failures = new Map<string, { readonly fault: Fault; readonly until: Instant }>()

  async function loadList(simulated: boolean): Promise<StationList> {
    if (clock() < missingUntil) throw notLoaded()
    try {
      const stations = readStationList(await objects.get(stationListKey(simulated)))
      const lats = stations.map(({ lat }) => lat)
      const lons = stations.map(({ lon }) => lon)
      known.clear()
      without.clear()
      failures.clear()
      return (list = { simulated, stations, tree: pointTree(lats, lons) })
    } catch (error) {
      if (!isFault(error, 'Missing')) throw error
      missingUntil = clock() + 2_000
      throw notLoaded()
    }
  }

  function stationList(): Promise<StationList> | StationList {
    const simulated = current.simulated()
    if (list?.simulated === simulated) return list
    loading ??= loadList(simulated).finally(() => {
      loading = undefined
    })
    return loading
  }

  function remember(normals: StationNormals): StationNormals {
    known.delete(normals.station.id)
    known.set(normals.station.id, normals)
    if (known.size > MAX_STATIONS) known.delete(known.keys().next().value!)
    return normals
  }

  /** The first of the candidates with temperatures; those before it are known to have none. */
  async function read(candidates: readonly ClimateStation[], simulated: boolean): Promise<StationNormals | undefined> {
    const first = candidates[0]!.id
    const failed = failures.get(first)
    if (failed && clock() < failed.until) throw failed.fault
    let pending = reading.get(first)
    if (!pending) {
      pending = readFrom(reader, candidates, { objects, database, simulated }).finally(() => reading.delete(first))
      reading.set(first, pending)
    }
    try {
      const found = await pending
      for (const station of candidates) {
        if (station.id === found?.station.id) break
        if (without.size > MAX_PLACES_WITHOUT_STATION) without.clear()
        without.add(station.id)
      }
      return found && remember(found)
    } catch (error) {
      if (!isFault(error)) throw error
      if (failures.size > MAX_FAILURES) failures.clear()
      failures.set(first, { fault: error, until: clock() + RETRY_AFTER_MS })
      throw error
    }
  }

  const at = async (lat: number, lon: number): Promise<ClimateAtPoint> => {
    const { stations, tree, simulated } = await stationList()
    const near = tree.near(lat, lon, MAX_CANDIDATES, MAX_NORMALS_KM)
    for (const [i, { index, km }] of near.entries()) {
      const { id } = stations[index]!
      if (without.has(id)) continue
      const normals = known.get(id)
      if (normals) return { nearest: { normals, distanceKm: km } }
      const rest = near.slice(i).map((one) => stations[one.index]!)
      const found = await read(rest, simulated)
      const place = found && near.find((one) => stations[one.index]!.id === found.station.id)
      return place ? { nearest: { normals: found, distanceKm: place.km } } : {}
    }
    return {}
  }
  return { at, suppliers: { climate: ({ lat, lon }) => at(lat, lon) } }
}

/** Without a reader of upstream: stored stations only. */
const storedOnly: NormalsReader = async ({ objects, simulated }, stations) => {
  for (const { id } of stations) {
    try {
      const normals = readStation(await objects.get(stationKey(simulated, id)))
      if (normals.days.length > 0) return normals
    } catch (error) {
      if (!isFault(error, 'Missing')) throw error
      throw new Fault('Refused', `the normals of ${id} are not stored and this process reads none from upstream`)
    }
  }
  return undefined
}

async function readFrom(
  reader: NormalsReader,
  candidates: readonly ClimateStation[],
  from: Parameters<NormalsReader>[0],
): Promise<StationNormals | undefined> {
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS)
  const late = Promise.withResolvers<never>()
  signal.addEventListener('abort', () =>
    late.reject(new Fault('Refused', `station normals: wanted a file within ${READ_TIMEOUT_MS / 1000} s, got none`)),
  )
  const found = reader(from, candidates, signal)
  found.catch(() => undefined)
  return Promise.race([found, late.promise])
}

function notLoaded(): Fault {
  return new Fault('Missing', 'the list of stations with climate normals is not stored yet')
}
