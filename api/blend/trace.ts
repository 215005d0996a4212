import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { PointSeries, Series } from '../../ingest/tile/read.ts'
import { type FieldRow, fillField } from './field.ts'
import type { BetweenTimes } from './field-table.ts'
import type { RowFiller } from './row-filler.ts'
import { nameOf, type Recipe, type Supplies } from './supply.ts'

/** How a value of an hour follows from those of a run. */
export type TracedInterpolation = 'none' | Exclude<BetweenTimes, 'bound'> | 'bound'

/** A variable of a run that fills hours of a field. */
export interface Fill {
  readonly series: PointSeries
  readonly variable: string
  readonly interpolation: TracedInterpolation
}

/** What fills the hours of a field. An answer has ten thousand of them: in numbers, not objects. */
export interface FieldTrace {
  readonly fills: readonly Fill[]
  /**
   * `TRACE_WIDTH` numbers an hour of the axis, -1 where there is none: index of its fill, and indexes of its values among the times of the
   * fill's variable. Of a straight line the two around the hour, of a curve those beyond them too.
   */
  readonly hours: Int16Array
  /** What the sources give, before the fields are made to agree with each other. */
  readonly values: Float64Array
}

export const TRACE_WIDTH = 5

/** Sources by name, in the order in which `supplies` has their runs. */
type Sources = ReadonlyMap<string, readonly PointSeries[]>

/** Fills a field once more and records what fills each hour: the very same code decides. */
export function traceField(
  filler: RowFiller,
  row: FieldRow,
  recipe: Recipe<string>,
  supplies: Supplies,
  past: number,
  start: Instant,
  sources: Sources,
): FieldTrace {
  const { length } = row.values
  const hours = new Int16Array(length * TRACE_WIDTH).fill(-1)
  const seen = new Uint8Array(length)
  const fills: Fill[] = []
  fillField(filler, row, recipe, supplies, past, ({ dataset, strip, windowHours }, run, between) => {
    const { dataset: name, variable } = nameOf(dataset, strip)
    const series = sources.get(name)?.[run]
    const values = series?.variables.get(variable)
    let exact = -1
    let other = -1
    for (let h = 0; h < length; h++) {
      if (seen[h] || Number.isNaN(row.values[h]!)) continue
      seen[h] = 1
      if (!series || !values) continue
      const entry = hours.subarray(h * TRACE_WIDTH, (h + 1) * TRACE_WIDTH)
      if (placesOf(values, start + h * HOUR, between, windowHours, entry)) {
        if (exact < 0) exact = fills.push({ series, variable, interpolation: 'none' }) - 1
        entry[0] = exact
      } else {
        if (other < 0) other = fills.push({ series, variable, interpolation: between }) - 1
        entry[0] = other
      }
    }
  })
  return { fills, hours, values: row.values.slice() }
}

/** Writes the indexes of the values that give an hour from the second number of `entry` on. @returns whether it is a value of that very hour */
function placesOf(
  { times, values }: Pick<Series, 'times' | 'values'>,
  hour: Instant,
  between: BetweenTimes,
  windowHours: number,
  entry: Int16Array,
): boolean {
  const known = (j: number) => j >= 0 && j < times.length && !Number.isNaN(values[j]!)
  const from = firstFrom(times, hour)
  if (windowHours > 1) {
    // The first interval that contains the hour: later ones find it filled.
    let j = from
    while (j < times.length && !(times[j]! - windowHours * HOUR < hour && known(j))) j++
    if (j < times.length) entry[1] = j
    return false
  }
  if (times[from] === hour && known(from)) {
    entry[1] = from
    return true
  }
  if (between === 'nearest') {
    const later = from < times.length && (from === 0 || times[from]! - hour <= hour - times[from - 1]!)
    entry[1] = later ? from : from - 1
    return false
  }
  let after = from
  while (after < times.length && !(times[after]! > hour && known(after))) after++
  if (after === times.length) after--
  let before = after - 1
  while (before > 0 && !(known(before) && times[before]! < hour)) before--
  let at = 1
  if (between !== 'smooth') entry.set([before, after], at)
  else for (const j of [before - 1, before, after, after + 1]) if (known(j)) entry[at++] = j
  return false
}

/** Index of the first time that is not before this one. */
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
