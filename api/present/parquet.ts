import type { Table } from './table.ts'

const types = { string: 'STRING', integer: 'INT32', number: 'DOUBLE', time: 'TIMESTAMP' } as const

/** A Parquet file: times as timestamps in UTC; `units` of the file's metadata is a JSON object of units by column. */
export async function parquet({ columns, rows }: Table): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer')
  const units = Object.fromEntries(columns.flatMap(({ name, unit }) => (unit ? [[name, unit]] : [])))
  const bytes = parquetWriteBuffer({
    columnData: columns.map(({ name, type }, i) => ({
      name,
      type: types[type],
      nullable: true,
      data: rows.map((row) => {
        const cell = row[i] ?? null
        return type === 'time' && cell !== null ? new Date(String(cell)) : cell
      }),
    })),
    kvMetadata: [{ key: 'units', value: JSON.stringify(units) }],
    createdBy: 'hexcast',
  })
  return new Uint8Array(bytes)
}
