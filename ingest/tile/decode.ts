import { childNumber, padded, references } from './cover.ts'
import { lay, type TileKernels, tileKernels } from './kernels.ts'

/** What does not change from block to block of a run. */
export interface BlockForm {
  readonly level: number
  readonly seek: boolean
  /** Times of each variable. */
  readonly times: readonly number[]
  readonly quanta: readonly number[]
  readonly offsets: readonly number[]
}

let kernels: TileKernels | undefined

/** Which children of its parent a block holds, as ascending numbers, and where its rows begin. */
function membersOf(block: Uint8Array, level: number): { children: number[]; at: number } {
  const most = 7 ** level
  const children: number[] = []
  if (block[0] === 1) {
    for (let child = 0; child < most; child++) children.push(child)
    return { children, at: 1 }
  }
  for (let child = 0; child < most; child++) if (block[1 + (child >> 3)] & (1 << (child & 7))) children.push(child)
  return { children, at: 1 + Math.ceil(most / 8) }
}

/** A child's number as three bits a level, as it stands at the end of its id. */
function tailOf(child: number): number {
  let tail = 0
  for (let place = 1, rest = child; rest > 0; rest = Math.floor(rest / 7), place *= 8) tail += (rest % 7) * place
  return tail
}

/**
 * The values of one cell, the variables behind each other, NaN where missing; undefined where the block does not hold it.
 * @param block octets whose checksum was right
 */
export function decodePoint(block: Uint8Array, form: BlockForm, id: number): Float32Array | undefined {
  const { level, seek, times } = form
  const { children, at: start } = membersOf(block, level)
  const wanted = children.indexOf(childNumber(id, level))
  if (wanted < 0) return undefined
  kernels ??= tileKernels()
  let stride = 0
  let values = 0
  for (const n of times) {
    stride += padded(n)
    values += n
  }
  const at = lay(kernels, {
    layout: times.length * 8,
    scales: times.length * 16,
    refs: children.length * 2,
    scratch: stride * 4,
    out: values * 4,
    codes: children.length * stride * 2,
    block: block.length + 16,
  })
  const { buffer } = kernels.memory
  const layout = new Uint32Array(buffer, at.layout, times.length * 2)
  const scales = new Float64Array(buffer, at.scales, times.length * 2)
  let row = 0
  for (let v = 0; v < times.length; v++) {
    layout[v * 2] = row
    layout[v * 2 + 1] = times[v]
    scales[v * 2] = form.quanta[v]
    scales[v * 2 + 1] = form.offsets[v]
    row += padded(times[v])
  }
  const refs = new Uint16Array(buffer, at.refs, children.length)
  references(Uint32Array.from(children, tailOf), 0, children.length, level, refs)
  new Uint8Array(buffer, at.block, block.length - start).set(block.subarray(start))
  kernels.decodeCell(
    at.block,
    children.length,
    stride,
    at.refs,
    at.layout,
    times.length,
    seek ? 1 : 0,
    wanted,
    at.codes,
    at.scratch,
    at.scales,
    at.out,
  )
  return new Float32Array(buffer, at.out, values).slice()
}
