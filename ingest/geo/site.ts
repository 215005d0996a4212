import { nth } from '../domain/nth.ts'
import { type PointTree, pointTree } from './sphere.ts'
import { once, table } from './table.ts'

export interface Radar {
  /** ICAO code of four letters, as in NEXRAD products: KFTG. */
  readonly icao: string
  /** Identifier without the first letter: FTG. */
  readonly id: string
  readonly name: string
  readonly state: string
  readonly lat: number
  readonly lon: number
  readonly elevation_m: number
}

export interface Station {
  /** The ICAO code. */
  readonly id: string
  readonly name: string
  readonly state: string
  readonly lat: number
  readonly lon: number
  readonly elevation_m: number | null
}

/** WSR-88D sites of the 50 states. */
export const radars = table(
  'radars',
  (cells): Radar => ({
    // The source has the prefix K, that of the conterminous states, for some radars in Alaska.
    icao: `${cells[2] === 'AK' ? 'P' : nth(cells, 0)[0]}${nth(cells, 0).slice(1)}`,
    id: nth(cells, 0).slice(1),
    // An example is `Fairbanks/Pedro Dome`, the office followed by the site.
    name: nth(cells, 1).split('/').at(-1)!,
    state: nth(cells, 2),
    lat: Number(cells[3]),
    lon: Number(cells[4]),
    elevation_m: Number(cells[5]),
  }),
)

/** Sites of the 50 states and DC that report METARs. */
export const stations = table(
  'stations',
  (cells): Station => ({
    id: nth(cells, 0),
    name: nth(cells, 1).trim(),
    state: nth(cells, 2),
    lat: Number(cells[3]),
    lon: Number(cells[4]),
    elevation_m: cells[5] === '' ? null : Number(cells[5]),
  }),
)

const byId = <T extends { id: string }>(rows: () => readonly T[]) =>
  once(() => new Map(rows().map((row) => [row.id, row])))
const stationIds = byId(stations)
const radarIds = byId(radars)
const stationTree = treeOf(stations)
const radarTree = treeOf(radars)

export type Away<T> = T & { readonly distance_km: number }

/** Returns the nearest stations that `accept` allows, nearest first, with distances to 0.1 km. */
export function nearStations(
  lat: number,
  lon: number,
  count = 1,
  km = Infinity,
  accept?: (station: Station) => boolean,
): Away<Station>[] {
  return near(stations(), stationTree(), lat, lon, count, km, accept)
}

export function nearRadars(lat: number, lon: number, count = 1, km = Infinity): Away<Radar>[] {
  return near(radars(), radarTree(), lat, lon, count, km)
}

export function nearestStation(lat: number, lon: number): Away<Station> {
  return nth(nearStations(lat, lon), 0)
}

export function nearestRadar(lat: number, lon: number): Away<Radar> {
  return nth(nearRadars(lat, lon), 0)
}

export function stationById(id: string): Station | undefined {
  return stationIds().get(id.toUpperCase())
}

/** Returns a radar by its identifier, such as `FTG` or `KFTG`. */
export function radarById(id: string): Radar | undefined {
  const code = id.toUpperCase()
  return radarIds().get(code.length === 4 ? code.slice(1) : code)
}

function treeOf(rows: () => readonly { lat: number; lon: number }[]): () => PointTree {
  return once(() =>
    pointTree(
      rows().map((row) => row.lat),
      rows().map((row) => row.lon),
    ),
  )
}

function near<T extends object>(
  rows: readonly T[],
  tree: PointTree,
  lat: number,
  lon: number,
  count: number,
  km: number,
  accept?: (row: T) => boolean,
): Away<T>[] {
  return tree
    .near(lat, lon, count, km, accept && ((index) => accept(nth(rows, index))))
    .map((neighbour) => ({ ...nth(rows, neighbour.index), distance_km: Math.round(neighbour.km * 10) / 10 }))
}
