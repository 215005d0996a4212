import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { type Config, loadConfig } from '../../ingest/config.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { DAY, HOUR, type Instant, MINUTE, runName, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { pointerOf, storedRuns } from '../../sql/queries/runs.ts'
import { createActivities } from '../../workers/activities/index.ts'
import type { Activities } from '../../workers/activities.ts'
import type { Engine } from '../../workers/engine.ts'

export interface RenewalCase {
  /** Number of simulated hours. If the runs of a dataset are never replaced, the test fails within two. */
  readonly hours: number
  readonly name: string
  openDatabase(): Promise<Database>
  openObjects(folder: string): Promise<Objects>
  openEngine(database: Database, activities: Activities, clock: () => Instant): Promise<Engine>
  /** Removes what the case has created outside its folder. */
  close(): Promise<void>
}

/** The simulator writes every 24th point of the grids and cells are large, because the test is about runs and not about values. */
const COARSENESS = 24
const RESOLUTION = 5
/** Limit of messages per file. The required variables are among the first. */
const MESSAGES = 8
/**
 * 05:10Z of a coming day: every dataset has a run whose files are all there. The queue compares the instants of waits with the clock of
 * its database, so a wait lasts until the tick that ends it.
 */
const START = (Math.floor(Date.now() / DAY) + 2) * DAY + 5 * HOUR + 10 * MINUTE
const STEP_MS = 5 * MINUTE
/** Time after its usual time by which a run must be served. The next run of the most frequent dataset appears later. */
const MARGIN_MS = 10 * MINUTE
/** Real time between two ticks at one simulated moment. */
const TICK_MS = 3000
/** Real time that the work of one simulated moment may take on a busy machine. */
const MAX_WAIT_MS = 600_000

/** Runs some hours of the simulator on a shifted clock: every run that upstream has must be served in time. */
export function renewalSuite(suiteCase: RenewalCase): void {
  describe(`renewal: ${suiteCase.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'hexcast-renewal-'))
    let now = START
    const clock = () => now
    let mirror: Mirror
    let upstream: Upstream
    let objects: Objects
    let database: Database
    let pool: Pool
    let engine: Engine

    beforeAll(async () => {
      mirror = await startMirror({ sources: modelSources(COARSENESS, { maxMessages: MESSAGES }), now: clock })
      upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
      objects = await suiteCase.openObjects(folder)
      database = await suiteCase.openDatabase()
      await moveDatabaseClock(database, now)
      pool = openPool({ threads: 2 })
      const config: Config = loadConfig({ DATA_DIR: folder, H3_RESOLUTION: String(RESOLUTION) })
      const activities = createActivities({
        ...{ database, objects, slabs: objects, upstream, pool, config, clock },
        resolution: RESOLUTION,
        cacheDir: join(folder, 'cache'),
        note: () => {},
      })
      engine = await suiteCase.openEngine(database, activities, clock)
      await engine.work()
    }, 120_000)

    afterAll(async () => {
      await engine?.stop()
      await pool?.close()
      await database?.close()
      await objects?.close()
      await upstream?.close()
      await mirror?.close()
      await suiteCase.close()
      rmSync(folder, { recursive: true, force: true })
    })

    /** Does the work of the schedules at each tick, and the work of a worker when a wait is over. */
    async function tick(): Promise<void> {
      for (const { id } of offered) await engine.start('watchRuns', `watch-runs/${id}`, { dataset: id })
      await engine.wake('modelRun', 'grid-run/')
    }

    async function isServed({ dataset, domain, run }: DueRun): Promise<boolean> {
      const pointer = await pointerOf(database, dataset.id, domain)
      if (!pointer || pointer.run.getTime() < run) return false
      if (pointer.run.getTime() > run) return true
      return pointer.stage === dataset.stages(run, domain).length - 1
    }

    test(`${suiteCase.hours} hours of every dataset and domain`, { timeout: 1_500_000 }, async () => {
      for (; now <= START + suiteCase.hours * HOUR; now += STEP_MS) {
        await moveDatabaseClock(database, now)
        let late = newestDueRuns(now)
        for (const [began, ticked] = [performance.now(), { at: 0 }]; ; ) {
          // A tick at each poll would fill every slot of the queue with waiting runs.
          if (performance.now() - ticked.at > TICK_MS) {
            await tick()
            ticked.at = performance.now()
          }
          const served = await Promise.all(late.map(isServed))
          late = late.filter((_, index) => !served[index])
          if (late.length === 0) break
          if (performance.now() - began > MAX_WAIT_MS) break
          await pause(100)
        }
        expect(late.map(nameOf), `not served at ${new Date(now).toISOString()}`).toEqual([])
      }
      const published = new Set<string>()
      for (const { id } of offered)
        for (const row of await storedRuns(database, id))
          if (row.state === 'published') published.add(`${id}/${row.domain}/${runName(row.run.getTime())}`)
      const due = dueRuns(START, START + suiteCase.hours * HOUR).map(nameOf)
      expect(due.filter((name) => !published.has(name))).toEqual([])
      expect(due.length).toBeGreaterThan(12 * suiteCase.hours)
    })
  })
}

/** Datasets that the simulator has unasked. */
const offered = gridDatasets.filter(({ provisional }) => !provisional)

interface DueRun {
  readonly dataset: GridDataset
  readonly domain: DomainId
  readonly run: Instant
}

const nameOf = ({ dataset, domain, run }: DueRun) => `${dataset.id}/${domain}/${runName(run)}`

/** Returns the runs whose last file has existed for the margin, and whose first file appeared after `from`. */
function dueRuns(from: Instant, to: Instant): DueRun[] {
  return offered.flatMap((dataset) =>
    dataset.domains.flatMap(({ id: domain }) => {
      const due = (run: Instant) => run + dataset.latencySeconds * SECOND + MARGIN_MS
      const runs = new Set<Instant>()
      for (let at = from; at <= to; at += STEP_MS) for (const run of dataset.runs(at)) runs.add(run)
      return [...runs]
        .filter((run) => due(run) > from && due(run) <= to && dataset.leads(run, domain).length > 0)
        .map((run) => ({ dataset, domain, run }))
    }),
  )
}

function newestDueRuns(now: Instant): DueRun[] {
  return offered.flatMap((dataset) =>
    dataset.domains.flatMap(({ id: domain }) => {
      const run = dataset
        .runs(now)
        .find(
          (run) => run + dataset.latencySeconds * SECOND + MARGIN_MS <= now && dataset.leads(run, domain).length > 0,
        )
      return run === undefined ? [] : [{ dataset, domain, run }]
    }),
  )
}

/** Sets the claim time of runs, which the database's own clock determines and which cannot be shifted with the process. */
async function moveDatabaseClock(database: Database, now: Instant): Promise<void> {
  await database.query(
    `alter table run alter column claimed_at set default '${new Date(now).toISOString()}'::timestamptz`,
  )
}
