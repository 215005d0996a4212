import type { BetweenTimes } from './field-table.ts'
import type { RowFiller } from './row-filler.ts'
import type { FieldSources, RunsByDataset, RunValues, Source } from './run-values.ts'

/** A row of hourly values to fill. */
export interface FieldRow {
  /** One value for each hour of the axis. */
  readonly values: Float64Array
  /** If present, receives the number of the dataset that filled each hour. */
  readonly marks?: Uint8Array
  /** Amounts of the hours, by which amounts and probabilities of several hours are apportioned. */
  readonly guide?: Float64Array
  /** Whether the shares from the guide are partly evened out. */
  readonly evened?: boolean
}

/**
 * Fills a row from the sources of a field in their order: each source only fills hours that are still missing.
 * If the field can be none (no ceiling), an hour for which a source that has the field gives no value becomes Infinity.
 * @param passedHours number of passed hours, including the current hour
 * @param onFilled called after each source
 * @returns index of the first hour of the answer that was filled from a longer interval, infinite if there is none
 */
export function fillField(
  filler: RowFiller,
  row: FieldRow,
  fieldSources: FieldSources<string>,
  runsByDataset: RunsByDataset,
  passedHours: number,
  onFilled?: (source: Source, run: number, between: BetweenTimes) => void,
): number {
  const { between, analyses, from } = fieldSources
  filler.open(row.values, row.marks)
  for (const source of analyses) {
    for (const [r, run] of (runsByDataset[source.dataset] ?? []).entries()) {
      fillHours(filler, 'linear', run, source.variable, passedHours)
      onFilled?.(source, r, 'linear')
    }
  }
  let fromIntervals = Number.POSITIVE_INFINITY
  for (const source of from) {
    const { dataset, variable, windowHours } = source
    const runs = runsByDataset[dataset]
    if (!runs) continue
    for (const [r, run] of runs.entries()) {
      if (!filler.hasMissing()) return fromIntervals
      // An earlier run is used for passed hours only, unless it has the values that the newest run lacks.
      const before = r === 0 || run.standsIn ? row.values.length : passedHours
      if (windowHours === 1) fillHours(filler, between, run, variable, before, fieldSources.canBeNone)
      else
        fromIntervals = Math.min(fromIntervals, fillWindows(filler, between, run, variable, before, windowHours, row))
      onFilled?.(source, r, between)
    }
  }
  return fromIntervals
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
  canBeNone?: true,
): void {
  const layout = layouts[variable]
  if (!layout) return
  const { times, from, own = values } = layout
  if (between === 'nearest') filler.fillNearest(times, own, from, before, canBeNone)
  else if (between === 'split' || between === 'bound') filler.fillHourly(times, own, from, before)
  else filler.fillBetween(times, own, from, before, between, number)
}

/** Fills hours from a variable of intervals of several hours. @returns the same as `fillField` */
function fillWindows(
  filler: RowFiller,
  between: BetweenTimes,
  { values, layouts }: RunValues,
  variable: number,
  before: number,
  hours: number,
  { guide, evened }: FieldRow,
): number {
  const layout = layouts[variable]
  if (!layout) return Number.POSITIVE_INFINITY
  const { times, from, own = values } = layout
  return between === 'split'
    ? filler.fillSplit(times, own, from, before, hours, guide, evened)
    : filler.fillChance(times, own, from, before, hours, guide)
}
