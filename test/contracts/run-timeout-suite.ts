import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Activities } from '../../workers/activities.ts'
import type { Engine } from '../../workers/engine.ts'
import { countTimeouts, createWorkerMetrics } from '../../workers/metrics.ts'

export interface RunTimeoutCase {
  readonly name: string
  open(activities: Activities, report: (workflow: string, id: string, error: unknown) => void): Promise<Engine>
  close(): Promise<void>
}

/** A run that hangs, on any engine. */
export function runTimeoutSuite(suiteCase: RunTimeoutCase): void {
  describe(`run timeouts: ${suiteCase.name}`, () => {
    const hanging = Promise.withResolvers<void>()
    let sweeps = 0
    const reports: string[] = []
    const registry = new Registry()
    const report = countTimeouts(createWorkerMetrics(registry), (subject, error) =>
      reports.push(`${subject}: ${error}`),
    )
    const activities = {
      async sweepFrames() {
        if (++sweeps === 1) await hanging.promise
      },
      // A Temporal worker of heavy steps needs an object store.
      async retire() {},
    } as unknown as Activities
    let engine: Engine

    beforeAll(async () => {
      engine = await suiteCase.open(activities, report)
      await engine.work()
    })
    afterAll(async () => {
      hanging.resolve()
      await engine.stop()
      await suiteCase.close()
    })

    test('ends, reports and counts a hanging run as failed, and starts another at the next tick', async () => {
      const before = (await engine.counts()).failed
      const input = { dataset: 'mrms' }
      await engine.schedule([
        { id: 'sweep-frames/hanging', workflow: 'sweepFrames', input, everySeconds: 1, runSeconds: 4 },
      ])
      await expect.poll(() => sweeps, { timeout: 60_000 }).toBeGreaterThan(1)
      await expect.poll(async () => (await engine.counts()).failed, { timeout: 60_000 }).toBe(before + 1)
      await expect.poll(() => reports, { timeout: 90_000 }).toHaveLength(1)
      expect(reports[0]).toMatch(/^sweepFrames sweep-frames\/hanging\S*: Error: the run did not end within .*/)
      expect(await registry.metrics()).toContain('hexcast_runs_timed_out_total{workflow="sweepFrames"} 1')
      await engine.schedule([])
    })
  })
}
