import { setImmediate } from 'node:timers/promises'
import { cellOfId, centreOf } from '../../domain/cell.ts'
import { type Zone, zone } from '../../domain/timezone.ts'
import { timezoneAt } from '../../geo/coverage.ts'
import type { Cover } from '../../tile/cover.ts'

/** The time zone of every cell of a cover, by index into `zones`; 255 outside the 50 states. */
export interface CellZones {
  readonly zones: readonly Zone[]
  readonly of: Uint8Array
}

export const NO_ZONE = 255
/** Number of cells of a group of 49 that are sampled before all of them are assumed to lie in one zone. */
const SAMPLES = 7
/** Number of covers whose zones are cached: one a domain and resolution. */
const MAX_COVERS = 6

/** Looks up time zones once a cover: about 200,000 lookups for the contiguous states. */
export class ZoneTable {
  readonly #known = new Map<string, Promise<CellZones>>()

  of(coverId: string, cover: Cover): Promise<CellZones> {
    let found = this.#known.get(coverId)
    if (!found) {
      if (this.#known.size >= MAX_COVERS) this.#known.clear()
      this.#known.set(coverId, (found = lookUp(cover)))
      found.catch(() => this.#known.delete(coverId))
    }
    return found
  }
}

async function lookUp({ ids, groups, resolution }: Cover): Promise<CellZones> {
  const zones: Zone[] = []
  const numbers = new Map<string, number>()
  const numberOf = (cell: number): number => {
    const name = timezoneAt(...centreOf(cellOfId(ids[cell]!, resolution)))
    if (name === undefined) return NO_ZONE
    let number = numbers.get(name)
    if (number === undefined) {
      numbers.set(name, (number = zones.length))
      zones.push(zone(name))
    }
    return number
  }
  const of = new Uint8Array(ids.length)
  let first = 0
  for (const [g, size] of groups.entries()) {
    // The lookups take seconds: yields to the event loop.
    if (g % 64 === 63) await setImmediate()
    const step = Math.max(1, Math.floor(size / SAMPLES))
    const number = numberOf(first)
    let same = true
    for (let i = step; same && i < size; i += step) same = numberOf(first + i) === number
    if (same && numberOf(first + size - 1) === number) of.fill(number, first, first + size)
    else for (let i = 0; i < size; i++) of[first + i] = numberOf(first + i)
    first += size
  }
  return { zones, of }
}
