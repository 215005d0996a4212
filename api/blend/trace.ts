import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { PointSeries, Series } from '../../ingest/tile/read.ts'
import { type FieldRow, fillField } from './field.ts'
import type { BetweenTimes } from './field-table.ts'
import type { RowFiller } from './row-filler.ts'
import type { FieldSources, RunsByDataset } from './run-values.ts'

/** How the value of an hour follows from the values of a run. */
export type TracedInterpolation = 'none' | BetweenTimes

/** A variable of a run that fills hours of a field. */
export interface Fill {
  readonly series: PointSeries
  readonly variable: string
  readonly interpolation: TracedInterpolation
}

/**
 * How the hours of a field are filled, as numbers instead of objects, because an answer has ten thousand such hours.
 */
export interface FieldTrace {
  readonly fills: readonly Fill[]
  /**
   * `TRACE_WIDTH` numbers for each hour of the axis, -1 if unused: the index of its fill, then the indexes of its
   * values among the times of the fill's variable. A linear interpolation has the two values around the hour; a cubic
   * also has the two beyond them.
   */
  readonly hours: Int16Array
}

export const TRACE_WIDTH = 5

/** Series by name of the dataset, in the order in which `runs` has them. */
type Sources = ReadonlyMap<string, readonly PointSeries[]>

/** Fills a field a second time and records what fills each hour. The blend runs the same code. */
export function traceField(
  filler: RowFiller,
  row: FieldRow,
  fieldSources: FieldSources<string>,
  runs: RunsByDataset,
  passedHours: number,
  start: Instant,
  sources: Sources,
): FieldTrace {
  const { length } = row.values
  const hours = new Int16Array(length * TRACE_WIDTH).fill(-1)
  const isTraced = new Uint8Array(length)
  const fills: Fill[] = []
  fillField(filler, row, fieldSources, runs, passedHours, ({ names, windowHours }, run, between) => {
    const { dataset, variable } = names
    const series = sources.get(dataset)?.[run]
    const values = series?.variables.get(variable)
    let exactFill = -1
    let interpolatedFill = -1
    for (let h = 0; h < length; h++) {
      // An infinite value means none.
      if (isTraced[h] || !Number.isFinite(row.values[h]!)) continue
      isTraced[h] = 1
      if (!series || !values) continue
      const entry = hours.subarray(h * TRACE_WIDTH, (h + 1) * TRACE_WIDTH)
      if (placesOf(values, start + h * HOUR, between, windowHours, entry)) {
        if (exactFill < 0) exactFill = fills.push({ series, variable, interpolation: 'none' }) - 1
        entry[0] = exactFill
      } else {
        if (interpolatedFill < 0) interpolatedFill = fills.push({ series, variable, interpolation: between }) - 1
        entry[0] = interpolatedFill
      }
    }
  })
  return { fills, hours }
}

/**
 * Writes the indexes of the values that determine an hour into `entry`, from its second number on.
 * @returns whether the value is that of the hour itself
 */
function placesOf(
  { times, values }: Pick<Series, 'times' | 'values'>,
  hour: Instant,
  between: BetweenTimes,
  windowHours: number,
  entry: Int16Array,
): boolean {
  const isKnown = (j: number) => j >= 0 && j < times.length && !Number.isNaN(values[j]!)
  const from = firstFrom(times, hour)
  if (windowHours > 1) {
    // Only the first interval that contains the hour counts, because later intervals leave a filled hour unchanged.
    let j = from
    while (j < times.length && !(times[j]! - windowHours * HOUR < hour && isKnown(j))) j++
    if (j < times.length) entry[1] = j
    return false
  }
  if (times[from] === hour && isKnown(from)) {
    entry[1] = from
    return true
  }
  if (between === 'nearest') {
    const later = from < times.length && (from === 0 || times[from]! - hour <= hour - times[from - 1]!)
    entry[1] = later ? from : from - 1
    return false
  }
  let after = from
  while (after < times.length && !(times[after]! > hour && isKnown(after))) after++
  if (after === times.length) after--
  let before = after - 1
  while (before > 0 && !(isKnown(before) && times[before]! < hour)) before--
  let at = 1
  if (between !== 'smooth') entry.set([before, after], at)
  else for (const j of [before - 1, before, after, after + 1]) if (isKnown(j)) entry[at++] = j
  return false
}

/** Index of the first time at or after `time`. */
function firstFrom(times: Float64Array, time: Instant): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}
