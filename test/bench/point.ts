/**
 * `node test/bench/point.ts` measures the cost of a cell that was not read before (directory known, block read and decoded) and of a
 * cell that was, in runs of three sizes and with one and eight stored runs. Neither may grow with the size.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cellOfId, loadCells } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { createTileCache } from '../../ingest/tile/cache.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { makeSlabs, seeded } from '../tile/made-slabs.ts'

const variables = 20
const times = 24
const run = Date.UTC(2026, 7, 20, 12)
const folder = mkdtempSync(join(tmpdir(), 'hexcast-point-'))
const objects = await openFolder(folder)
const pool = openPool({ threads: 2 })
const all = loadCells(7).ids

async function makeRun(cells: number, number: number): Promise<string> {
  const cover = cutCover(all.slice(0, cells), 7)
  const identity = { dataset: 'hrrr', domain: 'conus' as const, run: run + number * HOUR, resolution: 7 }
  const keys = Array.from({ length: times }, (_, t) => `slabs/${t}`)
  const codes = new Int16Array(cells)
  for (const [t, key] of keys.entries()) {
    for (let c = 0; c < cells; c++) codes[c] = 2800 + ((c * 7 + t * 13) % 41) + ((c >> 5) % 90)
    const slabs = Array.from({ length: variables }, (_, v) => ({
      variable: `v${v}`,
      time: run + t * HOUR,
      quantum: 0.1,
      offset: 0,
      codes,
    }))
    await objects.put(key, makeSlabs(identity, cover, slabs))
  }
  return (await buildTiles(pool, objects, objects, { ...identity, stage: `f${cells}`, slabs: keys })).manifestKey
}

async function measure(cells: number, runs: number): Promise<void> {
  const manifests: string[] = []
  for (let number = 0; number < runs; number++) manifests.push(await makeRun(cells, number))
  // This cache stores nothing, so every block is read; the directories stay in the open run.
  const [nothing, cache] = [createTileCache(0), createTileCache(256 << 20)]
  const open = (tileCache: typeof cache) => Promise.all(manifests.map((key) => openRun(objects, key, tileCache)))
  const [opened, cached] = [await open(nothing), await open(cache)]
  const random = seeded(4)
  const pick = () => cellOfId(nth(all, Math.floor(random() * cells)), 7)
  const cold: number[] = []
  const warm: number[] = []
  for (let k = 0; k < 3000; k++) {
    const run = nth(opened, k % runs)
    const cell = pick()
    let from = performance.now()
    await run.point(cell)
    cold.push(performance.now() - from)
    await nth(cached, k % runs).point(cell)
    from = performance.now()
    await nth(cached, k % runs).point(cell)
    warm.push(performance.now() - from)
  }
  const at = (list: number[], share: number) => {
    const later = list.slice(1000).sort((a, b) => a - b)
    return nth(later, Math.floor(share * (later.length - 1))).toFixed(3)
  }
  console.log(
    `${String(cells).padStart(9)} cells, ${runs} runs  cold p50 ${at(cold, 0.5)} p99 ${at(cold, 0.99)} ms  warm p50 ${at(warm, 0.5)} p99 ${at(warm, 0.99)} ms`,
  )
}

for (const [cells, runs] of [
  [15_000, 1],
  [150_000, 1],
  [1_500_000, 1],
  [15_000, 8],
] as const)
  await measure(cells, runs)
await pool.close()
await objects.close()
rmSync(folder, { recursive: true })
