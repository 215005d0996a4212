import { wrap } from './earth.ts'
import type { Lattice } from './plane.ts'

/** The axes of a regular latitude–longitude grid, in degrees. */
export interface Axes {
  readonly lat1: number
  readonly lon1: number
  /** Signed steps, degrees per row or column. */
  readonly latStep: number
  readonly lonStep: number
}

/** Returns the columns from lon1 to a longitude; of its equivalents, the one nearest to the grid is used. */
export function column(lon: number, lon1: number, lonStep: number, nx: number): number {
  const ahead = ((((lon - lon1) * Math.sign(lonStep)) % 360) + 360) % 360
  const span = (nx - 1) * Math.abs(lonStep)
  const offset = ahead > span + (360 - span) / 2 ? ahead - 360 : ahead
  return offset / Math.abs(lonStep)
}

export function latLon({ lat1, lon1, latStep, lonStep }: Axes, nx: number): Lattice {
  return {
    toLatLon: (i, j) => [lat1 + j * latStep, wrap(lon1 + i * lonStep)],
    toIndex: (lat, lon) => [column(lon, lon1, lonStep, nx), (lat - lat1) / latStep],
    windRotation: () => 0,
  }
}
