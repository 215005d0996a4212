import type { UnitSystem } from '../present/units.ts'
import type { Filter } from './area-read.ts'
import type { Where } from './where.ts'

/** A query of a dataset: its places, its variables, and the statistics over them. */
export interface DatasetQuery extends Where {
  readonly dataset_id: string
  readonly variables: readonly string[]
  /** States, counties or zones by name. */
  readonly areas?: readonly string[]
  /** Corners as [lon, lat], degrees. */
  readonly polygon?: readonly (readonly number[])[]
  readonly aggregate?: {
    readonly over?: 'time' | 'day' | 'space' | 'area' | 'all'
    readonly functions: readonly string[]
  }
  readonly filters?: readonly Filter[]
  readonly units: UnitSystem
}
