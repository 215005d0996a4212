import type { FieldOrder } from '../../ingest/domain/source-order.ts'
import type { Series } from '../../ingest/tile/read.ts'
import { type Axis, type Gap, gapBefore, gapIn, whole } from './axis.ts'
import { fillBetween } from './between.ts'
import type { BlendInput } from './blend.ts'
import { fillBound, fillHourly, fillNearest, fillSplit } from './fill.ts'

/** What is to be known of a field besides its values. */
export interface Notes {
  /** Code of the dataset that each hour's value is of. */
  readonly mark?: Uint8Array
  /** Shares by which amounts of several hours are dealt out. */
  readonly guide?: () => Float64Array | undefined
  /** Whether amounts were dealt out, or probabilities stand for longer intervals. */
  spread: boolean
}

const codes = ['', 'nbm', 'hrrr', 'hrrr-long', 'gfs', 'rtma-ru', 'rtma', 'urma']
const codeOf = (dataset: string) => Math.max(0, codes.indexOf(dataset))
/** The dataset of a mark. */
export const markedBy = (code: number) => codes[code]

/** Fills a field from its sources in their order: a later one only gives the hours that the earlier ones leave. */
export function fillField(
  out: Float64Array,
  axis: Axis,
  order: FieldOrder,
  input: BlendInput,
  now: number,
  notes?: Notes,
): void {
  const mark = notes?.mark
  /** Hours that have passed, and the one that runs. */
  const past = now + 1
  let gap = gapIn(out, whole(axis))
  if (order.analyses) {
    for (const { dataset, variable } of order.analyses) {
      const runs = input.sources.get(dataset)
      if (!runs || !gap) continue
      for (const run of runs) {
        const series = run.variables.get(variable)
        if (series) fillBetween(out, gapBefore(gap, past), series, 'linear', undefined, mark, mark && codeOf(dataset))
      }
    }
  }
  for (const { dataset, variable, windowHours = 1 } of order.from) {
    const runs = input.sources.get(dataset)
    if (!runs) continue
    for (let r = 0; r < runs.length; r++) {
      gap = gap && gapIn(out, gap)
      if (!gap) return
      const series = runs[r].variables.get(variable)
      if (!series) continue
      // An earlier run speaks of hours that have passed, never of those to come.
      const reach = r === 0 ? gap : gapBefore(gap, past)
      if (windowHours > 1) {
        if (fillWindows(out, reach, series, order, windowHours, notes?.guide) && notes) notes.spread = true
      } else if (order.between === 'nearest') fillNearest(out, reach, series)
      else if (order.between === 'split' || order.between === 'bound') fillHourly(out, reach, series)
      else fillBetween(out, reach, series, order.between, input.sky, mark, mark && codeOf(dataset))
    }
  }
}

/** @returns whether any hour was filled */
function fillWindows(
  out: Float64Array,
  gap: Gap,
  series: Series,
  { between }: FieldOrder,
  hours: number,
  guide: Notes['guide'],
): boolean {
  return between === 'split' ? fillSplit(out, gap, series, hours, guide) : fillBound(out, gap, series, hours)
}

/** A field that is no column of the forecast. */
export function fieldAside(axis: Axis, order: FieldOrder, input: BlendInput): Float64Array {
  const out = new Float64Array(axis.count).fill(Number.NaN)
  fillField(out, axis, order, input, -1)
  return out
}
