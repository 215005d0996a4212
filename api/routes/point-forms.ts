import { variables as variableTable } from '../../ingest/domain/dataset/variable.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import type { PointValues } from '../answer/values.ts'
import type { FormatName } from '../contract.ts'
import { coverageCollection } from '../present/coverage.ts'
import type { Table, TableCell } from '../present/table.ts'
import { tableIn } from '../present/table-forms.ts'
import { mediaTypes } from '../query/format.ts'
import type { Point } from '../query/points.ts'
import type { Answer } from '../route.ts'

/** Values at one point of a request, or why there are none. */
export interface PointResult {
  readonly status: 'ok' | 'out_of_domain'
  readonly retryable?: true
  readonly values?: Pick<PointValues, 'times' | 'data' | 'sources'>
}

export interface PointForms {
  readonly points: readonly Point[]
  readonly results: readonly PointResult[]
  readonly variables: readonly string[]
  /** Unit labels by variable. */
  readonly units: Readonly<Record<string, string>>
}

/** Returns the answer in a format other than JSON: rows by point and time, or one coverage per point. */
export async function pointForms(
  format: Exclude<FormatName, 'json'>,
  answer: PointForms,
): Promise<Pick<Answer, 'type' | 'body'>> {
  const type = mediaTypes[format]
  if (format === 'covjson') return { type, body: await coverages(answer) }
  return { type, body: await tableIn(format as 'csv' | 'parquet' | 'arrow', await tableOf(answer), pause) }
}

/** Returns the rows of all points. A point without values has one row with its status. */
async function tableOf({ points, results, variables, units }: PointForms): Promise<Table> {
  const rows: TableCell[][] = []
  // Only answers for a period have the source of each time.
  const hasSources = results.some(({ values }) => values?.sources)
  for (const [index, { status, retryable, values }] of results.entries()) {
    await pause()
    const { lat = null, lon = null } = points[index] ?? {}
    const head = [index, retryable ? 'retry' : status, lat, lon]
    if (!values?.times.length) rows.push([...head, null, ...variables.map(() => null)])
    else
      for (const [i, time] of values.times.entries())
        rows.push([
          ...head,
          isoSeconds(time),
          ...variables.map((name) => values.data[name]?.[i] ?? null),
          ...(hasSources ? [values.sources?.[i] ?? null] : []),
        ])
  }
  return {
    columns: [
      { name: 'index', type: 'integer', unit: null },
      { name: 'status', type: 'string', unit: null },
      { name: 'lat', type: 'number', unit: 'degrees' },
      { name: 'lon', type: 'number', unit: 'degrees' },
      { name: 'valid_time', type: 'time', unit: null },
      ...variables.map((name) => ({ name, type: 'number' as const, unit: units[name] || null })),
      ...(hasSources ? [{ name: 'source', type: 'string' as const, unit: null }] : []),
    ],
    rows,
  }
}

function coverages({ points, results, variables, units }: PointForms): Promise<Buffer> {
  const covered = points.flatMap((point, index) => {
    const { values } = results[index] ?? {}
    return values?.times.length ? [{ ...point, times: values.times, data: values.data }] : []
  })
  const outside = points.flatMap((point, index) => {
    const { values, retryable } = results[index] ?? {}
    return values?.times.length ? [] : [{ index, ...point, ...(retryable && { retryable }) }]
  })
  const parameters = variables.map((name) => {
    const variable = variableTable.get(name)
    return {
      name,
      unit: units[name] ?? '',
      description: variable?.description ?? name.replaceAll('_', ' '),
      standardName: variable?.standardName,
    }
  })
  return coverageCollection(covered, parameters, pause, {
    ...(outside.length > 0 && { 'hexcast:out_of_domain': outside }),
  })
}
