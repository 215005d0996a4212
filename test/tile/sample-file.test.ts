import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Message, readMessages } from 'grib2-wasm'
import { afterAll, describe, expect, test } from 'vitest'
import { loadCells } from '../../ingest/domain/cell.ts'
import type { Domain } from '../../ingest/domain/dataset/dataset.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { sampleMessages } from '../../ingest/steps/grid/sample-field.ts'
import type { SampleItem, SampleRequest } from '../../ingest/steps/grid/sample-request.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { KeptObjects } from './kept-objects.ts'

const folder = '../shared/fixtures/binary'
const cacheDir = mkdtempSync(join(tmpdir(), 'hexcast-mapping-'))
const pool = openPool({ threads: 2 })
afterAll(async () => {
  await pool.close()
  rmSync(cacheDir, { recursive: true })
})

const run = Date.UTC(2026, 5, 16, 12)
const colorado: Domain = { id: 'conus', bbox: [-106, 38, -104, 40], nativeKm: 2.5 }
const country: Domain = { id: 'conus', bbox: [-126, 23.8, -66, 50], nativeKm: 2.5 }
const request = (domain: Domain, items: readonly SampleItem[]): SampleRequest => ({
  dataset: 'nbm',
  domain,
  run,
  items,
  resolution: 7,
  cacheDir,
})

function messagesOf(file: string): Message[] {
  return [...readMessages(readFileSync(join(folder, file)))]
}

const bytesOf = (file: string, message: Message) => ({
  bytes: new Uint8Array(readFileSync(join(folder, file)).subarray(message.offset, message.offset + message.byteLength)),
  source: { url: `https://example.s3.amazonaws.com/${file}`, from: message.offset, length: message.byteLength },
})

/** Computes the bilinear mean by its simplest definition: the weights of the known neighbours. */
function bilinear(values: Float32Array, { grid }: Message, lat: number, lon: number): number {
  const [i, j] = grid.toIndex(lat, lon)
  const [left, low] = [Math.floor(i), Math.floor(j)]
  let [sum, weight] = [0, 0]
  for (const [di, dj] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const value = nth(values, (low + dj) * grid.nx + left + di)
    const w = (di ? i - left : 1 - (i - left)) * (dj ? j - low : 1 - (j - low))
    if (Number.isNaN(value)) continue
    sum += w * value
    weight += w
  }
  return weight > 0.001 ? sum / weight : Number.NaN
}

async function tilesOf(domain: Domain, items: readonly SampleItem[]) {
  const slabs = new KeptObjects()
  const tiles = new KeptObjects()
  const sampled = await sampleMessages(pool, request(domain, items))
  await slabs.put('one', sampled.bytes)
  const built = await buildTiles(pool, slabs, tiles, {
    dataset: 'nbm',
    domain: domain.id,
    run,
    stage: 'f01',
    slabs: ['one'],
  })
  return { sampled, opened: await openRun(tiles, built.manifestKey), built }
}

const cells = loadCells(7)
const centres = cells.centres()

describe.skipIf(!existsSync(folder))('real messages → slab → tile → point', () => {
  const nbm = 'nbm/nbm-multilevel-tcdc.grib2'
  const hrrr = 'hrrr/hrrr.t06z.wrfsfcf01-TMP.grib2'

  test.each([
    [nbm, 0, 'temperature'],
    [nbm, 1, 'temperature'],
    [nbm, 2, 'cloud_cover'],
    [hrrr, 0, 'temperature'],
    ['hrrr/subset_20201214_hrrr.t00z.wrfsfcf12.grib2', 1, 'precip_amount'],
  ])('%s, field %d as %s: equals the bilinear weights at every 97th cell', async (file, number, variable) => {
    const message = nth(messagesOf(file), number)
    const values = message.values()
    const item: SampleItem = { kind: 'scalar', variable, time: run + HOUR, message: bytesOf(file, message) }
    const { opened, sampled } = await tilesOf(country, [item])
    const [report] = sampled.slabs
    expect(report!.roughness).toBeLessThan(2)
    let covered = 0
    let worst = 0
    for (let c = 0; c < cells.count; c += 97) {
      const point = await opened.point(cells.cellAt(c))
      if (!point) continue
      covered++
      const series = point.variables.get(variable)!
      expect(series.times[0]).toBe(run + HOUR)
      const expected = bilinear(values, message, nth(centres.lat, c), nth(centres.lon, c))
      const actual = nth(series.values, 0)
      if (Number.isNaN(expected)) expect(actual).toBeNaN()
      else worst = Math.max(worst, Math.abs(actual - expected))
    }
    expect(covered).toBeGreaterThan(15_000)
    expect(worst).toBeLessThanOrEqual(report!.quantum * 0.51)
    expect(report!.quantum).toBeGreaterThanOrEqual(message.packing.quantum - 1e-9)
  })

  test('reports statistics of a slab and the origin of its message', async () => {
    const message = nth(messagesOf(nbm), 1)
    const item: SampleItem = {
      kind: 'scalar',
      variable: 'temperature',
      time: run + HOUR,
      message: bytesOf(nbm, message),
    }
    const { sampled, opened } = await tilesOf(colorado, [item])
    const values: number[] = []
    for (let c = 0; c < cells.count; c++) {
      const point = await opened.point(cells.cellAt(c)).catch(() => undefined)
      if (point) values.push(nth(point.variables.get('temperature')!.values, 0))
    }
    expect(sampled.cells).toBe(values.length)
    const [report] = sampled.slabs
    expect(report).toMatchObject({ variable: 'temperature', time: run + HOUR, quantum: 0.1, missing: 0, rejected: 0 })
    expect(report!.min).toBeCloseTo(Math.min(...values), 3)
    expect(report!.max).toBeCloseTo(Math.max(...values), 3)
    expect(report!.mean).toBeCloseTo(values.reduce((a, b) => a + b, 0) / values.length, 3)
    const [source] = (await opened.provenance()).get('temperature')!
    expect(source).toEqual({
      url: `https://example.s3.amazonaws.com/${nbm}`,
      from: message.offset,
      length: message.byteLength,
    })
  })

  test('reports a mirrored field as rough', async () => {
    // The same message without its flag for alternating rows.
    const message = nth(messagesOf(nbm), 1)
    const { bytes } = bytesOf(nbm, message)
    const at = bytes.findIndex((_, k) => bytes[k + 4] === 3 && k > 16 && bytes[k] === 0 && bytes[k + 3] === 81)
    expect(bytes[at + 64]).toBe(80)
    bytes[at + 64] = 64
    const item: SampleItem = { kind: 'scalar', variable: 'temperature', time: run + HOUR, message: { bytes } }
    const { slabs } = await sampleMessages(pool, request(colorado, [item]))
    expect(nth(slabs, 0).roughness).toBeGreaterThan(3)
  })

  test('gives a fault with the variable for a broken message and continues the pool', async () => {
    const message = nth(messagesOf(nbm), 1)
    const { bytes } = bytesOf(nbm, message)
    const broken: SampleItem = {
      kind: 'scalar',
      variable: 'temperature',
      time: run + HOUR,
      message: { bytes: bytes.slice(0, bytes.length - 1000) },
    }
    const failed = await sampleMessages(pool, request(colorado, [broken])).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Fault)
    expect(failed).toMatchObject({ kind: 'Corrupt', message: expect.stringContaining('temperature: GRIB2 section 0') })
    const good: SampleItem = { ...broken, message: { bytes } }
    expect((await sampleMessages(pool, request(colorado, [good]))).slabs).toHaveLength(1)
  })

  test('computes the mapping of a grid once and stores it on disk', async () => {
    const message = nth(messagesOf(hrrr), 0)
    const before = readdirSync(cacheDir).length
    const far: Domain = { id: 'conus', bbox: [-90, 30, -89, 31], nativeKm: 3 }
    const item = (): SampleItem => ({
      kind: 'scalar',
      variable: 'temperature',
      time: run,
      message: bytesOf(hrrr, message),
    })
    await sampleMessages(pool, request(far, [item()]))
    await sampleMessages(pool, request(far, [item(), item()]))
    const files = readdirSync(cacheDir)
    expect(files.length).toBe(before + 1)
    expect(files.every((file) => /^mapping-[0-9a-f]{24}\.bin$/.test(file))).toBe(true)
  })
})
