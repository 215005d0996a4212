import { cellOf, cellsAround, cellsIn, centreOf } from '../domain/cell.ts'
import { nth } from '../domain/nth.ts'
import type { Outline } from './outline.ts'

export interface CellCentre {
  readonly cell: string
  readonly lat: number
  readonly lon: number
}

/** Resolution of the groups in which cells are searched; a group has 343 cells of resolution 7. */
const GROUP = 4
/** Returns the mean area of a cell, km²: 4,357,449 km² at resolution 0, and a seventh of the coarser cell at each finer resolution. */
export const cellKm2 = (resolution: number): number => 4_357_449 / 7 ** resolution

/** Yields the cells whose centres lie in an outline, group by group, so that consecutive cells are neighbours. */
export function* cellsInside(outlines: readonly Outline[], resolution: number): Generator<CellCentre[]> {
  const groups = new Map<string, Outline[]>()
  for (const outline of outlines) {
    for (const group of groupsOver(outline, Math.min(GROUP, resolution))) {
      const list = groups.get(group)
      if (list) list.push(outline)
      else groups.set(group, [outline])
    }
  }
  for (const group of [...groups.keys()].sort()) {
    const near = groups.get(group) as Outline[]
    const centres: CellCentre[] = []
    for (const cell of cellsIn(group, resolution)) {
      const [lat, lon] = centreOf(cell)
      if (near.some((outline) => outline.contains(lat, lon))) centres.push({ cell, lat, lon })
    }
    yield centres
  }
}

/**
 * Returns the distance of the points at which groups are searched, degrees. It is shorter than the side of a cell of resolution 4 (22 km)
 * or 3 (58 km).
 */
const stepOf = (resolution: number) => (resolution < GROUP ? 0.5 : 0.2)

/**
 * Returns the work that an outline causes: the number of points at which groups are searched, and of cells in its box. It depends on the
 * box, not on the area: a wide box around a small area costs as much as a wide area.
 */
export function effortOf({ west, south, east, north }: Outline, resolution: number): { places: number; cells: number } {
  const step = stepOf(resolution)
  const widest = Math.cos((Math.max(0, south > 0 ? south : north < 0 ? -north : 0) * Math.PI) / 180)
  const km2 = (north - south) * (east - west) * widest * KM_PER_DEGREE ** 2
  return {
    places: (Math.ceil((north - south) / step) + 1) * (Math.ceil((east - west) / step) + 1),
    cells: km2 / cellKm2(resolution),
  }
}

/** Returns the groups that may have a cell in the outline: the groups in its box and the groups next to them. */
function groupsOver({ west, south, east, north }: Outline, resolution: number): Set<string> {
  const under = new Set<string>()
  const step = stepOf(resolution)
  for (let lat = south; lat < north + step; lat += step)
    for (let lon = west; lon < east + step; lon += step)
      under.add(cellOf(Math.min(lat, north), Math.min(lon, east), resolution))
  const groups = new Set<string>()
  for (const group of under) for (const near of cellsAround(group, 1)) groups.add(near)
  return groups
}

const KM_PER_DEGREE = 111.195

/** Returns the area of an outline in km², computed from strips of a twentieth of a degree. */
export function areaKm2(outline: Outline): number {
  const strip = 0.05
  let sum = 0
  for (let lat = outline.south + strip / 2; lat < outline.north; lat += strip) {
    const lons = outline.crossings(lat)
    let width = 0
    for (let i = 0; i + 1 < lons.length; i += 2) width += nth(lons, i + 1) - nth(lons, i)
    sum += width * Math.cos((lat * Math.PI) / 180)
  }
  return sum * strip * KM_PER_DEGREE ** 2
}
