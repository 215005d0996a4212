import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../api/webhooks/sender.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { randomWait } from '../../ingest/ports/random-wait.ts'
import { hostLimiter } from '../../ingest/ports/upstream/limits.ts'

/** Waits before the next attempt differ between clients, so that clients that fail together do not return together. */
const CLIENTS = 400

/** Checks that all waits are within bounds, and that each quarter of the bounds has some. */
function expectSpread(waits: readonly number[], least: number, most: number): void {
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(least)
  expect(Math.max(...waits)).toBeLessThanOrEqual(most)
  const quarters = [0, 0, 0, 0]
  for (const wait of waits)
    quarters[Math.min(3, Math.floor((4 * (wait - least)) / (most - least)))] =
      nth(quarters, Math.min(3, Math.floor((4 * (wait - least)) / (most - least)))) + 1
  for (const count of quarters) expect(count).toBeGreaterThan(waits.length / 16)
}

describe('waits before another attempt', () => {
  test('lie within a share around their mean', () => {
    expectSpread(
      Array.from({ length: CLIENTS }, () => randomWait(500, 0.5)),
      250,
      750,
    )
    expectSpread(
      Array.from({ length: CLIENTS }, () => randomWait(1000, 0.25)),
      750,
      1250,
    )
  })

  test('of requests to upstream double up to 16 s, and differ between clients', async () => {
    const byAttempt: number[][] = []
    for (let client = 0; client < CLIENTS; client++) {
      let attempt = 0
      const limiter = hostLimiter(true, {}, async (ms) => void (byAttempt[attempt++] ??= []).push(ms))
      const broken = async () => ({ status: 503, headers: {} }) as never
      await expect(limiter.withRetries('host.example', 8, undefined, broken)).rejects.toThrow(/no usable answer/)
      limiter.close()
    }
    expect(byAttempt).toHaveLength(7)
    for (const [attempt, waits] of byAttempt.entries()) {
      const mean = Math.min(500 * 2 ** attempt, 16_000)
      expectSpread(waits, 0.75 * mean, 1.25 * mean)
    }
  })

  test('of webhooks whose receiver fails differ between calls', () => {
    const call = { failures: 2, attempts: 3, created_at: new Date(0) }
    const pauses = Array.from({ length: CLIENTS }, () => outcomeOf({ status: 503 }, call, 5000, 0).pauseMs!)
    expectSpread(pauses, 0.8 * 45_000, 1.2 * 45_000)
  })
})
