import { crc32 } from 'node:zlib'
import { discard } from '../domain/discard.ts'
import { Fault } from '../domain/fault.ts'
import { entryOf, nth } from '../domain/nth.ts'
import type { Instant } from '../domain/time.ts'
import { blockShape, childNumber, deepest, padded, references } from './cover.ts'
import { lay, type TileKernels } from './kernels.ts'
import type { SlabHead } from './slab.ts'

/** A variable of a run: its times, and the slab of each time. */
export interface PlannedVariable {
  readonly name: string
  readonly times: readonly Instant[]
  readonly quantum: number
  readonly offset: number
  /**
   * For each time: the index of the file, the index of the slab in it, and the conversion of its codes to the tile's
   * codes (factor 0: unchanged).
   */
  readonly files: Int32Array
  readonly items: Int32Array
  readonly scales: Float32Array
}

export interface TilePlan {
  readonly resolution: number
  readonly level: number
  readonly seek: boolean
  readonly valuesPerCell: number
  readonly variables: readonly PlannedVariable[]
}

/** Returns a key for a variable at a time. */
export function fieldKey(variable: string, time: Instant): string {
  return `${variable}/${time}`
}

/**
 * Returns the variables and times of all slabs of a run, with their quanta. If two slabs have the same variable and
 * time, the later slab is used.
 * @param except keys of fields to leave out
 */
export function planTiles(heads: readonly SlabHead[], except: ReadonlySet<string> = new Set()): TilePlan {
  const placesByVariable = new Map<
    string,
    Map<Instant, { file: number; item: number; quantum: number; offset: number }>
  >()
  heads.forEach((head, file) => {
    head.items.forEach(({ variable, time, quantum, offset }, item) => {
      if (except.has(fieldKey(variable, time))) return
      let times = placesByVariable.get(variable)
      if (!times) placesByVariable.set(variable, (times = new Map()))
      times.set(time, { file, item, quantum, offset })
    })
  })
  if (placesByVariable.size === 0)
    throw new Fault('Invalid', 'weave: the slabs must have at least one variable, but have none')
  const variables = [...placesByVariable.keys()].sort().map((name): PlannedVariable => {
    const times = [...placesByVariable.get(name)!].sort(([time], [other]) => time - other)
    // The coarsest quantum of all times is used; finer codes are rounded to it.
    const { quantum, offset } = times.map(([, place]) => place).reduce((a, b) => (b.quantum > a.quantum ? b : a))
    const scales = new Float32Array(times.length * 2)
    times.forEach(([, place], t) => {
      if (place.quantum === quantum && place.offset === offset) return
      scales[t * 2] = place.quantum / quantum
      scales[t * 2 + 1] = (place.offset - offset) / quantum
    })
    return {
      name,
      times: times.map(([time]) => time),
      quantum,
      offset,
      files: Int32Array.from(times, ([, place]) => place.file),
      items: Int32Array.from(times, ([, place]) => place.item),
      scales,
    }
  })
  const valuesPerCell = variables.reduce((sum, { times }) => sum + times.length, 0)
  return { resolution: nth(heads, 0).resolution, ...blockShape(valuesPerCell), valuesPerCell, variables }
}

/** Areas of the kernels' memory for a shard: first their sizes, later their addresses. */
type Addresses = Record<
  'layout' | 'kinds' | 'cellRefs' | 'cursors' | 'scales' | 'room' | 'codes' | 'scratch' | 'out' | `file${number}`,
  number
>

/** A range of cells that becomes one object. */
export interface ShardTask {
  /** Name in the directory: `dataset/domain/run/stage/number`. */
  readonly name: string
  readonly plan: TilePlan
  readonly ids: Uint32Array
  readonly groups: Uint16Array
  /** Number of groups and cells before each part of the range; the last element has the totals. */
  readonly partGroups: Uint32Array
  /** For each file: its bytes of these parts, and the offset of each part in them. */
  readonly files: readonly { readonly bytes: Uint8Array; readonly offsets: Uint32Array; readonly slabs: number }[]
}

export interface Tile {
  readonly bytes: Uint8Array
  readonly directory: number
  readonly check: number
  /** Parent of the first block. */
  readonly first: number
}

const magic = 0x31545848 // "HXT1"
const recordLength = 12

/** The memory of the kernels for a shard, and the place of each variable's values in it. */
interface ShardMemory {
  readonly at: Addresses
  readonly memory: Uint8Array
  readonly words: Uint32Array
  readonly refs: Uint16Array
  /** Number of values of a cell for all variables, with padding. */
  readonly stride: number
  /** For each variable: the offset of its values in a cell, and the index of its first cursor. */
  readonly rows: readonly number[]
  readonly cursors: readonly number[]
}

/** Copies files and scales into the memory of the kernels. */
function placeShard(
  kernels: TileKernels,
  { plan, files }: ShardTask,
  unitCells: number,
  copied: (bytes: Uint8Array) => void,
): ShardMemory {
  const { level, variables } = plan
  const stride = variables.reduce((sum, { times }) => sum + padded(times.length), 0)
  const blockCells = 7 ** level
  const sizes: Addresses = {
    layout: variables.length * 8,
    kinds: variables.length * 8,
    cellRefs: blockCells * 2,
    cursors: plan.valuesPerCell * 4,
    scales: plan.valuesPerCell * 8,
    room: 1024,
    codes: unitCells * stride * 2,
    scratch: blockCells * stride * 4,
    out: 1 + variables.length * 4 + blockCells * 4 + blockCells * stride * 8 + 64,
  }
  files.forEach((file, f) => {
    sizes[`file${f}`] = file.bytes.length + 8
  })
  const at = lay(kernels, sizes)
  const memory = new Uint8Array(kernels.memory.buffer)
  const words = new Uint32Array(kernels.memory.buffer)
  const refs = new Uint16Array(kernels.memory.buffer, at.cellRefs, blockCells)
  for (const [f, { bytes }] of files.entries()) {
    memory.set(bytes, entryOf(at, `file${f}`))
    copied(bytes)
  }
  const rows: number[] = []
  const cursors: number[] = []
  let row = 0
  let cursor = 0
  variables.forEach(({ times, scales }, v) => {
    rows.push(row)
    cursors.push(cursor)
    words[at.layout / 4 + v * 2] = row
    words[at.layout / 4 + v * 2 + 1] = times.length
    new Float32Array(kernels.memory.buffer, at.scales + cursor * 8, times.length * 2).set(scales)
    row += padded(times.length)
    cursor += times.length
  })
  return { at, memory, words, refs, stride, rows, cursors }
}

/**
 * Builds one tile object from slabs of some cells: a directory of blocks, then the blocks. See FORMAT.md.
 * @param copied called with the bytes of each file once they are in the memory of the kernels
 */
export function buildShard(
  kernels: TileKernels,
  task: ShardTask,
  copied: (bytes: Uint8Array) => void = () => {},
): Tile {
  const { plan, ids, groups, partGroups } = task
  const { level, variables } = plan
  const unit = Math.max(level, 2)
  const shard = placeShard(kernels, task, 7 ** Math.min(unit, deepest), copied)
  const { at, words, stride, rows, cursors } = shard
  const body = new Growing(Math.ceil(ids.length * plan.valuesPerCell * 0.4) + 65_536)
  const records: number[] = []
  let count = 0
  let cell = 0
  for (let p = 0; p + 1 < partGroups.length; p++) {
    pointCursors(words, at, task, p, cursors)
    for (let g = partGroups[p]!; g < partGroups[p + 1]!; g++) {
      if (count > 0 && ids[cell]! >>> (3 * unit) !== ids[cell - 1]! >>> (3 * unit)) {
        encodeCells(kernels, task, shard, cell - count, cell, body, records)
        count = 0
      }
      const n = groups[g]!
      const to = at.codes + count * stride * 2
      for (let v = 0; v < variables.length; v++) {
        const { times } = nth(variables, v)
        const first = nth(cursors, v)
        kernels.turnGroup(
          at.cursors + first * 4,
          at.scales + first * 8,
          times.length,
          n,
          to + nth(rows, v) * 2,
          stride,
          at.room,
        )
      }
      count += n
      cell += n
    }
  }
  encodeCells(kernels, task, shard, cell - count, cell, body, records)
  const tile = join(task.name, plan, records, body.since(0))
  discard(body.since(0))
  return tile
}

/**
 * Encodes the cells from `begin` to `end`, whose codes are in memory: a block and three numbers of its record for each
 * parent.
 */
function encodeCells(
  kernels: TileKernels,
  { plan, ids }: ShardTask,
  { at, memory, refs, stride }: ShardMemory,
  begin: number,
  end: number,
  body: Growing,
  records: number[],
): void {
  const { level, seek, variables } = plan
  for (let from = begin; from < end; ) {
    const parent = ids[from]! >>> (3 * level)
    let to = from
    while (to < end && ids[to]! >>> (3 * level) === parent) to++
    references(ids, from, to, level, refs)
    const encoded = kernels.encodeBlock(
      at.codes + (from - begin) * stride * 2,
      to - from,
      stride,
      at.cellRefs,
      at.layout,
      variables.length,
      seek ? 1 : 0,
      at.kinds,
      at.scratch,
      at.out,
    )
    const offset = body.length
    body.add(membersOf(ids, from, to, level))
    body.add(memory.subarray(at.out, encoded))
    records.push(parent, offset, crc32(body.since(offset)))
    from = to
  }
}

/** Sets every cursor to the first group of its slab in a part. */
function pointCursors(
  words: Uint32Array,
  at: Addresses,
  { plan, files }: ShardTask,
  part: number,
  cursors: readonly number[],
): void {
  const view = new DataView(words.buffer)
  const starts = files.map(({ offsets, slabs }, f) => {
    const begin = entryOf(at, `file${f}`) + offsets[part]!
    const places = new Uint32Array(slabs)
    let place = begin + slabs * 4
    for (let s = 0; s < slabs; s++) {
      places[s] = place
      place += view.getUint32(begin + s * 4, true)
    }
    return places
  })
  plan.variables.forEach(({ files: file, items }, v) => {
    for (let t = 0; t < file.length; t++)
      words[at.cursors / 4 + nth(cursors, v) + t] = nth(starts, file[t]!)[items[t]!]!
  })
}

const full = Uint8Array.of(1)

/** Encodes which children of its parent a block has: 1 means all; otherwise 0 and a bit for each child. */
export function membersOf(ids: Uint32Array, from: number, to: number, level: number): Uint8Array {
  const most = 7 ** level
  if (to - from === most) return full
  const bits = new Uint8Array(1 + Math.ceil(most / 8))
  for (let i = from; i < to; i++) {
    const child = childNumber(ids[i]!, level)
    bits[1 + (child >> 3)]! |= 1 << (child & 7)
  }
  return bits
}

function join(name: string, plan: TilePlan, records: readonly number[], body: Uint8Array): Tile {
  const title = Buffer.from(name)
  const blocks = records.length / 3
  const recordsAt = (22 + title.length + 3) & ~3
  const directory = recordsAt + blocks * recordLength
  const bytes = new Uint8Array(directory + body.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic, true)
  view.setUint32(4, directory, true)
  view.setUint32(12, blocks, true)
  bytes.set([plan.resolution, plan.level, plan.seek ? 1 : 0, 0], 16)
  view.setUint16(20, title.length, true)
  bytes.set(title, 22)
  for (let b = 0; b < blocks; b++) {
    const at = recordsAt + b * recordLength
    view.setUint32(at, nth(records, b * 3), true)
    view.setUint32(at + 4, directory + nth(records, b * 3 + 1), true)
    view.setUint32(at + 8, nth(records, b * 3 + 2), true)
  }
  const check = crc32(bytes.subarray(12, directory))
  view.setUint32(8, check, true)
  bytes.set(body, directory)
  return { bytes, directory, check, first: nth(records, 0) }
}

/** A buffer of bytes that grows as bytes are appended. */
class Growing {
  length = 0
  #bytes: Uint8Array

  constructor(room: number) {
    this.#bytes = new Uint8Array(room)
  }

  add(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) {
      const more = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + bytes.length))
      more.set(this.#bytes.subarray(0, this.length))
      this.#bytes = more
    }
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  since(from: number): Uint8Array {
    return this.#bytes.subarray(from, this.length)
  }
}
