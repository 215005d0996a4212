import { nth } from '../domain/nth.ts'
import { childNumber, padded, references } from './cover.ts'
import { lay, type TileKernels, tileKernels } from './kernels.ts'

/** Constants of all blocks of a run. */
export interface BlockLayout {
  /** Number of variables of the manifest. */
  readonly format: 1 | 2
  readonly level: number
  readonly seek: boolean
  /** Number of times of each variable. */
  readonly times: readonly number[]
  readonly quanta: readonly number[]
  readonly offsets: readonly number[]
}

/**
 * Returns the values of one cell, variable by variable, NaN if missing; undefined if the block does not have the cell.
 * @param block bytes with a verified checksum
 */
export type PointDecoder = (block: Uint8Array, id: number) => Float32Array | undefined

/** The cells of a block, in their order. */
interface Members {
  readonly count: number
  /** The index of each cell's reference, as bytes of 16-bit numbers. */
  readonly refs: Uint8Array
  /** Returns the index of a child by its number; -1 if the block does not have it. */
  indexOf(child: number): number
  /** Offset of the variables in the block. */
  readonly end: number
}

/**
 * Values are allocated from array buffers of this many values: a separate buffer for each cell costs more than its
 * values.
 */
const POOL_VALUES = 65_536
let pool = new Float32Array()
let pooled = 0

/** Allocates this many values. A caller that retains them retains their whole buffer of 256 KB. */
function allocate(values: number): Float32Array {
  if (pooled + values > pool.length) {
    pool = new Float32Array(Math.max(POOL_VALUES, values))
    pooled = 0
  }
  pooled += values
  return new Float32Array(pool.buffer, (pooled - values) * 4, values)
}

/** All decoders share one memory, because decoding is synchronous. */
let shared: { readonly kernels: TileKernels; bytes: Uint8Array; floats: Float32Array } | undefined

function workMemory(size: number) {
  shared ??= { kernels: tileKernels(), bytes: new Uint8Array(), floats: new Float32Array() }
  const { memory } = shared.kernels
  if (size > memory.buffer.byteLength) memory.grow(Math.ceil((size - memory.buffer.byteLength) / 65536))
  if (shared.bytes.buffer !== memory.buffer) {
    shared.bytes = new Uint8Array(memory.buffer)
    shared.floats = new Float32Array(memory.buffer)
  }
  return shared
}

/** Prepares once what the blocks of a run have in common, so that a point decodes only its own bits. */
export function pointDecoder({ format, level, seek, times, quanta, offsets }: BlockLayout): PointDecoder {
  const variables = times.length
  const most = 7 ** level
  const layout = new Uint32Array(variables * 2)
  const scales = new Float64Array(variables * 2)
  let stride = 0
  let values = 0
  for (let v = 0; v < variables; v++) {
    layout.set([stride, nth(times, v)], v * 2)
    scales.set([nth(quanta, v), nth(offsets, v)], v * 2)
    stride += padded(nth(times, v))
    values += nth(times, v)
  }
  const laid = new Uint8Array(variables * 24)
  laid.set(new Uint8Array(scales.buffer))
  laid.set(new Uint8Array(layout.buffer), variables * 16)
  const allCells = membersOf(
    Array.from({ length: most }, (_, child) => child),
    level,
    1,
  )
  let at: Record<'laid' | 'kinds' | 'cellRefs' | 'scratch' | 'out' | 'codes' | 'block', number> | undefined

  return (block, id) => {
    const members = block[0] === 1 ? allCells : membersOf(childrenIn(block, most), level, 1 + Math.ceil(most / 8))
    const position = members.indexOf(childNumber(id, level))
    if (position < 0) return undefined
    at ??= lay(workMemory(0).kernels, {
      laid: laid.length,
      kinds: variables * 8,
      cellRefs: most * 2,
      scratch: stride * 6,
      out: values * 4,
      codes: most * stride * 2,
      block: 0,
    })
    const { kernels, bytes, floats } = workMemory(at.block + block.length + 16)
    bytes.set(laid, at.laid)
    bytes.set(members.refs, at.cellRefs)
    bytes.set(block, at.block)
    kernels.decodeCell(
      at.block + members.end,
      members.count,
      stride,
      at.cellRefs,
      at.laid + variables * 16,
      variables,
      format,
      seek ? 1 : 0,
      position,
      at.kinds,
      at.codes,
      at.scratch,
      at.laid,
      at.out,
    )
    const own = allocate(values)
    own.set(floats.subarray(at.out / 4, at.out / 4 + values))
    return own
  }
}

function membersOf(children: number[], level: number, end: number): Members {
  const refs = new Uint16Array(children.length)
  references(Uint32Array.from(children, tailOf), 0, children.length, level, refs)
  return { count: children.length, refs: new Uint8Array(refs.buffer), indexOf: (child) => children.indexOf(child), end }
}

/** The numbers of the children in a block that has not all of them, ascending. */
function childrenIn(block: Uint8Array, most: number): number[] {
  const children: number[] = []
  for (let child = 0; child < most; child++) if (block[1 + (child >> 3)]! & (1 << (child & 7))) children.push(child)
  return children
}

/** Returns a child's number with three bits a level, as at the end of its id. */
function tailOf(child: number): number {
  let tail = 0
  for (let place = 1, remainder = child; remainder > 0; remainder = Math.floor(remainder / 7), place *= 8)
    tail += (remainder % 7) * place
  return tail
}
