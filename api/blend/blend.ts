import { dewPoint, relativeHumidity } from '../../ingest/domain/derive.ts'
import type { Sky } from '../../ingest/domain/sky.ts'
import { type FieldOrder, orderOf } from '../../ingest/domain/source-order.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { uvIndexOf } from '../../ingest/domain/uv.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { MetaWarning } from '../sections/section.ts'
import { close } from './closure.ts'
import { blendedFields, type Column, type Forecast, uncertaintyFields } from './columns.ts'
import {
  type Axis,
  fillBetween,
  fillBound,
  fillHoles,
  fillHourly,
  fillNearest,
  fillSplit,
  gapBefore,
  gapIn,
  whole,
} from './fill.ts'

export interface BlendInput {
  readonly start: Instant
  readonly count: number
  readonly now: Instant
  /** Served runs at the cell by dataset; of a dataset with earlier runs, newest first. */
  readonly sources: ReadonlyMap<string, readonly PointSeries[]>
  readonly sky: Sky
  readonly uncertainty: boolean
}

const blended = blendedFields.map(orderOf)
const uncertain = uncertaintyFields.map(orderOf)
const flags = ['rain_flag', 'snow_flag', 'freezing_rain_flag', 'ice_pellets_flag'].map(orderOf)

/** The longest interval whose amount is dealt out, hours: its hours beyond the last that is asked for have their shares too. */
const LONGEST_SPLIT = 6

/** One hourly axis out of every source, by the one table, then closed so that no field contradicts another. */
export function blend(input: BlendInput): Forecast {
  const { start, sky } = input
  const count = input.count + LONGEST_SPLIT - 1
  const axis: Axis = { start, count }
  const now = Math.floor((input.now - start) / HOUR)
  const columns = allocate(count, input.uncertainty)
  const marks = { temperature: new Uint8Array(count), dew_point: new Uint8Array(count) }
  const split = new Set<string>()
  const bound = new Set<string>()

  for (const order of blended) {
    const field = order.field as Column
    if (field === 'humidity') continue
    const mark = field === 'temperature' || field === 'dew_point' ? marks[field] : undefined
    const guide = order.between === 'split' ? () => guideOf(field, columns, axis, input) : undefined
    fillField(columns[field], axis, order, input, now, { mark, guide, split, bound })
    if (order.between === 'bound') fillHoles(columns[field])
  }
  if (input.uncertainty) {
    for (const order of uncertain) fillField(columns[order.field as Column], axis, order, input, now)
  }
  moistureOfOneSource(columns, axis, input, marks)

  const precipType = new Uint8Array(count)
  const estimated = close(columns, precipType, count, () => flags.map((order) => scratch(axis, order, input)))

  const sun = new Float64Array(count)
  const first = Math.round(start / HOUR)
  for (let h = 0; h < count; h++) sun[h] = sky.sunAtHour(first + h)
  computeUv(columns, sun, input)
  return {
    start,
    count: input.count,
    now,
    columns: Object.fromEntries(
      Object.entries(columns).map(([field, values]) => [field, values.subarray(0, input.count)]),
    ) as typeof columns,
    precipType: precipType.subarray(0, input.count),
    sun: sun.subarray(0, input.count),
    periods: input.sources.get('nbm') ?? [],
    warnings: warningsOf(split, bound, estimated),
  }
}

function allocate(count: number, uncertainty: boolean): Record<Column, Float64Array> {
  const fields: Column[] = [...blendedFields, 'feels_like', ...(uncertainty ? uncertaintyFields : [])]
  const all = new Float64Array(fields.length * count).fill(Number.NaN)
  return Object.fromEntries(fields.map((field, i) => [field, all.subarray(i * count, (i + 1) * count)])) as Record<
    Column,
    Float64Array
  >
}

interface Notes {
  readonly mark?: Uint8Array
  readonly guide?: () => Float64Array | undefined
  /** Fields whose amounts were dealt out of longer intervals, whose probabilities stand for longer intervals. */
  readonly split?: Set<string>
  readonly bound?: Set<string>
}

function fillField(
  out: Float64Array,
  axis: Axis,
  order: FieldOrder,
  input: BlendInput,
  now: number,
  notes: Notes = {},
): void {
  /** Hours that have passed, and the one that runs. */
  const past = now + 1
  let gap = gapIn(out, whole(axis))
  for (const { dataset, variable } of order.analyses ?? []) {
    for (const run of input.sources.get(dataset) ?? []) {
      const series = run.variables.get(variable)
      if (gap && series)
        fillBetween(out, gapBefore(gap, past), series, 'linear', undefined, notes.mark, datasetCode(dataset))
    }
  }
  for (const { dataset, variable, windowHours = 1 } of order.from) {
    const runs = input.sources.get(dataset)
    if (!runs) continue
    for (let r = 0; r < runs.length; r++) {
      const series = runs[r]!.variables.get(variable)
      if (!series) continue
      gap = gap && gapIn(out, gap)
      if (!gap) return
      // An earlier run speaks of hours that have passed, never of those to come.
      const reach = r === 0 ? gap : gapBefore(gap, past)
      if (order.between === 'nearest') fillNearest(out, reach, series)
      else if (order.between === 'split') {
        if (windowHours === 1) fillHourly(out, reach, series)
        else if (fillSplit(out, reach, series, windowHours, notes.guide)) notes.split?.add(order.field)
      } else if (order.between === 'bound') {
        if (windowHours === 1) fillHourly(out, reach, series)
        else if (fillBound(out, reach, series, windowHours)) notes.bound?.add(order.field)
      } else fillBetween(out, reach, series, order.between, input.sky, notes.mark, datasetCode(dataset))
    }
  }
}

const DEG = Math.PI / 180
const codes = ['', 'nbm', 'hrrr', 'hrrr-long', 'gfs', 'rtma-ru', 'rtma', 'urma']
const datasetCode = (dataset: string) => Math.max(0, codes.indexOf(dataset))

/** The shares by which an amount of several hours is dealt out: HRRR's hours, then GFS's 3 hours, for liquid; the cold part of the liquid for snow. */
function guideOf(
  field: Column,
  columns: Readonly<Record<Column, Float64Array>>,
  axis: Axis,
  input: BlendInput,
): Float64Array | undefined {
  if (field === 'precip_amount') {
    const guide = new Float64Array(axis.count).fill(Number.NaN)
    const of = (dataset: string, variable: string) => input.sources.get(dataset)?.[0]?.variables.get(variable)
    for (const dataset of ['hrrr', 'hrrr-long']) {
      const series = of(dataset, 'precip_amount')
      if (series) fillHourly(guide, whole(axis), series)
    }
    for (const hours of [3, 6]) {
      const series = of('gfs', `precip_amount_${hours}h`)
      if (series) fillSplit(guide, whole(axis), series, hours)
    }
    return guide
  }
  if (field === 'ice_amount') return columns.precip_amount
  if (field !== 'snow_amount') return undefined
  const guide = new Float64Array(axis.count)
  for (let h = 0; h < axis.count; h++) {
    const liquid = columns.precip_amount[h]!
    guide[h] = liquid === 0 ? 0 : liquid / (1 + Math.exp(columns.temperature[h]! - 274))
  }
  return guide
}

/** The UV index where no source gives one: ozone, the sun's height, clouds and the height of the ground. */
function computeUv(columns: Readonly<Record<Column, Float64Array>>, sun: Float64Array, input: BlendInput): void {
  const ground = input.sources.get('hrrr')?.[0]?.variables.get('terrain_height')?.values[0] ?? 0
  const height = Number.isNaN(ground) ? 0 : ground
  const { uv_index, ozone, cloud_cover } = columns
  for (let h = 0; h < sun.length; h++) {
    if (!Number.isNaN(uv_index[h]!)) continue
    const altitude = sun[h]! > 0 ? Math.asin(sun[h]!) / DEG : 0
    uv_index[h] = uvIndexOf(ozone[h]!, altitude, cloud_cover[h]!, height)
  }
}

/**
 * Humidity of temperature and dew point of one and the same source. Where the two came from different ones, the
 * dew point's source gives the humidity, and the dew point follows from it at the temperature that is published.
 */
function moistureOfOneSource(
  columns: Readonly<Record<Column, Float64Array>>,
  axis: Axis,
  input: BlendInput,
  marks: { temperature: Uint8Array; dew_point: Uint8Array },
): void {
  const { temperature, dew_point } = columns
  let own: { code: number; values: Float64Array } | undefined
  let humidity: Float64Array | undefined
  for (let h = 0; h < axis.count; h++) {
    const t = temperature[h]!
    if (Number.isNaN(t)) {
      dew_point[h] = Number.NaN
      continue
    }
    if (Number.isNaN(dew_point[h]!)) {
      humidity ??= scratch(axis, orderOf('humidity'), input)
      if (!Number.isNaN(humidity[h]!)) dew_point[h] = dewPoint(t, humidity[h]!)
    } else if (marks.temperature[h] !== marks.dew_point[h]) {
      const code = marks.dew_point[h]!
      if (own?.code !== code) own = { code, values: temperatureOf(codes[code]!, axis, input) }
      const other = own.values[h]!
      dew_point[h] = Number.isNaN(other)
        ? Math.min(t, dew_point[h]!)
        : dewPoint(t, relativeHumidity(other, dew_point[h]!))
    }
  }
}

function temperatureOf(dataset: string, axis: Axis, input: BlendInput): Float64Array {
  const values = new Float64Array(axis.count).fill(Number.NaN)
  for (const run of input.sources.get(dataset) ?? []) {
    const series = run.variables.get('temperature')
    if (series) fillBetween(values, whole(axis), series, 'smooth')
  }
  return values
}

function scratch(axis: Axis, order: FieldOrder, input: BlendInput): Float64Array {
  const out = new Float64Array(axis.count).fill(Number.NaN)
  fillField(out, axis, order, input, -1)
  return out
}

function warningsOf(split: Set<string>, bound: Set<string>, estimated: boolean): MetaWarning[] {
  const warnings: MetaWarning[] = []
  if (split.size) {
    warnings.push({
      code: 'amount_split',
      section: 'hourly',
      detail: 'beyond the hourly range of the source, amounts of 6 hours are dealt out to their hours; the sums stay',
      product_id: 'nbm',
      fields: [...split],
    })
  }
  if (bound.size) {
    warnings.push({
      code: 'probability_upper_bound',
      section: 'hourly',
      detail:
        'beyond the hourly range of the source, the probability of a longer interval stands at each of its hours: an upper bound',
      product_id: 'nbm',
      fields: [...bound],
    })
  }
  if (estimated) {
    warnings.push({
      code: 'probability_estimated',
      section: 'hourly',
      detail: 'where only a source of amounts speaks, 50 stands for a measurable amount and 15 for less',
      fields: ['precip_probability'],
    })
  }
  return warnings
}
