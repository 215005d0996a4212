import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cellsCheck, loadCells } from '../../domain/cell.ts'
import { Fault } from '../../domain/fault.ts'
import { collectGarbage } from '../../ports/collect.ts'
import { type Cover, cutCover } from '../../tile/cover.ts'
import { readCached, writeCached } from './cached-file.ts'

/** The grid of a mapping. */
export interface MappedGrid {
  readonly key: string
  readonly nx: number
  readonly ny: number
  toIndex(lat: number, lon: number): [i: number, j: number]
}

/** The mapping from a grid to the cells that lie in it and in the domain's box. */
export interface Mapping {
  readonly cover: Cover
  /** An entry of 8 bytes for each cell; see assembly/sample.ts. */
  readonly entries: Uint8Array
  /** Share of the domain's cells that lie in the grid: 0 to 1. */
  readonly share: number
}

/** A cached file with two words, the number of cells and their share in millionths; then the ids and the entries. */
const magic = 0x344d5848 // "HXM4"

/**
 * Returns the mapping of a grid from the cache folder, or computes it (2 s for a grid of the whole country) and caches it there.
 * @param bbox west, south, east, north; west is greater than east across the antimeridian
 * @throws Fault Corrupt if the grid contains none of the cells in the box
 */
export function mappingOf(
  grid: MappedGrid,
  bbox: readonly [number, number, number, number],
  resolution: number,
  folder: string,
): Mapping {
  const name = createHash('sha256')
    .update(JSON.stringify([4, grid.key, bbox, resolution, cellsCheck()]))
    .digest('hex')
  const path = join(folder, `mapping-${name.slice(0, 24)}.bin`)
  const cached = read(path, resolution)
  if (cached) return cached
  const claimed = claim(path)
  try {
    return (
      (claimed ? undefined : waitForOther(path, resolution)) ??
      store(path, makeMapping(grid, bbox, resolution), grid, bbox)
    )
  } finally {
    if (claimed) rmSync(claimed, { force: true })
    // The computation takes some 60 MB: the centres of all cells, which are only weakly referenced from the next turn
    // onward, and parts of the file.
    setImmediate(collectGarbage)
  }
}

/** Longest wait for another thread, ms. */
const WAIT_MS = 10_000

/**
 * At a first start every thread needs the same mapping at once, and one thread computes it. @returns the claim;
 * undefined if another thread has it
 */
function claim(path: string): string | undefined {
  const name = `${path}.claim`
  mkdirSync(dirname(path), { recursive: true })
  try {
    closeSync(openSync(name, 'wx'))
    return name
  } catch {
    return undefined
  }
}

/** Waits for the mapping that another thread is computing. @returns undefined if that thread gave up or ended */
function waitForOther(path: string, resolution: number): Mapping | undefined {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < WAIT_MS && existsSync(`${path}.claim`); waited += 50) Atomics.wait(cell, 0, 0, 50)
  const mapping = read(path, resolution)
  // The claim was left behind by a process that was killed.
  if (!mapping) rmSync(`${path}.claim`, { force: true })
  return mapping
}

/** @throws Fault Corrupt if the grid has no cells */
function store(
  path: string,
  mapping: Mapping,
  grid: MappedGrid,
  bbox: readonly [number, number, number, number],
): Mapping {
  const { ids } = mapping.cover
  if (ids.length === 0) {
    throw new Fault('Corrupt', `the grid ${grid.key} has no cells in ${bbox.join(', ')}`)
  }
  const idBytes = new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength)
  writeCached(path, magic, [ids.length, Math.round(mapping.share * 1e6)], [idBytes, mapping.entries])
  return mapping
}

function read(path: string, resolution: number): Mapping | undefined {
  const file = readCached(path, magic, 2)
  if (!file) return undefined
  const [count, share] = file.words as [number, number]
  if (file.bytes.length !== count * 12) return undefined
  const ids = new Uint32Array(count)
  new Uint8Array(ids.buffer).set(file.bytes.subarray(0, count * 4))
  return { cover: cutCover(ids, resolution), entries: file.bytes.subarray(count * 4), share: share / 1e6 }
}

function makeMapping(grid: MappedGrid, bbox: readonly [number, number, number, number], resolution: number): Mapping {
  const [west, south, east, north] = bbox
  const cells = loadCells(resolution)
  const { lat, lon } = cells.centres()
  const { nx, ny } = grid
  const ids = new Uint32Array(cells.count)
  const words = new Uint32Array(cells.count * 2)
  let count = 0
  let boxed = 0
  for (let c = 0; c < cells.count; c++) {
    const y = lat[c]!
    const x = lon[c]!
    if (y < south || y > north || (west <= east ? x < west || x > east : x < west && x > east)) continue
    boxed++
    const [i, j] = grid.toIndex(y, x)
    // This condition also rejects NaN.
    if (!(i >= 0 && j >= 0 && i <= nx - 1 && j <= ny - 1)) continue
    const left = Math.min(Math.floor(i), nx - 2)
    const low = Math.min(Math.floor(j), ny - 2)
    ids[count] = cells.ids[c]!
    words[count * 2] = low * nx + left
    words[count * 2 + 1] = Math.round((i - left) * 65535) | (Math.round((j - low) * 65535) << 16)
    count++
  }
  const entries = new Uint8Array(words.slice(0, count * 2).buffer)
  return { cover: cutCover(ids.slice(0, count), resolution), entries, share: boxed === 0 ? 0 : count / boxed }
}
