import type { Sky } from '../../ingest/domain/sky/sky.ts'
import { uvIndexUnder } from '../../ingest/domain/sky/uv.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import { close } from './closure.ts'
import type { Draft } from './columns.ts'
import { type FieldRow, fillField } from './field.ts'
import { leading, terrain } from './field-table.ts'
import { blendedFields, type Column, orderOf, uncertaintyFields, wholeFields } from './fields.ts'
import { guideLiquid, guideSnow } from './guide.ts'
import { measureAmounts } from './measured-amounts.ts'
import { moistureOfOneSource } from './moisture.ts'
import { passedHoursOf } from './passed-hours.ts'
import { Periods } from './periods.ts'
import { type RowBuffer, RowBufferPool } from './row-buffer.ts'
import { type Axis, RowFiller } from './row-filler.ts'
import { RunLayouts, recipeOf, type Supplies } from './supply.ts'
import { type FieldTrace, traceField } from './trace.ts'
import { warningsOf } from './warnings.ts'

export interface BlendInput {
  /** A full hour. */
  readonly start: Instant
  readonly count: number
  readonly now: Instant
  /** Served runs at the cell by dataset; of a dataset with earlier runs, newest first. */
  readonly sources: ReadonlyMap<string, readonly PointSeries[]>
  readonly sky: Sky
  readonly uncertainty: boolean
  /** Also where each value comes from: costs as much as the blend itself. */
  readonly traced?: boolean
}

const blended = blendedFields.map((field) => recipeOf(orderOf(field), field))
const uncertain = uncertaintyFields.map((field) => recipeOf(orderOf(field), field))
const flags = (['rain_flag', 'snow_flag', 'freezing_rain_flag', 'ice_pellets_flag'] as const).map((field) =>
  recipeOf(orderOf(field), field),
)

/** Longest interval of a split amount: its hours beyond the end of the answer take part too. */
const MAX_SPLIT_HOURS = 6

/** Blends forecasts, one at a time: a blend is synchronous, so that one object serves all answers. */
export class Blender {
  readonly #filler = new RowFiller()
  readonly #layouts = new RunLayouts()
  readonly #pool = new RowBufferPool()

  /** Blends all sources into one hourly axis by the order of sources, then makes the fields consistent. */
  blend(input: BlendInput): Draft {
    const supplies = this.#layouts.suppliesOf(input.sources)
    return blendSupplies(this.#filler, this.#pool, supplies, input)
  }
}

function blendSupplies(filler: RowFiller, pool: RowBufferPool, supplies: Supplies, input: BlendInput): Draft {
  const { start, count } = input
  const axis: Axis = { start, count: count + MAX_SPLIT_HOURS - 1, shown: count }
  const now = Math.floor((input.now - start) / HOUR)
  filler.begin(axis, input.sky)
  const rowBuffer = pool.acquire(count, axis.count, input.uncertainty)
  const { rows, auxiliary } = rowBuffer
  const split: Column[] = []
  const bound: Column[] = []
  for (const recipe of blended) {
    const { field, between } = recipe
    if (field === 'precip_amount') guideLiquid(filler, auxiliary.guide, supplies)
    else if (field === 'snow_amount') guideSnow(filler, auxiliary.guide, rows.precip_amount, rows.temperature)
    if (fillField(filler, rows[field], recipe, supplies, now + 1)) (between === 'split' ? split : bound).push(field)
    if (between === 'bound') filler.fillHoles()
    if (wholeFields.has(field)) filler.round(between === 'direction')
  }
  if (input.uncertainty) {
    for (const recipe of uncertain) fillField(filler, rows[recipe.field], recipe, supplies, now + 1)
  }
  const { columns, precipType, shownColumns: front } = rowBuffer
  moistureOfOneSource(filler, rowBuffer, supplies)
  close(columns, precipType, count, rowBuffer.bounds.precipitation, () => flagsOf(filler, rowBuffer, supplies))
  const traces = input.traced ? tracesOf(filler, rowBuffer, supplies, input) : undefined
  const passed = passedHoursOf(input.sources)
  if (passed) measureAmounts({ columns, precipType, start, now }, passed)
  const ground = groundOf(input)
  lightOf(front, input, ground || 0)
  const periods = new Periods(input.sources.get(leading) ?? [])
  let released = false
  return {
    start,
    count,
    now,
    columns: front.columns,
    precipType: front.precipType,
    bounds: front.bounds,
    present: undefined,
    passed,
    traces,
    nowFromRadar: false,
    scanned: false,
    ceilingUnlimited: ceilingsWithout(front, periods, start),
    sun: front.sun,
    ground,
    periods,
    warnings: warningsOf(split, bound, start + firstBound(front) * HOUR),
    release() {
      if (!released) pool.release(rowBuffer)
      released = true
    },
  }
}

/** Fills each field once more into rows of its own. */
function tracesOf(
  filler: RowFiller,
  { rows, auxiliary }: RowBuffer,
  supplies: Supplies,
  { start, now, sources, uncertainty }: BlendInput,
): Map<Column, FieldTrace> {
  const past = Math.floor((now - start) / HOUR) + 1
  const traces = new Map<Column, FieldTrace>()
  const length = rows.temperature.values.length
  const guideOf = (field: string) => {
    if (field === 'precip_amount') guideLiquid(filler, auxiliary.guide, supplies)
    else if (field === 'snow_amount') guideSnow(filler, auxiliary.guide, rows.precip_amount, rows.temperature)
  }
  for (const recipe of uncertainty ? [...blended, ...uncertain] : blended) {
    guideOf(recipe.field)
    const { guide, bounds } = rows[recipe.field] as FieldRow
    const row = { values: new Float64Array(length), guide, ...(bounds && { bounds: new Uint8Array(length) }) }
    traces.set(recipe.field, traceField(filler, row, recipe, supplies, past, start, sources))
  }
  return traces
}

function flagsOf(filler: RowFiller, { auxiliary }: RowBuffer, supplies: Supplies): Float64Array[] {
  return flags.map((recipe) => {
    fillField(filler, auxiliary[recipe.field], recipe, supplies, 0)
    return auxiliary[recipe.field].values
  })
}

function firstBound({ bounds, columns }: RowBuffer['shownColumns']): number {
  const { precip_probability: rain, thunderstorm_probability: thunder } = columns
  let h = 0
  for (; h < rain.length; h++) {
    if (bounds.precipitation[h] && !Number.isNaN(rain[h])) break
    if (bounds.thunder[h] && !Number.isNaN(thunder[h])) break
  }
  return h
}

/** Tiles store "no ceiling" as missing: it is one where the source has the variable at that time. */
function ceilingsWithout(front: RowBuffer['shownColumns'], nbm: Periods, start: Instant): Uint8Array {
  const ceilings = front.columns.cloud_ceiling
  const unlimited = front.ceilingUnlimited.fill(0)
  for (const { times } of nbm.of('cloud_ceiling')) {
    if (times.length === 0) continue
    const first = Math.max(0, Math.ceil((times[0] - start) / HOUR))
    const last = Math.min(ceilings.length - 1, Math.floor((times[times.length - 1] - start) / HOUR))
    for (let h = first; h <= last; h++) if (Number.isNaN(ceilings[h])) unlimited[h] = 1
  }
  return unlimited
}

/** NaN where no source gives it. */
function groundOf({ sources }: BlendInput): number {
  return sources.get(terrain)?.[0]?.variables.get('terrain_height')?.values[0] ?? Number.NaN
}

/**
 * The sun, and the UV index where no source gives one: ozone, the sun's height, clouds and the height of the ground.
 * Hours before the served run's first that have clouds have its first ozone, which changes by a few hundredths in a day:
 * today's UV index is not lost when a run begins in the evening.
 */
function lightOf({ columns, sun }: RowBuffer['shownColumns'], { start, sky }: BlendInput, height: number): void {
  const { uv_index, ozone, cloud_cover } = columns
  sky.sunAtHours(Math.round(start / HOUR), sun)
  let first = 0
  while (first < ozone.length && Number.isNaN(ozone[first])) first++
  for (let h = 0; h < sun.length; h++) {
    if (!Number.isNaN(uv_index[h]) || (h < first && Number.isNaN(cloud_cover[h]))) continue
    uv_index[h] = uvIndexUnder(ozone[Math.max(h, first)], sun[h], cloud_cover[h], height)
  }
}
