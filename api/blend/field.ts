import type { BetweenTimes } from '../../ingest/domain/source-order.ts'
import { type BlendKernels, interpolations } from './kernels.ts'
import type { Recipe, Supplies, Supply } from './supply.ts'

/** A row to fill; numbers are offsets in the kernels' memory. */
export interface FieldRow {
  readonly offset: number
  /** Where the dataset of each hour is recorded; 0 for nowhere. */
  readonly marks: number
  /** Weights for splitting amounts of several hours; 0 for none. */
  readonly guide: number
  /** Hours of the axis. */
  readonly count: number
  /** The row itself, and 1 at each of its hours that was filled from a longer interval; only of probabilities. */
  readonly noted?: { readonly values: Float64Array; readonly bounds: Uint8Array }
}

/**
 * Fills a row from the sources of a field in their order: each only fills hours that are still missing.
 * @param past number of passed hours, the current one included
 * @returns whether shown hours have split amounts, or probabilities of longer intervals
 */
export function fillField(
  kernels: BlendKernels,
  row: FieldRow,
  recipe: Recipe<string>,
  supplies: Supplies,
  past: number,
): boolean {
  const { between, analyses, from } = recipe
  kernels.open(row.offset, row.marks)
  for (const { dataset, strip } of analyses) {
    for (const run of supplies[dataset] ?? none) fillHours(kernels, 'linear', run, strip, past)
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
      // An earlier run is used for passed hours only.
      const before = r === 0 ? row.count : past
      if (windowHours === 1) fillHours(kernels, between, runs[r], strip, before)
      else if (fillWindows(kernels, between, runs[r], strip, before, windowHours, row.guide)) spread = true
    }
  }
  return spread
}

/** Marks the hours that are still missing: only longer intervals can fill them now. */
function markMissing({ values, bounds }: NonNullable<FieldRow['noted']>): void {
  for (let h = 0; h < values.length; h++) bounds[h] = Number.isNaN(values[h]) ? 1 : 0
}

const none: readonly Supply[] = []

/** @param before hours from there on are not filled */
export function fillHours(
  kernels: BlendKernels,
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
  kernels: BlendKernels,
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
