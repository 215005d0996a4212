import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Config } from '../ingest/config.ts'
import { measureDoors } from '../ingest/ports/measure.ts'
import { openNotices } from '../ingest/ports/notices.ts'
import { startRelay } from '../ingest/steps/announce.ts'
import { openPool } from '../ingest/steps/pool.ts'
import { setOrigin } from '../sql/queries/origin.ts'
import { createActivities, type StepNote } from './activities.ts'
import { openDoor } from './door.ts'
import type { Doors } from './doors.ts'
import type { Engine } from './engine.ts'
import { createWorkerMetrics, measureWork } from './metrics.ts'
import { observed, type StepLog, silent } from './observe.ts'
import { prompter } from './prompt.ts'
import { schedules } from './schedules.ts'
import { openSource, type Source } from './upstream.ts'

/** Every so many-th point of the real grids that the simulator writes: full grids would take minutes to make. */
const COARSE = 12

export interface RunningWorker {
  readonly engine: Engine
  readonly source: Source
  stop(): Promise<void>
}

/** Everything that fetches, weaves and announces: one process of it, whatever the engines are. */
export async function startWorker(
  config: Config,
  doors: Doors,
  note: (step: StepNote) => void,
  report: (what: string, error: unknown) => void,
  log: StepLog = silent,
  shared?: Registry,
): Promise<RunningWorker> {
  const source = await openSource(config, COARSE)
  if (await setOrigin(doors.database, source.simulated)) {
    note({ step: 'origin', what: `what was held came from elsewhere and is forgotten: now ${source.said}` })
  }
  const pool = openPool({ threads: 2 })
  const relay = startRelay(doors, (error) => report('relay', error))
  // Beside the interface in one process its /metrics shows the worker's figures too.
  const registry = shared ?? ownRegistry(doors)
  const metrics = createWorkerMetrics(registry)
  const plain = createActivities({
    database: doors.database,
    objects: doors.objects,
    slabs: doors.objects,
    upstream: source.upstream,
    pool,
    resolution: config.h3Resolution,
    cacheDir: join(config.dataDir, 'cache'),
    config,
    clock: Date.now,
    said: relay.nudge,
    note,
  })
  const activities = observed(plain, metrics, log)
  const engine = await openEngine(config, doors, activities, report)
  await engine.schedule(schedules(config))
  await engine.work()
  measureWork(registry, engine, relay)
  const notices = config.upstreamQueueUrls.length
    ? openNotices(config.upstreamQueueUrls, config.awsRegion, prompter(engine, config, Date.now), (error) =>
        report('upstream queue', error),
      )
    : undefined
  const door = config.workerMetricsPort
    ? await openDoor(config.host, config.workerMetricsPort, () => registry.metrics())
    : undefined
  return {
    engine,
    source,
    async stop() {
      await notices?.close()
      await engine.stop()
      // Steps that were left alone end here: what they wait for is gone, and with it their hold on the database.
      await pool.close()
      await source.close()
      await relay.stop()
      await door?.close()
    },
  }
}

function ownRegistry(doors: Doors): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureDoors(registry, doors, Date.now)
  return registry
}

async function openEngine(
  config: Config,
  doors: Doors,
  activities: ReturnType<typeof createActivities>,
  report: (what: string, error: unknown) => void,
): Promise<Engine> {
  if (config.temporal) {
    const { openTemporalEngine } = await import('./temporal/engine.ts')
    return openTemporalEngine({
      ...config.temporal,
      activities,
      clock: Date.now,
      report: (workflow, id, error) => report(`${workflow} ${id}`, error),
    })
  }
  const { openEmbeddedEngine } = await import('./embedded/engine.ts')
  return openEmbeddedEngine({
    database: doors.database,
    activities,
    clock: Date.now,
    report: (workflow, id, error) => report(`${workflow} ${id}`, error),
  })
}
