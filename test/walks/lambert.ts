import { nth } from '../../ingest/domain/nth.ts'

/**
 * The Lambert conformal projection with one standard parallel on a sphere, by formulas 15-1 to 15-5 of Snyder (1987). It is
 * independent of the product's own projection.
 */
export interface LambertNumbers {
  readonly radius: number
  /** Degrees. */
  readonly lat1: number
  readonly lon1: number
  readonly lov: number
  readonly latin: number
  /** Metres. */
  readonly step: number
}

const rad = Math.PI / 180

/** Returns the fractional grid indices of a place; rows run north. */
export function lambertIndex(grid: LambertNumbers, lat: number, lon: number): [i: number, j: number] {
  const [x0, y0] = project(grid, grid.lat1, grid.lon1)
  const [x, y] = project(grid, lat, lon)
  return [(x - x0) / grid.step, (y - y0) / grid.step]
}

function project({ radius, lov, latin }: LambertNumbers, lat: number, lon: number): [number, number] {
  const n = Math.sin(latin * rad)
  const t = (degrees: number) => Math.tan((45 + degrees / 2) * rad)
  const f = (Math.cos(latin * rad) * t(latin) ** n) / n
  const rho = (radius * f) / t(lat) ** n
  const theta = n * (((((lon - lov + 540) % 360) + 360) % 360) - 180) * rad
  return [rho * Math.sin(theta), -rho * Math.cos(theta)]
}

export function bilinear(values: ArrayLike<number>, nx: number, i: number, j: number): number {
  const [i0, j0] = [Math.floor(i), Math.floor(j)]
  const [u, v] = [i - i0, j - j0]
  const at = (di: number, dj: number) => nth(values, (j0 + dj) * nx + i0 + di)
  return (1 - v) * ((1 - u) * at(0, 0) + u * at(1, 0)) + v * ((1 - u) * at(0, 1) + u * at(1, 1))
}

export function nearest(values: ArrayLike<number>, nx: number, i: number, j: number): number {
  return nth(values, Math.round(j) * nx + Math.round(i))
}
