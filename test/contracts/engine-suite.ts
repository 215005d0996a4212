import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Activities } from '../../workers/activities.ts'
import type { Engine } from '../../workers/engine.ts'

export interface EngineCase {
  readonly name: string
  /** Opens an engine over the same durable state each time. */
  open(activities: Activities): Promise<Engine>
  close(): Promise<void>
}

/** The guarantees of a workflow on any engine. */
export function engineSuite(suiteCase: EngineCase): void {
  describe(`engine: ${suiteCase.name}`, () => {
    const done: string[] = []
    const blocker = Promise.withResolvers<void>()
    let tries = 0
    let polls = 0
    let arrived = false
    /** The published stages by dataset, which a restarted run reads. */
    const published = new Map<string, number>()
    /** Further work on a run whose workflow has completed. */
    let attempt: string | undefined
    const planned: string[] = []
    const activities: Activities = {
      async newRuns({ dataset }) {
        done.push(`newRuns ${dataset}`)
        if (dataset === 'doubled') return [{ domains: ['conus'], run: '2026-08-20T12Z', ...(attempt && { attempt }) }]
        return [
          { domains: ['conus'], run: '2026-08-20T12Z' },
          { domains: ['alaska'], run: '2026-08-20T12Z' },
        ]
      },
      async planStage({ dataset, domains }) {
        planned.push(dataset)
        if (dataset === 'late' && ++polls < 3) return { state: 'waiting', waitSeconds: 2, why: 'not there yet' }
        // Two files exist at the start; the third appears after the wait.
        if (dataset === 'woken' && !arrived) {
          const files = done.includes('sample woken 1')
            ? []
            : [1, 2].map((leadHours) => ({ url: `f${leadHours}`, leadHours }))
          return { state: 'waiting', waitSeconds: 300, why: 'f3 is not there yet', files }
        }
        if (domains[0] === 'alaska' || published.get(dataset) === 2) return { state: 'done', why: 'already' }
        return {
          state: 'ready',
          stage: published.get(dataset) ?? 0,
          files: [1, 2, 3, 4, 5].map((leadHours) => ({ url: `f${leadHours}`, leadHours })),
        }
      },
      async sampleFile({ dataset, file }) {
        if (dataset === 'shaky' && file.leadHours === 3 && ++tries < 3) throw new Error('connection reset')
        done.push(`sample ${dataset} ${file.leadHours}`)
      },
      async publishStage({ dataset, stage }) {
        done.push(`publish ${dataset} ${stage}`)
        published.set(dataset, stage + 1)
        return { last: stage === 1 }
      },
      async sweepFrames() {
        done.push('frames')
        await blocker.promise
      },
      async sweepFeed({ dataset }) {
        done.push(`feed ${dataset}`)
        return { expiresAt: null, sweepNext: dataset === 'followed' ? ['following'] : [] }
      },
      async expireFeed() {
        done.push('expired')
        return { expiresAt: null }
      },
      async checkLateness() {},
      async checkUpstream() {},
      async issueForecasts() {},
      async scoreDays() {},
      async retire() {},
    }
    let engine: Engine
    const until = async (line: string, seconds = 30) => {
      for (let waited = 0; !done.includes(line); waited += 0.05) {
        if (waited > seconds) throw new Error(`waited ${seconds} s for "${line}", got ${done.join(', ')}`)
        await pause(50)
      }
    }

    beforeAll(async () => {
      engine = await suiteCase.open(activities)
      await engine.work()
    })
    afterAll(async () => {
      blocker.resolve()
      await engine.stop()
      await suiteCase.close()
    })

    test('takes a run through its stages in order and each file once', async () => {
      expect(
        await engine.start('modelRun', 'grid-run/plain/conus/1', { dataset: 'plain', domains: ['conus'], run: '1' }),
      ).toBe(true)
      await until('publish plain 1')
      const mine = done.filter((line) => line.includes('plain'))
      expect(mine.slice(0, 5).sort()).toEqual([1, 2, 3, 4, 5].map((lead) => `sample plain ${lead}`))
      expect(mine[5]).toBe('publish plain 0')
      expect(mine.length).toBe(12)
    })

    test('retries only the step that fails for a while', async () => {
      await engine.start('modelRun', 'grid-run/shaky/conus/1', { dataset: 'shaky', domains: ['conus'], run: '1' })
      await until('publish shaky 1', 60)
      expect(done.filter((line) => line === 'sample shaky 2').length).toBe(2)
      expect(done.filter((line) => line === 'publish shaky 0').length).toBe(1)
    })

    test('does not count waiting for upstream as a failure', async () => {
      await engine.start('modelRun', 'grid-run/late/conus/1', { dataset: 'late', domains: ['conus'], run: '1' })
      await until('publish late 1', 60)
      expect(polls).toBeGreaterThanOrEqual(3)
    })

    test('samples existing files while others are awaited, and ends the wait when woken', async () => {
      const input = { dataset: 'woken', domains: ['conus' as const], run: '1' }
      await engine.start('modelRun', 'grid-run/woken/conus/1', input)
      await until('sample woken 2')
      expect(done).not.toContain('publish woken 0')
      await pause(1000)
      await engine.wake('modelRun', 'grid-run/other/')
      await pause(1000)
      const looks = planned.filter((dataset) => dataset === 'woken').length
      arrived = true
      // Temporal's list of workflows is updated within seconds. A notice that misses a workflow is followed by others.
      for (let tries = 0; tries < 20 && !done.includes('publish woken 0'); tries++) {
        await engine.wake('modelRun', 'grid-run/woken/')
        await pause(500)
      }
      await until('publish woken 1')
      expect(looks, 'looks before the wake').toBeLessThanOrEqual(2)
    })

    test('refuses a second start with the same name while the first runs', async () => {
      expect(await engine.start('sweepFrames', 'frames/mrms', { dataset: 'mrms' })).toBe(true)
      await until('frames')
      expect(await engine.start('sweepFrames', 'frames/mrms', { dataset: 'mrms' })).toBe(false)
      expect(done.filter((line) => line === 'frames').length).toBe(1)
    })

    test('starts workflows from a workflow by name', async () => {
      await engine.start('watchRuns', 'watch-runs/child', { dataset: 'child' })
      await until('publish child 1')
    })

    test('does not start a completed run again, but starts later work on it', async () => {
      const count = (line: string) => done.filter((entry) => entry === line).length
      const watch = async (name: string) => {
        const looked = count('newRuns doubled')
        await engine.start('watchRuns', `watch-runs/doubled-${name}`, { dataset: 'doubled' })
        await expect.poll(() => count('newRuns doubled'), { timeout: 30_000 }).toBe(looked + 1)
        await pause(3000)
      }
      await watch('first')
      await until('publish doubled 1')
      await pause(2000)
      const plans = () => planned.filter((dataset) => dataset === 'doubled').length
      const before = plans()
      expect(before).toBe(2)
      await watch('second')
      await watch('third')
      expect(plans()).toBe(before)
      const id = 'grid-run/doubled/conus/2026-08-20T12Z'
      const input = { dataset: 'doubled', domains: ['conus' as const], run: '2026-08-20T12Z' }
      expect(await engine.start('modelRun', id, input)).toBe(false)
      attempt = 'got-4'
      await watch('fourth')
      expect(plans()).toBe(before + 1)
      expect(await engine.start('modelRun', `${id}/got-4`, input)).toBe(false)
    })

    test('starts the sweep of another feed that a sweep names', async () => {
      await engine.start('sweepFeed', 'sweep-feed/followed', { dataset: 'followed' })
      await until('feed following')
    })

    test('fires a timer at its time and not before', async () => {
      const at = Date.now() + 4000
      await engine.start('expireFeed', 'expire-feed/alerts/soon', { dataset: 'nws-alerts', at }, at)
      await pause(2000)
      expect(done).not.toContain('expired')
      await until('expired')
      expect(Date.now()).toBeGreaterThanOrEqual(at)
      expect(Date.now() - at).toBeLessThan(10_000)
    })

    test('fires a timer that was due without a worker after the next start', async () => {
      done.length = 0
      const at = Date.now() + 2500
      await engine.start('expireFeed', 'expire-feed/alerts/missed', { dataset: 'nws-alerts', at }, at)
      blocker.resolve()
      await engine.stop()
      await pause(3000)
      expect(done).not.toContain('expired')
      engine = await suiteCase.open(activities)
      await engine.work()
      await until('expired')
      expect(done.filter((line) => line === 'expired').length).toBe(1)
    })

    test('ticks schedules, and skips a tick while the previous one runs', async () => {
      done.length = 0
      await engine.schedule([
        { id: 'sweep-feed/ticking', workflow: 'sweepFeed', input: { dataset: 'ticking' }, everySeconds: 2 },
      ])
      await pause(9000)
      const ticks = done.filter((line) => line === 'feed ticking').length
      expect(ticks).toBeGreaterThanOrEqual(2)
      expect(ticks).toBeLessThanOrEqual(6)
      await engine.schedule([])
    })
  })
}
