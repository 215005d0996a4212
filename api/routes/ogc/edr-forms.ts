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
  readonly found: Pick<QueryAnswer, 'rows' | 'points'>
  readonly variables: readonly string[]
  readonly units: UnitSystem
  /** Of a cube. */
  readonly grid?: PointGrid
}

/** Values of a query in one of the forms of EDR. */
export async function edrForm(
  format: (typeof edrFormats)[number],
  given: EdrResult,
): Promise<Pick<Answer, 'type' | 'body'>> {
  const type = mediaTypes[format]
  if (format === 'csv') return { type, body: await tableIn('csv', tableOf(given), pause) }
  return { type, body: await (format === 'geojson' ? featuresOf(given) : coveragesOf({ ...given.found, ...given })) }
}

function featuresOf(given: EdrResult): Promise<Buffer> {
  const { variables, units } = given
  const labels = Object.fromEntries(variables.map((name) => [name, unitIn(name, units)]))
  return longJson({ type: 'FeatureCollection', units: labels }, 'features', eachFeature(given), pause)
}

function* eachFeature({ found: { rows, points }, variables }: EdrResult): Generator<object> {
  for (const [index, time, ...values] of rows) {
    const { lat, lon, name, station_id } = points[index as number]!
    yield {
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
  }
}

function tableOf({ found: { rows, points }, variables, units }: EdrResult): Table {
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
