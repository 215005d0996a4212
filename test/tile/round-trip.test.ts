import { afterAll, describe, expect, test } from 'vitest'
import { cellOf, cellOfId, loadCells } from '../../ingest/domain/cell.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { createTileCache } from '../../ingest/tile/cache.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { KeptObjects } from './kept-objects.ts'
import { type MadeSlab, makeSlabs, seeded } from './made-slabs.ts'

const pool = openPool({ threads: 2 })
afterAll(() => pool.close())

const run = Date.UTC(2026, 7, 20, 12)
const all = loadCells(7).ids

/** How a variable's codes behave in space and time. */
const shapes: Record<string, (c: number, t: number, random: () => number) => number> = {
  smooth: (c, t) => Math.round(5000 + 300 * Math.sin(c / 90) + 80 * Math.sin(t / 4 + c / 400)),
  noisy: (_c, _t, random) => Math.floor(random() * 65535) - 32767,
  constant: () => 42,
  absent: () => -32768,
  rare: (c, t) => (c % 97 === 0 && t % 7 === 3 ? 500 + c : 0),
  holes: (c, t, random) => (random() < 0.3 ? -32768 : 1000 + c + 3 * t),
  edges: (_c, _t, random) => nth([-32768, -32767, 32767, 0], Math.floor(random() * 4)),
  'holes at first': (c, t) => (t < c % 5 ? -32768 : 7 * t),
}

interface Case {
  readonly times: number
  readonly ids: Uint32Array
  readonly repeat?: number
  readonly objectValues?: number
  readonly resolution?: number
}

const coast = all.filter((id, i) => i > 600_000 && i < 610_000 && id % 11 !== 3)
const cases: Record<string, Case> = {
  'a single time (343 cells a block)': { times: 1, ids: coast },
  'a day (49 cells a block)': { times: 24, ids: coast },
  'a hundred times (7 cells a block)': { times: 100, ids: coast.slice(0, 1500), repeat: 3 },
  'so much that blocks are single cells': { times: 130, ids: coast.slice(0, 900), repeat: 12 },
  'four objects': { times: 2, ids: all.slice(0, 40_000), objectValues: 10_000 * 15 },
  'resolution 3': { times: 20, ids: loadCells(3).ids, resolution: 3 },
  'resolution 8': { times: 5, ids: loadCells(8).ids.slice(3_000_000, 3_020_000), resolution: 8 },
  'one cell': { times: 9, ids: all.slice(1234, 1235) },
}

describe.each(Object.entries(cases))(
  'slabs → tiles → point: %s',
  (_name, { times, ids, repeat = 1, objectValues, resolution = 7 }) => {
    test('returns every code as stored', async () => {
      const random = seeded(7)
      const cover = cutCover(ids, resolution)
      const slabStore = new KeptObjects()
      const tiles = new KeptObjects()
      const identity = { dataset: 'nbm', domain: 'conus' as const, run, resolution }
      const names = Object.keys(shapes).flatMap((shape) =>
        Array.from({ length: repeat }, (_, k) => [shape, k ? `${shape} ${k}` : shape] as const),
      )
      const truth = new Map(names.map(([, variable]) => [variable, [] as Int16Array[]]))
      const keys: string[] = []
      for (let t = 0; t < times; t++) {
        const slabs = names
          // A variable may lack times that other variables have.
          .filter(([shape]) => shape !== 'rare' || t % 2 === 0)
          .map(([shape, variable]): MadeSlab => {
            const codes = Int16Array.from(ids, (_, c) => entryOf(shapes, shape)(c, t, random))
            truth.get(variable)!.push(codes)
            return { variable, time: run + (t + 1) * HOUR, quantum: 0.1, offset: shape === 'smooth' ? 3 : 0, codes }
          })
        const key = `slabs/${t}`
        keys.push(key)
        await slabStore.put(key, makeSlabs(identity, cover, slabs))
      }
      const built = await buildTiles(pool, slabStore, tiles, { ...identity, stage: 'h001', slabs: keys, objectValues })
      expect([...tiles.stored.keys()].filter((key) => key.endsWith('.tile')).length).toBe(objectValues ? 5 : 1)
      expect(built.objects).toBe(tiles.stored.size)
      const opened = await openRun(tiles, built.manifestKey, createTileCache(1 << 20))
      expect(opened.cellCount).toBe(ids.length)
      const picks = Array.from({ length: 150 }, () => Math.floor(random() * ids.length))
      for (const c of [0, ids.length - 1, ...picks]) {
        const point = await opened.point(cellOfId(nth(ids, c), resolution))
        expect(point).toBeDefined()
        for (const [shape, variable] of names) {
          const { values, times: axis, quantum } = point!.variables.get(variable)!
          const codes = truth.get(variable)!.map((slab) => nth(slab, c))
          expect(quantum).toBe(0.1)
          expect(axis.length).toBe(codes.length)
          const offset = shape === 'smooth' ? 3 : 0
          const expected = codes.map((code) => (code === -32768 ? Number.NaN : Math.fround(code * 0.1 + offset)))
          expect(Array.from(values), `${variable} at cell ${c}`).toEqual(expected)
        }
      }
      const outside =
        resolution === 7 ? cellOfId(all.find((id) => !ids.includes(id))!, 7) : cellOf(51.5, -0.12, resolution)
      expect(await opened.point(outside)).toBeUndefined()
    })
  },
)

test('writes the same bytes to the same keys when tiles are built again', async () => {
  const cover = cutCover(all.slice(0, 5000), 7)
  const identity = { dataset: 'rtma', domain: 'alaska' as const, run, resolution: 7 }
  const slabStore = new KeptObjects()
  const codes = Int16Array.from(cover.ids, (_, c) => c)
  await slabStore.put(
    'a',
    makeSlabs(identity, cover, [{ variable: 'temperature', time: run, quantum: 0.1, offset: 0, codes }]),
  )
  const [first, other] = [new KeptObjects(), new KeptObjects()]
  for (const tiles of [first, other])
    await buildTiles(pool, slabStore, tiles, { ...identity, stage: 'f00', slabs: ['a'] })
  expect([...first.stored.keys()]).toEqual([...other.stored.keys()])
  for (const [key, bytes] of first.stored) expect(Buffer.compare(bytes, other.stored.get(key)!), key).toBe(0)
})

test('rounds slabs with finer steps to the coarsest step of the variable', async () => {
  const cover = cutCover(all.slice(0, 500), 7)
  const identity = { dataset: 'gfs', domain: 'conus' as const, run, resolution: 7 }
  const slabStore = new KeptObjects()
  const tiles = new KeptObjects()
  const steps = [0.1, 0.4, 0.05]
  for (const [t, quantum] of steps.entries()) {
    const codes = Int16Array.from(cover.ids, (_, c) => (c === 3 ? -32768 : Math.round((280 + c / 100) / quantum)))
    const slab = { variable: 'temperature', time: run + t * HOUR, quantum, offset: 0, codes }
    await slabStore.put(`f${t}`, makeSlabs(identity, cover, [slab]))
  }
  const { manifestKey } = await buildTiles(pool, slabStore, tiles, {
    ...identity,
    stage: 'f02',
    slabs: ['f0', 'f1', 'f2'],
  })
  const opened = await openRun(tiles, manifestKey)
  const { values, quantum } = (await opened.point(cellOfId(nth(cover.ids, 77), 7)))!.variables.get('temperature')!
  expect(quantum).toBe(0.4)
  for (const value of values) expect(Math.abs(value - 280.77)).toBeLessThanOrEqual(0.25)
  const hole = (await opened.point(cellOfId(nth(cover.ids, 3), 7)))!.variables.get('temperature')!
  expect([...hole.values].every(Number.isNaN)).toBe(true)
})
