import { wrap } from './earth.ts'
import { column } from './lat-lon.ts'
import type { Lattice } from './plane.ts'

const latitudesByCount = new Map<number, Float64Array>()

/** The 2n Gaussian latitudes in degrees from north to south: arcsines of the roots of the Legendre polynomial P_2n. */
export function gaussianLatitudes(n: number): Float64Array {
  const known = latitudesByCount.get(n)
  if (known) return known
  const rows = 2 * n
  const latitudes = new Float64Array(rows)
  for (let k = 0; k < n; k++) {
    let x = Math.cos((Math.PI * (k + 0.75)) / (rows + 0.5))
    for (let turn = 0; turn < 20; turn++) {
      let p0 = 1
      let p1 = x
      for (let degree = 2; degree <= rows; degree++) {
        const p2 = ((2 * degree - 1) * x * p1 - (degree - 1) * p0) / degree
        p0 = p1
        p1 = p2
      }
      const slope = (rows * (p0 - x * p1)) / (1 - x * x)
      const move = p1 / slope
      x -= move
      if (Math.abs(move) < 1e-15) break
    }
    latitudes[k] = (Math.asin(x) * 180) / Math.PI
    latitudes[rows - 1 - k] = -latitudes[k]!
  }
  if (latitudesByCount.size > 16) latitudesByCount.clear()
  latitudesByCount.set(n, latitudes)
  return latitudes
}

export interface GaussianAxes {
  /** Number of parallels between a pole and the equator. */
  readonly n: number
  readonly lat1: number
  readonly lon1: number
  readonly lonStep: number
  /** Whether rows run from south to north. */
  readonly northward: boolean
}

/** A regular Gaussian grid (3.40), global or a part: the first row is the Gaussian latitude nearest to lat1. */
export function gaussian({ n, lat1, lon1, lonStep, northward }: GaussianAxes, nx: number, ny: number): Lattice {
  const all = gaussianLatitudes(n)
  let first = 0
  for (let k = 1; k < all.length; k++) if (Math.abs(all[k]! - lat1) < Math.abs(all[first]! - lat1)) first = k
  const rows = Float64Array.from({ length: ny }, (_, j) => all[first + (northward ? -j : j)] ?? Number.NaN)
  const latitude = (j: number) => {
    const j0 = Math.max(0, Math.min(ny - 2, Math.floor(j)))
    return ny < 2 ? rows[0]! : rows[j0]! + (j - j0) * (rows[j0 + 1]! - rows[j0]!)
  }
  const row = (lat: number) => {
    if (ny < 2) return 0
    let low = 0
    let high = ny - 1
    const rising = rows[1]! > rows[0]!
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (rising === lat >= rows[middle]!) low = middle
      else high = middle
    }
    return low + (lat - rows[low]!) / (rows[low + 1]! - rows[low]!)
  }
  return {
    toLatLon: (i, j) => [latitude(j), wrap(lon1 + i * lonStep)],
    toIndex: (lat, lon) => [column(lon, lon1, lonStep, nx), row(lat)],
    windRotation: () => 0,
  }
}
