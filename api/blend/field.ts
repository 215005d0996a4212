import type { BetweenTimes } from './field-table.ts'
import type { RowFiller } from './row-filler.ts'
import type { Recipe, Source, Supplies, Supply } from './supply.ts'

/** A row to fill. */
export interface FieldRow {
  /** A value for each hour of the axis. */
  readonly values: Float64Array
  /** Where the dataset of each hour is recorded. */
  readonly marks?: Uint8Array
  /** Weights for splitting amounts of several hours. */
  readonly guide?: Float64Array
  /** 1 at each hour that was filled from a longer interval; only of probabilities. */
  readonly bounds?: Uint8Array
}

/**
 * Fills a row from the sources of a field in their order: each only fills hours that are still missing.
 * @param past number of passed hours, the current one included
 * @param filled called after each source
 * @returns whether shown hours have split amounts, or probabilities of longer intervals
 */
export function fillField(
  filler: RowFiller,
  row: FieldRow,
  recipe: Recipe<string>,
  supplies: Supplies,
  past: number,
  filled?: (source: Source, run: number, between: BetweenTimes) => void,
): boolean {
  const { between, analyses, from } = recipe
  filler.open(row.values, row.marks)
  for (const source of analyses) {
    const runs = supplies[source.dataset] ?? none
    for (let r = 0; r < runs.length; r++) {
      fillHours(filler, 'linear', runs[r], source.strip, past)
      filled?.(source, r, 'linear')
    }
  }
  let spread = false
  row.bounds?.fill(0)
  let marked = row.bounds === undefined
  for (const source of from) {
    const { dataset, strip, windowHours } = source
    const runs = supplies[dataset]
    if (!runs) continue
    if (!marked && windowHours > 1) {
      markMissing(row.values, row.bounds!)
      marked = true
    }
    for (let r = 0; r < runs.length; r++) {
      if (!filler.hasMissing()) return spread
      // An earlier run is used for passed hours only, unless it stands in for what is missing in the newest one.
      const before = r === 0 || runs[r].standsIn ? row.values.length : past
      if (windowHours === 1) fillHours(filler, between, runs[r], strip, before)
      else if (fillWindows(filler, between, runs[r], strip, before, windowHours, row.guide)) spread = true
      filled?.(source, r, between)
    }
  }
  return spread
}

/** Marks the hours that are still missing: only longer intervals can fill them now. */
function markMissing(values: Float64Array, bounds: Uint8Array): void {
  for (let h = 0; h < values.length; h++) bounds[h] = Number.isNaN(values[h]) ? 1 : 0
}

const none: readonly Supply[] = []

/** @param before hours from there on are not filled */
export function fillHours(
  filler: RowFiller,
  between: BetweenTimes,
  { number, values, strips }: Supply,
  strip: number,
  before: number,
): void {
  const found = strips[strip]
  if (!found) return
  const { times, from, own = values } = found
  if (between === 'nearest') filler.fillNearest(times, own, from, before)
  else if (between === 'split' || between === 'bound') filler.fillHourly(times, own, from, before)
  else filler.fillBetween(times, own, from, before, between, number)
}

/** Of intervals of several hours. @returns whether any hour that is shown was filled */
export function fillWindows(
  filler: RowFiller,
  between: BetweenTimes,
  { values, strips }: Supply,
  strip: number,
  before: number,
  hours: number,
  guide?: Float64Array,
): boolean {
  const found = strips[strip]
  if (!found) return false
  const { times, from, own = values } = found
  return between === 'split'
    ? filler.fillSplit(times, own, from, before, hours, guide)
    : filler.fillBound(times, own, from, before, hours)
}
