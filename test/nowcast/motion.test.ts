import { describe, expect, test } from 'vitest'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { reflectivityOf, strengthOf } from '../../ingest/domain/weather/echo.ts'
import { backTrajectory, nodeTrajectories } from '../../ingest/nowcast/advection.ts'
import { estimateMotion } from '../../ingest/nowcast/motion.ts'
import { count, criticalSuccess, emptyTally } from '../../ingest/nowcast/skill.ts'
import { carry, carryInto, flows, type RateFrame, stormField } from '../bench/storms.ts'

const NX = 1000
const NY = 700
const PAST = [-12, -6, 0]

function image({ nx, ny, values }: RateFrame) {
  const half = { nx: nx >> 1, ny: ny >> 1, values: new Float32Array((nx >> 1) * (ny >> 1)), shrink: 2 }
  for (let j = 0; j < half.ny * 2; j++) {
    for (let i = 0; i < half.nx * 2; i++) {
      const rate = nth(values, j * nx + i)
      if (rate > 0) half.values[(j >> 1) * half.nx + (i >> 1)]! += 0.25 * strengthOf(reflectivityOf(rate))
    }
  }
  return half
}

const estimate = (at: (minute: number) => RateFrame, minutes: readonly number[] = PAST) =>
  estimateMotion(
    minutes.map((minute) => ({ minutes: minute, image: image(at(minute)) })),
    { spacing: 32, limit: 5 },
  )

describe.each(['advecting', 'turning', 'sheared', 'fast'])('storms of known flow: %s', (kind) => {
  const flow = entryOf(flows, kind)(NX, NY)
  const still = stormField(NX, NY, 3, false)(0)
  const at = (minute: number) => carry(still, flow, minute + 30)

  test('estimates motion, and beats persistence at every lead from 10 minutes', () => {
    const motion = estimate(at)
    const anchor = at(0)
    let error = 0
    let wet = 0
    for (let y = 0; y < NY; y += 8) {
      for (let x = 0; x < NX; x += 8) {
        if (!(nth(anchor.values, y * NX + x) >= 0.1)) continue
        const k = Math.round(y / 32) * motion.nx + Math.round(x / 32)
        const [u, v] = flow(x, y)
        error += Math.hypot(nth(motion.u, k) - u, nth(motion.v, k) - v)
        wet++
      }
    }
    expect(error / wet).toBeLessThan(0.12)
    const steps = nodeTrajectories(motion, 12)
    const out = new Float32Array(NX * NY)
    for (const lead of [10, 20, 30, 60]) {
      const truth = at(lead)
      carryInto(out, anchor.values, NX, NY, motion, nth(steps, lead / 5).dx, nth(steps, lead / 5).dy)
      for (const threshold of [0.1, 1]) {
        const [ours, stands] = [emptyTally(), emptyTally()]
        for (let k = 0; k < out.length; k++) {
          if (Number.isNaN(nth(truth.values, k))) continue
          count(ours, nth(out, k) >= threshold, nth(truth.values, k) >= threshold)
          count(stands, nth(anchor.values, k) >= threshold, nth(truth.values, k) >= threshold)
        }
        expect(criticalSuccess(ours)).toBeGreaterThan(criticalSuccess(stands))
      }
    }
  })
})

test('moves the empty surroundings together with a single storm', () => {
  const values = new Float32Array(NX * NY)
  const storm = (cx: number): RateFrame => ({
    nx: NX,
    ny: NY,
    values: values.map((_, k) => {
      const rate = 30 * Math.exp(-(((k % NX) - cx) ** 2 + (Math.floor(k / NX) - 350) ** 2) / 800)
      return rate < 0.1 ? 0 : rate
    }),
  })
  const motion = estimate((minute) => storm(500 + 1.5 * minute))
  const near = Math.round(350 / 32) * motion.nx + Math.round(500 / 32)
  expect(motion.u[near]).toBeCloseTo(1.5, 1)
  expect(motion.v[near]).toBeCloseTo(0, 1)
  expect(motion.quality[near]).toBeGreaterThan(0.1)
  const far = 2 * motion.nx + 2
  expect(motion.u[far]).toBeGreaterThan(0.7)
  expect(motion.quality[far]).toBeLessThan(0.05)
})

test('gives no motion and no quality without echoes, and never NaN', () => {
  const motion = estimate(() => ({ nx: NX, ny: NY, values: new Float32Array(NX * NY) }))
  expect(motion.u.every((u) => u === 0)).toBe(true)
  expect(motion.quality.every((quality) => quality === 0)).toBe(true)
})

test('keeps a trajectory in a rotation on its circle', () => {
  const spin = 0.01
  const nodes = { nx: 41, ny: 41, spacing: 25 }
  const u = Float32Array.from({ length: 41 * 41 }, (_, k) => -spin * (Math.floor(k / 41) * 25 - 500))
  const v = Float32Array.from({ length: 41 * 41 }, (_, k) => spin * ((k % 41) * 25 - 500))
  const origins = backTrajectory({ ...nodes, u, v }, { x: 700, y: 500 }, 18)
  for (const [stretch, { x, y }] of origins.entries()) {
    expect(Math.hypot(x - 500, y - 500)).toBeCloseTo(200, 0)
    // The origins lie against the direction of rotation.
    const angle = -spin * 5 * stretch
    expect(x).toBeCloseTo(500 + 200 * Math.cos(angle), 0)
    expect(y).toBeCloseTo(500 + 200 * Math.sin(angle), 0)
  }
})
