import { rateOf } from '../../domain/weather/echo.ts'
import type { FrameHead } from '../../tile/frame.ts'
import { eachUnit, valueIn } from '../../tile/frame-read.ts'

export interface FrameObject {
  readonly key: string
  readonly bytes: Uint8Array
}

export interface FrameRates {
  readonly head: FrameHead
  readonly rates: Float32Array
}

/** Returns the rain rate of every code of a frame, mm/h; NaN without coverage, 0 if dry. */
export function rateTable(head: FrameHead): Float32Array {
  const value = valueIn(head)
  return Float32Array.from({ length: 65_536 }, (_, code) => {
    if (code === 0) return Number.NaN
    if (code === 1) return 0
    return head.unit === 'dBZ' ? rateOf(value(code)) : value(code)
  })
}

/** Returns the rain rate of every pixel of a frame, mm/h; NaN without coverage, 0 if dry. @throws Fault Corrupt */
export function frameRates({ key, bytes }: FrameObject): FrameRates {
  let rates: Float32Array | undefined
  let table: Float32Array | undefined
  const head = eachUnit(bytes, key, (codes, left, top, width, height, of) => {
    rates ??= new Float32Array(of.grid.nx * of.grid.ny)
    table ??= rateTable(of)
    for (let j = 0; j < height; j++) {
      const at = (top + j) * of.grid.nx + left
      if (typeof codes === 'number') rates.fill(table[codes]!, at, at + width)
      else for (let i = 0; i < width; i++) rates[at + i] = table[codes[j * width + i]!]!
    }
  })
  return { head, rates: rates! }
}
