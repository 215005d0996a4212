import type { Table } from './table.ts'

/** An Arrow stream: times as timestamps in UTC, units in the metadata of fields. */
export async function arrow({ columns, rows }: Table): Promise<Uint8Array> {
  const {
    Field,
    Float64,
    Int32,
    makeData,
    RecordBatch,
    RecordBatchStreamWriter,
    Schema,
    Struct,
    TimestampMillisecond,
    Utf8,
    vectorFromArray,
  } = await import('apache-arrow')
  const parts = columns.map((column, i) => {
    const cells = rows.map((row) => row[i])
    if (column.type === 'time') {
      const type = new TimestampMillisecond('UTC')
      return {
        type,
        vector: vectorFromArray(
          cells.map((cell) => (cell === null ? null : Date.parse(String(cell)))),
          type,
        ),
      }
    }
    if (column.type === 'string')
      return {
        type: new Utf8(),
        vector: vectorFromArray(
          cells.map((cell) => (cell === null ? null : String(cell))),
          new Utf8(),
        ),
      }
    const type = column.type === 'integer' ? new Int32() : new Float64()
    return { type, vector: vectorFromArray(cells as (number | null)[], type) }
  })
  const fields = columns.map(
    ({ name, unit }, i) => new Field(name, parts[i].type, true, unit ? new Map([['unit', unit]]) : undefined),
  )
  const schema = new Schema(fields)
  const data = makeData({
    type: new Struct(fields),
    length: rows.length,
    nullCount: 0,
    children: parts.map(({ vector }) => vector.data[0]),
  })
  const writer = RecordBatchStreamWriter.writeAll([new RecordBatch(schema, data as never)] as never)
  return writer.toUint8Array(true)
}
