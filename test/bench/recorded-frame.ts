import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMrms } from '../../ingest/decode/radar/mrms.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { rateOf } from '../../ingest/domain/weather/echo.ts'
import { eachUnit, valueIn } from '../../ingest/tile/frame-read.ts'
import { writeFrame } from '../../ingest/tile/frame-write.ts'
import type { RateFrame } from './storms.ts'

const fixtures = fileURLToPath(new URL('../../../shared/fixtures/binary/mrms/', import.meta.url))

/**
 * Returns a recorded scan as rain rate, by way of our own frame; undefined if the file does not exist.
 * @param file name of a fixture, or an absolute path
 */
export function recordedFrame(file: string, nx: number, ny: number): RateFrame | undefined {
  const path = resolve(fixtures, file)
  if (!existsSync(path)) return undefined
  const { read, each, meaning, ...grid } = readMrms(readFileSync(path), file)
  const echoes = /Reflectivity/.test(file)
  const subject = {
    product: 'x',
    domain: 'conus',
    validTime: 0,
    grid,
    unit: echoes ? 'dBZ' : 'mm',
    source: file,
  } as const
  const { bytes } = writeFrame(subject, { read, each, meaning, values: echoes ? 'echo' : 'amount' })
  const values = new Float32Array(nx * ny)
  eachUnit(bytes, file, (codes, left, top, width, height, head) => {
    const value = valueIn(head)
    const rates = Float32Array.from({ length: 65_536 }, (_, code) =>
      code === 0 ? Number.NaN : code === 1 ? 0 : echoes ? rateOf(value(code)) : value(code),
    )
    for (let j = 0; j < height && top + j < ny; j++) {
      for (let i = 0; i < width && left + i < nx; i++) {
        values[(top + j) * nx + left + i] = nth(rates, typeof codes === 'number' ? codes : nth(codes, j * width + i))
      }
    }
  })
  return { nx, ny, values }
}
