import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { glm } from '../../ingest/datasets/glm.ts'
import { readGlm } from '../../ingest/decode/glm.ts'
import { mapperSees, scanAngles } from '../../ingest/domain/shape/field-of-view.ts'
import { joinSatellites } from '../../ingest/steps/frames/lightning.ts'

const folder = '../shared/fixtures/binary'
const files = existsSync(`${folder}/glm`) ? readdirSync(`${folder}/glm`) : []

describe.skipIf(files.length === 0)('GLM files (../shared/fixtures)', () => {
  test.each(files)('%s agrees with its oracle', async (file) => {
    const oracle = JSON.parse(readFileSync(`${folder}/oracle/glm__${file}.json`, 'utf8'))
    const granule = await readGlm(readFileSync(`${folder}/glm/${file}`), file)
    expect(granule.satellite).toBe(oracle.platform_ID)
    expect(granule.start).toBe(Date.parse(oracle.time_coverage_start))
    expect(granule.end).toBe(Date.parse(oracle.time_coverage_end))
    expect(granule.flashes.length + granule.degraded).toBe(oracle.dims.number_of_flashes)
    // If no flash is degraded, the decoded columns can be compared with the oracle's sums.
    const { flash_lat, flash_lon, flash_energy, flash_time_offset_of_first_event: offset } = oracle.flashDecoded
    const within = (value: number, range: { min: number; max: number }) =>
      expect(value >= range.min - 1e-9 && value <= range.max + 1e-9).toBe(true)
    for (const flash of granule.flashes) {
      within(flash.lat, flash_lat)
      within(flash.lon, flash_lon)
      expect(flash.energy).toBeGreaterThanOrEqual(flash_energy.min * (1 - 1e-6))
      expect(flash.energy).toBeLessThanOrEqual(flash_energy.max * (1 + 1e-6))
      const seconds = (flash.time - granule.start) / 1000
      expect(seconds).toBeGreaterThanOrEqual(offset.min - 0.002)
      expect(seconds).toBeLessThanOrEqual(offset.max + 0.002)
    }
    if (granule.degraded === 0) {
      const sum = (read: (flash: (typeof granule.flashes)[number]) => number) =>
        granule.flashes.reduce((total, flash) => total + read(flash), 0)
      expect(sum(({ lat }) => lat)).toBeCloseTo(flash_lat.sum, 3)
      expect(sum(({ lon }) => lon)).toBeCloseTo(flash_lon.sum, 3)
      expect(sum(({ energy }) => energy) / flash_energy.sum).toBeCloseTo(1, 6)
      expect(sum(({ time }) => (time - granule.start) / 1000)).toBeCloseTo(offset.sum, 0)
    }
  })

  test('counts flashes that were truncated by size or duration', async () => {
    // 148 flashes of quality 0, 17 of quality 3 and 4 of quality 5, by h5py.
    const file = 'GLM_LCFA_2026_07_20_13_00_00.nc'
    const { flashes, degraded } = await readGlm(readFileSync(`${folder}/glm/${file}`), file)
    expect([flashes.length, degraded]).toEqual([169, 0])
  })

  test('finds every flash in the field of view of its satellite', async () => {
    let outside = 0
    let all = 0
    for (const file of files) {
      const { flashes, subpoint } = await readGlm(readFileSync(`${folder}/glm/${file}`), file)
      all += flashes.length
      outside += flashes.filter(({ lat, lon }) => !mapperSees(subpoint, lat, lon)).length
    }
    expect(all).toBeGreaterThan(1000)
    expect(outside / all).toBeLessThan(0.002)
  })

  test('rejects a truncated file, another format and an empty file', async () => {
    const bytes = readFileSync(`${folder}/glm/${files[0]}`)
    for (const broken of [
      bytes.subarray(0, bytes.length >> 1),
      Buffer.from('<html></html>'.repeat(20)),
      Buffer.alloc(0),
    ])
      await expect(readGlm(broken, 'x')).rejects.toMatchObject({ kind: 'Corrupt' })
  })

  test('finds the time of the name in the file', async () => {
    for (const file of files.filter((name) => name.startsWith('OR_'))) {
      const { start } = await readGlm(readFileSync(`${folder}/glm/${file}`), file)
      expect(Math.abs(glm.timeOf(`GLM-L2-LCFA/x/${file}`)! - start)).toBeLessThan(1000)
    }
  })
})

test('rejects a small file that declares millions of flashes before reading them', async () => {
  const { File, ready } = await import('h5wasm/node')
  await ready
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-glm-'))
  try {
    const path = join(folder, 'bomb.nc')
    const file = new File(path, 'w')
    file.create_attribute('time_coverage_start', '2026-08-20T12:00:00.0Z')
    file.create_attribute('time_coverage_end', '2026-08-20T12:00:20.0Z')
    file.create_attribute('platform_ID', 'G19')
    const ten = { data: new Float32Array(10), shape: [10], maxshape: [40_000_000], chunks: [10] }
    file.create_dataset({ name: 'flash_lat', ...ten }).resize([40_000_000])
    file.close()
    await expect(readGlm(readFileSync(path), 'bomb')).rejects.toMatchObject({
      kind: 'Corrupt',
      message: expect.stringMatching(/40000000 values of flash_lat/),
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('includes most of the states but not most of Alaska in the view of a mapper', () => {
  expect(mapperSees(-75.2, 39.74, -104.99)).toBe(true)
  expect(mapperSees(-137.2, 21.3, -157.86)).toBe(true)
  expect(mapperSees(-75.2, 47.6, -122.3) || mapperSees(-137.2, 47.6, -122.3)).toBe(true)
  for (const [lat, lon] of [
    [61.2, -149.9],
    [64.84, -147.72],
    [71.29, -156.79],
  ] as const) {
    expect(mapperSees(-137.2, lat, lon)).toBe(false)
    expect(mapperSees(-75.2, lat, lon)).toBe(false)
  }
  // This place is beyond the limb.
  expect(scanAngles(-75.2, 0, 100)).toBeUndefined()
})

test('counts a flash that both satellites saw once, and two near flashes of one satellite twice', () => {
  const flash = (satellite: string, time: number, lat: number, lon: number) => ({ satellite, time, lat, lon })
  const pair = [flash('G19', 1000, 40, -100), flash('G18', 1300, 40.03, -100.05)]
  expect(joinSatellites(pair).map(({ satellite }) => satellite)).toEqual(['G19'])
  const west = [flash('G19', 1000, 40, -120), flash('G18', 900, 40.03, -120.05)]
  expect(joinSatellites(west).map(({ satellite }) => satellite)).toEqual(['G18'])
  expect(joinSatellites([flash('G19', 1000, 40, -100), flash('G19', 1100, 40, -100)]).length).toBe(2)
  expect(joinSatellites([flash('G19', 1000, 40, -100), flash('G18', 2500, 40, -100)]).length).toBe(2)
  expect(joinSatellites([flash('G19', 1000, 40, -100), flash('G18', 1000, 40.2, -100)]).length).toBe(2)
  // One satellite may split a flash that the other detected as one.
  const three = [flash('G19', 1000, 40, -100), flash('G18', 1000, 40.01, -100), flash('G18', 1100, 40.02, -100)]
  expect(joinSatellites(three).map(({ satellite }) => satellite)).toEqual(['G19'])
})
