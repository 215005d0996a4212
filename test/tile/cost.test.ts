import { afterAll, expect, test } from 'vitest'
import { cellOfId, loadCells } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { createTileCache } from '../../ingest/tile/cache.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { KeptObjects } from './kept-objects.ts'
import { makeSlabs, seeded } from './made-slabs.ts'

const pool = openPool({ threads: 2 })
afterAll(() => pool.close())

const run = Date.UTC(2026, 7, 20, 12)
const all = loadCells(7).ids

/** Noise does not compress, so no run of this shape can cost more. */
async function noise(cells: number, variables: number, times: number): Promise<[KeptObjects, string, Uint32Array]> {
  const random = seeded(5)
  const cover = cutCover(all.slice(700_000, 700_000 + cells), 7)
  const slabs = new KeptObjects()
  const tiles = new KeptObjects()
  const identity = { dataset: 'nbm', domain: 'conus' as const, run, resolution: 7 }
  const keys = Array.from({ length: times }, (_, t) => `f${t}`)
  for (const [t, key] of keys.entries()) {
    const fields = Array.from({ length: variables }, (_, v) => ({
      variable: `variable ${v}`,
      time: run + t * HOUR,
      quantum: 1,
      offset: 0,
      codes: Int16Array.from(cover.ids, () => Math.floor(random() * 65_536) - 32_768),
    }))
    await slabs.put(key, makeSlabs(identity, cover, fields))
  }
  const { manifestKey } = await buildTiles(pool, slabs, tiles, { ...identity, stage: 'h264', slabs: keys })
  return [tiles, manifestKey, cover.ids]
}

test.each([
  ['NBM: 50 variables, 100 times', 1500, 50, 100],
  ['HRRR: 35 variables, 18 times', 6000, 35, 18],
  ['RTMA: 15 variables, once', 60_000, 15, 1],
])(
  '%s: reads a cold point with at most 2 ranged reads and 256 KB, and a warm point with none',
  async (_name, cells, variables, times) => {
    const [tiles, manifestKey, ids] = await noise(cells, variables, times)
    const random = seeded(9)
    for (let k = 0; k < 20; k++) {
      const cell = cellOfId(nth(ids, Math.floor(random() * ids.length)), 7)
      const opened = await openRun(tiles, manifestKey, createTileCache(64 << 20))
      tiles.ranges = tiles.rangeBytes = tiles.gets = 0
      expect(await opened.point(cell)).toBeDefined()
      expect(tiles.gets).toBe(0)
      expect(tiles.ranges).toBeLessThanOrEqual(2)
      expect(tiles.rangeBytes).toBeLessThanOrEqual(256 * 1024)
      const read = tiles.rangeBytes
      await opened.point(cell)
      expect([tiles.ranges, tiles.rangeBytes]).toEqual([2, read])
    }
  },
)

test('reads the block of concurrent points once', async () => {
  const [tiles, manifestKey, ids] = await noise(500, 3, 5)
  const opened = await openRun(tiles, manifestKey, createTileCache(1 << 20))
  tiles.ranges = 0
  await Promise.all(Array.from({ length: 50 }, () => opened.point(cellOfId(nth(ids, 0), 7))))
  expect(tiles.ranges).toBe(2)
})

test('respects the limit of a cache and evicts the least recently used block', async () => {
  const cache = createTileCache(1000)
  const blocks = cache.blocks('run')
  const keep = (block: number, length: number) => {
    blocks.reserve(length).fill(block)
    blocks.keep(block, 77)
  }
  for (const block of [1, 2, 3]) keep(block, 300)
  blocks.peek(1, 77)
  keep(4, 300)
  expect(cache.bytes).toBe(900)
  expect([1, 2, 3, 4].filter((block) => blocks.peek(block, 77)?.every((octet) => octet === block))).toEqual([1, 3, 4])
  expect(blocks.peek(1, 78)).toBeUndefined()
  expect(cache.blocks('other').peek(1, 77)).toBeUndefined()
  expect(cache.blocks('run').peek(1, 77)?.length).toBe(300)
  await expect(blocks.load(5, 77, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect((await blocks.load(5, 77, async () => new Uint8Array(1))).length).toBe(1)
  expect(blocks.peek(5, 77)?.length).toBe(1)
  // A block larger than the cache is read but not cached.
  keep(6, 1001)
  expect(blocks.peek(6, 77)).toBeUndefined()
})

test.each([5000, 3 << 20])('returns cached bytes or nothing with a cache of %i bytes', (limit) => {
  const random = seeded(3)
  const cache = createTileCache(limit)
  const runs = ['a', 'b', 'c'].map((name) => cache.blocks(name))
  let hits = 0
  for (let k = 0; k < 20_000; k++) {
    const run = Math.floor(random() * runs.length)
    const block = Math.floor(random() ** 2 * 400)
    const check = block * 31 + run
    const cached = nth(runs, run).peek(block, check)
    if (cached) {
      hits++
      expect(cached.length).toBe(1 + ((block * 37) % 900) * (limit > 1 << 20 ? 40 : 1))
      expect([cached[0], cached.at(-1)]).toEqual([check & 255, check & 255])
    } else {
      nth(runs, run)
        .reserve(1 + ((block * 37) % 900) * (limit > 1 << 20 ? 40 : 1))
        .fill(check)
      nth(runs, run).keep(block, check)
    }
    expect(cache.bytes).toBeLessThanOrEqual(limit)
  }
  expect(hits).toBeGreaterThan(300)
})
