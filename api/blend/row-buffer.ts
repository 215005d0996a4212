import { blendedFields, type Column, type Forecast, uncertaintyFields } from './columns.ts'
import type { FieldRow } from './field.ts'
import type { BlendMemory } from './memory.ts'

/** A row in the kernels' memory that is not a column of the forecast. */
export interface AuxiliaryRow extends FieldRow {
  readonly values: Float64Array
}

const auxiliaryNames = [
  'guide',
  'temperature',
  'rain_flag',
  'snow_flag',
  'freezing_rain_flag',
  'ice_pellets_flag',
] as const

/** The memory of one forecast. Creating its views costs more than filling them, so released buffers are used again. */
export interface RowBuffer {
  /** Hours of the answer, and hours that are blended, which are more: see `blend`. */
  readonly shown: number
  readonly count: number
  readonly uncertainty: boolean
  /** The kernels' memory at creation: when that has grown since, the views are detached. */
  readonly buffer: ArrayBuffer
  /** The columns as rows in the kernels' memory, and rows that are not columns. */
  readonly rows: Readonly<Record<Column, FieldRow>>
  readonly auxiliary: Readonly<Record<(typeof auxiliaryNames)[number], AuxiliaryRow>>
  readonly columns: Forecast['columns']
  readonly precipType: Uint8Array
  readonly bounds: Forecast['bounds']
  /** Views of the hours of the answer. */
  readonly shownColumns: Pick<Forecast, 'columns' | 'precipType' | 'sun' | 'bounds'>
  /** Copies the columns out of the kernels' memory. */
  draw(): void
}

/** A buffer of eleven days takes 70 KB. */
const MAX_POOLED_BUFFERS = 24

/** Released buffers, for later forecasts of the same size. */
export class RowBufferPool {
  readonly #memory: BlendMemory
  readonly #free: RowBuffer[] = []

  constructor(memory: BlendMemory) {
    this.#memory = memory
  }

  /** A buffer for exclusive use until it is released. One that is never released is garbage-collected. */
  acquire(shown: number, count: number, uncertainty: boolean): RowBuffer {
    const i = this.#free.findLastIndex(
      (buffer) =>
        buffer.shown === shown &&
        buffer.count === count &&
        buffer.uncertainty === uncertainty &&
        buffer.buffer === this.#memory.buffer,
    )
    return i < 0 ? createRowBuffer(this.#memory, shown, count, uncertainty) : this.#free.splice(i, 1)[0]
  }

  /** Call at most once, after the last read of the forecast: the next forecast overwrites the buffer. */
  release(buffer: RowBuffer): void {
    if (buffer.buffer !== this.#memory.buffer) return
    if (this.#free.length === MAX_POOLED_BUFFERS) this.#free.shift()
    this.#free.push(buffer)
  }
}

function createRowBuffer(memory: BlendMemory, shown: number, count: number, uncertainty: boolean): RowBuffer {
  const fields: Column[] = [...blendedFields, 'feels_like', ...(uncertainty ? uncertaintyFields : [])]
  const cells = new Float64Array(fields.length * count)
  const drawn = memory.rowsView(0, fields.length, count)
  const columnsOf = (hours: number) =>
    Object.fromEntries(
      fields.map((field, i) => [field, cells.subarray(i * count, i * count + hours)]),
    ) as RowBuffer['columns']
  const offsetOf = (field: Column) => memory.rowOffset(fields.indexOf(field), count)
  const auxiliary = Object.fromEntries(
    auxiliaryNames.map((name, i) => {
      const offset = memory.rowOffset(fields.length + i, count)
      return [name, { offset, marks: 0, guide: 0, count, values: memory.rowsView(fields.length + i, 1, count) }]
    }),
  ) as RowBuffer['auxiliary']
  const guides = new Map<Column, number>([
    ['precip_amount', auxiliary.guide.offset],
    ['snow_amount', auxiliary.guide.offset],
    ['ice_amount', offsetOf('precip_amount')],
  ])
  const bounds = { precipitation: new Uint8Array(count), thunder: new Uint8Array(count) }
  const notedOf = (field: Column) => {
    if (field !== 'precip_probability' && field !== 'thunderstorm_probability') return undefined
    const values = memory.rowsView(fields.indexOf(field), 1, count)
    return { values, bounds: field === 'precip_probability' ? bounds.precipitation : bounds.thunder }
  }
  const rowOf = (field: Column): FieldRow => ({
    offset: offsetOf(field),
    marks: field === 'temperature' || field === 'dew_point' ? memory.markOffsets[field] : 0,
    guide: guides.get(field) ?? 0,
    count,
    noted: notedOf(field),
  })
  const precipType = new Uint8Array(count)
  return {
    shown,
    count,
    uncertainty,
    buffer: memory.buffer,
    rows: Object.fromEntries(fields.map((field) => [field, rowOf(field)])) as RowBuffer['rows'],
    auxiliary,
    columns: columnsOf(count),
    precipType,
    bounds,
    shownColumns: {
      columns: columnsOf(shown),
      precipType: precipType.subarray(0, shown),
      sun: new Float64Array(shown),
      bounds: { precipitation: bounds.precipitation.subarray(0, shown), thunder: bounds.thunder.subarray(0, shown) },
    },
    draw: () => cells.set(drawn),
  }
}
