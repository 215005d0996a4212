import type { FieldOrder } from '../../ingest/domain/source-order.ts'
import { kernels, ways } from './kernels.ts'
import type { Strip, Supplies } from './supply.ts'

/** A row to fill, as places in the kernels' memory. */
export interface FieldRow {
  readonly place: number
  /** Where it is noted of which dataset an hour is; 0 for nowhere. */
  readonly marks: number
  /** Shares by which amounts of several hours are dealt out; 0 where there are none. */
  readonly guide: number
  /** Hours of the axis. */
  readonly count: number
  /** The hours that have passed, and the one that runs. */
  readonly past: number
}

/**
 * Fills a row from a field's sources in their order: a later one only gives the hours that the earlier ones leave.
 * @returns whether amounts were dealt out to their hours, or probabilities stand for longer intervals
 */
export function fillField(row: FieldRow, order: FieldOrder, supplies: Supplies): boolean {
  const { marks, count, past } = row
  let spread = false
  kernels.open(row.place, marks)
  if (order.analyses) {
    for (const { dataset, variable } of order.analyses) {
      const runs = supplies.get(dataset)
      if (!runs) continue
      for (const run of runs) {
        const strip = run.strip(variable)
        if (strip) kernels.fillBetween(strip.times, strip.values, strip.length, past, ways.linear, run.code)
      }
    }
  }
  for (const { dataset, variable, windowHours = 1 } of order.from) {
    const runs = supplies.get(dataset)
    if (!runs) continue
    for (let r = 0; r < runs.length; r++) {
      if (!kernels.lacks()) return spread
      const strip = runs[r].strip(variable)
      // An earlier run speaks of hours that have passed, never of those to come.
      const before = r === 0 ? count : past
      if (!strip) continue
      if (windowHours > 1) spread = fillWindows(row, order, strip, before, windowHours) || spread
      else fillHours(order, strip, before, runs[r].code)
    }
  }
  return spread
}

function fillHours({ between }: FieldOrder, { times, values, length }: Strip, before: number, code: number): void {
  if (between === 'nearest') kernels.fillNearest(times, values, length, before)
  else if (between === 'split' || between === 'bound') kernels.fillHourly(times, values, length, before)
  else kernels.fillBetween(times, values, length, before, ways[between], code)
}

function fillWindows(
  { guide }: FieldRow,
  { between }: FieldOrder,
  { times, values, length }: Strip,
  before: number,
  hours: number,
): boolean {
  return (
    (between === 'split'
      ? kernels.fillSplit(times, values, length, before, hours, guide)
      : kernels.fillBound(times, values, length, before, hours)) !== 0
  )
}
