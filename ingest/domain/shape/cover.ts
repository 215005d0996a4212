import { cellOf, cellsAround, cellsWithin, parentOf } from '../cell.ts'
import { nth } from '../nth.ts'
import { boxOf, covers, type MultiPolygon, type Polygon, type Position, type Ring } from './ring.ts'

/** H3 resolution of covers. A cell has 250 km², and 8.5 km from its centre to a corner. */
export const COVER_RESOLUTION = 5
/** Resolution of the cells in change notifications. */
export const NOTIFY_RESOLUTION = 4
/** Distance of samples along a border, degrees: well below the inner radius of a cell (7.3 km). */
const SAMPLE_STEP_DEGREES = 0.05

/**
 * Returns the H3 cells that a multipolygon touches, and the neighbours of its border cells, which is a superset. A lookup in the cover is
 * one map access; a hit is then tested exactly.
 */
export function coverOf(area: MultiPolygon): string[] {
  const cells = new Set<string>()
  for (const polygon of area) {
    const looked = polygon.map(sampled)
    const border = new Set<string>()
    for (const ring of looked) for (const [lon, lat] of ring) border.add(cellOf(lat, lon, COVER_RESOLUTION))
    for (const cell of border) for (const near of cellsAround(cell, 1)) cells.add(near)
    const rings = (nth(looked, 0).length >= 4 ? looked.filter((ring) => ring.length >= 4) : []).map((ring) =>
      ring.map(([lon, lat]) => [lon, lat]),
    )
    const [west, south, east, north] = boxOf([polygon])
    // For an area smaller than a cell, or without width, the cells of the border are sufficient.
    if (rings.length === 0 || east - west < SAMPLE_STEP_DEGREES || north - south < SAMPLE_STEP_DEGREES) continue
    for (const cell of inside(rings, polygon)) cells.add(cell)
  }
  return [...cells].sort()
}

/**
 * Returns the approximate number of samples along the borders of an area. The cost of its cover grows with samples and cells. The county
 * with the longest coast has 1,900 samples, a warning of five by five degrees has 400.
 */
export function borderSteps(area: MultiPolygon): number {
  let steps = 0
  for (const polygon of area)
    for (const ring of polygon) {
      steps += 1
      for (let i = 1; i < ring.length; i++)
        steps +=
          Math.hypot(nth(ring, i)[0] - nth(ring, i - 1)[0], nth(ring, i)[1] - nth(ring, i - 1)[1]) / SAMPLE_STEP_DEGREES
    }
  return steps
}

/**
 * Maximum number of samples of an area. An alert or discussion, whose corners a person has drawn, takes at most 0.2 s; a zone takes at most
 * 2 s.
 */
export const MAX_BORDER_STEPS = { drawn: 2000, zone: 6000 }

/**
 * Returns the cells whose centres lie in the area. H3 rejects some rings that touch themselves; every candidate is then tested separately.
 */
function inside(rings: number[][][], polygon: Polygon): string[] {
  try {
    return cellsWithin(rings, COVER_RESOLUTION)
  } catch {
    const cells: string[] = []
    const [west, south, east, north] = boxOf([polygon])
    for (let lat = south; lat <= north; lat += SAMPLE_STEP_DEGREES) {
      for (let lon = west; lon <= east; lon += SAMPLE_STEP_DEGREES)
        if (covers([polygon], lon, lat)) cells.push(cellOf(lat, lon, COVER_RESOLUTION))
    }
    return cells
  }
}

/** Returns a ring with a corner about every step. Long straight borders get additional corners, and coasts lose some. */
function sampled(ring: Ring): Position[] {
  const corners: Position[] = []
  let last: Position | undefined
  for (const corner of ring) {
    if (last) {
      // A degree of longitude becomes shorter towards the pole, but H3 cells do not.
      const dx = (corner[0] - last[0]) * Math.cos((corner[1] * Math.PI) / 180)
      const dy = corner[1] - last[1]
      const parts = Math.hypot(dx, dy) / SAMPLE_STEP_DEGREES
      if (parts < 1 && corner !== ring.at(-1)) continue
      for (let i = 1; i < parts; i++) {
        corners.push([last[0] + ((corner[0] - last[0]) * i) / parts, last[1] + ((corner[1] - last[1]) * i) / parts])
      }
    }
    corners.push(corner)
    last = corner
  }
  return corners
}

/** Returns the parents of a cover, which are the cells in change notifications. */
export function coarsened(cover: Iterable<string>): string[] {
  const coarse = new Set<string>()
  for (const cell of cover) coarse.add(parentOf(cell, NOTIFY_RESOLUTION))
  return [...coarse].sort()
}
