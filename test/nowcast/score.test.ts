import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { NOWCAST_THRESHOLDS } from '../../ingest/domain/verification/nowcast.ts'
import { nowcastSteps, originsOf, spreadOf } from '../../ingest/nowcast/point.ts'
import { count, criticalSuccess, emptyTally } from '../../ingest/nowcast/skill.ts'
import { frameRates } from '../../ingest/steps/frames/rates.ts'
import { makeScore } from '../../ingest/steps/frames/score-work.ts'
import { makeMotion } from '../../ingest/steps/frames/work.ts'
import { writeFrame } from '../../ingest/tile/frame-write.ts'
import { readMotion } from '../../ingest/tile/motion-file.ts'
import { carry, flows, stormField } from '../bench/storms.ts'

const [NX, NY] = [600, 400]
const grid = { nx: NX, ny: NY, north: 40, west: -100, dLat: 0.01, dLon: 0.01 }
const ANCHOR = Date.parse('2026-08-20T21:00:00Z')
const storms = stormField(NX, NY, 7, false)(0)
const flow = (flows['advecting'] ?? Object)(NX, NY)

/** The frame of storms that a flow has carried; the westernmost forty columns have no coverage. */
function frameAt(minutes: number) {
  const { values } = carry(storms, flow, minutes + 30)
  const read = (take: (rows: Uint8Array) => void) => {
    const row = Buffer.alloc(NX * 2)
    for (let y = 0; y < NY; y++) {
      for (let x = 0; x < NX; x++) {
        const rate = values[y * NX + x] ?? 0
        row.writeUInt16BE(x < 40 ? 0 : 10 + Math.round(10 * rate), 2 * x)
      }
      take(row)
    }
  }
  const subject = { product: 'mrms-precip-rate', domain: 'conus', unit: 'mm/h', source: 'https://mrms/rate' } as const
  const meaning = (sample: number) => (sample === 0 ? -1 : (sample - 10) / 10)
  const { bytes } = writeFrame(
    { ...subject, validTime: ANCHOR + minutes * MINUTE, grid },
    { each: 2, read, meaning, values: 'amount' },
  )
  return { key: `frame ${minutes}`, bytes }
}

const anchor = frameAt(0)
const motion = { key: 'motion', ...makeMotion({ kind: 'motion', frames: [frameAt(-12), frameAt(-6), anchor] }) }

test('counts a nowcast and its anchor as the answer at each point gives them', () => {
  const [lead, truth] = [30, frameAt(30)]
  const [score] = makeScore({ kind: 'score', truth, forecasts: [{ lead, minutes: lead, anchor, motion }] })
  const { nodes } = readMotion(motion.bytes, motion.key)
  const [was, seen] = [frameRates(anchor).rates, frameRates(truth).rates]
  const rateAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= NX || y >= NY ? Number.NaN : (was[y * NX + x] ?? Number.NaN)
  const expected = NOWCAST_THRESHOLDS.map((threshold) => ({
    ...{ threshold, nowcast: emptyTally(), persistence: emptyTally() },
  }))
  let pixels = 0
  for (let y = 2; y < NY; y += 5) {
    for (let x = 2; x < NX; x += 5) {
      const rate = seen[y * NX + x] ?? Number.NaN
      const step = nowcastSteps(originsOf(nodes, { x, y }, lead), rateAt, spreadOf(grid), nodes).at(-1)
      const [still, forecast] = [rateAt(x, y), step?.rate ?? Number.NaN]
      if (Number.isNaN(rate + still + forecast)) continue
      pixels++
      for (const { threshold, nowcast, persistence } of expected) {
        count(nowcast, forecast >= threshold, rate >= threshold)
        count(persistence, still >= threshold, rate >= threshold)
      }
    }
  }
  expect(pixels).toBeGreaterThan(8000)
  // Trajectories between nodes are interpolated, which moves a few pixels of edges.
  expect(Math.abs((score?.pixels ?? 0) - pixels)).toBeLessThan(30)
  for (const [i, { threshold, nowcast, persistence }] of expected.entries()) {
    const tally = score?.tallies[i]
    expect(tally?.threshold).toBe(threshold)
    const skill = criticalSuccess(tally?.nowcast ?? emptyTally())
    expect(skill).toBeCloseTo(criticalSuccess(nowcast), 1)
    expect(criticalSuccess(tally?.persistence ?? emptyTally())).toBeCloseTo(criticalSuccess(persistence), 2)
    expect(skill).toBeGreaterThan(criticalSuccess(tally?.persistence ?? emptyTally()) + 0.1)
  }
})

test('puts the served probability of each sampled point into its bin, with the rain that came', () => {
  const truth = frameAt(10)
  const [score] = makeScore({ kind: 'score', truth, forecasts: [{ lead: 10, minutes: 10, anchor, motion }] })
  const bins = score?.bins ?? []
  expect(bins).toHaveLength(10)
  const points = bins.reduce((sum, bin) => sum + bin.points, 0)
  // Points are sampled at each 25th row and column; the first two columns are without coverage.
  expect(points).toBeGreaterThan(300)
  expect(points).toBeLessThanOrEqual((NX / 25) * (NY / 25))
  for (const [i, bin] of bins.entries()) {
    expect(bin.wet).toBeLessThanOrEqual(bin.points)
    expect(bin.probability).toBeGreaterThanOrEqual((i / 10) * bin.points - 1e-9)
    expect(bin.probability).toBeLessThanOrEqual(((i + 1) / 10) * bin.points + 1e-9)
  }
  const wetShare = (from: number, to: number) => {
    const part = bins.slice(from, to)
    return part.reduce((sum, bin) => sum + bin.wet, 0) / part.reduce((sum, bin) => sum + bin.points, 0)
  }
  expect(wetShare(0, 2)).toBeLessThan(0.1)
  expect(wetShare(7, 10)).toBeGreaterThan(0.7)
})

test('counts the model at its points that the frame covers', () => {
  const truth = frameAt(30)
  const { rates } = frameRates(truth)
  // Every 50th pixel of the frame, with the rate that was seen, and dry pixels as wet.
  const pixels = Int32Array.from({ length: (NX * NY) / 50 }, (_, i) => i * 50)
  const model = { pixels, rates: Float32Array.from(pixels, (pixel) => nth(rates, pixel) || 2) }
  const [score] = makeScore({ kind: 'score', truth, forecasts: [{ lead: 30, minutes: 30, anchor, motion, model }] })
  const seen = [...pixels].map((pixel) => nth(rates, pixel)).filter((rate) => !Number.isNaN(rate))
  expect(seen.length).toBeLessThan(pixels.length)
  expect(score?.model?.pixels).toBe(seen.length)
  const [light, , heavy] = score?.model?.tallies ?? []
  expect(light).toEqual({
    hits: seen.filter((rate) => rate >= 0.1).length,
    misses: 0,
    falseAlarms: seen.filter((rate) => rate === 0).length,
  })
  expect(heavy).toEqual({ hits: seen.filter((rate) => rate >= 5).length, misses: 0, falseAlarms: 0 })
})
