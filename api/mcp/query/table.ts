export type Cell = string | number | null

export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number'
  readonly unit: string | null
}

/** A function of the numbers of a group. Nulls are left out before; an empty group gives null, and 0 for count. */
export function aggregate(name: string, numbers: readonly number[], circular: boolean): number | null {
  if (name === 'count') return numbers.length
  if (numbers.length === 0) return null
  if (circular) return circularMean(numbers)
  const sorted = () => [...numbers].sort((a, b) => a - b)
  const mean = () => numbers.reduce((a, b) => a + b, 0) / numbers.length
  switch (name) {
    case 'min':
      return numbers.reduce((a, b) => Math.min(a, b))
    case 'max':
      return numbers.reduce((a, b) => Math.max(a, b))
    case 'mean':
      return tidy(mean())
    case 'sum':
      return tidy(numbers.reduce((a, b) => a + b, 0))
    case 'median':
      return tidy(quantile(sorted(), 0.5))
    case 'stddev': {
      const middle = mean()
      return tidy(Math.sqrt(numbers.reduce((sum, x) => sum + (x - middle) ** 2, 0) / numbers.length))
    }
    default:
      return tidy(quantile(sorted(), Number(name.slice(1)) / 100))
  }
}

/** Linear interpolation between closest ranks. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low)
}

function circularMean(degrees: readonly number[]): number | null {
  const rad = Math.PI / 180
  const x = degrees.reduce((sum, one) => sum + Math.cos(one * rad), 0)
  const y = degrees.reduce((sum, one) => sum + Math.sin(one * rad), 0)
  if (Math.hypot(x, y) < 1e-9 * degrees.length) return null
  return Math.round((Math.atan2(y, x) / rad + 360) % 360)
}

const tidy = (value: number) => Math.round(value * 1e6) / 1e6

/** An Arrow stream: valid_time as a timestamp in UTC, units in the metadata of fields. */
export async function arrow(columns: readonly Column[], rows: readonly (readonly Cell[])[]): Promise<Uint8Array> {
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
    if (column.name === 'valid_time') {
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
