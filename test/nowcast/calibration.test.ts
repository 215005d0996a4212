import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { dateText, MINUTE } from '../../ingest/domain/time.ts'
import {
  CALIBRATION_DAYS,
  type Calibration,
  calibrated,
  learnCalibration,
  type RawBinDay,
} from '../../ingest/domain/verification/calibration.ts'
import type { LeadScore } from '../../ingest/domain/verification/nowcast.ts'
import { makeScore } from '../../ingest/steps/frames/score-work.ts'
import { makeMotion } from '../../ingest/steps/frames/work.ts'
import { writeFrame } from '../../ingest/tile/frame-write.ts'
import { readMotion } from '../../ingest/tile/motion-file.ts'
import { dice, type RateFrame, stormField } from '../bench/storms.ts'

const [NX, NY] = [400, 400]
const grid = { nx: NX, ny: NY, north: 40, west: -100, dLat: 0.01, dLon: 0.01 }
const ANCHOR = Date.parse('2026-08-20T21:00:00Z')
const LEADS = [20, 40]
/** Days after which the corrections must keep the served probability within 5 points. */
const DAYS_TO_LEARN = 4
const SCENES = 8

function frameOf({ values }: RateFrame, minutes: number) {
  const read = (take: (rows: Uint8Array) => void) => {
    const row = Buffer.alloc(NX * 2)
    for (let y = 0; y < NY; y++) {
      for (let x = 0; x < NX; x++) row.writeUInt16BE(10 + Math.round(10 * nth(values, y * NX + x)), 2 * x)
      take(row)
    }
  }
  const subject = { product: 'mrms-precip-rate', domain: 'conus', unit: 'mm/h', source: 'https://mrms/rate' } as const
  const { bytes } = writeFrame(
    { ...subject, validTime: ANCHOR + minutes * MINUTE, grid },
    { each: 2, read, meaning: (sample) => (sample - 10) / 10, values: 'amount' },
  )
  return { key: `frame ${minutes}`, bytes }
}

interface Scene {
  readonly frames: readonly ReturnType<typeof frameOf>[]
  readonly truths: readonly ReturnType<typeof frameOf>[]
}

/** Scenes of a day with many short-lived storms, whose end the built-in probability does not expect. */
const scenesOfDay = (day: number): Scene[] =>
  Array.from({ length: SCENES }, (_, scene) => {
    const at = stormField(NX, NY, 1000 * day + scene, true, {
      ...{ area: 700, size: [4, 9], peak: [1, 20], born: [-40, -2], life: [30, 70] },
    })
    const frame = (minutes: number) => frameOf(at(minutes), minutes)
    return { frames: [-12, -6, 0].map(frame), truths: LEADS.map(frame) }
  })

function scoresOf(scenes: readonly Scene[], calibration: Calibration | undefined): LeadScore[] {
  return scenes.flatMap(({ frames, truths }) => {
    const motion = { key: 'motion', ...makeMotion({ kind: 'motion', frames, ...(calibration && { calibration }) }) }
    return LEADS.flatMap((lead, i) =>
      makeScore({
        kind: 'score',
        truth: nth(truths, i),
        forecasts: [{ lead, minutes: lead, anchor: nth(frames, 2), motion }],
      }),
    )
  })
}

const rowsOf = (day: number, scores: readonly LeadScore[]): RawBinDay[] =>
  scores.flatMap(({ lead, rawBins }) =>
    rawBins.map((sums, bin) => ({ lead, bin, day: dateText(20_000 + day), ...sums })),
  )

/**
 * Largest difference, in points, of the mean probability and the observed share among bins with 400 points; the
 * sampling error of fewer is above 2.5 points.
 */
function worstDifference(scores: readonly LeadScore[], lead: number): number {
  const own = scores.filter((score) => score.lead === lead)
  const differences = Array.from({ length: 10 }, (_, bin) => {
    const sum = (name: 'points' | 'probability' | 'wet') =>
      own.reduce((total, { bins }) => total + (bins[bin]?.[name] ?? 0), 0)
    return sum('points') >= 400 ? (100 * Math.abs(sum('probability') - sum('wet'))) / sum('points') : 0
  })
  return Math.max(...differences)
}

test('brings a miscalibrated nowcast within 5 points in four days', () => {
  const rows: RawBinDay[] = []
  for (let day = 0; day < DAYS_TO_LEARN; day++) rows.push(...rowsOf(day, scoresOf(scenesOfDay(day), undefined)))
  const period = { firstDay: dateText(20_000), lastDay: dateText(20_000 + DAYS_TO_LEARN - 1) }
  const calibration = learnCalibration(rows, period)
  expect(calibration.leads.map(({ lead }) => lead)).toEqual(LEADS)
  // Three days that were not learned from.
  const judged = [0, 1, 2].flatMap((k) => scenesOfDay(DAYS_TO_LEARN + k))
  const [before, after] = [scoresOf(judged, undefined), scoresOf(judged, calibration)]
  for (const lead of LEADS) {
    expect([lead, worstDifference(before, lead) > 10]).toEqual([lead, true])
    expect([lead, worstDifference(after, lead) <= 5, worstDifference(after, lead)]).toEqual([
      lead,
      true,
      expect.any(Number),
    ])
  }
  // The corrections change no rate, so the counts of pixels are the same.
  expect(after.map(({ tallies }) => tallies)).toEqual(before.map(({ tallies }) => tallies))
}, 300_000)

/** Counts of days on which it rains more or less often than forecast, by chance, beside a constant error. */
function countsOf(days: number, error: (probability: number) => number, seed = 5): RawBinDay[] {
  const random = dice(seed)
  return Array.from({ length: days }, (_, day) => {
    const weather = 0.16 * (random() + random() + random() - 1.5)
    return Array.from({ length: 10 }, (_, bin): RawBinDay => {
      const [points, mean] = [4000, bin / 10 + 0.05]
      const wet = Math.round(points * Math.min(1, Math.max(0, mean + error(mean) + 4 * mean * (1 - mean) * weather)))
      return { lead: 30, bin, day: dateText(20_000 + day), points, probability: points * mean, wet }
    })
  }).flat()
}
const period = { firstDay: dateText(20_000), lastDay: dateText(20_029) }

test('leaves a calibrated nowcast alone, whatever single days were like', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const calibration = learnCalibration(
      countsOf(CALIBRATION_DAYS, () => 0, seed),
      period,
    )
    for (let percent = 1; percent <= 100; percent++)
      expect(Math.abs(calibrated(calibration, 30, percent / 100) - percent / 100)).toBeLessThan(0.02)
  }
})

test('has no correction from too few days or points, and at lead 0 and probability 0', () => {
  const wrong = () => 0.2
  expect(learnCalibration(countsOf(2, wrong), period).leads).toEqual([])
  const sparse = countsOf(10, wrong).map((row) => ({
    ...row,
    points: 20,
    probability: row.probability / 200,
    wet: row.wet / 200,
  }))
  expect(learnCalibration(sparse, period).leads).toEqual([])
  const calibration = learnCalibration(countsOf(CALIBRATION_DAYS, wrong), period)
  expect(calibrated(calibration, 30, 0.45)).toBeCloseTo(0.65, 1)
  expect(calibrated(calibration, 0, 0.45)).toBe(0.45)
  expect(calibrated(calibration, 30, 0)).toBe(0)
  expect(calibrated(calibration, 30, Number.NaN)).toBeNaN()
  expect(calibrated(undefined, 30, 0.45)).toBe(0.45)
  // Half of the correction of the first lead at half its minutes; that of the last lead beyond it.
  expect(calibrated(calibration, 15, 0.45)).toBeCloseTo(0.55, 1)
  expect(calibrated(calibration, 90, 0.45)).toBeCloseTo(0.65, 1)
})

test('keeps the order of probabilities and their bounds, and never makes a possible rain impossible', () => {
  const drier = learnCalibration(
    countsOf(CALIBRATION_DAYS, (mean) => (mean > 0.5 ? -0.6 : 0.3)),
    period,
  )
  let last = 0
  for (let percent = 1; percent <= 100; percent++) {
    const value = calibrated(drier, 30, percent / 100)
    expect(value).toBeGreaterThanOrEqual(last)
    expect(value).toBeGreaterThanOrEqual(0.01)
    expect(value).toBeLessThanOrEqual(1)
    last = value
  }
})

test('is stored with the motion of a scan, so that answers, scores and earlier answers have the same', () => {
  const calibration = learnCalibration(
    countsOf(CALIBRATION_DAYS, () => -0.2),
    period,
  )
  const at = stormField(NX, NY, 3, true)
  const frames = [-12, -6, 0].map((minutes) => frameOf(at(minutes), minutes))
  const { bytes } = makeMotion({ kind: 'motion', frames, calibration })
  expect(readMotion(bytes, 'motion').nodes.calibration).toEqual(calibration)
  expect(readMotion(makeMotion({ kind: 'motion', frames }).bytes, 'motion').nodes.calibration).toBeUndefined()
  // Eight leads of ten bins at most: a table is a few kilobytes.
  expect(JSON.stringify(calibration).length).toBeLessThan(1000)
})
