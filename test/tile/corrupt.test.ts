import { afterAll, beforeAll, expect, test } from 'vitest'
import { cellOfId, loadCells } from '../../ingest/domain/cell.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { createTileCache } from '../../ingest/tile/cache.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { KeptObjects } from './kept-objects.ts'
import { makeSlabs, seeded } from './made-slabs.ts'

const pool = openPool({ threads: 1 })
afterAll(() => pool.close())

const run = Date.UTC(2026, 7, 20, 12)
const ids = loadCells(7).ids.slice(700_000, 700_400)
const slabs = new KeptObjects()
const tiles = new KeptObjects()
const request = { dataset: 'nbm', domain: 'conus' as const, run, stage: 'h051', slabs: ['f0', 'f1', 'f2'] }
let manifestKey: string
let truth: string[]

beforeAll(async () => {
  const random = seeded(2)
  const cover = cutCover(ids, 7)
  for (const [t, key] of request.slabs.entries()) {
    const codes = Int16Array.from(ids, (_, c) => 2800 + Math.floor(c / 3) + Math.floor(random() * 9) + t)
    const slab = { variable: 'temperature', time: run + t * HOUR, quantum: 0.1, offset: 0, codes }
    const source = { url: 'https://noaa-nbm-grib2-pds.s3.amazonaws.com/blend', from: 100 * t, length: 50 }
    await slabs.put(key, makeSlabs({ ...request, resolution: 7 }, cover, [{ ...slab, source }]))
  }
  manifestKey = (await buildTiles(pool, slabs, tiles, request)).manifestKey
  truth = await everything(tiles)
})

/** Reads everything: every cell, and its provenance. For cells that cannot be read the result is the fault's text. */
async function everything(objects: KeptObjects): Promise<string[]> {
  const opened = await openRun(objects, manifestKey, createTileCache(1 << 20))
  const answers: string[] = []
  for (const id of ids) {
    const point = await opened.point(cellOfId(id, 7)).catch(fault)
    answers.push(
      point instanceof Fault ? point.message : (point?.variables.get('temperature')?.values.join() ?? 'none'),
    )
  }
  const sources = await opened.provenance().catch(fault)
  answers.push(sources instanceof Fault ? sources.message : JSON.stringify([...sources]))
  return answers
}

function fault(error: unknown): Fault {
  if (error instanceof Fault && error.kind === 'Corrupt') return error
  throw error
}

test('detects and reports a flipped bit anywhere in a run and never serves it', async () => {
  const random = seeded(31)
  const names = [...tiles.stored.keys()]
  expect(names.length).toBe(3)
  for (const key of names) {
    const original = tiles.stored.get(key)!
    // The manifest is small, so every byte of it is tested; in the other objects a few hundred bits are.
    const flips = original.length < 700 ? original.length : 250
    for (let k = 0; k < flips; k++) {
      const at = flips === original.length ? k : Math.floor(random() * original.length)
      const broken = new KeptObjects()
      for (const [name, bytes] of tiles.stored) broken.stored.set(name, bytes)
      const bytes = original.slice()
      bytes[at] = nth(bytes, at) ^ (1 << Math.floor(random() * 8))
      broken.stored.set(key, bytes)
      const answers = await everything(broken).catch((error: unknown) => [fault(error).message])
      const faults = answers.filter((answer, i) => answer !== truth[i])
      expect(faults.length, `octet ${at} of ${key}`).toBeGreaterThan(0)
      for (const text of faults) {
        expect(text).toContain(key)
        expect(text).toMatch(
          key.endsWith('.tile')
            ? /^nbm\/conus\/2026-08-20T12Z\/h051: tile .*(block \d+|directory): (must have|the checksum must be|the \d+ bytes are not)/
            : key,
        )
      }
    }
  }
})

test('does not serve another run in place of this run', async () => {
  const later = { ...request, run: run + HOUR, slabs: request.slabs.map((key) => `later/${key}`) }
  const cover = cutCover(ids, 7)
  for (const [t, key] of later.slabs.entries()) {
    const codes = Int16Array.from(ids, () => 2800 + t)
    const slab = { variable: 'temperature', time: later.run + t * HOUR, quantum: 0.1, offset: 0, codes }
    await slabs.put(key, makeSlabs({ ...later, resolution: 7 }, cover, [slab]))
  }
  const other = new KeptObjects()
  const { manifestKey: otherKey } = await buildTiles(pool, slabs, other, later)
  const [from, to] = [otherKey, manifestKey].map((key) => key.slice(0, -'manifest'.length))
  const moved = (names: RegExp) => {
    const store = new KeptObjects()
    for (const [key, bytes] of tiles.stored) store.stored.set(key, bytes)
    for (const [key, bytes] of other.stored) if (names.test(key)) store.stored.set(key.replace(from!, to!), bytes)
    return everything(store)
  }
  const manifestFault = await moved(/./).catch(fault)
  expect(manifestFault).toMatchObject({ kind: 'Corrupt', message: expect.stringContaining('2026-08-20T13Z') })
  for (const answer of (await moved(/tile$/)).slice(0, -1)) expect(answer).toMatch(/directory: the checksum must be /)
})

test('detects a truncated tile', async () => {
  const key = [...tiles.stored.keys()].find((name) => name.endsWith('.tile'))!
  const broken = new KeptObjects()
  for (const [name, bytes] of tiles.stored) broken.stored.set(name, bytes)
  broken.stored.set(key, tiles.stored.get(key)!.slice(0, -1))
  const faults = (await everything(broken)).filter((answer, i) => answer !== truth[i])
  expect(faults.length).toBeGreaterThan(0)
  for (const text of faults) expect(text).toContain(key)
})

test('builds no tiles from slabs with a flipped bit', async () => {
  const random = seeded(8)
  const original = slabs.stored.get('f1')!
  for (let k = 0; k < 200; k++) {
    const broken = new KeptObjects()
    for (const [name, bytes] of slabs.stored) broken.stored.set(name, bytes)
    const bytes = original.slice()
    const at = Math.floor(random() * bytes.length)
    bytes[at] = nth(bytes, at) ^ (1 << Math.floor(random() * 8))
    broken.stored.set('f1', bytes)
    const failed = await buildTiles(pool, broken, new KeptObjects(), request).catch((error: unknown) => error)
    expect(failed).toMatchObject({ kind: 'Corrupt', message: expect.stringContaining('slabs f1') })
  }
})
