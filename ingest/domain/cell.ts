import { latLngToCell } from 'h3-js'
import { Fault } from './fault.ts'

/** The model cells: those at one resolution that cover the 50 states and DC, in the order of their H3 index. */
export interface Cells {
  readonly resolution: number
  readonly count: number
  /** Compact ids (`idOfCell`), ascending. The children of a parent are one contiguous stretch. */
  readonly ids: Float64Array | Uint32Array
  /** Place of a cell in that order; -1 outside of the cover. */
  indexOf(cell: string): number
  /** The H3 index at a place. */
  cellAt(index: number): string
  /** Centres in degrees, lon within [-180, 180); computed at the first call (about 2 s for 2 million cells) and kept. */
  centres(): { readonly lat: Float64Array; readonly lon: Float64Array }
}

export const defaultResolution = 7

/** The H3 index of the cell that holds a point. */
export function cellOf(lat: number, lon: number, resolution: number = defaultResolution): string {
  return latLngToCell(lat, lon, resolution)
}

/** Loads the cover (once for a resolution). @throws Fault Invalid for a resolution other than 3 to 8 */
export function loadCells(resolution: number = defaultResolution): Cells {
  throw new Fault('Invalid', `cover at resolution ${resolution}: being built`)
}
