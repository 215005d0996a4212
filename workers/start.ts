import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { type Config, loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { type Database, openDatabase } from '../ingest/ports/database.ts'
import { type Events, openEvents } from '../ingest/ports/events.ts'
import { measureDoors } from '../ingest/ports/measure.ts'
import { openNotices } from '../ingest/ports/notices.ts'
import { type Objects, openObjects } from '../ingest/ports/objects.ts'
import { openTraces } from '../ingest/ports/trace.ts'
import { startRelay } from '../ingest/steps/announce.ts'
import { openPool } from '../ingest/steps/pool.ts'
import { setOrigin } from '../sql/queries/origin.ts'
import { createActivities, type StepNote } from './activities.ts'
import { openDoor } from './door.ts'
import type { Engine } from './engine.ts'
import { createWorkerMetrics, measureWork } from './metrics.ts'
import { observed, type StepLog, silent } from './observe.ts'
import { prompter } from './prompt.ts'
import { schedules } from './schedules.ts'
import { endSoon, signalToEnd } from './signals.ts'
import { openSource, type Source } from './upstream.ts'

/** Every so many-th point of the real grids that the simulator writes: full grids would take minutes to make. */
const COARSE = 12

export interface Doors {
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
}

export interface RunningWorker {
  readonly engine: Engine
  readonly source: Source
  stop(): Promise<void>
}

export async function openDoors(config: Config, name: string): Promise<Doors & { close(): Promise<void> }> {
  await mkdir(config.dataDir, { recursive: true })
  // First: a door is seen in traces if they are kept when it opens.
  const traces = await openTraces(config.otlpEndpoint, `hexcast-${name}`)
  const database = await openDatabase(config, { name })
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  return {
    database,
    objects,
    events,
    async close() {
      await events.close()
      await objects.close?.()
      await database.close()
      await traces.close()
    },
  }
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

/** `hexcast start`: worker and interface in one process, with what is not set embedded. Resolves at a signal to stop. */
export async function start(args: readonly string[]): Promise<number> {
  const { display } = await import('./display.ts')
  const at = args.findIndex((arg) => arg === '--upstream' || arg.startsWith('--upstream='))
  const upstream = at < 0 ? undefined : (args[at].split('=')[1] ?? args[at + 1])
  let config: Config
  try {
    config = loadConfig(upstream === undefined ? process.env : { ...process.env, UPSTREAM: upstream })
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast start: ${error.message}`)
    return 2
  }
  const stopped = signalToEnd()
  const show = display()
  show.line('opening the database')
  // The database opens in a thread of its own, while this one reads the interface's modules.
  const [doors, { startApi }, { firstKey }] = await Promise.all([
    openDoors(config, 'start'),
    import('../api/main.ts'),
    import('../api/keys/issue.ts'),
  ])
  const registry = new Registry()
  const api = await startApi(config, { ...doors, registry })
  const key = await firstKey(doors.database)
  const worker = await startWorker(
    config,
    doors,
    show.step,
    (what, error) => show.trouble(what, error),
    silent,
    registry,
  )
  show.ready({ url: api.url, key, source: worker.source })
  const signal = await stopped
  const asked = performance.now()
  show.line(`${signal}: answering what was asked; a step that takes longer than a second is begun again next time`)
  // Requests in work want the doors alone, not the steps.
  await Promise.all([api.close(), worker.stop()])
  await doors.close()
  show.line(`ended after ${((performance.now() - asked) / 1000).toFixed(1)} s`)
  endSoon()
  return 0
}
