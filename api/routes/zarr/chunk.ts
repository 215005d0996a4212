import { cellOfId, cellsOf } from '../../../ingest/domain/cell.ts'
import { pause } from '../../../ingest/domain/pacer.ts'
import { SECOND } from '../../../ingest/domain/time.ts'
import type { ArrayMetadata } from './metadata.ts'
import type { RunStore } from './store.ts'

/** Cells between two pauses, 1 ms. */
const CELLS_PER_PAUSE = 512

/** Returns the indices in the key of a chunk, such as `c.0.12`; undefined if the array has no such chunk. */
export function chunkIndices({ shape, chunks }: ArrayMetadata, key: string): readonly number[] | undefined {
  if (!/^c(?:\.\d{1,7}){1,2}$/.test(key)) return undefined
  const indices = key.split('.').slice(1).map(Number)
  const hasAll = indices.length === shape.length && key === `c.${indices.join('.')}`
  return hasAll && indices.every((index, i) => index * (chunks[i] ?? 1) < (shape[i] ?? 0)) ? indices : undefined
}

/** Writes the bytes of a chunk of an array, little-endian; a last chunk is filled up. @throws Fault Missing if the run has been removed */
export function chunkOf(
  store: RunStore,
  name: string,
  array: ArrayMetadata,
  indices: readonly number[],
  signal: AbortSignal,
): Promise<Buffer> {
  const size = array.chunks.at(-1) ?? 1
  const first = (indices.at(-1) ?? 0) * size
  if (name === 'time') return Promise.resolve(timesOf(store))
  if (array.shape.length === 1) return coordinates(store, name, first, size)
  return values(store, name, first, size, signal)
}

function timesOf({ times }: RunStore): Buffer {
  const bytes = Buffer.alloc(times.length * 8)
  for (const [i, time] of times.entries()) bytes.writeBigInt64LE(BigInt(time / SECOND), i * 8)
  return bytes
}

/** Returns the H3 indexes, latitudes or longitudes of cells; longitudes are within [-180, 180). */
async function coordinates({ run, cells }: RunStore, name: string, first: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size * 8)
  const last = Math.min(cells.length, first + size)
  for (let from = first; from < last; from += CELLS_PER_PAUSE) {
    await pause()
    const ids = cells.subarray(from, Math.min(last, from + CELLS_PER_PAUSE))
    const start = (from - first) * 8
    if (name === 'cell') writeIndexes(bytes, start, ids, run.resolution)
    else {
      const { lat, lon } = cellsOf(ids, run.resolution).centres()
      for (const [i, value] of (name === 'latitude' ? lat : lon).entries()) bytes.writeDoubleLE(value, start + i * 8)
    }
  }
  return bytes
}

function writeIndexes(bytes: Buffer, start: number, ids: Uint32Array, resolution: number): void {
  const zero = BigInt(`0x${cellOfId(0, resolution)}`)
  const unused = BigInt(3 * (15 - resolution))
  for (const [i, id] of ids.entries()) bytes.writeBigUInt64LE(zero + (BigInt(id) << unused), start + i * 8)
}

async function values(
  { run, cells, times }: RunStore,
  name: string,
  first: number,
  size: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = Buffer.alloc(times.length * size * 4)
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 0; offset < bytes.length; offset += 4) numbers.setFloat32(offset, Number.NaN, true)
  const rows = Array.from(run.variables.get(name)?.times ?? [], (time) => times.indexOf(time) * size)
  for (const [column, id] of cells.subarray(first, first + size).entries()) {
    await pause()
    signal.throwIfAborted()
    const series = (await run.point(cellOfId(id, run.resolution)))?.variables.get(name)
    for (const [i, row] of series ? rows.entries() : [])
      numbers.setFloat32((row + column) * 4, series?.values[i] ?? Number.NaN, true)
  }
  return bytes
}
