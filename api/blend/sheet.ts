import { blendedFields, type Column, type Forecast, uncertaintyFields } from './columns.ts'

/** What one forecast is written on. Making its views costs more than filling them: a sheet that is given back is used again. */
export interface Sheet {
  /** Hours that are asked for, and those that are blended: the latter are more, see `blend`. */
  readonly shown: number
  readonly count: number
  readonly uncertainty: boolean
  readonly columns: Readonly<Record<Column, Float64Array>>
  readonly precipType: Uint8Array
  /** Of the hours that are asked for. */
  readonly sun: Float64Array
  /** Of which dataset temperature and dew point of an hour are. */
  readonly marks: { readonly temperature: Uint8Array; readonly dew_point: Uint8Array }
  /** Shares by which amounts are dealt out. */
  readonly guide: Float64Array
  /** The hours that are asked for, as the forecast shows them. */
  readonly front: Pick<Forecast, 'columns' | 'precipType'>
  /** Sets every column to NaN. */
  clear(): void
}

/** A sheet of eleven days takes 100 KB. */
const MOST_SPARE = 24
const spare: Sheet[] = []

/** A blank sheet, nobody else's until it is given back. One that is not given back is collected like any other object. */
export function takeSheet(shown: number, count: number, uncertainty: boolean): Sheet {
  const i = spare.findLastIndex(
    (sheet) => sheet.shown === shown && sheet.count === count && sheet.uncertainty === uncertainty,
  )
  const sheet = i < 0 ? makeSheet(shown, count, uncertainty) : spare.splice(i, 1)[0]
  sheet.clear()
  return sheet
}

/** Once, and when nothing reads the forecast any more: the next one is written over it. */
export function giveBack(sheet: Sheet): void {
  if (spare.length === MOST_SPARE) spare.shift()
  spare.push(sheet)
}

function makeSheet(shown: number, count: number, uncertainty: boolean): Sheet {
  const fields: Column[] = [...blendedFields, 'feels_like', ...(uncertainty ? uncertaintyFields : [])]
  const cells = new Float64Array(fields.length * count)
  const columnsOf = (hours: number) =>
    Object.fromEntries(
      fields.map((field, i) => [field, cells.subarray(i * count, i * count + hours)]),
    ) as Sheet['columns']
  const precipType = new Uint8Array(count)
  const sun = new Float64Array(shown)
  return {
    shown,
    count,
    uncertainty,
    columns: columnsOf(count),
    precipType,
    sun,
    marks: { temperature: new Uint8Array(count), dew_point: new Uint8Array(count) },
    guide: new Float64Array(count),
    front: { columns: columnsOf(shown), precipType: precipType.subarray(0, shown) },
    clear: () => {
      cells.fill(Number.NaN)
    },
  }
}
