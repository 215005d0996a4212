import type { QueryAnswer } from '../../dataset/point-query.ts'
import { factsOf, unitIn } from '../../dataset/variable-facts.ts'
import { coverageCollection, gridCoverage, type PointCoverage } from '../../present/coverage.ts'
import type { Table } from '../../present/table.ts'
import { tableIn } from '../../present/table-forms.ts'
import type { UnitSystem } from '../../present/units.ts'
import { mediaTypes } from '../../query/format.ts'
import type { Answer } from '../../route.ts'
import type { edrFormats } from './collections.ts'

/** A regular grid of points, row by row from the south. */
export interface Grid {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

interface Given {
  readonly found: Pick<QueryAnswer, 'rows' | 'points'>
  readonly variables: readonly string[]
  readonly units: UnitSystem
  /** Of a cube. */
  readonly grid?: Grid
}

/** Values of a query in one of the forms of EDR. */
export async function edrForm(
  format: (typeof edrFormats)[number],
  given: Given,
): Promise<Pick<Answer, 'type' | 'body'>> {
  const type = mediaTypes[format]
  if (format === 'csv') return { type, body: await tableIn('csv', tableOf(given)) }
  const body = format === 'geojson' ? featuresOf(given) : coveragesOf(given)
  return { type, body: JSON.stringify(body) }
}

/** The values of each point that has some; rows are `[point, valid_time, values…]`, point by point. */
function seriesOf({ found: { rows, points }, variables }: Given): (PointCoverage & { readonly index: number })[] {
  const byPoint = Map.groupBy(rows, ([index]) => index as number)
  return [...byPoint].map(([index, own]) => ({
    index,
    lat: points[index]!.lat as number,
    lon: points[index]!.lon as number,
    times: own.map(([, time]) => Date.parse(String(time))),
    data: Object.fromEntries(variables.map((name, v) => [name, own.map((row) => row[v + 2] as number | null)])),
  }))
}

function coveragesOf(given: Given): object {
  const { variables, units, grid } = given
  const series = seriesOf(given)
  const parameters = variables.map((name) => {
    const { description, standard_name: standardName } = factsOf(name, [])
    return { name, unit: unitIn(name, units), description, standardName }
  })
  return grid
    ? gridCoverage(grid, new Map(series.map((one) => [one.index, one])), parameters)
    : coverageCollection(series, parameters)
}

function featuresOf({ found: { rows, points }, variables, units }: Given): object {
  return {
    type: 'FeatureCollection',
    features: rows.map(([index, time, ...values]) => {
      const { lat, lon, name, station_id } = points[index as number]!
      return {
        type: 'Feature',
        id: `${station_id ?? index}/${time}`,
        geometry: { type: 'Point', coordinates: [lon, lat] },
        properties: {
          label: name,
          datetime: time,
          'parameter-name': variables,
          ...Object.fromEntries(variables.map((one, v) => [one, values[v]])),
        },
      }
    }),
    units: Object.fromEntries(variables.map((name) => [name, unitIn(name, units)])),
  }
}

function tableOf({ found: { rows, points }, variables, units }: Given): Table {
  return {
    columns: [
      { name: 'name', type: 'string', unit: null },
      { name: 'lat', type: 'number', unit: 'degrees' },
      { name: 'lon', type: 'number', unit: 'degrees' },
      { name: 'valid_time', type: 'time', unit: null },
      ...variables.map((name) => ({ name, type: 'number' as const, unit: unitIn(name, units) || null })),
    ],
    rows: rows.map(([index, ...rest]) => {
      const { name, lat, lon } = points[index as number]!
      return [name, lat, lon, ...rest]
    }),
  }
}
