import { type GhcnStations, readGhcnStations } from '../../decode/station/ghcn-stations.ts'
import { namesTemperatures, readNormals } from '../../decode/station/normals.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type ClimateStation, hasTemperatures, type StationNormals } from '../../domain/weather/climate.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Upstream } from '../../ports/upstream.ts'
import {
  readStation,
  readStationList,
  stationKey,
  stationListKey,
  writeStation,
  writeStationList,
} from '../../tile/normals-file.ts'

export const NORMALS_URL = 'https://www.ncei.noaa.gov/data/normals-daily/1991-2020/access'
export const NORMALS_BUCKET = 'https://noaa-normals-pds.s3.amazonaws.com'
export const NORMALS_PREFIX = 'normals-daily/1991-2020/access/'
export const GHCN_STATIONS_URL = 'https://www.ncei.noaa.gov/pub/data/ghcn/daily/ghcnd-stations.txt'

/** Measured size: the header of a real file has 6,100 bytes. */
const HEADER_BYTES = 16_384
/** Measured sizes: the table of all stations has 11 MB, a file of normals 461 KB. */
const MAX_LIST_BYTES = 64 * 1024 * 1024
const MAX_FILE_BYTES = 4 * 1024 * 1024

export interface NormalsDeps {
  readonly upstream: Upstream
  readonly objects: Objects
  readonly simulated: boolean
}

export interface LoadedStations extends GhcnStations {
  /** Stations with a file of normals that the table does not list. */
  readonly absent: number
}

/**
 * Returns the stations that have a file of normals, with their coordinates; stores the list at the first call.
 * @returns undefined if the list was already stored
 * @throws Fault of the upstream, Corrupt if fewer than half of the stations can be read
 */
export async function loadStationList(deps: NormalsDeps): Promise<LoadedStations | undefined> {
  const { upstream, objects, simulated } = deps
  const key = stationListKey(simulated)
  if ((await objects.size(key)) !== undefined && (await storedList(objects, key))) return undefined
  const listed = await upstream.list(NORMALS_BUCKET, NORMALS_PREFIX)
  const ids = new Set(
    listed.flatMap(
      ({ key: path }) => /\/([A-Za-z0-9_-]{11})\.csv$/.exec(`/${path.slice(NORMALS_PREFIX.length)}`)?.[1] ?? [],
    ),
  )
  if (ids.size === 0) {
    throw new Fault(
      'Corrupt',
      `${NORMALS_BUCKET}: none of ${listed.length} files has a name like ${NORMALS_PREFIX}USW….csv`,
    )
  }
  const { bytes } = await upstream.get(GHCN_STATIONS_URL, {
    maxBytes: MAX_LIST_BYTES,
    idleMs: 30_000,
    signal: AbortSignal.timeout(300_000),
  })
  const { stations, rejected } = readGhcnStations(new TextDecoder().decode(bytes), (id) => ids.has(id))
  if (stations.length < ids.size / 2) {
    throw new Fault(
      'Corrupt',
      `GHCN stations: expected the coordinates of ${ids.size} stations, but found ${stations.length}`,
    )
  }
  await objects.put(key, writeStationList(stations))
  return { stations, rejected, absent: ids.size - stations.length - rejected.length }
}

/** A corrupt list counts as absent. */
async function storedList(objects: Objects, key: string): Promise<readonly ClimateStation[] | undefined> {
  try {
    return readStationList(await objects.get(key))
  } catch (error) {
    if (isFault(error, 'Corrupt') || isFault(error, 'Missing')) return undefined
    throw error
  }
}

/** Stations whose headers are requested concurrently. */
const PROBES = 4

/**
 * Returns the normals of the first of these stations that has temperatures, from the object store or else from NCEI,
 * whose file is then stored permanently. A station without temperatures costs one request for its header and is stored
 * with no days; a whole file is fetched only for the first station with temperatures.
 * @returns undefined if no station has temperatures
 * @throws Fault of the upstream, Corrupt if a file is unreadable
 */
export async function firstWithTemperatures(
  deps: NormalsDeps,
  stations: readonly ClimateStation[],
  signal?: AbortSignal,
): Promise<StationNormals | undefined> {
  for (let from = 0; from < stations.length; from += PROBES) {
    const group = stations.slice(from, from + PROBES)
    const probes = await Promise.allSettled(group.map((station) => storedOrHeader(deps, station, signal)))
    for (const [i, probe] of probes.entries()) {
      if (probe.status === 'rejected') throw probe.reason
      const normals = 'days' in probe.value ? probe.value : await fetchArchive(deps, nth(group, i), probe.value, signal)
      if (normals.days.length > 0) return normals
    }
  }
  return undefined
}

interface ArchiveHeader {
  readonly url: string
  /** The server ignored the range and returned the whole file. */
  readonly archive?: Uint8Array
}

async function storedOrHeader(
  deps: NormalsDeps,
  station: ClimateStation,
  signal?: AbortSignal,
): Promise<StationNormals | ArchiveHeader> {
  const { objects, simulated, upstream } = deps
  try {
    return readStation(await objects.get(stationKey(simulated, station.id)))
  } catch (error) {
    if (!isFault(error, 'Missing') && !isFault(error, 'Corrupt')) throw error
  }
  let fault: Fault | undefined
  // The bucket is used because the robots.txt of www.ncei.noaa.gov disallows /data; the bucket has the same files.
  for (const base of [`${NORMALS_BUCKET}/${NORMALS_PREFIX}`, `${NORMALS_URL}/`]) {
    const url = `${base}${station.id}.csv`
    try {
      const head = await upstream.get(url, {
        range: [0, HEADER_BYTES - 1],
        maxBytes: MAX_FILE_BYTES,
        attempts: 1,
        idleMs: 3_000,
        signal,
      })
      const text = textOf(head.bytes)
      // An HTML page in place of the file must not be mistaken for a station without temperatures.
      if (!/^\uFEFF?"?STATION"?,/.test(text)) throw notNormals(url, head.bytes)
      if (!namesTemperatures(text)) return await store(deps, { station, days: [] })
      return { url, ...((head.size ?? Number.POSITIVE_INFINITY) <= head.bytes.length && { archive: head.bytes }) }
    } catch (error) {
      if (!isFault(error)) throw error
      fault = error
    }
  }
  throw fault!
}

async function fetchArchive(
  deps: NormalsDeps,
  station: ClimateStation,
  { url, archive }: ArchiveHeader,
  signal?: AbortSignal,
): Promise<StationNormals> {
  const bytes =
    archive ?? (await deps.upstream.get(url, { attempts: 2, idleMs: 5_000, maxBytes: MAX_FILE_BYTES, signal })).bytes
  const normals = readNormals(textOf(bytes))
  // Name, state and elevation as in the station table.
  return store(deps, { station, days: hasTemperatures(normals) ? normals.days : [] })
}

async function store({ objects, simulated }: NormalsDeps, normals: StationNormals): Promise<StationNormals> {
  await objects.put(stationKey(simulated, normals.station.id), writeStation(normals))
  return normals
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function notNormals(url: string, bytes: Uint8Array): Fault {
  const start = JSON.stringify(textOf(bytes.subarray(0, 60)))
  return new Fault('Corrupt', `${url}: the header must have STATION, but begins with ${start}`)
}
