import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMessages } from 'grib2-wasm'
import { afterAll, describe, expect, test } from 'vitest'
import { gribMessage } from '../../infra/simulator/grib.ts'
import { coarsen, grids, type SimulatedGrid } from '../../infra/simulator/grids.ts'
import { centreOf, loadCells } from '../../ingest/domain/cell.ts'
import type { Domain } from '../../ingest/domain/dataset/dataset.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { sampleMessages } from '../../ingest/steps/grid/sample-field.ts'
import type { SampleItem } from '../../ingest/steps/grid/sample-request.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { KeptObjects } from './kept-objects.ts'

const cacheDir = mkdtempSync(join(tmpdir(), 'hexcast-wind-'))
const pool = openPool({ threads: 1 })
afterAll(async () => {
  await pool.close()
  rmSync(cacheDir, { recursive: true })
})

const run = Date.UTC(2026, 7, 20, 12)
const origin = { centre: 7, subcentre: 0, run }
const product = { discipline: 0, category: 2, number: 2, surface: { type: 103, value: 10 }, leadHours: 1 }

/** A wind that is known everywhere: its direction in degrees, and its speed. It turns through north over Kansas. */
const truth = (lat: number, lon: number) => ({
  from: (360 + 4 * (lon + 98) + 2 * (lat - 38)) % 360,
  speed: 12 + 5 * Math.sin(lat / 3) + 2 * Math.cos(lon / 4),
})

function messageOf(grid: SimulatedGrid, at: (lat: number, lon: number) => number): Uint8Array {
  const empty = gribMessage(origin, grid, product, { template: 0, decimal: 0 }, new Float32Array(grid.nx * grid.ny))
  const { grid: placed } = nth([...readMessages(empty)], 0)
  const values = Float32Array.from({ length: grid.nx * grid.ny }, (_, p) =>
    at(...placed.toLatLon(p % grid.nx, Math.floor(p / grid.nx))),
  )
  return gribMessage(origin, grid, product, { template: 0, decimal: 3 }, values)
}

async function built(domain: Domain, items: readonly SampleItem[]) {
  const [slabs, tiles] = [new KeptObjects(), new KeptObjects()]
  const request = { dataset: 'hrrr', domain, run, items, resolution: 7, cacheDir }
  const sampled = await sampleMessages(pool, request)
  await slabs.put('f01', sampled.bytes)
  const { manifestKey } = await buildTiles(pool, slabs, tiles, {
    ...request,
    domain: domain.id,
    stage: 'f01',
    slabs: ['f01'],
  })
  return { opened: await openRun(tiles, manifestKey), sampled }
}

const apart = (angle: number, other: number) => Math.abs(((angle - other + 540) % 360) - 180)

/** Every 197th cell of the country in the run. */
async function* points(opened: Awaited<ReturnType<typeof openRun>>) {
  const cells = loadCells(7)
  for (let c = 0; c < cells.count; c += 197) {
    const cell = cells.cellAt(c)
    const point = await opened.point(cell)
    if (point) yield { at: centreOf(cell), numberOf: (name: string) => nth(point.variables.get(name)!.values, 0) }
  }
}

describe.each([
  ['Lambert', coarsen(grids.hrrrConus, 6), [-126, 23.8, -66, 50], Math.sin((38.5 * Math.PI) / 180), 262.5],
  // In polar stereographic projection the wind angle is the full angle of the meridian.
  ['polar stereographic', coarsen(grids.hrrrAlaska, 6), [171, 50.5, -129.5, 72], 1, 225],
] as const)('wind along a %s grid', (_name, grid, bbox, cone, lov) => {
  test('becomes speed and true direction', async () => {
    const domain: Domain = { id: bbox[0] === 171 ? 'alaska' : 'conus', bbox, nativeKm: 18 }
    // Computes grid-relative components by the textbook formula: the grid's north is rotated by cone * (lon - lov).
    const component = (axis: 'u' | 'v') => (lat: number, lon: number) => {
      const { from, speed } = truth(lat, lon)
      const lean = (cone * (((((lon - lov) % 360) + 540) % 360) - 180) * Math.PI) / 180
      const towards = ((from + 180) * Math.PI) / 180
      const [east, north] = [speed * Math.sin(towards), speed * Math.cos(towards)]
      return axis === 'u'
        ? east * Math.cos(lean) - north * Math.sin(lean)
        : east * Math.sin(lean) + north * Math.cos(lean)
    }
    const [u, v] = (['u', 'v'] as const).map((axis) => ({ bytes: messageOf(grid, component(axis)) }))
    const item = { kind: 'wind', time: run, speed: 'wind_speed', direction: 'wind_direction', u: u!, v: v! } as const
    const { opened, sampled } = await built(domain, [item])
    expect(sampled.slabs.map(({ variable }) => variable)).toEqual(['wind_speed', 'wind_direction'])
    let count = 0
    for await (const { at, numberOf } of points(opened)) {
      const { from, speed } = truth(...at)
      // The mean vector of a wind that turns between points 18 km apart is a little shorter than the wind.
      expect(Math.abs(numberOf('wind_speed') - speed), `speed at ${at}`).toBeLessThan(0.08)
      expect(apart(numberOf('wind_direction'), from), `direction at ${at}`).toBeLessThan(0.7)
      count++
    }
    expect(count).toBeGreaterThan(1000)
  })
})

test('averages directions as vectors with or without a speed', async () => {
  const grid = coarsen(grids.nbmConus, 8)
  const domain: Domain = { id: 'conus', bbox: [-126, 23.8, -66, 50], nativeKm: 20 }
  const message = () => ({ bytes: messageOf(grid, (lat, lon) => truth(lat, lon).from) })
  const speed = { bytes: messageOf(grid, (lat, lon) => truth(lat, lon).speed) }
  for (const beside of [speed, undefined]) {
    const item = {
      kind: 'direction',
      time: run,
      variable: 'wind_direction',
      message: message(),
      speed: beside,
    } as const
    const { opened } = await built(domain, [item])
    let count = 0
    for await (const { at, numberOf } of points(opened)) {
      expect(apart(numberOf('wind_direction'), truth(...at).from), `at ${at}`).toBeLessThan(0.7)
      count++
    }
    expect(count).toBeGreaterThan(6000)
  }
})

test('keeps missing values out of neighbouring cells', async () => {
  const grid = coarsen(grids.nbmConus, 8)
  const domain: Domain = { id: 'conus', bbox: [-110, 35, -100, 42], nativeKm: 20 }
  const ceiling = (lat: number) => (lat > 38 ? 20_000 : 1500)
  const items: SampleItem[] = ['cloud_ceiling', 'visibility'].map((variable) => ({
    kind: 'scalar',
    variable,
    time: run,
    missing: [20_000],
    message: { bytes: messageOf(grid, ceiling) },
  }))
  const { opened, sampled } = await built(domain, items)
  let [covered, missing] = [0, 0]
  for await (const { numberOf } of points(opened)) {
    for (const value of [numberOf('cloud_ceiling'), numberOf('visibility')]) {
      if (Number.isNaN(value)) missing++
      else {
        expect(value).toBe(1500)
        covered++
      }
    }
  }
  expect(covered).toBeGreaterThan(100)
  expect(missing).toBeGreaterThan(100)
  expect(nth(sampled.slabs, 0).missing).toBeGreaterThan(0.4)
})

test('treats a sentinel as missing and a rounding error as valid', async () => {
  const grid = coarsen(grids.nbmConus, 8)
  const domain: Domain = { id: 'conus', bbox: [-110, 35, -100, 42], nativeKm: 20 }
  const field = (lat: number) => (lat > 40 ? -3 : lat > 37.5 ? -0.004 : 2)
  const item: SampleItem = {
    kind: 'scalar',
    variable: 'precip_amount',
    time: run,
    message: { bytes: messageOf(grid, field) },
  }
  const { opened, sampled } = await built(domain, [item])
  const [values, north, middle] = [new Set<number>(), new Set<number>(), new Set<number>()]
  for await (const { at, numberOf } of points(opened)) {
    const amount = numberOf('precip_amount')
    // Values beside the edges of the three bands are interpolated.
    if (at[0] > 40.3) north.add(amount)
    if (at[0] > 38 && at[0] < 39.7) middle.add(amount)
    values.add(amount)
  }
  expect([[...north], [...middle]]).toEqual([[Number.NaN], [0]])
  expect(Math.min(...[...values].filter((value) => !Number.isNaN(value)))).toBe(0)
  expect(nth(sampled.slabs, 0).rejected).toBeGreaterThan(0.1)
})
