import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { readMessages } from 'grib2-wasm'
import { describe, expect, test } from 'vitest'
import { mrmsProducts } from '../../ingest/datasets/mrms-products.ts'
import { readMrms } from '../../ingest/decode/radar/mrms.ts'
import type { MrmsDataset } from '../../ingest/domain/dataset/dataset.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { stateOf } from '../../ingest/domain/weather/echo.ts'
import { type FrameHead, pixelOf } from '../../ingest/tile/frame.ts'
import { eachUnit, openFrame, stateOfCode, valueIn } from '../../ingest/tile/frame-read.ts'
import { writeFrame } from '../../ingest/tile/frame-write.ts'

const folder = '../shared/fixtures/binary'
const files = existsSync(`${folder}/mrms`) ? readdirSync(`${folder}/mrms`).filter((file) => file.includes('grib2')) : []

const byParameter = (name: string) => {
  const exact = mrmsProducts.find(({ parameter }) => parameter === name)
  return exact ?? mrmsProducts.find(({ unit }) => unit === (/QPE/.test(name) ? 'mm' : 'dBZ'))!
}

const written = new Map<string, { bytes: Uint8Array; head: FrameHead; dataset: MrmsDataset }>()

function frameOf(file: string) {
  const known = written.get(file)
  if (known) return known
  const grid = readMrms(readFileSync(`${folder}/mrms/${file}`), file)
  const dataset = byParameter(grid.parameter)
  const { nx, ny, north, west, dLat, dLon, validTime } = grid
  const place = { nx, ny, north, west, dLat, dLon }
  const subject = {
    product: dataset.id,
    domain: 'conus',
    validTime,
    grid: place,
    unit: dataset.unit,
    source: file,
  } as const
  const frame = { dataset, ...writeFrame(subject, { ...grid, values: dataset.values }) }
  written.set(file, frame)
  return frame
}

const inMemory = (bytes: Uint8Array) => {
  const reads: number[] = []
  return {
    reads,
    range: async (_key: string, from: number, length: number) => {
      reads.push(length)
      return bytes.subarray(from, from + length)
    },
  }
}

describe.skipIf(files.length === 0)('frames of real files (../shared/fixtures)', () => {
  test.each(files)('%s: has the value of the GRIB2 reader at every pixel', (file) => {
    const { dataset, bytes: encoded, head } = frameOf(file)
    const bytes = readFileSync(`${folder}/mrms/${file}`)
    const grib = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes
    const [message] = [...readMessages(grib)]
    const values = message!.decode()
    const { nx } = message!.grid
    let wrong = 0
    let compared = 0
    const value = valueIn(head)
    eachUnit(encoded, file, (codes, left, top, width, height) => {
      for (let j = 0; j < height; j++) {
        for (let i = 0; i < width; i++) {
          const code = typeof codes === 'number' ? codes : nth(codes, j * width + i)
          const truth = nth(values, (top + j) * nx + left + i)
          const state = stateOf(dataset.values, Math.round(truth * 1e3) / 1e3)
          compared++
          if (
            stateOfCode(code) !== state ||
            (state === 'value' && Math.abs(value(code) - truth) > 2e-5 * Math.max(1, Math.abs(truth)))
          )
            wrong++
        }
      }
    })
    expect(compared).toBe(message!.points)
    expect(wrong).toBe(0)
  })

  test.each(files)('%s: agrees with the external oracle at coordinates', async (file) => {
    const oracle = JSON.parse(readFileSync(`${folder}/oracle/mrms__${file}.json`, 'utf8')).messages[0]
    const store = inMemory(frameOf(file).bytes)
    const frame = await openFrame(store, file)
    for (const { lat, lon, value } of [...oracle.samples, ...oracle.informativeSamples]) {
      const at = pixelOf(frame.head.grid, lat, lon)
      const x = Math.round(at.x)
      const y = Math.round(at.y)
      const code = (await frame.load([{ left: x, top: y, right: x, bottom: y }])).code(x, y)
      if (value <= -90) expect(stateOfCode(code)).not.toBe('value')
      else if (stateOfCode(code) === 'value') expect(frame.value(code)).toBeCloseTo(value, 4)
      else expect(value).toBeLessThanOrEqual(0)
    }
  })

  test('reads a point with two reads and reports a flipped bit anywhere', async () => {
    const file = files.find((name) => name.includes('Composite'))!
    const { bytes } = frameOf(file)
    const store = inMemory(bytes)
    const frame = await openFrame(store, file)
    await frame.load([{ left: 3500, top: 1800, right: 3560, bottom: 1860 }])
    await frame.load([{ left: 3500, top: 1800, right: 3560, bottom: 1860 }])
    expect(store.reads.length).toBeLessThanOrEqual(2)
    expect(store.reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(256 * 1024)

    for (let n = 0; n < 24; n++) {
      const broken = Uint8Array.from(bytes)
      const at = Math.floor(((n + 0.5) / 24) ** 3 * bytes.length)
      broken[at]! ^= 1 << (n % 8)
      expect(() => eachUnit(broken, file, () => {}), `octet ${at}`).toThrow(/are damaged|must be|is too large/)
    }
  })

  test('reports a truncated gzip, a foreign file and an empty file as corrupt', () => {
    const file = files.find((name) => name.includes('PrecipFlag'))!
    const bytes = readFileSync(`${folder}/mrms/${file}`)
    for (const broken of [bytes.subarray(0, bytes.length >> 1), Buffer.from('<html>'), Buffer.alloc(0)])
      expect(() => readMrms(broken, file)).toThrow(expect.objectContaining({ kind: 'Corrupt' }))
  })
})
