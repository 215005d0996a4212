import type { Sky } from '../../ingest/domain/sky/sky.ts'
import { uvIndexUnder } from '../../ingest/domain/sky/uv.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { typeOfFlags } from '../../ingest/domain/weather/precip-type.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { BlendStage, Draft } from './columns.ts'
import { makeConsistent } from './consistency.ts'
import { type FieldRow, fillField } from './field.ts'
import { leading, uncertaintyDatasets } from './field-table.ts'
import { blendedFields, type Column, orderOf, uncertaintyFields, wholeFields } from './fields.ts'
import { groundOf } from './ground.ts'
import { guideLiquid, guideSnow } from './guide.ts'
import { measureAmounts } from './measured-amounts.ts'
import { alignMoisture } from './moisture.ts'
import { passedHoursOf } from './passed-hours.ts'
import { Periods } from './periods.ts'
import { type RowBuffer, RowBufferPool } from './row-buffer.ts'
import { type Axis, RowFiller } from './row-filler.ts'
import { fieldSourcesOf, RunLayouts, type RunsByDataset } from './run-values.ts'
import { type FieldTrace, traceField } from './trace.ts'
import { warningsOf } from './warnings.ts'

export interface BlendInput {
  /** Time of the first hour; a full hour. */
  readonly start: Instant
  readonly count: number
  readonly now: Instant
  /** Served runs at the cell by dataset, newest first. */
  readonly sources: ReadonlyMap<string, readonly PointSeries[]>
  readonly sky: Sky
  readonly uncertainty: boolean
  /** Whether the source of each value is also recorded, which takes as long as the blend itself. */
  readonly traced?: boolean
}

const blendedSources = blendedFields.map((field) => fieldSourcesOf(orderOf(field), field))
const uncertaintySources = uncertaintyFields.map((field) => fieldSourcesOf(orderOf(field), field))
const flagSources = (['rain_flag', 'snow_flag', 'freezing_rain_flag', 'ice_pellets_flag'] as const).map((field) =>
  fieldSourcesOf(orderOf(field), field),
)

/** Datasets whose variables have intervals of 12 or 24 hours, in different names. */
const periodSources = [leading, ...uncertaintyDatasets]

/**
 * Longest interval of an amount that is split, hours. Such an interval may also include hours beyond the end of the
 * answer.
 */
const MAX_SPLIT_HOURS = 12

/** Blends forecasts. A blend is synchronous, so one object serves all answers in turn. */
export class Blender {
  readonly #filler = new RowFiller()
  readonly #layouts = new RunLayouts()
  readonly #pool = new RowBufferPool()

  /**
   * Blends all sources into one hourly axis in the order of the sources, then makes the fields consistent with each
   * other.
   */
  blend(input: BlendInput): Draft {
    const runs = this.#layouts.runsOf(input.sources)
    return blendRuns(this.#filler, this.#pool, runs, input)
  }
}

function blendRuns(filler: RowFiller, pool: RowBufferPool, runs: RunsByDataset, input: BlendInput): Draft {
  const { start, count } = input
  const now = Math.floor((input.now - start) / HOUR)
  const axis: Axis = { start, count: count + MAX_SPLIT_HOURS - 1, first: now + 1, shown: count }
  filler.begin(axis, input.sky)
  const rowBuffer = pool.acquire(count, axis.count, input.uncertainty)
  const { rows, auxiliary } = rowBuffer
  const apportioned: Column[] = []
  let apportionedFrom = Number.POSITIVE_INFINITY
  for (const fieldSources of blendedSources) {
    const { field, between } = fieldSources
    if (field === 'precip_amount') guideLiquid(filler, auxiliary.guide, runs)
    else if (field === 'snow_amount') guideSnow(filler, auxiliary.guide, rows.precip_amount, rows.temperature)
    const first = fillField(filler, rows[field], fieldSources, runs, now + 1)
    if (first < count) apportioned.push(field)
    apportionedFrom = Math.min(apportionedFrom, first)
    if (between === 'bound') filler.fillHoles()
    if (field === 'cloud_ceiling') markUnlimited(rows[field].values, rowBuffer.shownColumns.ceilingUnlimited)
    if (wholeFields.has(field)) filler.round(between === 'direction')
  }
  if (input.uncertainty) {
    for (const fieldSources of uncertaintySources)
      fillField(filler, rows[fieldSources.field], fieldSources, runs, now + 1)
  }
  const { columns, precipType, shownColumns: shown } = rowBuffer
  const stages: BlendStage[] | undefined = input.traced ? [] : undefined
  stages?.push(stageOf('blend', columns))
  alignMoisture(filler, rowBuffer, runs)
  stages?.push(stageOf('moisture', columns))
  makeConsistent(columns, precipType, count, typeByFlags(filler, rowBuffer, runs))
  const traces = input.traced ? tracesOf(filler, rowBuffer, runs, input) : undefined
  stages?.push(stageOf('consistency', columns))
  const passed = passedHoursOf(input.sources)
  if (passed) measureAmounts({ columns, precipType, start, now }, passed)
  stages?.push(stageOf('measured', columns))
  const ground = groundOf(input.sources)
  fillLight(shown, input, ground || 0)
  const periods = new Periods(periodSources.flatMap((dataset) => input.sources.get(dataset) ?? []))
  let released = false
  return {
    start,
    count,
    now,
    first: Math.min(count - 1, now + 1),
    columns: shown.columns,
    precipType: shown.precipType,
    present: undefined,
    passed,
    blendedHours: [],
    traces,
    stages,
    scanned: false,
    ceilingUnlimited: shown.ceilingUnlimited,
    sun: shown.sun,
    ground,
    periods,
    warnings: warningsOf(apportioned, start + apportionedFrom * HOUR),
    release() {
      if (!released) pool.release(rowBuffer)
      released = true
    },
  }
}

function stageOf(name: BlendStage['name'], columns: Draft['columns']): BlendStage {
  return { name, columns: new Map(Object.entries(columns).map(([field, values]) => [field, values.slice()])) }
}

/** Fills each field a second time, into separate rows, and records where its values come from. */
function tracesOf(
  filler: RowFiller,
  { rows, auxiliary }: RowBuffer,
  runs: RunsByDataset,
  { start, now, sources, uncertainty }: BlendInput,
): Map<Column, FieldTrace> {
  const passedHours = Math.floor((now - start) / HOUR) + 1
  const traces = new Map<Column, FieldTrace>()
  const length = rows.temperature.values.length
  const fillGuide = (field: string) => {
    if (field === 'precip_amount') guideLiquid(filler, auxiliary.guide, runs)
    else if (field === 'snow_amount') guideSnow(filler, auxiliary.guide, rows.precip_amount, rows.temperature)
  }
  for (const fieldSources of uncertainty ? [...blendedSources, ...uncertaintySources] : blendedSources) {
    fillGuide(fieldSources.field)
    const { guide, evened } = rows[fieldSources.field] as FieldRow
    const row = { values: new Float64Array(length), guide, evened }
    traces.set(fieldSources.field, traceField(filler, row, fieldSources, runs, passedHours, start, sources))
  }
  return traces
}

/** Returns a function that returns the type of an hour by a model's flags. The flags are read at its first call. */
function typeByFlags(filler: RowFiller, { auxiliary }: RowBuffer, runs: RunsByDataset): (h: number) => number {
  const { rain_flag, snow_flag, freezing_rain_flag, ice_pellets_flag } = auxiliary
  let isFilled = false
  return (h) => {
    if (!isFilled) {
      for (const fieldSources of flagSources) fillField(filler, auxiliary[fieldSources.field], fieldSources, runs, 0)
    }
    isFilled = true
    return typeOfFlags(
      rain_flag.values[h]!,
      snow_flag.values[h]!,
      freezing_rain_flag.values[h]!,
      ice_pellets_flag.values[h]!,
    )
  }
}

/** Marks the hours with an unlimited ceiling by 1. Until then their height is infinite. */
function markUnlimited(ceilings: Float64Array, unlimited: Uint8Array): void {
  unlimited.fill(0)
  for (const [h, height] of ceilings.entries()) {
    if (height !== Number.POSITIVE_INFINITY) continue
    ceilings[h] = Number.NaN
    unlimited[h] = 1
  }
}

/**
 * Fills the height of the sun, and the UV index if no source has it: from ozone, the sun's height, clouds and the
 * height of the ground. Hours before the first hour of the served run that have clouds use its first ozone value, which
 * changes by a few hundredths in a day. Today's UV index is therefore not lost when a run begins in the evening.
 */
function fillLight({ columns, sun }: RowBuffer['shownColumns'], { start, sky }: BlendInput, height: number): void {
  const { uv_index, ozone, cloud_cover } = columns
  sky.sunAtHours(Math.round(start / HOUR), sun)
  let first = 0
  while (first < ozone.length && Number.isNaN(ozone[first]!)) first++
  for (let h = 0; h < sun.length; h++) {
    if (!Number.isNaN(uv_index[h]) || (h < first && Number.isNaN(cloud_cover[h]!))) continue
    uv_index[h] = uvIndexUnder(ozone[Math.max(h, first)]!, sun[h]!, cloud_cover[h]!, height)
  }
}
