import type { Variable } from '../../domain/dataset/variable.ts'

/** Encoding of a slab: value = code * quantum + offset. */
export interface SlabScale {
  readonly quantum: number
  readonly offset: number
}

/**
 * Returns the variable's precision, or the step of the source if that is coarser. Codes count from zero if the range
 * then fits 16 bits, otherwise from its lower end.
 * @param coarser number of doublings of the step, for fields that do not fit otherwise
 */
export function slabScale({ precision, range: [low, high] }: Variable, sourceQuantum: number, coarser = 0): SlabScale {
  const quantum = clean(Math.max(precision, sourceQuantum)) * 2 ** coarser
  const fits = Math.max(Math.abs(low), Math.abs(high)) / quantum <= 32767
  return { quantum, offset: fits ? 0 : low + 32767 * quantum }
}

/**
 * Steps such as 2^0
 * 10^2 * 1000 have a rounding error in floating point.
 */
function clean(quantum: number): number {
  return Number(quantum.toPrecision(12))
}
