import type { DomainId } from '../domain/dataset.ts'
import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'

/** What the reader asks of the object store. */
export interface TileObjects {
  get(key: string): Promise<Uint8Array>
  range(key: string, from: number, length: number): Promise<Uint8Array>
}

export interface VariableAxis {
  /** Valid times, ascending: the end of the interval for variables that have a window. */
  readonly times: Float64Array
  /** Step of the held values, in the variable's unit. */
  readonly quantum: number
}

export interface Series extends VariableAxis {
  /** One per time; NaN where missing. */
  readonly values: Float32Array
}

/** Every variable and valid time that a run holds at one cell. */
export interface PointSeries {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly variables: ReadonlyMap<string, Series>
}

/** Where a value came from upstream. */
export interface Source {
  readonly url: string
  readonly from: number
  readonly length: number
}

export interface OpenRun {
  readonly manifestKey: string
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  /** Name of the stage: `h036`; a run's last stage holds everything of the earlier ones. */
  readonly stage: string
  /** H3 resolution of its cells. */
  readonly resolution: number
  readonly cellCount: number
  readonly variables: ReadonlyMap<string, VariableAxis>
  /**
   * Values at a cell (its H3 index); undefined where the run's grid does not hold the cell.
   * Cold: at most 2 ranged reads and 256 KB; warm: none.
   * @throws Fault Corrupt that names dataset, run, object and block; Missing or Refused as the store says
   */
  point(cell: string): Promise<PointSeries | undefined>
  /** Upstream's address of every field, by variable, in the order of its times; undefined where it was not recorded. */
  provenance(): Promise<ReadonlyMap<string, readonly (Source | undefined)[]>>
}

/** Opens a published stage. Small (one object of some 10 KB): keep the result by its key. */
export async function openRun(_objects: TileObjects, manifestKey: string): Promise<OpenRun> {
  throw new Fault('Missing', `manifest ${manifestKey}: being built`)
}
