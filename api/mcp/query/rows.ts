import { quantityOf } from '../../answer/values.ts'
import type { Cell, Column } from '../../present/table.ts'
import { units } from '../../present/units.ts'
import type { PointTable } from './dataset-read.ts'
import type { Input } from './query-input.ts'
import { aggregate } from './table.ts'
import type { QueryPoint } from './where.ts'

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

const compare = {
  lt: (a: number, b: number) => a < b,
  le: (a: number, b: number) => a <= b,
  eq: (a: number, b: number) => a === b,
  ne: (a: number, b: number) => a !== b,
  ge: (a: number, b: number) => a >= b,
  gt: (a: number, b: number) => a > b,
}

function passes(asked: Input, table: PointTable, time: number): boolean {
  return (asked.filters ?? []).every(({ variable, op, value }) => {
    const found = table.values.get(variable)?.get(time)
    return typeof found === 'number' && compare[op](found, value)
  })
}

const unitOf = (asked: Input, name: string) => units[asked.units].of[quantityOf(name)].label || null

export function plain(
  asked: Input,
  points: readonly QueryPoint[],
  tables: ReadonlyMap<number, PointTable>,
): { columns: Column[]; rows: Cell[][] } {
  const columns: Column[] = [
    { name: 'point', type: 'integer', unit: null },
    { name: 'valid_time', type: 'string', unit: null },
    ...asked.variables.map((name) => ({ name, type: 'number' as const, unit: unitOf(asked, name) })),
  ]
  const rows: Cell[][] = []
  for (const { index } of points) {
    const table = tables.get(index)
    for (const time of table?.times ?? []) {
      if (!passes(asked, table as PointTable, time)) continue
      rows.push([index, iso(time), ...asked.variables.map((name) => table?.values.get(name)?.get(time) ?? null)])
    }
  }
  return { columns, rows }
}

export function aggregated(
  asked: Input,
  points: readonly QueryPoint[],
  tables: ReadonlyMap<number, PointTable>,
): { columns: Column[]; rows: Cell[][] } {
  const { over = 'time', functions } = asked.aggregate as NonNullable<Input['aggregate']>
  const groups = new Map<string, { keys: Cell[]; values: Map<string, number[]> }>()
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
  const groupOf = (keys: Cell[]) => {
    const key = keys.join('|')
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { keys, values: new Map() }))
    return group
  }
  // One row a point, or one in all, also where no value is left: null, and a count of 0.
  if (over === 'all') groupOf([])
  for (const point of points) {
    const table = tables.get(point.index)
    if (over === 'time' && table) groupOf([point.index])
    for (const time of table?.times ?? []) {
      if (!passes(asked, table as PointTable, time)) continue
      const keys: Cell[] =
        over === 'time'
          ? [point.index]
          : over === 'day'
            ? [point.index, dateOf(point, time)]
            : over === 'space'
              ? [iso(time)]
              : []
      const group = groupOf(keys)
      for (const name of asked.variables) {
        const value = table?.values.get(name)?.get(time)
        const list = group.values.get(name) ?? []
        if (typeof value === 'number') list.push(value)
        group.values.set(name, list)
      }
    }
  }
  const heads: Column[] =
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
  const columns: Column[] = [
    ...heads,
    ...asked.variables.flatMap((name) =>
      functions.map((one) => ({
        name: `${name}_${one}`,
        type: one === 'count' ? ('integer' as const) : ('number' as const),
        unit: one === 'count' ? null : unitOf(asked, name),
      })),
    ),
  ]
  const rows = [...groups.values()].map(({ keys, values }) => [
    ...keys,
    ...asked.variables.flatMap((name) =>
      functions.map((one) => aggregate(one, values.get(name) ?? [], quantityOf(name) === 'direction')),
    ),
  ])
  if (over === 'space') rows.sort((a, b) => String(a[0]).localeCompare(String(b[0])))
  return { columns, rows }
}
