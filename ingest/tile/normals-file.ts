import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { Fault } from '../domain/fault.ts'
import { nth } from '../domain/nth.ts'
import type { ClimateStation, DailyNormal, StationNormals } from '../domain/weather/climate.ts'

/** The normals of stations in the object store: small JSON documents in brotli, one for the list of stations and one for each station. */

const VERSION = 1
const LEAP_DAYS = 366
/** Measured sizes: the list of 15,624 stations takes 1.1 MB, a station 40 KB. */
const MAX_JSON_BYTES = 16 * 1024 * 1024

/** Simulated and real normals never share a key. */
const folder = (simulated: boolean) => `climate/normals-1991-2020${simulated ? '-simulated' : ''}`

export const stationListKey = (simulated: boolean) => `${folder(simulated)}/stations.json.br`
export const stationKey = (simulated: boolean, id: string) => `${folder(simulated)}/${id}.json.br`

const members = [
  'high',
  'low',
  'mean',
  'highStddev',
  'lowStddev',
  'meanStddev',
  'precip',
  'years',
  'completeness',
] as const satisfies readonly (keyof DailyNormal)[]

/** Brotli quality 5: a station is written once, while a request waits for it. */
function packed(value: unknown): Uint8Array {
  return brotliCompressSync(JSON.stringify(value), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}

function unpacked(bytes: Uint8Array, what: string): Record<string, unknown> {
  try {
    const text = brotliDecompressSync(bytes, { maxOutputLength: MAX_JSON_BYTES }).toString()
    const value = JSON.parse(text) as Record<string, unknown>
    if (value['version'] === VERSION) return value
  } catch (error) {
    throw new Fault('Corrupt', `${what}: not readable as JSON compressed with brotli. Remove the object.`, {}, error)
  }
  throw new Fault('Corrupt', `${what}: the version must be ${VERSION}, but is different. Remove the object.`)
}

export function writeStationList(stations: readonly ClimateStation[]): Uint8Array {
  return packed({
    version: VERSION,
    stations: stations.map(({ id, name, state, lat, lon, elevation }) => [
      id,
      name,
      state ?? null,
      lat,
      lon,
      elevation,
    ]),
  })
}

/** @throws Fault Corrupt */
export function readStationList(bytes: Uint8Array): ClimateStation[] {
  const { stations } = unpacked(bytes, 'list of climate stations')
  if (!Array.isArray(stations))
    throw new Fault('Corrupt', 'list of climate stations: "stations" must be an array, but is not')
  return (stations as [string, string, string | null, number, number, number | null][]).map(
    ([id, name, state, lat, lon, elevation]) => ({ id, name, ...(state && { state }), lat, lon, elevation }),
  )
}

/** A station without temperatures is stored without days, so that it is not requested again. */
export function writeStation({ station, days }: StationNormals): Uint8Array {
  return packed({ version: VERSION, station, days: members.map((member) => days.map((day) => day[member])) })
}

/** @throws Fault Corrupt */
export function readStation(bytes: Uint8Array): StationNormals {
  const { station, days } = unpacked(bytes, 'normals of a station') as unknown as {
    station: ClimateStation
    days: (number | string | null)[][]
  }
  const count = days?.[0]?.length
  if (!station?.id || days.length !== members.length || (count !== 0 && count !== LEAP_DAYS)) {
    throw new Fault(
      'Corrupt',
      'normals of a station: the station or one of its 366 days is missing. Remove the object.',
    )
  }
  return {
    station,
    days: Array.from({ length: count }, (_, at) =>
      Object.fromEntries(members.map((member, m) => [member, nth(days, m)[at] ?? null])),
    ) as unknown as DailyNormal[],
  }
}
