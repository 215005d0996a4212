import { Fault } from '../domain/fault.ts'
import { nth } from '../domain/nth.ts'
import type { Cover } from './cover.ts'
import { lay, type TileKernels, tileKernels } from './kernels.ts'
import { type PackedSlab, readSlabHead, type SlabHead, type SlabItem } from './slab.ts'

/** Code of a cell without a value. */
export const MISSING_CODE = -32768

/** Returns the bytes of an item of a slab object, part by part; undefined if the object has no such variable. */
export function itemOf(
  name: string,
  bytes: Uint8Array,
  variable: string,
): (PackedSlab & { head: SlabHead }) | undefined {
  const head = readSlabHead(name, bytes)
  const index = head.items.findIndex((item) => item.variable === variable)
  if (index < 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Uint8Array[] = []
  const parts = new Uint32Array(head.offsets.length)
  for (let p = 0; p + 1 < head.offsets.length; p++) {
    const begin = head.length + head.offsets[p]!
    let from = begin + head.items.length * 4
    for (let i = 0; i < index; i++) from += view.getUint32(begin + i * 4, true)
    const length = view.getUint32(begin + index * 4, true)
    if (from + length > head.length + head.offsets[p + 1]!) {
      throw new Fault('Corrupt', `slabs ${name}: an item extends beyond the end of part ${p}`, { object: name })
    }
    pieces.push(bytes.subarray(from, from + length))
    parts[p + 1] = parts[p]! + length
  }
  return { ...nth(head.items, index), head, bytes: Buffer.concat(pieces), parts }
}

/** Unpacks and packs the codes of the parts of a cover in a separate memory. */
export class SlabCodes {
  readonly #kernels: TileKernels = tileKernels()
  readonly #cover: Cover

  constructor(cover: Cover) {
    this.#cover = cover
  }

  /** Returns the codes of a part, valid until the next call. */
  unpack(slab: Pick<PackedSlab, 'bytes' | 'parts'>, part: number): Int16Array {
    const { groups, partGroups, partCells } = this.#cover
    const cells = partCells[part + 1]! - partCells[part]!
    const packed = slab.bytes.subarray(slab.parts[part], slab.parts[part + 1])
    // A group is unpacked eight cells at a time, and read eight bytes at a time.
    const at = lay(this.#kernels, { packed: packed.length + 16, codes: cells * 2 + 32 })
    const { buffer } = this.#kernels.memory
    new Uint8Array(buffer, at.packed, packed.length).set(packed)
    let from = at.packed
    let to = at.codes
    for (let g = partGroups[part]!; g < partGroups[part + 1]!; g++) {
      from = this.#kernels.unpackGroup(from, groups[g]!, to)
      to += groups[g]! * 2
    }
    return new Int16Array(buffer, at.codes, cells)
  }

  /** @param codes of every cell of the cover */
  pack(item: SlabItem, codes: Int16Array): PackedSlab {
    const { groups, partGroups, partCells } = this.#cover
    const parts = new Uint32Array(partCells.length)
    const pieces: Uint8Array[] = []
    for (let p = 0; p + 1 < parts.length; p++) {
      const [cells, first] = [partCells[p + 1]! - partCells[p]!, partGroups[p]!]
      const count = partGroups[p + 1]! - first
      const at = lay(this.#kernels, { codes: cells * 2 + 32, sizes: count * 2, packed: cells * 2 + count * 8 + 16 })
      const { buffer } = this.#kernels.memory
      new Int16Array(buffer, at.codes, cells).set(codes.subarray(partCells[p], partCells[p + 1]))
      new Uint16Array(buffer, at.sizes, count).set(groups.subarray(first, first + count))
      const end = this.#kernels.packGroups(at.codes, at.sizes, count, at.packed)
      pieces.push(new Uint8Array(buffer, at.packed, end - at.packed).slice())
      parts[p + 1] = parts[p]! + pieces.at(-1)!.length
    }
    return { ...item, parts, bytes: Buffer.concat(pieces) }
  }
}
