import { nth } from '../domain/nth.ts'
import type { Ring } from '../domain/shape/ring.ts'

/** A ring with its box, and with its sides in bands of latitude from the south. A point is compared only with the sides in its band. */
interface RingBands {
  readonly bands: readonly Side[][]
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

type Side = readonly [ax: number, ay: number, bx: number, by: number]

/** Approximate number of sides in a band. */
const SIDES_OF_BAND = 16

/** Approximate number of corners that are tested to decide whether a ring lies in another ring. */
const TESTED_CORNERS = 9

/**
 * Groups rings into polygons, in any order: each outline is followed by its holes. Outlines are counterclockwise, holes clockwise (RFC
 * 7946).
 */
export function polygonsOf(rings: readonly Ring[]): Ring[][] {
  const sized = rings.map((ring) => ({ ring, area: area(ring) })).sort((a, b) => Math.abs(b.area) - Math.abs(a.area))
  const polygons: { outline: RingBands; parts: Ring[]; holes: RingBands[] }[] = []
  for (const { ring, area: signed } of sized) {
    const around = polygons.filter(({ outline }) => mostlyInside(ring, outline))
    const holes = around.reduce((sum, { holes }) => sum + holes.filter((hole) => mostlyInside(ring, hole)).length, 0)
    const isHole = (around.length + holes) % 2 === 1
    const turned = signed > 0 === isHole ? ring.toReversed() : ring
    const outline = outlineOf(turned)
    if (!isHole) polygons.push({ outline, parts: [turned], holes: [] })
    else {
      around.at(-1)!.parts.push(turned)
      around.at(-1)!.holes.push(outline)
    }
  }
  return polygons.map(({ parts }) => parts)
}

function area(ring: Ring): number {
  let sum = 0
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++)
    sum += nth(ring, j)[0] * nth(ring, i)[1] - nth(ring, i)[0] * nth(ring, j)[1]
  return sum / 2
}

function outlineOf(ring: Ring): RingBands {
  let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [x, y] of ring) {
    if (x < west) west = x
    if (x > east) east = x
    if (y < south) south = y
    if (y > north) north = y
  }
  const count = Math.ceil(ring.length / SIDES_OF_BAND)
  const bands = Array.from({ length: count }, (): Side[] => [])
  const box = { bands, west, east, south, north }
  let [bx, by] = nth(ring, ring.length - 1)
  for (const [ax, ay] of ring) {
    const [first, last] = [bandOf(box, Math.min(ay, by)), bandOf(box, Math.max(ay, by))]
    for (let band = first; band <= last; band++) nth(bands, band).push([ax, ay, bx, by])
    bx = ax
    by = ay
  }
  return box
}

/** Returns the band of a latitude. Sides and points use the same function, so that rounding is the same for both. */
const bandOf = ({ bands, south, north }: RingBands, y: number) =>
  north > south ? Math.min(bands.length - 1, Math.floor(((y - south) / (north - south)) * bands.length)) : 0

/**
 * Returns whether most of a ring lies inside another ring, so that it is a hole. Simplified outlines overlap at their edges: an islet with
 * one corner on the mainland is not a lake.
 */
function mostlyInside(ring: Ring, around: RingBands): boolean {
  const step = Math.max(1, Math.floor(ring.length / TESTED_CORNERS))
  const half = Math.ceil(ring.length / step) / 2
  let within = 0
  let without = 0
  // Most rings lie completely inside or completely outside the other, so the loop ends when half of the corners agree.
  for (let i = 0; i < ring.length && within <= half && without < half; i += step) {
    if (inside(nth(ring, i), around)) within++
    else without++
  }
  return within > half
}

function inside([x, y]: readonly [number, number], outline: RingBands): boolean {
  const { bands, west, east, south, north } = outline
  if (x < west || x > east || y < south || y > north) return false
  let odd = false
  for (const [ax, ay, bx, by] of nth(bands, bandOf(outline, y)))
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd
  return odd
}
