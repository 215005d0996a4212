import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { reflectivityOf, strengthOf } from '../../ingest/domain/weather/echo.ts'
import type { Image } from '../../ingest/nowcast/image.ts'
import { estimateMotion } from '../../ingest/nowcast/motion.ts'
import { nowcastSteps, originsOf } from '../../ingest/nowcast/point.ts'
import { changeAt, estimateTrend, rateFactor, TREND_QUANTUM, type Trend } from '../../ingest/nowcast/trend.ts'
import { readMotion, writeMotion } from '../../ingest/tile/motion-file.ts'
import { dice } from '../bench/storms.ts'

const NX = 320
const NY = 240
const MINUTES = [-12, -6, 0]

/** Storms that drift east by one pixel a minute, with the dBZ of each minute. */
function scan(minute: number, peak: (minute: number) => number, unseen?: (x: number) => boolean): Image {
  const [nx, ny] = [NX / 2, NY / 2]
  const image = { nx, ny, shrink: 2, values: new Float32Array(nx * ny), unseen: new Uint8Array(nx * ny) }
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const [x, y] = [2 * i + 0.5 - minute, 2 * j + 0.5]
      const near = [80, 150, 220].map((cx, k) => Math.exp(-((x - cx) ** 2 + (y - 60 - 55 * k) ** 2) / 500))
      const dbz = peak(minute) + 10 * Math.log10(Math.max(...near) + 1e-9)
      if (unseen?.(2 * i)) image.unseen[j * nx + i] = 1
      else image.values[j * nx + i] = strengthOf(dbz)
    }
  }
  return image
}
const estimate = (image: (minute: number) => Image) => {
  const frames = MINUTES.map((minutes) => ({ minutes, image: image(minutes) }))
  const motion = estimateMotion(frames, { spacing: 32, limit: 5 })
  return { motion, trend: estimateTrend(frames, motion) }
}

test('follows growth for some minutes and decay to the end', () => {
  const growing = estimate((minute) => scan(minute, () => 40 + 0.4 * minute)).trend
  const [early, late, last] = [5, 30, 60].map((minutes) => changeAt(growing, 80, 60, minutes))
  expect(early).toBeGreaterThan(0.8)
  expect(last! - late!).toBeLessThan(0.1)
  const decaying = estimate((minute) => scan(minute, () => 40 - 0.4 * minute)).trend
  expect(changeAt(decaying, 80, 60, 60)).toBeCloseTo(12 * changeAt(decaying, 80, 60, 5), 3)
  expect(changeAt(decaying, 80, 60, 30)).toBeLessThan(-7)
  expect(changeAt(decaying, 80, 60, 0)).toBe(0)
})

test('gives no trend for constant or fluctuating echoes or for two scans', () => {
  expect(changeAt(estimate((minute) => scan(minute, () => 40)).trend, 80, 60, 60)).toBeCloseTo(0, 1)
  const unsteady = estimate((minute) => scan(minute, () => (minute === -6 ? 44 : 40))).trend
  expect(changeAt(unsteady, 80, 60, 30)).toBe(0)
  const random = dice(7)
  const noise = estimate((minute) => {
    const image = scan(minute, () => 40)
    return {
      ...image,
      values: image.values.map((value) => (value > 0 ? Math.max(0, value + 8 * (random() - 0.5)) : 0)),
    }
  }).trend
  expect(Math.abs(changeAt(noise, 80, 60, 30))).toBeLessThan(1)
  const frames = [-6, 0].map((minutes) => ({ minutes, image: scan(minutes, () => 40 + minutes) }))
  expect(estimateTrend(frames, estimateMotion(frames, { spacing: 32, limit: 5 }))).toBeUndefined()
})

test('does not count emergence from a coverage gap as growth', () => {
  const { trend } = estimate((minute) =>
    scan(
      minute,
      () => 40,
      (x) => x < 76,
    ),
  )
  expect(changeAt(trend, 82, 60, 30)).toBeCloseTo(0, 1)
})

test('reads a trend from a file, and none from a file without it', () => {
  const { motion, trend } = estimate((minute) => scan(minute, () => 40 + 0.4 * minute))
  const grid = { nx: NX, ny: NY, north: 50, west: -100, dLat: 0.01, dLon: 0.01 }
  const head = { domain: 'conus', anchor: 0, product: 'mrms-precip-rate', from: [0], grid } as const
  const { nodes } = readMotion(writeMotion(head, motion, { trend }), 'key')
  expect(nodes.trend).toEqual(trend)
  expect(readMotion(writeMotion(head, motion), 'key').nodes.trend).toBeUndefined()
  const bytes = writeMotion(head, motion, { trend })
  bytes[bytes.length - 1]! ^= 1
  expect(() => readMotion(bytes, 'key')).toThrow(/Publish the motion again/)
})

test('grow and decay with the arriving echo', () => {
  const still = { nx: 2, ny: 2, spacing: 100, u: new Float32Array(4), v: new Float32Array(4) }
  const trend: Trend = { nx: 2, ny: 2, spacing: 100, values: Int8Array.from([0, 0, 0, 0]).fill(-0.16 / TREND_QUANTUM) }
  const steps = nowcastSteps(originsOf(still, { x: 50, y: 50 }), () => 1, { least: 1, perMinute: 0.1 }, { trend })
  // A decrease of 16 dBZ is a tenth of the rate: 100 minutes at −0.16 dBZ a minute.
  expect(nth(steps, 6).rate).toBeCloseTo(10 ** -0.3, 2)
  expect(rateFactor(-16)).toBeCloseTo(0.1, 6)
  expect(nth(steps, 0).rate).toBe(1)
  expect(reflectivityOf(10 * nth(steps, 6).rate) - reflectivityOf(10)).toBeCloseTo(nth(steps, 6).change, 1)
})
