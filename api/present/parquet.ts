import { type Pause, rowsPerPiece, type Table } from './table.ts'

const types = { string: 'STRING', integer: 'INT32', number: 'DOUBLE', time: 'TIMESTAMP' } as const

/**
 * Writes a table as a Parquet file: times as timestamps in UTC; the metadata `units` of the file is a JSON object of
 * units by column. The same table gives the same bytes.
 * @param facts further metadata of the file
 */
export async function parquet(
  { columns, rows }: Table,
  pause: Pause,
  facts: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const { ByteWriter, parquetWrite } = await import('hyparquet-writer')
  const units = Object.fromEntries(columns.flatMap(({ name, unit }) => (unit ? [[name, unit]] : [])))
  const columnData = []
  for (const [i, { name, type }] of columns.entries()) {
    await pause()
    const cells = rows.map((row) => row[i] ?? null)
    const data = type === 'time' ? cells.map((cell) => (cell === null ? null : new Date(String(cell)))) : cells
    columnData.push({ name, type: types[type], nullable: true, data })
  }
  // The library awaits what `flush` returns between two row groups.
  const writer = Object.assign(new ByteWriter(), { flush: pause })
  await parquetWrite({
    writer,
    columnData,
    rowGroupSize: rowsPerPiece(columns.length),
    kvMetadata: Object.entries({ units: JSON.stringify(units), ...facts }).map(([key, value]) => ({ key, value })),
    createdBy: 'hexcast',
  })
  return new Uint8Array(writer.getBuffer())
}
