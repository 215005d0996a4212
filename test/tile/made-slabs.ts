import { nth } from '../../ingest/domain/nth.ts'
import { type Cover, cutCover } from '../../ingest/tile/cover.ts'
import { lay, tileKernels } from '../../ingest/tile/kernels.ts'
import { joinSlabs, type SlabIdentity, type SlabItem } from '../../ingest/tile/slab.ts'

export interface MadeSlab extends SlabItem {
  readonly codes: Int16Array
}

/** Builds the object that sampling would write from the codes of each slab. */
export function makeSlabs(identity: SlabIdentity, cover: Cover, slabs: readonly MadeSlab[]): Uint8Array {
  const kernels = tileKernels()
  const n = cover.ids.length
  const at = lay(kernels, { codes: n * 2, sizes: cover.groups.length * 2, packed: n * 2 + cover.groups.length * 8 })
  const { buffer } = kernels.memory
  new Uint16Array(buffer, at.sizes, cover.groups.length).set(cover.groups)
  return joinSlabs(
    identity,
    cover,
    slabs.map(({ codes, ...item }) => {
      new Int16Array(buffer, at.codes, n).set(codes)
      const parts = new Uint32Array(cover.partCells.length)
      let to = at.packed
      for (let p = 0; p + 1 < parts.length; p++) {
        const groups = nth(cover.partGroups, p + 1) - nth(cover.partGroups, p)
        to = kernels.packGroups(
          at.codes + nth(cover.partCells, p) * 2,
          at.sizes + nth(cover.partGroups, p) * 2,
          groups,
          to,
        )
        parts[p + 1] = to - at.packed
      }
      return { ...item, parts, bytes: new Uint8Array(buffer, at.packed, to - at.packed).slice() }
    }),
  )
}

/** A seeded source of numbers in 0 … 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export { cutCover }
