import { nth } from '../domain/nth.ts'

/**
 * The cells of a grid and their partition. The partition depends only on the cell ids, so that equal cells are always
 * partitioned alike.
 *
 * - a group: the cells of one parent two levels up (at most 49); slabs are packed by group
 * - a part: whole parents three levels up, about 4,096 cells; slabs are read by part
 */
export interface Cover {
  readonly resolution: number
  /** Ids of the cells, ascending (see `idOfCell`). */
  readonly ids: Uint32Array
  /** Number of cells of each group. */
  readonly groups: Uint16Array
  /** First group and first cell of each part; the last element has the totals. */
  readonly partGroups: Uint32Array
  readonly partCells: Uint32Array
}

const partCells = 4096

export function cutCover(ids: Uint32Array, resolution: number): Cover {
  const groups: number[] = []
  const groupsAt: number[] = [0]
  const cellsAt: number[] = [0]
  let begun = 0
  for (let i = 0; i < ids.length; ) {
    const parent = ids[i]! >>> 9
    if (i - begun >= partCells) {
      groupsAt.push(groups.length)
      cellsAt.push(i)
      begun = i
    }
    while (i < ids.length && ids[i]! >>> 9 === parent) {
      const group = ids[i]! >>> 6
      const first = i
      while (i < ids.length && ids[i]! >>> 6 === group) i++
      groups.push(i - first)
    }
  }
  groupsAt.push(groups.length)
  cellsAt.push(ids.length)
  return {
    resolution,
    ids,
    groups: Uint16Array.from(groups),
    partGroups: Uint32Array.from(groupsAt),
    partCells: Uint32Array.from(cellsAt),
  }
}

/** Deepest level that a block spans: 343 cells. */
export const deepest = 3
/**
 * Maximum number of values of a block by its level, which bounds the time to read and decode it. Level 2 has room for
 * the first stage of NBM, 1,400 values a cell: at level 1 every seventh cell would have no reference, which takes a
 * third more bits.
 */
const blockValues = [Number.POSITIVE_INFINITY, 49_152, 73_728, 49_152]
/** Number of values in a cell from which a block stores the offset of each cell. */
const seekValues = 128

/**
 * Returns how many levels up the parent of a block is, and whether its cells can be read without decoding earlier
 * cells.
 */
export function blockShape(valuesPerCell: number): { level: number; seek: boolean } {
  let level = deepest
  while (7 ** level * valuesPerCell > nth(blockValues, level)) level--
  return { level, seek: valuesPerCell >= seekValues }
}

/** Returns the number of a cell among the children of its parent, 0 to 7^level - 1. */
export function childNumber(id: number, level: number): number {
  let number = 0
  for (let l = level - 1; l >= 0; l--) number = number * 7 + ((id >>> (3 * l)) & 7)
  return number
}

/** Returns the id of a child by its number. */
export function childId(parent: number, number: number, level: number): number {
  let id = parent * 8 ** level
  for (let place = 1, remainder = number; remainder > 0; remainder = Math.floor(remainder / 7), place *= 8)
    id += (remainder % 7) * place
  return id
}

/**
 * Returns the reference cell of each cell of a block: the first cell of the smallest parent whose first cell it is not
 * itself. The first cell of a full parent is its middle. The first cell of the block refers to itself.
 */
export function references(ids: Uint32Array, from: number, to: number, level: number, refs: Uint16Array): void {
  const firsts = [0, 0, 0, 0]
  for (let i = from; i < to; i++) {
    let ref = 0
    for (let l = level; l >= 1; l--) {
      if (i === from || ids[i]! >>> (3 * l) !== ids[i - 1]! >>> (3 * l)) firsts[l] = i - from
      if (firsts[l] !== i - from) ref = nth(firsts, l)
    }
    refs[i - from] = ref
  }
}

/** Rows are padded to whole vectors of 8 codes. */
export const padded = (times: number) => (times + 7) & ~7
