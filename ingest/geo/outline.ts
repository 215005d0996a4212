import { nth } from '../domain/nth.ts'
import type { Ring } from '../domain/shape/ring.ts'

/** An outline with many corners for even-odd tests. Its edges are indexed by bands of latitude; coordinates are in degrees. */
export interface Outline {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  contains(lat: number, lon: number): boolean
  /** Returns the longitudes at which a parallel crosses the outline, ascending. The inside lies between each even index and the next. */
  crossings(lat: number): number[]
}

const BAND = 0.05

/** Builds an outline from rings of `[lon, lat]`, closed or not; holes are ordinary rings. */
export function outlineOf(rings: readonly Ring[]): Outline {
  const bands = new Map<number, number[]>()
  const edges: number[] = []
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const ring of rings) {
    for (const [i, [x2, y2]] of ring.entries()) {
      const [x1, y1] = nth(ring, i === 0 ? ring.length - 1 : i - 1)
      west = Math.min(west, x2)
      east = Math.max(east, x2)
      south = Math.min(south, y2)
      north = Math.max(north, y2)
      if (y1 === y2) continue
      const edge = edges.push(x1, y1, x2, y2) - 4
      const last = Math.floor(Math.max(y1, y2) / BAND)
      for (let band = Math.floor(Math.min(y1, y2) / BAND); band <= last; band++) {
        const list = bands.get(band)
        if (list) list.push(edge)
        else bands.set(band, [edge])
      }
    }
  }
  const none: number[] = []
  const near = (lat: number) => bands.get(Math.floor(lat / BAND)) ?? none
  /** Returns the longitude at which an edge crosses a parallel; NaN if it does not. */
  const crossing = (edge: number, lat: number) => {
    const [x1, y1, x2, y2] = [nth(edges, edge), nth(edges, edge + 1), nth(edges, edge + 2), nth(edges, edge + 3)]
    return y1 > lat === y2 > lat ? Number.NaN : x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1)
  }
  return {
    west,
    south,
    east,
    north,
    contains(lat, lon) {
      if (lat < south || lat > north || lon < west || lon > east) return false
      let odd = false
      for (const edge of near(lat)) if (lon < crossing(edge, lat)) odd = !odd
      return odd
    },
    crossings: (lat) =>
      near(lat)
        .map((edge) => crossing(edge, lat))
        .filter((lon) => !Number.isNaN(lon))
        .sort((a, b) => a - b),
  }
}
