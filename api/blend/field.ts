import type { BetweenTimes } from './field-table.ts'
import type { RowFiller } from './row-filler.ts'
import type { FieldSources, RunsByDataset, RunValues, Source } from './run-values.ts'

/** A row of hourly values to fill. */
export interface FieldRow {
  /** One value for each hour of the axis. */
  readonly values: Float64Array
  /** If present, receives the number of the dataset that filled each hour. */
  readonly marks?: Uint8Array
  /** Weights by which amounts of several hours are split. */
  readonly guide?: Float64Array
  /** 1 at each hour that was filled from a longer interval; only probabilities have it. */
  readonly bounds?: Uint8Array
}

/**
 * Fills a row from the sources of a field in their order: each only fills hours that are still missing.
 * @param passedHours number of passed hours, the current one included
 * @param onFilled called after each source
 * @returns whether hours of the answer were filled from longer intervals
 */
export function fillField(
  filler: RowFiller,
  row: FieldRow,
  fieldSources: FieldSources<string>,
  runsByDataset: RunsByDataset,
  passedHours: number,
  onFilled?: (source: Source, run: number, between: BetweenTimes) => void,
): boolean {
  const { between, analyses, from } = fieldSources
  filler.open(row.values, row.marks)
  for (const source of analyses) {
    for (const [r, run] of (runsByDataset[source.dataset] ?? []).entries()) {
      fillHours(filler, 'linear', run, source.variable, passedHours)
      onFilled?.(source, r, 'linear')
    }
  }
  let fromIntervals = false
  row.bounds?.fill(0)
  let unmarked = row.bounds
  for (const source of from) {
    const { dataset, variable, windowHours } = source
    const runs = runsByDataset[dataset]
    if (!runs) continue
    if (unmarked && windowHours > 1) {
      markMissing(row.values, unmarked)
      unmarked = undefined
    }
    for (const [r, run] of runs.entries()) {
      if (!filler.hasMissing()) return fromIntervals
      // An earlier run is used for passed hours only, unless it has the values that the newest run lacks.
      const before = r === 0 || run.standsIn ? row.values.length : passedHours
      if (windowHours === 1) fillHours(filler, between, run, variable, before)
      else if (fillWindows(filler, between, run, variable, before, windowHours, row.guide)) fromIntervals = true
      onFilled?.(source, r, between)
    }
  }
  return fromIntervals
}

/** Marks the hours that are still missing: only longer intervals can fill them. */
function markMissing(values: Float64Array, bounds: Uint8Array): void {
  for (let h = 0; h < values.length; h++) bounds[h] = Number.isNaN(values[h]) ? 1 : 0
}

/**
 * Fills hours from a variable of a run that has instants or single hours.
 * @param before hours from this index on are not filled
 */
export function fillHours(
  filler: RowFiller,
  between: BetweenTimes,
  { number, values, layouts }: RunValues,
  variable: number,
  before: number,
): void {
  const layout = layouts[variable]
  if (!layout) return
  const { times, from, own = values } = layout
  if (between === 'nearest') filler.fillNearest(times, own, from, before)
  else if (between === 'split' || between === 'bound') filler.fillHourly(times, own, from, before)
  else filler.fillBetween(times, own, from, before, between, number)
}

/** Fills hours from a variable of intervals of several hours. @returns whether any hour of the answer was filled */
export function fillWindows(
  filler: RowFiller,
  between: BetweenTimes,
  { values, layouts }: RunValues,
  variable: number,
  before: number,
  hours: number,
  guide?: Float64Array,
): boolean {
  const layout = layouts[variable]
  if (!layout) return false
  const { times, from, own = values } = layout
  return between === 'split'
    ? filler.fillSplit(times, own, from, before, hours, guide)
    : filler.fillBound(times, own, from, before, hours)
}
