import { cellOfId, centreOf } from '../../domain/cell.ts'
import { timezoneAt } from '../../geo/coverage.ts'
import type { Cover } from '../../tile/cover.ts'

/** The time zone of every cell of a cover, by index into `names`; `NO_ZONE` outside the 50 states. */
export interface CellZones {
  readonly names: readonly string[]
  /** Shared memory, which tasks of other threads read without a copy. */
  readonly zoneIndexes: Uint8Array<SharedArrayBuffer>
}

export const NO_ZONE = 255
/**
 * Number of cells in a group of 49 that are looked up; if they agree, the whole group is assumed to lie in one zone.
 */
const SAMPLES = 7

/** Looks up the zones of all cells: some 400,000 lookups for the contiguous states, 4 s of a thread. */
export function zonesOfCells({ ids, groups, resolution }: Cover): CellZones {
  const numbers = new Map<string, number>()
  const numberOf = (cell: number): number => {
    const name = timezoneAt(...centreOf(cellOfId(ids[cell]!, resolution)))
    if (name === undefined) return NO_ZONE
    let number = numbers.get(name)
    if (number === undefined) numbers.set(name, (number = numbers.size))
    return number
  }
  const zoneIndexes = new Uint8Array(new SharedArrayBuffer(ids.length))
  let first = 0
  for (const size of groups) {
    const step = Math.max(1, Math.floor(size / SAMPLES))
    const number = numberOf(first)
    let same = true
    for (let i = step; same && i < size; i += step) same = numberOf(first + i) === number
    if (same && numberOf(first + size - 1) === number) zoneIndexes.fill(number, first, first + size)
    else for (let i = 0; i < size; i++) zoneIndexes[first + i] = numberOf(first + i)
    first += size
  }
  return { names: [...numbers.keys()], zoneIndexes }
}
