import type { Draft } from './columns.ts'
import type { FieldRow } from './field.ts'
import { blendedFields, type Column, uncertaintyFields } from './fields.ts'

const auxiliaryNames = [
  'guide',
  'temperature',
  'rain_flag',
  'snow_flag',
  'freezing_rain_flag',
  'ice_pellets_flag',
] as const

/**
 * The memory of one forecast. Released buffers are reused, because creating the views takes longer than filling them.
 */
export interface RowBuffer {
  /**
   * Number of hours of the answer, and number of hours that are blended. More hours are blended than shown: see
   * `blend`.
   */
  readonly shown: number
  readonly count: number
  readonly uncertainty: boolean
  /** The columns as rows, and additional rows that are not columns. */
  readonly rows: Readonly<Record<Column, FieldRow>>
  readonly auxiliary: Readonly<Record<(typeof auxiliaryNames)[number], FieldRow>>
  readonly columns: Draft['columns']
  readonly precipType: Uint8Array
  /** Views of the hours of the answer. */
  readonly shownColumns: Pick<Draft, 'columns' | 'precipType' | 'sun' | 'ceilingUnlimited'>
}

/** Maximum number of released buffers in the pool. A buffer of eleven days takes 70 KB. */
const MAX_POOLED_BUFFERS = 24

/** Released buffers, which later forecasts of the same size reuse. */
export class RowBufferPool {
  readonly #free: RowBuffer[] = []

  /** Returns a buffer for exclusive use until it is released. A buffer that is never released is garbage-collected. */
  acquire(shown: number, count: number, uncertainty: boolean): RowBuffer {
    const i = this.#free.findLastIndex(
      (buffer) => buffer.shown === shown && buffer.count === count && buffer.uncertainty === uncertainty,
    )
    const [released] = i < 0 ? [] : this.#free.splice(i, 1)
    return released ?? createRowBuffer(shown, count, uncertainty)
  }

  /**
   * Releases a buffer. Call it at most once, after the last read of the forecast, because the next forecast overwrites
   * the buffer.
   */
  release(buffer: RowBuffer): void {
    if (this.#free.length === MAX_POOLED_BUFFERS) this.#free.shift()
    this.#free.push(buffer)
  }
}

function createRowBuffer(shown: number, count: number, uncertainty: boolean): RowBuffer {
  const fields: Column[] = [...blendedFields, 'feels_like', ...(uncertainty ? uncertaintyFields : [])]
  const cells = new Float64Array((fields.length + auxiliaryNames.length) * count)
  const valuesOf = (row: number, hours = count) => cells.subarray(row * count, row * count + hours)
  const columnsOf = (hours: number) =>
    Object.fromEntries(fields.map((field, i) => [field, valuesOf(i, hours)])) as RowBuffer['columns']
  const auxiliary = Object.fromEntries(
    auxiliaryNames.map((name, i) => [name, { values: valuesOf(fields.length + i) }]),
  ) as RowBuffer['auxiliary']
  const columns = columnsOf(count)
  const guides = new Map<Column, Float64Array>([
    ['precip_amount', auxiliary.guide.values],
    ['snow_amount', auxiliary.guide.values],
    ['ice_amount', columns.precip_amount],
    ['precip_probability', columns.precip_amount],
    ['thunderstorm_probability', columns.precip_amount],
  ])
  const rowOf = (field: Column): FieldRow => ({
    values: columns[field],
    marks: field === 'temperature' || field === 'dew_point' ? new Uint8Array(count) : undefined,
    guide: guides.get(field),
    evened: field === 'precip_amount',
  })
  const precipType = new Uint8Array(count)
  return {
    shown,
    count,
    uncertainty,
    rows: Object.fromEntries(fields.map((field) => [field, rowOf(field)])) as RowBuffer['rows'],
    auxiliary,
    columns,
    precipType,
    shownColumns: {
      columns: columnsOf(shown),
      precipType: precipType.subarray(0, shown),
      sun: new Float64Array(shown),
      ceilingUnlimited: new Uint8Array(shown),
    },
  }
}
