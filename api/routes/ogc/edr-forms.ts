import { pause } from '../../../ingest/domain/pacer.ts'
import { coveragesOf, type PointGrid } from '../../dataset/coverages.ts'
import type { QueryAnswer } from '../../dataset/point-query.ts'
import { unitIn } from '../../dataset/variable-facts.ts'
import { longJson } from '../../present/long-json.ts'
import type { Table } from '../../present/table.ts'
import { tableIn } from '../../present/table-forms.ts'
import type { UnitSystem } from '../../present/units.ts'
import { mediaTypes } from '../../query/format.ts'
import type { Answer } from '../../route.ts'
import type { edrFormats } from './collections.ts'

interface EdrResult {
  readonly queryAnswer: Pick<QueryAnswer, 'rows' | 'points'>
  readonly variables: readonly string[]
  readonly units: UnitSystem
  /** The grid of a cube query. */
  readonly grid?: PointGrid
}

/** Returns the values of a query in one of the formats of EDR. */
export async function edrForm(
  format: (typeof edrFormats)[number],
  result: EdrResult,
): Promise<Pick<Answer, 'type' | 'body'>> {
  const type = mediaTypes[format]
  if (format === 'csv') return { type, body: await tableIn('csv', tableOf(result), pause) }
  return {
    type,
    body: await (format === 'geojson' ? featuresOf(result) : coveragesOf({ ...result.queryAnswer, ...result })),
  }
}

function featuresOf(result: EdrResult): Promise<Buffer> {
  const { variables, units } = result
  const labels = Object.fromEntries(variables.map((name) => [name, unitIn(name, units)]))
  return longJson({ type: 'FeatureCollection', units: labels }, 'features', eachFeature(result), pause)
}

function* eachFeature({ queryAnswer: { rows, points }, variables }: EdrResult): Generator<object> {
  for (const [index, time, ...values] of rows) {
    const { lat, lon, name, station_id } = pointAt(points, index)
    yield {
      type: 'Feature',
      id: `${station_id ?? index}/${time}`,
      geometry: { type: 'Point', coordinates: [lon, lat] },
      properties: {
        label: name,
        datetime: time,
        'parameter-name': variables,
        ...Object.fromEntries(variables.map((variable, v) => [variable, values[v]])),
      },
    }
  }
}

function pointAt<Point>(points: readonly Point[], index: unknown): Point {
  const point = points[Number(index)]
  if (!point) throw new Error(`a row names point ${index} of ${points.length}`)
  return point
}

function tableOf({ queryAnswer: { rows, points }, variables, units }: EdrResult): Table {
  return {
    columns: [
      { name: 'name', type: 'string', unit: null },
      { name: 'lat', type: 'number', unit: 'degrees' },
      { name: 'lon', type: 'number', unit: 'degrees' },
      { name: 'valid_time', type: 'time', unit: null },
      ...variables.map((name) => ({ name, type: 'number' as const, unit: unitIn(name, units) || null })),
    ],
    rows: rows.map(([index, ...values]) => {
      const { name, lat, lon } = pointAt(points, index)
      return [name, lat, lon, ...values]
    }),
  }
}
