import { isoSeconds } from '../../ingest/domain/time.ts'
import { coverage } from '../../ingest/geo/coverage.ts'
import type { TableCell, TableColumn } from '../present/table.ts'
import type { DatasetQuery } from './dataset-query.ts'
import { needsNumbers, type Occurrence, Sample } from './sample.ts'
import { findSpot } from './spot.ts'
import { quantityIn, unitIn } from './variable-facts.ts'

/** Names of the functions of `aggregate`. */
export const functionPattern = /^(min|max|mean|sum|median|stddev|count|argmin|argmax|p[1-9]\d?)$/
const isExtreme = (name: string) => name === 'argmin' || name === 'argmax'

const functionsOf = ({ aggregate }: DatasetQuery): readonly string[] => aggregate?.functions ?? []

/** An empty sample for each requested variable. */
export function newSamples(query: DatasetQuery): Sample[] {
  const keepNumbers = needsNumbers(functionsOf(query))
  return query.variables.map((name) => new Sample({ keepNumbers, circular: quantityIn(name) === 'direction' }))
}

/**
 * Returns the columns of the statistics. An extreme has four additional columns: its time, latitude, longitude and
 * place name.
 */
export function statisticColumns(query: DatasetQuery): TableColumn[] {
  return query.variables.flatMap((name) =>
    functionsOf(query).flatMap((functionName): TableColumn[] => {
      const column = `${name}_${functionName}`
      if (isExtreme(functionName))
        return [
          { name: `${column}_time`, type: 'string', unit: null },
          { name: `${column}_lat`, type: 'number', unit: null },
          { name: `${column}_lon`, type: 'number', unit: null },
          { name: `${column}_place`, type: 'string', unit: null },
        ]
      if (functionName === 'count') return [{ name: column, type: 'integer', unit: null }]
      return [{ name: column, type: 'number', unit: unitIn(name, query.units) || null }]
    }),
  )
}

/** The cells of a row. @param convert converts a number of a variable into the requested units */
export function statisticCells(
  query: DatasetQuery,
  samples: readonly Sample[],
  convert: (variable: string, functionName: string, value: number) => number | null = (_, __, value) => value,
  placeName: (at: Occurrence) => string = nameAt,
): TableCell[] {
  return query.variables.flatMap((name, i) =>
    functionsOf(query).flatMap((functionName): TableCell[] => {
      const sample = samples[i]
      if (isExtreme(functionName)) {
        const at = functionName === 'argmin' ? sample?.least : sample?.most
        return at ? [isoSeconds(at.time), fourth(at.lat), fourth(at.lon), placeName(at)] : [null, null, null, null]
      }
      const value = sample?.number(functionName) ?? null
      return [value === null || functionName === 'count' ? value : convert(name, functionName, value)]
    }),
  )
}

const fourth = (degrees: number) => Math.round(degrees * 1e4) / 1e4

function nameAt({ lat, lon }: Occurrence): string {
  return coverage(lat, lon) ? findSpot({ lat, lon }).location.name : `${fourth(lat)}, ${fourth(lon)}`
}
