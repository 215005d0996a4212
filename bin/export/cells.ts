import { resolve } from '../../api/query/location.ts'
import { cellOf, cellsIn, centreOf } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault, isFault } from '../../ingest/domain/fault.ts'

/** A model cell with its centre. */
export interface ChosenCell {
  readonly cell: string
  readonly lat: number
  readonly lon: number
  readonly domain: DomainId
}

/** Number of cells in one export: a state of the size of Colorado has 52,000, which are several exports. */
const MAX_CELLS = 20_000
const h3Index = /^8[0-9a-f]{14}$/
/** Coarser cells than this have more model cells than an export may have. */
const COARSEST = 3

/**
 * Returns the model cells of a list of H3 cells and points, in their order, each once. A coarser cell stands for the model cells in it that
 * are covered.
 * @param words H3 indexes and points `LAT,LON`
 * @throws Fault Invalid for a word that is neither, a cell or point outside the coverage, and too many cells
 */
export function chosenCells(words: readonly string[], resolution: number): ChosenCell[] {
  const cells = new Map<string, ChosenCell>()
  for (const word of words) {
    const parts = modelCells(word, resolution)
    const covered = parts.flatMap((cell) => coveredCell(cell) ?? [])
    if (covered.length === 0)
      throw new Fault('Invalid', `"${word}" is outside the coverage, which is the 50 states and DC`)
    for (const cell of covered) cells.set(cell.cell, cell)
    if (cells.size > MAX_CELLS)
      throw new Fault('Invalid', `the cells must be at most ${MAX_CELLS}, but are more: export them in several calls`)
  }
  if (cells.size === 0) throw new Fault('Invalid', '--cells has no cell; expected H3 indexes or points LAT,LON')
  return [...cells.values()]
}

function modelCells(word: string, resolution: number): string[] {
  if (isCell(word)) {
    const own = resolutionOf(word)
    if (own >= COARSEST && own <= resolution) return own === resolution ? [word] : cellsIn(word, resolution)
    throw new Fault(
      'Invalid',
      `cell ${word} has resolution ${own}; expected ${COARSEST} to ${resolution}, the resolution of the model cells`,
    )
  }
  const [, lat, lon] = /^(-?\d{1,2}(?:\.\d{1,12})?),(-?\d{1,3}(?:\.\d{1,12})?)$/.exec(word) ?? []
  if (lat === undefined || Math.abs(Number(lat)) > 90 || Math.abs(Number(lon)) > 180)
    throw new Fault(
      'Invalid',
      `"${word}" is neither an H3 index such as 872681364ffffff nor a point such as 39.74,-104.99`,
    )
  return [cellOf(Number(lat), Number(lon), resolution)]
}

const resolutionOf = (word: string) => Number.parseInt(word.charAt(1), 16)

/** Whether a word is an H3 index: one that is not names no cell, or is not the index of the cell at its centre. */
function isCell(word: string): boolean {
  if (!h3Index.test(word)) return false
  try {
    return cellOf(...centreOf(word), resolutionOf(word)) === word
  } catch {
    return false
  }
}

function coveredCell(cell: string): ChosenCell | undefined {
  const [lat, lon] = centreOf(cell)
  try {
    return { cell, lat, lon, domain: resolve({ kind: 'point', lat, lon }).domain }
  } catch (error) {
    if (isFault(error, 'Missing')) return undefined
    throw error
  }
}
