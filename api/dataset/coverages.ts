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
  /** Of a cube. */
  readonly grid?: PointGrid | undefined
}

/** Values of points as CoverageJSON: one coverage for each point that has some, or one of a grid. */
export async function coveragesOf(found: PointRows): Promise<Buffer> {
  const { variables, units, grid } = found
  const parameters = variables.map((name) => {
    const { description, standard_name: standardName } = factsOf(name, [])
    return { name, unit: unitIn(name, units), description, standardName }
  })
  if (!grid) return coverageCollection(seriesOf(found), parameters, pause)
  const byIndex = new Map<number, PointCoverage>()
  for (const one of seriesOf(found)) {
    byIndex.set(one.index, one)
    await pause()
  }
  return gridCoverage(grid, byIndex, parameters, pause)
}

/** The values of each point that has some, in the order of the rows. */
function* seriesOf({ rows, points, variables }: PointRows): Generator<PointCoverage & { readonly index: number }> {
  for (let first = 0, after = 0; first < rows.length; first = after) {
    const index = rows[first]![0] as number
    while (after < rows.length && rows[after]![0] === index) after++
    const own = rows.slice(first, after)
    yield {
      index,
      lat: points[index]!.lat as number,
      lon: points[index]!.lon as number,
      times: own.map(([, time]) => Date.parse(String(time))),
      data: Object.fromEntries(variables.map((name, v) => [name, own.map((row) => row[v + 2] as number | null)])),
    }
  }
}
