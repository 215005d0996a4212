import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { forecastRate } from '../../ingest/nowcast/change.ts'
import { countIn, emptyHistogram, matched, matchOf } from '../../ingest/nowcast/decibels.ts'
import type { MotionFrame } from '../../ingest/nowcast/motion.ts'
import { estimateMotion } from '../../ingest/nowcast/motion.ts'
import { autoregression, estimateScales } from '../../ingest/nowcast/scale-estimate.ts'
import { scaledRate } from '../../ingest/nowcast/scales.ts'
import { readMotion, writeMotion } from '../../ingest/tile/motion-file.ts'
import { dice } from '../bench/storms.ts'

const [NX, NY] = [240, 200]

/** Echo strengths of broad rain, with small structure that either persists or is redrawn for each frame. */
function frames(anew: boolean, gap?: (x: number) => boolean): MotionFrame[] {
  return [-12, -6, 0].map((minutes, k) => {
    const random = dice(anew ? 5 + k : 5)
    const values = new Float32Array((NX / 2) * (NY / 2))
    const unseen = new Uint8Array(values.length)
    for (let j = 0; j < NY / 2; j++) {
      for (let i = 0; i < NX / 2; i++) {
        const at = j * (NX / 2) + i
        const broad = 30 * Math.exp(-(((i - 60) / 25) ** 2) - ((j - 50) / 22) ** 2)
        values[at] = broad > 2 ? Math.max(0, broad + 12 * (random() - 0.5)) : 0
        if (gap?.(2 * i)) unseen[at] = 1
      }
    }
    return { minutes, image: { nx: NX / 2, ny: NY / 2, values, shrink: 2, unseen } }
  })
}
const estimate = (anew: boolean, gap?: (x: number) => boolean) => {
  const list = frames(anew, gap)
  const motion = estimateMotion(list, { spacing: 32, limit: 5 })
  return { motion, scales: estimateScales(list, motion) }
}
const share = (rates: readonly number[], limit: number) => rates.filter((rate) => rate >= limit).length / rates.length

test('keeps rain whose small structure persists', () => {
  const { scales } = estimate(false)
  expect(scales!.leads.at(-1)!.fine).toBeGreaterThan(0.97)
  for (const rate of [0, 0.05, 0.3, 4, 30]) expect(scaledRate(scales, 120, 100, 60, rate)).toBe(rate)
})

test('fades small structure that does not persist towards the rain around it', () => {
  const { scales } = estimate(true)
  expect(nth(scales!.leads, 5).fine).toBeLessThan(0.3)
  expect(scales!.leads.map(({ fine }) => fine)).toEqual(scales!.leads.map(({ fine }) => fine).sort((a, b) => b - a))
  const [weak, strong] = [0.5, 20].map((rate) => [10, 60].map((lead) => scaledRate(scales, 120, 100, lead, rate)))
  expect(nth(weak!, 1)).toBeGreaterThan(2 * 0.5)
  expect(nth(strong!, 1) / nth(weak!, 1)).toBeLessThan(2)
  expect(nth(strong!, 0) / nth(weak!, 0)).toBeLessThan(20 / 0.5)
  // At lead 0, without coverage, and far from rain nothing changes.
  expect(scaledRate(scales, 120, 100, 0, 20)).toBe(20)
  expect(scaledRate(scales, 120, 100, 60, Number.NaN)).toBeNaN()
  expect(scaledRate(scales, 2, 2, 60, 0)).toBe(0)
})

test('keeps the area of rain and of strong rain', () => {
  const list = frames(true)
  const scales = estimateScales(list, estimateMotion(list, { spacing: 32, limit: 5 }))
  const { nx, values } = nth(list, 2).image
  const rateOf = (strength: number) => (strength > 0 ? (10 ** ((strength + 5) / 10) / 200) ** (1 / 1.6) : 0)
  const now = [...values].map(rateOf)
  const then = now.map((rate, k) => scaledRate(scales, 2 * (k % nx) + 0.5, 2 * Math.floor(k / nx) + 0.5, 60, rate))
  for (const limit of [0.1, 1, 3]) expect(Math.abs(share(then, limit) / share(now, limit) - 1)).toBeLessThan(0.08)
})

test('estimates no scales for two frames, no echo or no coverage, and ignores gaps', () => {
  const list = frames(true)
  const motion = estimateMotion(list, { spacing: 32, limit: 5 })
  expect(estimateScales(list.slice(1), motion)).toBeUndefined()
  const dry = list.map(({ minutes, image }) => ({ minutes, image: { ...image, values: image.values.map(() => 0) } }))
  expect(estimateScales(dry, motion)).toBeUndefined()
  expect(estimate(true, () => true).scales).toBeUndefined()
  const beside = estimate(false, (x) => x < 90).scales!
  expect(beside.leads.at(-1)!.fine).toBeGreaterThan(0.97)
})

test('follows a second order process without oscillation', () => {
  const { now, before } = autoregression(0.9, 0.75, 30)
  expect([now[0], before[0]]).toEqual([1, 0])
  // x(1) = φ1 x(0) + φ2 x(−1), by the equations of Yule and Walker.
  expect(now[1]).toBeCloseTo((0.9 * 0.25) / 0.19, 9)
  expect(before[1]).toBeCloseTo((0.75 - 0.81) / 0.19, 9)
  expect(Math.abs(nth(now, 30) + nth(before, 30))).toBeLessThan(0.1)
  const steep = autoregression(0.99, 0.1, 60)
  for (let k = 1; k < 60; k++) expect(nth(steep.now, k) + nth(steep.before, k)).toBeGreaterThan(0)
})

test('gives each level its share, including values above the highest level and zero', () => {
  const [sums, decibels] = [emptyHistogram(), emptyHistogram()]
  for (let k = 0; k < 2000; k++) {
    countIn(decibels, (k % 1000) / 50)
    countIn(sums, (k % 1000) / 100 + 3)
  }
  const matching = matchOf(sums, decibels)
  expect(matched(matching, 3 + 12 / 2)).toBeCloseTo(12, 1)
  expect(matched(matching, 5)).toBe(0)
  expect(matched(matching, 40)).toBeGreaterThan(30)
  expect(matched(matchOf(emptyHistogram(), emptyHistogram()), 20)).toBe(0)
})

test('reads scales from a file with and without a trend', () => {
  const { motion, scales } = estimate(true)
  const grid = { nx: NX, ny: NY, north: 50, west: -100, dLat: 0.01, dLon: 0.01 }
  const head = { domain: 'conus', anchor: 0, product: 'mrms-precip-rate', from: [0], grid } as const
  const trend = { nx: 2, ny: 2, spacing: 300, values: Int8Array.from([1, -2, 3, -4]) }
  for (const changes of [{ scales: scales! }, { scales: scales!, trend }]) {
    const { nodes } = readMotion(writeMotion(head, motion, changes), 'key')
    expect(forecastRate(nodes, 100, 90, 45, 7)).toBe(forecastRate(changes, 100, 90, 45, 7))
    expect(nodes.trend).toEqual('trend' in changes ? changes.trend : undefined)
    for (const [l, level] of scales!.levels.entries()) {
      expect(Buffer.from(nth(nodes.scales!.levels, l).smooth)).toEqual(Buffer.from(level.smooth))
      expect(nth(nodes.scales!.levels, l).before).toEqual(level.before)
    }
  }
})
