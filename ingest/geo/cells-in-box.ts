import { cellOfId, centreOf, loadCells } from '../domain/cell.ts'
import { pause } from '../domain/pacer.ts'

/** West, south, east and north in degrees; west is greater than east across the antimeridian. */
type DegreeBox = readonly [west: number, south: number, east: number, north: number]

/** Levels from a cell up to the group whose centre is tested first; a group has 343 cells. */
const GROUP_LEVELS = 3
/** Mean length of a cell's side at resolution 0, km; at each finer resolution it is shorter by the square root of 7. */
const SIDE_KM = 1281.26
const KM_PER_DEGREE = 111.195

/**
 * Returns the ids of the model cells whose centres lie in a box, ascending, as `idOfCell` numbers them. Only the centres of cells near the
 * border are computed: 0.3 s for the contiguous states at resolution 7, where the centres of all cells take 2.5 s.
 */
export async function cellsInBox(box: DegreeBox, resolution: number): Promise<Uint32Array> {
  const { ids } = loadCells(resolution)
  const levels = Math.min(GROUP_LEVELS, resolution)
  // No cell of a group is farther from the group's centre than twice its side.
  const margin = (2 * SIDE_KM) / Math.sqrt(7) ** (resolution - levels) / KM_PER_DEGREE
  const inside = new Uint32Array(ids.length)
  let count = 0
  let group = -1
  let depth = 0
  for (const id of ids) {
    const parent = Math.floor(id / 8 ** levels)
    if (parent !== group) {
      await pause()
      group = parent
      depth = depthIn(box, centreOf(cellOfId(parent, resolution - levels)))
    }
    if (depth < -margin) continue
    if (depth > margin || isInside(box, centreOf(cellOfId(id, resolution)))) inside[count++] = id
  }
  return inside.slice(0, count)
}

/** Returns the distance of a point from the nearest side of a box, in degrees of latitude; negative outside. */
function depthIn([west, south, east, north]: DegreeBox, [lat, lon]: readonly [number, number]): number {
  const width = (east - west + 360) % 360
  const offset = (lon - west + 720) % 360
  const across = offset <= width ? Math.min(offset, width - offset) : -Math.min(offset - width, 360 - offset)
  return Math.min(lat - south, north - lat, across * Math.cos((lat * Math.PI) / 180))
}

function isInside([west, south, east, north]: DegreeBox, [lat, centreLon]: readonly [number, number]): boolean {
  const lon = centreLon >= 180 ? centreLon - 360 : centreLon
  return lat >= south && lat <= north && (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east)
}
