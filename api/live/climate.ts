import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import { type ClimateStation, MAX_NORMALS_KM, type StationNormals } from '../../ingest/domain/weather/climate.ts'
import { type PointTree, pointTree } from '../../ingest/geo/sphere.ts'
import { readStation, readStationList, stationKey, stationListKey } from '../../ingest/tile/normals-file.ts'
import type { ClimateAtPoint } from '../contract.ts'
import type { LiveDeps, LiveSource, NormalsReader } from './source.ts'

/** Number of candidate stations for a place; about every third station has temperatures. */
const MAX_CANDIDATES = 60
/** Number of stations in memory, about 80 KB each. Reading another station takes a millisecond. */
const MAX_STATIONS = 100
/** Maximum number of remembered stations without temperatures, of which there are about 10,000. */
const MAX_STATIONS_WITHOUT_TEMPERATURES = 20_000
/** Longest wait for files that are not stored yet. The read continues in the background for the next request. */
const READ_TIMEOUT_MS = 4_000
/** A station is not read again for this long after a failure. */
const RETRY_AFTER_MS = 15_000
/** Maximum number of remembered failures. */
const MAX_FAILURES = 1_000

interface StationList {
  readonly simulated: boolean
  readonly stations: readonly ClimateStation[]
  readonly tree: PointTree
}

export interface ClimateSource extends LiveSource {
  /** @throws Fault Missing while no list of stations is stored; Refused or Corrupt if a file could not be read */
  at(lat: number, lon: number): Promise<ClimateAtPoint>
}

/** Opens the normals of the nearest station. The list of stations and the requested stations are cached in memory. */
export function openClimate(deps: LiveDeps): ClimateSource {
  const { objects, database, clock, current } = deps
  const reader = deps.normals ?? storedOnly
  let list: StationList | undefined
  let loading: Promise<StationList> | undefined
  let missingUntil = 0
  /** Normals by id of station; the least recently used are evicted first. */
  const cached = new Map<string, StationNormals>()
  /** Ids of stations without temperatures. */
  const withoutTemperatures = new Set<string>()
  const reading = new Map<string, Promise<StationNormals | undefined>>()
  const failures = new Map<string, { readonly fault: Fault; readonly until: Instant }>()

  async function loadList(simulated: boolean): Promise<StationList> {
    if (clock() < missingUntil) throw notLoaded()
    try {
      const stations = readStationList(await objects.get(stationListKey(simulated)))
      const lats = stations.map(({ lat }) => lat)
      const lons = stations.map(({ lon }) => lon)
      cached.clear()
      withoutTemperatures.clear()
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
    cached.delete(normals.station.id)
    cached.set(normals.station.id, normals)
    const [oldest] = cached.keys()
    if (oldest !== undefined && cached.size > MAX_STATIONS) cached.delete(oldest)
    return normals
  }

  /** The normals of the first candidate with temperatures; the candidates before it are remembered as stations without temperatures. */
  async function read(candidates: readonly ClimateStation[], simulated: boolean): Promise<StationNormals | undefined> {
    const [nearest] = candidates
    if (!nearest) return undefined
    const first = nearest.id
    const failure = failures.get(first)
    if (failure && clock() < failure.until) throw failure.fault
    let pending = reading.get(first)
    if (!pending) {
      pending = readFrom(reader, candidates, { objects, database, simulated }).finally(() => reading.delete(first))
      reading.set(first, pending)
    }
    try {
      const normals = await pending
      for (const station of candidates) {
        if (station.id === normals?.station.id) break
        if (withoutTemperatures.size > MAX_STATIONS_WITHOUT_TEMPERATURES) withoutTemperatures.clear()
        withoutTemperatures.add(station.id)
      }
      return normals && remember(normals)
    } catch (error) {
      if (!isFault(error)) throw error
      if (failures.size > MAX_FAILURES) failures.clear()
      failures.set(first, { fault: error, until: clock() + RETRY_AFTER_MS })
      throw error
    }
  }

  const at = async (lat: number, lon: number): Promise<ClimateAtPoint> => {
    const { stations, tree, simulated } = await stationList()
    const candidates = tree.near(lat, lon, MAX_CANDIDATES, MAX_NORMALS_KM).flatMap(({ index, km }) => {
      const station = stations[index]
      return station && !withoutTemperatures.has(station.id) ? [{ station, km }] : []
    })
    const [nearest] = candidates
    if (!nearest) return {}
    const stored = cached.get(nearest.station.id)
    if (stored) return { nearest: { normals: stored, distanceKm: nearest.km } }
    const normals = await read(
      candidates.map(({ station }) => station),
      simulated,
    )
    const match = candidates.find(({ station }) => station.id === normals?.station.id)
    return normals && match ? { nearest: { normals, distanceKm: match.km } } : {}
  }
  return { at, suppliers: { climate: ({ lat, lon }) => at(lat, lon) } }
}

/** Returns a reader of stored normals only, for processes that have no reader of upstream. */
const storedOnly: NormalsReader = async ({ objects, simulated }, stations) => {
  for (const { id } of stations) {
    try {
      const normals = readStation(await objects.get(stationKey(simulated, id)))
      if (normals.days.length > 0) return normals
    } catch (error) {
      if (!isFault(error, 'Missing')) throw error
      throw new Fault(
        'Refused',
        `the normals of station ${id} are not stored, and this process does not read them from upstream`,
      )
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
    late.reject(new Fault('Refused', `station normals: no file came within ${READ_TIMEOUT_MS / SECOND} s. Try again.`)),
  )
  const reading = reader(from, candidates, signal)
  reading.catch(() => undefined)
  return Promise.race([reading, late.promise])
}

function notLoaded(): Fault {
  return new Fault('Missing', 'the list of stations with climate normals is not stored yet')
}
