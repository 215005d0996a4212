import { pause } from '../../ingest/domain/pacer.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import type { TableCell, TableColumn } from '../present/table.ts'
import { compare } from './area-read.ts'
import type { DatasetQuery } from './dataset-query.ts'
import type { PointTable } from './dataset-read.ts'
import type { Occurrence, Sample } from './sample.ts'
import { newSamples, statisticCells, statisticColumns } from './statistics.ts'
import { unitIn } from './variable-facts.ts'
import type { QueryPoint } from './where.ts'

function passes(query: DatasetQuery, table: PointTable, time: number): boolean {
  return (query.filters ?? []).every(({ variable, op, value }) => {
    const actual = table.values.get(variable)?.get(time)
    return typeof actual === 'number' && compare[op](actual, value)
  })
}

const unitOf = (query: DatasetQuery, name: string) => unitIn(name, query.units) || null

/** A row for each point and time. */
export async function plainRows(
  query: DatasetQuery,
  points: readonly QueryPoint[],
  tables: ReadonlyMap<number, PointTable>,
): Promise<{ columns: TableColumn[]; rows: TableCell[][] }> {
  const columns: TableColumn[] = [
    { name: 'point', type: 'integer', unit: null },
    { name: 'valid_time', type: 'string', unit: null },
    ...query.variables.map((name) => ({ name, type: 'number' as const, unit: unitOf(query, name) })),
  ]
  const rows: TableCell[][] = []
  for (const { index } of points) {
    await pause()
    const table = tables.get(index)
    if (!table) continue
    for (const time of table.times) {
      if (!passes(query, table, time)) continue
      rows.push([index, isoSeconds(time), ...query.variables.map((name) => table.values.get(name)?.get(time) ?? null)])
    }
  }
  return { columns, rows }
}

/** Returns a row for each group of `aggregate.over`. */
export async function aggregatedRows(
  query: DatasetQuery,
  points: readonly QueryPoint[],
  tables: ReadonlyMap<number, PointTable>,
): Promise<{ columns: TableColumn[]; rows: TableCell[][] }> {
  const over = query.aggregate?.over ?? 'time'
  const groups = new Map<string, { keys: TableCell[]; samples: readonly Sample[] }>()
  const dates = new Map<string, Intl.DateTimeFormat>()
  const dateOf = (point: QueryPoint, time: number) => {
    const zone = point.spot?.timezone ?? 'UTC'
    let format = dates.get(zone)
    if (!format)
      dates.set(
        zone,
        (format = new Intl.DateTimeFormat('en-CA', {
          timeZone: zone,
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
        })),
      )
    return format.format(time)
  }
  const groupOf = (keys: TableCell[]) => {
    const key = keys.join('|')
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { keys, samples: newSamples(query) }))
    return group
  }
  // A group without any value still has a row, with null and a count of 0.
  if (over === 'all') groupOf([])
  for (const point of points) {
    await pause()
    const table = tables.get(point.index)
    if (!table) continue
    if (over === 'time') groupOf([point.index])
    for (const time of table.times) {
      if (!passes(query, table, time)) continue
      const keys: TableCell[] =
        over === 'time'
          ? [point.index]
          : over === 'day'
            ? [point.index, dateOf(point, time)]
            : over === 'space'
              ? [isoSeconds(time)]
              : []
      const group = groupOf(keys)
      for (const [i, name] of query.variables.entries()) {
        const value = table.values.get(name)?.get(time)
        if (typeof value === 'number')
          group.samples[i]?.add(value, time, point.lat ?? Number.NaN, point.lon ?? Number.NaN)
      }
    }
  }
  const heads: TableColumn[] =
    over === 'time'
      ? [{ name: 'point', type: 'integer', unit: null }]
      : over === 'day'
        ? [
            { name: 'point', type: 'integer', unit: null },
            { name: 'date', type: 'string', unit: null },
          ]
        : over === 'space'
          ? [{ name: 'valid_time', type: 'string', unit: null }]
          : []
  const columns: TableColumn[] = [...heads, ...statisticColumns(query)]
  const nameOf = ({ lat, lon }: Occurrence) => {
    const at = points.find((point) => point.lat === lat && point.lon === lon)
    return at?.label ?? at?.name ?? ''
  }
  const rows: TableCell[][] = []
  for (const { keys, samples } of groups.values()) {
    await pause()
    rows.push([...keys, ...statisticCells(query, samples, undefined, nameOf)])
  }
  if (over === 'space') rows.sort((a, b) => String(a[0]).localeCompare(String(b[0])))
  return { columns, rows }
}
