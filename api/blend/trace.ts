import type { BetweenTimes } from '../../ingest/domain/source-order.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import { type FieldRow, fillField } from './field.ts'
import type { RowFiller } from './row-filler.ts'
import { nameOf, type Recipe, type Supplies } from './supply.ts'

/** How a value of an hour follows from those of a run. */
export type Interpolation = 'none' | Exclude<BetweenTimes, 'bound'> | 'bound'

/** Which values of which run fill a field at an hour. */
export interface Trace {
  readonly series: PointSeries
  readonly variable: string
  readonly interpolation: Interpolation
  /** Valid times of the values: of a straight line the two around the hour, of a curve those beyond them too. */
  readonly times: readonly Instant[]
}

/** Of each field an entry an hour of the axis; undefined where no source has a value. */
export interface FieldTrace {
  readonly hours: readonly (Trace | undefined)[]
  /** What the sources give, before the fields are made to agree with each other. */
  readonly values: Float64Array
}

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
  const hours: (Trace | undefined)[] = []
  const missing = new Set(row.values.keys())
  fillField(filler, row, recipe, supplies, past, ({ dataset, strip, windowHours }, run, between) => {
    const { dataset: name, variable } = nameOf(dataset, strip)
    const series = sources.get(name)?.[run]
    for (const h of missing) {
      if (Number.isNaN(row.values[h]!)) continue
      missing.delete(h)
      if (series) hours[h] = traceOf(series, variable, start + h * HOUR, between, windowHours)
    }
  })
  return { hours, values: row.values.slice() }
}

function traceOf(
  series: PointSeries,
  variable: string,
  hour: Instant,
  between: BetweenTimes,
  windowHours: number,
): Trace {
  const { times, values } = series.variables.get(variable)!
  const known = (j: number) => j >= 0 && j < times.length && !Number.isNaN(values[j]!)
  const exact = times.indexOf(hour)
  if (windowHours > 1) {
    // The first interval that contains the hour: later ones find it filled.
    const j = times.findIndex((time, k) => time >= hour && time - windowHours * HOUR < hour && known(k))
    return { series, variable, interpolation: between, times: [times[j]!] }
  }
  if (known(exact)) return { series, variable, interpolation: 'none', times: [hour] }
  if (between === 'nearest') {
    let nearest = 0
    for (const [j, time] of times.entries()) if (Math.abs(time - hour) <= Math.abs(times[nearest]! - hour)) nearest = j
    return { series, variable, interpolation: between, times: [times[nearest]!] }
  }
  let after = times.findIndex((time, j) => time > hour && known(j))
  if (after < 0) after = times.length - 1
  let before = after - 1
  while (before > 0 && !(known(before) && times[before]! < hour)) before--
  const around = between === 'smooth' ? [before - 1, before, after, after + 1].filter(known) : [before, after]
  return { series, variable, interpolation: between, times: around.map((j) => times[j]!) }
}
