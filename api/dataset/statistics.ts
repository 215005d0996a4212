import { isoSeconds } from '../../ingest/domain/time.ts'
import { coverage } from '../../ingest/geo/coverage.ts'
import type { TableCell, TableColumn } from '../present/table.ts'
import type { DatasetQuery } from './dataset-query.ts'
import { needsNumbers, type Occurrence, Sample } from './sample.ts'
import { findSpot } from './spot.ts'
import { quantityIn, unitIn } from './variable-facts.ts'

/** Functions of `aggregate`, beside the percentiles p1 to p99. */
export const functionName = /^(min|max|mean|sum|median|stddev|count|argmin|argmax|p[1-9]\d?)$/
const isExtreme = (name: string) => name === 'argmin' || name === 'argmax'

const functionsOf = ({ aggregate }: DatasetQuery): readonly string[] => aggregate?.functions ?? []

/** A sample for each variable that is asked for. */
export function newSamples(asked: DatasetQuery): Sample[] {
  const keepNumbers = needsNumbers(functionsOf(asked))
  return asked.variables.map((name) => new Sample({ keepNumbers, circular: quantityIn(name) === 'direction' }))
}

/** An extreme takes four columns: when and where it is, and what the place is called. */
export function statisticColumns(asked: DatasetQuery): TableColumn[] {
  return asked.variables.flatMap((name) =>
    functionsOf(asked).flatMap((one): TableColumn[] => {
      const column = `${name}_${one}`
      if (isExtreme(one))
        return [
          { name: `${column}_time`, type: 'string', unit: null },
          { name: `${column}_lat`, type: 'number', unit: null },
          { name: `${column}_lon`, type: 'number', unit: null },
          { name: `${column}_place`, type: 'string', unit: null },
        ]
      if (one === 'count') return [{ name: column, type: 'integer', unit: null }]
      return [{ name: column, type: 'number', unit: unitIn(name, asked.units) || null }]
    }),
  )
}

/** The cells of a row; `convert` brings a number of a variable into the asked units. */
export function statisticCells(
  asked: DatasetQuery,
  samples: readonly Sample[],
  convert: (variable: string, functionName: string, value: number) => number | null = (_, __, value) => value,
  placeName: (at: Occurrence) => string = nameAt,
): TableCell[] {
  return asked.variables.flatMap((name, i) =>
    functionsOf(asked).flatMap((one): TableCell[] => {
      if (isExtreme(one)) {
        const at = one === 'argmin' ? samples[i].least : samples[i].most
        return at ? [isoSeconds(at.time), fourth(at.lat), fourth(at.lon), placeName(at)] : [null, null, null, null]
      }
      const value = samples[i].number(one)
      return [value === null || one === 'count' ? value : convert(name, one, value)]
    }),
  )
}

const fourth = (degrees: number) => Math.round(degrees * 1e4) / 1e4

function nameAt({ lat, lon }: Occurrence): string {
  return coverage(lat, lon) ? findSpot({ lat, lon }).location.name : `${fourth(lat)}, ${fourth(lon)}`
}
