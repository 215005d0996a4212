import type { Pause, Table, TableCell } from './table.ts'

/** Writes a table as an Arrow stream: times as timestamps in UTC, units in the metadata of fields. */
export async function arrow({ columns, rows }: Table, pause: Pause): Promise<Uint8Array> {
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
  const length = rows.length
  const fields = []
  const children = []
  for (const [i, { name, type: kind, unit }] of columns.entries()) {
    await pause()
    const cells = rows.map((row) => row[i] ?? null)
    const metadata = unit ? new Map([['unit', unit]]) : undefined
    if (kind === 'string') {
      const texts = vectorFromArray(
        cells.map((cell) => (cell === null ? null : String(cell))),
        new Utf8(),
      )
      fields.push(new Field(name, new Utf8(), true, metadata))
      children.push(...texts.data.slice(0, 1))
      continue
    }
    const { nullBitmap, nullCount } = validity(cells)
    const type = kind === 'time' ? new TimestampMillisecond('UTC') : kind === 'integer' ? new Int32() : new Float64()
    fields.push(new Field(name, type, true, metadata))
    const common = { length, nullCount, nullBitmap }
    children.push(
      kind === 'time'
        ? makeData({ ...common, type: type as InstanceType<typeof TimestampMillisecond>, data: instants(cells) })
        : kind === 'integer'
          ? makeData({ ...common, type: type as InstanceType<typeof Int32>, data: Int32Array.from(cells, Number) })
          : makeData({ ...common, type: type as InstanceType<typeof Float64>, data: Float64Array.from(cells, Number) }),
    )
  }
  await pause()
  const data = makeData({ type: new Struct(fields), length, nullCount: 0, children: children as never })
  const writer = RecordBatchStreamWriter.writeAll([new RecordBatch(new Schema(fields), data as never)] as never)
  return writer.toUint8Array(true)
}

/** A bitmap with a bit for each cell that has a value. */
function validity(cells: readonly TableCell[]): { nullBitmap: Uint8Array; nullCount: number } {
  const nullBitmap = new Uint8Array((cells.length + 7) >> 3)
  let nullCount = 0
  for (const [i, cell] of cells.entries()) {
    if (cell === null) nullCount++
    else nullBitmap[i >> 3] = (nullBitmap[i >> 3] ?? 0) | (1 << (i & 7))
  }
  return { nullBitmap, nullCount }
}

function instants(cells: readonly TableCell[]): BigInt64Array {
  return BigInt64Array.from(cells, (cell) => BigInt(cell === null ? 0 : Date.parse(String(cell))))
}
