import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frameDatasets, sweepNameOf } from '../../ingest/catalog.ts'
import { nwsAlerts } from '../../ingest/datasets/alerts.ts'
import { feeds } from '../../ingest/steps/feeds/index.ts'
import type { Activities } from '../../workers/activities.ts'
import type { Engine } from '../../workers/engine.ts'

export interface AlertLaneCase {
  readonly name: string
  open(activities: Activities): Promise<Engine>
  close(): Promise<void>
}

const ALERTS = nwsAlerts.id
/** Number of feeds, which is more than the slots of any engine. */
const MANY_FEEDS = feeds.length + 40
const LIMIT_MS = 30_000

/** Alerts while all other work hangs, on any engine. */
export function alertLaneSuite(suiteCase: AlertLaneCase): void {
  describe(`lane of alerts: ${suiteCase.name}`, () => {
    const over = Promise.withResolvers<void>()
    const events: string[] = []
    let hanging = 0
    const hang = async () => {
      hanging++
      await over.promise
    }
    const activities = {
      sweepFrames: hang,
      newRuns: async () => {
        await hang()
        return []
      },
      async sweepFeed({ dataset }: { dataset: string }) {
        if (dataset !== ALERTS) await hang()
        events.push(`read ${dataset}`)
        return { expiresAt: dataset === ALERTS ? Date.now() + 2_000 : null, sweepNext: [] }
      },
      async expireFeed({ dataset }: { dataset: string }) {
        if (dataset !== ALERTS) await hang()
        events.push(`expired ${dataset}`)
        return { expiresAt: null }
      },
      // A Temporal worker of heavy steps needs an object store.
      async retire() {},
    } as unknown as Activities
    let engine: Engine
    const eventually = async (event: string, sinceMs: number) => {
      while (!events.includes(event) && performance.now() - sinceMs < LIMIT_MS) await pause(20)
      return performance.now() - sinceMs
    }

    beforeAll(async () => {
      engine = await suiteCase.open(activities)
      await engine.work()
    })
    afterAll(async () => {
      over.resolve()
      await engine.stop()
      await suiteCase.close()
    })

    test('reads alerts and expires them on time while all slots of other work hang', async () => {
      for (let i = 0; i < MANY_FEEDS; i++) {
        await engine.start('sweepFeed', `sweep-feed/hanging-${i}`, { dataset: `hanging-${i}` })
        await engine.start('expireFeed', `expire-feed/hanging-${i}`, { dataset: `hanging-${i}`, at: 0 })
      }
      for (const family of new Set(frameDatasets.map(sweepNameOf)))
        await engine.start('sweepFrames', `sweep-frames/${family}`, { dataset: family })
      await engine.start('watchRuns', 'watch-runs/hanging', { dataset: 'hanging' })
      await expect.poll(() => hanging, { timeout: LIMIT_MS }).toBeGreaterThanOrEqual(9)
      const startedMs = performance.now()
      await engine.start('sweepFeed', `sweep-feed/${ALERTS}`, { dataset: ALERTS })
      const readMs = await eventually(`read ${ALERTS}`, startedMs)
      const expiredMs = await eventually(`expired ${ALERTS}`, startedMs)
      console.info(`${suiteCase.name}: ${hanging} steps hang; alerts read after ${Math.round(readMs)} ms`)
      expect(events).toEqual([`read ${ALERTS}`, `expired ${ALERTS}`])
      expect(readMs).toBeLessThan(LIMIT_MS)
      expect(expiredMs).toBeLessThan(LIMIT_MS)
    })

    test('reads alerts at each tick of their schedule, while the schedule of another feed hangs', async () => {
      events.length = 0
      await engine.schedule([
        { id: 'sweep-feed/stuck', workflow: 'sweepFeed', input: { dataset: 'stuck' }, everySeconds: 1 },
        { id: `sweep-feed/${ALERTS}/ticks`, workflow: 'sweepFeed', input: { dataset: ALERTS }, everySeconds: 1 },
      ])
      const reads = () => events.filter((event) => event === `read ${ALERTS}`).length
      await expect.poll(reads, { timeout: LIMIT_MS }).toBeGreaterThan(2)
      await engine.schedule([])
    })
  })
}
