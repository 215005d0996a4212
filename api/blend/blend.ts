import type { Sky } from '../../ingest/domain/sky.ts'
import { type FieldOrder, orderOf } from '../../ingest/domain/source-order.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { uvIndexOf } from '../../ingest/domain/uv.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Axis } from './axis.ts'
import { close } from './closure.ts'
import { blendedFields, type Column, type Forecast, uncertaintyFields } from './columns.ts'
import { fieldAside, fillField, type Notes } from './field.ts'
import { fillHoles } from './fill.ts'
import { guideOf } from './guide.ts'
import { moistureOfOneSource } from './moisture.ts'
import { giveBack, type Sheet, takeSheet } from './sheet.ts'
import { warningsOf } from './warnings.ts'

export interface BlendInput {
  readonly start: Instant
  readonly count: number
  readonly now: Instant
  /** Served runs at the cell by dataset; of a dataset with earlier runs, newest first. */
  readonly sources: ReadonlyMap<string, readonly PointSeries[]>
  readonly sky: Sky
  readonly uncertainty: boolean
}

type ColumnOrder = FieldOrder & { readonly field: Column }

const ordersOf = (fields: readonly Column[]) => fields.map(orderOf) as ColumnOrder[]
/** Humidity is no source's: it follows from temperature and dew point. */
const blended = ordersOf(blendedFields.filter((field) => field !== 'humidity'))
const uncertain = ordersOf(uncertaintyFields)
const flags = ['rain_flag', 'snow_flag', 'freezing_rain_flag', 'ice_pellets_flag'].map(orderOf)

/** The longest interval whose amount is dealt out, hours: its hours beyond the last that is asked for have their shares too. */
const LONGEST_SPLIT = 6

/** One hourly axis out of every source, by the one table, then closed so that no field contradicts another. */
export function blend(input: BlendInput): Forecast {
  const { start, count } = input
  const axis: Axis = { start, count: count + LONGEST_SPLIT - 1 }
  const now = Math.floor((input.now - start) / HOUR)
  const sheet = takeSheet(count, axis.count, input.uncertainty)
  const { columns, precipType } = sheet
  const split: Column[] = []
  const bound: Column[] = []

  for (const order of blended) {
    const { field, between } = order
    const mark = field === 'temperature' || field === 'dew_point' ? sheet.marks[field] : undefined
    const notes: Notes = { mark, guide: guideOf(field, sheet, axis, input), spread: false }
    fillField(columns[field], axis, order, input, now, notes)
    if (notes.spread) (between === 'split' ? split : bound).push(field)
    if (between === 'bound') fillHoles(columns[field])
  }
  if (input.uncertainty) for (const order of uncertain) fillField(columns[order.field], axis, order, input, now)
  moistureOfOneSource(sheet, axis, input)

  const estimated = close(columns, precipType, axis.count, () => flags.map((order) => fieldAside(axis, order, input)))
  lightOf(sheet, input)
  let given = false
  return {
    start,
    count,
    now,
    columns: sheet.front.columns,
    precipType: sheet.front.precipType,
    sun: sheet.sun,
    periods: input.sources.get('nbm') ?? [],
    warnings: warningsOf(split, bound, estimated),
    release() {
      if (!given) giveBack(sheet)
      given = true
    },
  }
}

const DEG = Math.PI / 180

/** The sun, and the UV index where no source gives one: ozone, the sun's height, clouds and the height of the ground. */
function lightOf({ columns, sun }: Sheet, { start, sources, sky }: BlendInput): void {
  const ground = sources.get('hrrr')?.[0]?.variables.get('terrain_height')?.values[0] ?? 0
  const height = Number.isNaN(ground) ? 0 : ground
  const { uv_index, ozone, cloud_cover } = columns
  const first = Math.round(start / HOUR)
  for (let h = 0; h < sun.length; h++) {
    const sine = sky.sunAtHour(first + h)
    sun[h] = sine
    if (!Number.isNaN(uv_index[h])) continue
    uv_index[h] = uvIndexOf(ozone[h], sine > 0 ? Math.asin(sine) / DEG : 0, cloud_cover[h], height)
  }
}
