import { readFileSync } from 'node:fs'
import { readMessages } from 'grib2-wasm'
import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'

interface Oracle {
  readonly points: number
  readonly missing: number
  readonly min: number
  readonly max: number
  readonly mean: number
  readonly samples: readonly (readonly [lat: number, lon: number, value: number | null])[]
}

const folder = new URL('../cases/grib/', import.meta.url)
const oracle = JSON.parse(readFileSync(new URL('oracle.json', folder), 'utf8')) as Record<string, Oracle>

// These files are in every clone, so decoding is compared with ecCodes even if the recorded files are absent.
test.each(Object.entries(oracle))('%s: points, places, values and gaps as ecCodes reads them', (name, expected) => {
  const [message, ...others] = readMessages(readFileSync(new URL(name, folder)))
  expect(others).toEqual([])
  const { grid, points } = message!
  const values = message!.values()
  const present = values.filter((value) => !Number.isNaN(value))
  expect([points, points - present.length]).toEqual([expected.points, expected.missing])
  expect(Math.min(...present)).toBeCloseTo(expected.min, 4)
  expect(Math.max(...present)).toBeCloseTo(expected.max, 4)
  expect(present.reduce((sum, value) => sum + value, 0) / present.length).toBeCloseTo(expected.mean, 3)
  for (const [lat, lon, value] of expected.samples) {
    const [i, j] = grid.toIndex(lat, lon)
    expect(Math.abs(i - Math.round(i)) + Math.abs(j - Math.round(j)), `${lat},${lon}`).toBeLessThan(0.002)
    const decoded = nth(values, Math.round(j) * grid.nx + Math.round(i))
    if (value === null) expect(decoded, `${lat},${lon}`).toBeNaN()
    else expect(decoded, `${lat},${lon}`).toBeCloseTo(value, 4)
  }
})

test('the files have every projection and packing of the encoder', () => {
  const names = Object.keys(oracle).map((name) => name.replace('.grib2', ''))
  for (const shape of ['lambert', 'polar', 'mercator', 'latlon'])
    for (const packing of ['simple', 'first-order', 'second-order', 'png'])
      expect(names).toContain(`${shape}-${packing}`)
  for (const area of ['conus', 'alaska', 'hawaii'])
    for (const packing of ['', '-constant']) expect(names).toContain(`rrfs-${area}${packing}`)
})
