import { cellOf, cellsAround, cellsIn, centreOf } from '../domain/cell.ts'
import type { Outline } from './outline.ts'

export interface CellCentre {
  readonly cell: string
  readonly lat: number
  readonly lon: number
}

/** Cells are looked for by groups of this resolution: 343 of resolution 7 each. */
const GROUP = 4
/** Mean area of a cell of resolution 0 is 4,357,449 km²; each finer one is a seventh. */
export const cellKm2 = (resolution: number): number => 4_357_449 / 7 ** resolution

/** Cells whose centres lie in an outline, group by group: neighbours come together. */
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
    const found: CellCentre[] = []
    for (const cell of cellsIn(group, resolution)) {
      const [lat, lon] = centreOf(cell)
      if (near.some((outline) => outline.contains(lat, lon))) found.push({ cell, lat, lon })
    }
    yield found
  }
}

/** Degrees between two places that groups are looked up at: shorter than the sides of a cell of resolution 4 (22 km). */
const STEP = 0.2

/** Groups that may have a cell in the outline: those under its box, and the ring around them. */
function groupsOver({ west, south, east, north }: Outline, resolution: number): Set<string> {
  const under = new Set<string>()
  for (let lat = south; lat < north + STEP; lat += STEP)
    for (let lon = west; lon < east + STEP; lon += STEP)
      under.add(cellOf(Math.min(lat, north), Math.min(lon, east), resolution))
  const groups = new Set<string>()
  for (const group of under) for (const near of cellsAround(group, 1)) groups.add(near)
  return groups
}

const KM_PER_DEGREE = 111.195

/** Area of an outline, from strips of a twentieth of a degree. */
export function areaKm2(outline: Outline): number {
  const strip = 0.05
  let sum = 0
  for (let lat = outline.south + strip / 2; lat < outline.north; lat += strip) {
    const lons = outline.crossings(lat)
    let width = 0
    for (let i = 0; i + 1 < lons.length; i += 2) width += lons[i + 1] - lons[i]
    sum += width * Math.cos((lat * Math.PI) / 180)
  }
  return sum * strip * KM_PER_DEGREE ** 2
}
