import { pause } from '../../ingest/domain/pacer.ts'
import { coverageCollection, gridCoverage, type PointCoverage } from '../present/coverage.ts'
import type { TableCell } from '../present/table.ts'
import type { UnitSystem } from '../present/units.ts'
import { factsOf, unitIn } from './variable-facts.ts'
import type { QueryPoint } from './where.ts'

/** A regular grid of points, row by row from the south. */
export interface PointGrid {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

interface PointRows {
  /** `[point, valid_time, values…]`, point by point. */
  readonly rows: readonly (readonly TableCell[])[]
  readonly points: readonly QueryPoint[]
  readonly variables: readonly string[]
  readonly units: UnitSystem
  /** The grid of a cube; absent for other queries. */
  readonly grid?: PointGrid | undefined
}

/** Values of points as CoverageJSON: one coverage for each point that has values, or one coverage for a grid. */
export async function coveragesOf(table: PointRows): Promise<Buffer> {
  const { variables, units, grid } = table
  const parameters = variables.map((name) => {
    const { description, standard_name: standardName } = factsOf(name, [])
    return { name, unit: unitIn(name, units), description, standardName }
  })
  if (!grid) return coverageCollection(seriesOf(table), parameters, pause)
  const byIndex = new Map<number, PointCoverage>()
  for (const coverage of seriesOf(table)) {
    byIndex.set(coverage.index, coverage)
    await pause()
  }
  return gridCoverage(grid, byIndex, parameters, pause)
}

/** The values of each point that has values, in the order of the rows. */
function* seriesOf({ rows, points, variables }: PointRows): Generator<PointCoverage & { readonly index: number }> {
  for (const [index, own] of Map.groupBy(rows, ([point]) => point as number)) {
    const point = points[index]
    if (!point) continue
    yield {
      index,
      lat: point.lat as number,
      lon: point.lon as number,
      times: own.map(([, time]) => Date.parse(String(time))),
      data: Object.fromEntries(variables.map((name, v) => [name, own.map((row) => row[v + 2] as number | null)])),
    }
  }
}
