import type { BetweenTimes } from '../../ingest/domain/source-order.ts'
import { interpolations, kernels } from './kernels.ts'
import type { Recipe, Supplies, Supply } from './supply.ts'

/** A row to fill, as places in the kernels' memory. */
export interface FieldRow {
  readonly place: number
  /** Where it is noted of which dataset an hour is; 0 for nowhere. */
  readonly marks: number
  /** Shares by which amounts of several hours are dealt out; 0 where there are none. */
  readonly guide: number
  /** Hours of the axis. */
  readonly count: number
  /** The row itself, and 1 at each of its hours that a longer interval's probability filled; only of fields that note it. */
  readonly noted?: { readonly values: Float64Array; readonly bounds: Uint8Array }
}

/**
 * Fills a row from a field's sources in their order: a later one only gives the hours that the earlier ones leave.
 * @param past the hours that have passed, and the one that runs
 * @returns whether amounts were dealt out to hours that are shown, or probabilities stand at them for longer intervals
 */
export function fillField(row: FieldRow, recipe: Recipe<string>, supplies: Supplies, past: number): boolean {
  const { between, analyses, from } = recipe
  kernels.open(row.place, row.marks)
  for (const { dataset, strip } of analyses) {
    for (const run of supplies[dataset] ?? none) fillHours('linear', run, strip, past)
  }
  let spread = false
  row.noted?.bounds.fill(0)
  let marked = row.noted === undefined
  for (const { dataset, strip, windowHours } of from) {
    const runs = supplies[dataset]
    if (!runs) continue
    if (!marked && windowHours > 1) {
      markMissing(row.noted!)
      marked = true
    }
    for (let r = 0; r < runs.length; r++) {
      if (!kernels.hasMissing()) return spread
      // An earlier run speaks of hours that have passed, never of those to come.
      const before = r === 0 ? row.count : past
      if (windowHours === 1) fillHours(between, runs[r], strip, before)
      else if (fillWindows(between, runs[r], strip, before, windowHours, row.guide)) spread = true
    }
  }
  return spread
}

/** Hours without a value of their own are filled with a longer interval's from here on. */
function markMissing({ values, bounds }: NonNullable<FieldRow['noted']>): void {
  for (let h = 0; h < values.length; h++) bounds[h] = Number.isNaN(values[h]) ? 1 : 0
}

const none: readonly Supply[] = []

/** @param before hours from there on are not filled */
export function fillHours(
  between: BetweenTimes,
  { number, values, strips }: Supply,
  strip: number,
  before: number,
): void {
  const found = strips[strip]
  if (!found) return
  const { times, from, length } = found
  if (between === 'nearest') kernels.fillNearest(times, values + from, length, before)
  else if (between === 'split' || between === 'bound') kernels.fillHourly(times, values + from, length, before)
  else kernels.fillBetween(times, values + from, length, before, interpolations[between], number)
}

/** Of intervals of several hours. @returns whether any hour that is shown was filled */
export function fillWindows(
  between: BetweenTimes,
  { values, strips }: Supply,
  strip: number,
  before: number,
  hours: number,
  guide: number,
): boolean {
  const found = strips[strip]
  if (!found) return false
  const { times, from, length } = found
  return between === 'split'
    ? kernels.fillSplit(times, values + from, length, before, hours, guide) !== 0
    : kernels.fillBound(times, values + from, length, before, hours) !== 0
}
