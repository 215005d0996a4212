import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { coverageCollection } from '../../../api/present/coverage.ts'
import type { Table, TableCell } from '../../../api/present/table.ts'
import { tableIn } from '../../../api/present/table-forms.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'

/** The most rows and variables that one request may have: 100 points, 264 hours, 20 variables. */
const names = Array.from({ length: 20 }, (_, i) => `variable_${i}`)
const start = Date.parse('2026-08-20T12:00:00Z')
const rows: TableCell[][] = Array.from({ length: 26_400 }, (_, i) => [
  Math.floor(i / 264),
  i % 5000 === 1 ? 'retry' : 'ok',
  i % 7000 === 3 ? null : isoSeconds(start + (i % 264) * HOUR),
  ...names.map((_name, v) => ((i + v) % 11 === 0 ? null : i / 8 + v)),
])
const table: Table = {
  columns: [
    { name: 'index', type: 'integer', unit: null },
    { name: 'status', type: 'string', unit: null },
    { name: 'valid_time', type: 'time', unit: null },
    ...names.map((name) => ({ name, type: 'number' as const, unit: 'F' })),
  ],
  rows,
}
const cells = rows.length * table.columns.length

/** Counts how often others are let in. */
async function counted<T>(work: (pause: () => undefined) => Promise<T>): Promise<{ output: T; pauses: number }> {
  let pauses = 0
  const output = await work(() => void pauses++)
  return { output, pauses }
}

test('writes the largest CSV completely and in pieces', async () => {
  const { output, pauses } = await counted((pause) => tableIn('csv', table, pause))
  expect(pauses).toBeGreaterThan(cells / 50_000)
  const lines = output.toString().split('\r\n')
  expect(lines.length).toBe(rows.length + 2)
  for (const i of [0, 1, 3, 1424, 1425, 26_399])
    expect(lines[i + 1]).toBe(
      nth(rows, i)
        .map((cell) => (cell === null ? '' : String(cell)))
        .join(','),
    )
})

test('writes the largest Parquet file completely and in pieces', async () => {
  const { output, pauses } = await counted((pause) => tableIn('parquet', table, pause))
  expect(pauses).toBeGreaterThan(cells / 50_000)
  const file = output.buffer.slice(output.byteOffset, output.byteOffset + output.byteLength) as ArrayBuffer
  const read = await parquetReadObjects({ file })
  expect(read.length).toBe(rows.length)
  for (const i of [0, 1, 3, 1424, 1425, 26_399]) {
    const { index, status, valid_time: time, variable_7: value } = nth(read, i)
    expect([index, status, value]).toEqual([nth(rows, i)[0], nth(rows, i)[1], nth(rows, i)[10]])
    expect(time && isoSeconds((time as Date).getTime())).toBe(nth(rows, i)[2])
  }
})

test('writes the largest Arrow stream completely and in pieces', async () => {
  const { output, pauses } = await counted((pause) => tableIn('arrow', table, pause))
  expect(pauses).toBeGreaterThan(cells / 50_000)
  const read = tableFromIPC(output)
  expect(read.numRows).toBe(rows.length)
  expect(nth(read.schema.fields, 5).metadata.get('unit')).toBe('F')
  for (const i of [0, 1, 3, 1424, 1425, 26_399]) {
    const row = read.get(i)!.toJSON() as Record<string, TableCell>
    expect([row['index'], row['status'], row['variable_7']]).toEqual([
      nth(rows, i)[0],
      nth(rows, i)[1],
      nth(rows, i)[10],
    ])
    expect(row['valid_time'] && isoSeconds(Number(row['valid_time']))).toBe(nth(rows, i)[2])
  }
})

test('writes a long CoverageJSON completely and in pieces', async () => {
  const times = Array.from({ length: 264 }, (_, i) => start + i * HOUR)
  const points = Array.from({ length: 100 }, (_, i) => ({
    ...{ lat: 40, lon: -100 - i, times },
    data: { t: times.map((_time, k) => (k === i ? null : k + i)) },
  }))
  const parameters = [{ name: 't', unit: 'F', description: 'Temperature' }]
  const { output, pauses } = await counted((pause) => coverageCollection(points, parameters, pause, { more: [1] }))
  expect(pauses).toBeGreaterThan(2)
  const read = JSON.parse(output.toString())
  expect(read).toMatchObject({ type: 'CoverageCollection', more: [1] })
  expect(read.coverages.length).toBe(100)
  expect(read.coverages[7].domain.axes.x.values).toEqual([-107])
  expect(read.coverages[7].ranges.t.values).toEqual(nth(points, 7).data.t)
})
