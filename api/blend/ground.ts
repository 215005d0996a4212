import type { PointSeries } from '../../ingest/tile/read.ts'
import { terrainSources } from './field-table.ts'

/** Height of the ground above sea level, m, by the first source that has it; NaN if none has it. */
export function groundOf(sources: ReadonlyMap<string, readonly PointSeries[]>): number {
  for (const dataset of terrainSources) {
    for (const { variables } of sources.get(dataset) ?? []) {
      const height = variables.get('terrain_height')?.values[0] ?? Number.NaN
      if (!Number.isNaN(height)) return height
    }
  }
  return Number.NaN
}
