import { join } from 'node:path'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { datasetIds } from '../ingest/catalog.ts'
import type { Config } from '../ingest/config.ts'
import type { ForecastReader } from '../ingest/domain/verification/forecast.ts'
import { openExporter } from '../ingest/ports/exporter.ts'
import { openLineage } from '../ingest/ports/lineage.ts'
import { measurePorts } from '../ingest/ports/measure.ts'
import { diskFolders, measureDisks, measureProcess } from '../ingest/ports/measure-disks.ts'
import { openNotices } from '../ingest/ports/notices.ts'
import type { OpenPorts } from '../ingest/ports/open.ts'
import type { Upstream } from '../ingest/ports/upstream.ts'
import { openPool } from '../ingest/steps/pool.ts'
import { quarantineOver } from '../ingest/steps/quarantine.ts'
import { startRelay } from '../ingest/steps/relay-outbox.ts'
import { signedStore } from '../ingest/tile/signature.ts'
import { holdLease, releaseLeases } from '../sql/queries/leases.ts'
import { setOrigin, setUpstreamMirror } from '../sql/queries/origin.ts'
import { pointers } from '../sql/queries/runs.ts'
import { createActivities } from './activities/index.ts'
import type { Activities, StepNote } from './activities.ts'
import type { Engine } from './engine.ts'
import { FirstAnswers, workInOrder } from './first-answers.ts'
import {
  countFailure,
  countTimeouts,
  createWorkerMetrics,
  measureRetirement,
  measureWork,
  WorkerRegistry,
} from './metrics.ts'
import { openMetricsServer } from './metrics-server.ts'
import { observeActivities, type StepLog, silentLog } from './observe-activities.ts'
import { schedules } from './schedules.ts'
import { createNoticeHandler } from './upstream-notices.ts'

/** The source of weather data: NOAA's servers, a mirror, or the simulator. */
export interface UpstreamSource {
  readonly upstream: Upstream
  readonly simulated: boolean
  /** Text for operators, such as "NOAA's own servers". */
  readonly description: string
  close(): Promise<void>
}

export interface RunningWorker {
  readonly engine: Engine
  readonly source: UpstreamSource
  /** Resolves with the error after which the worker can do no more work, so that its process must end. */
  readonly failure: Promise<unknown>
  stop(): Promise<void>
}

/** Starts the schedules, activities, outbox relay and metrics of one worker process. */
export async function startWorker(
  config: Config,
  deps: OpenPorts,
  source: UpstreamSource,
  note: (step: StepNote) => void,
  report: (subject: string, error: unknown) => void,
  log: StepLog = silentLog,
  /**
   * Registry whose metrics another process serves. If absent, the worker has its own, with the metrics of Node and of
   * the ports.
   */
  shared?: Registry,
  /** Whether no other worker uses this database, so that jobs of a previous process can be restarted at once. */
  onlyWorker = false,
  /** Reads the served forecasts at stations for verification. */
  forecasts?: ForecastReader,
): Promise<RunningWorker> {
  if (await setOrigin(deps.database, source.simulated)) {
    note({
      step: 'origin',
      detail: `the source changed between real and simulated weather, so all stored runs were removed; the source is now ${source.description}`,
    })
  }
  await setUpstreamMirror(deps.database, source.upstream.mirror)
  const first = new FirstAnswers(config, await pointers(deps.database))
  // Members close in reverse order, each once. A member that fails to close does not prevent the others from closing.
  await using members = new AsyncDisposableStack()
  const registry = shared ?? new WorkerRegistry()
  const exporter = openExporter({
    hold: (name, holder, seconds) => holdLease(deps.database, name, holder, seconds),
    release: (holder) => releaseLeases(deps.database, holder),
  })
  members.defer(() => exporter.close())
  const { exports } = exporter
  if (!shared) {
    collectDefaultMetrics({ register: registry })
    measurePorts(registry, deps, Date.now, { exports, datasets: datasetIds })
    measureDisks(registry, diskFolders(config))
  }
  measureProcess(registry, 'worker')
  if (config.workerMetricsPort) {
    const server = await openMetricsServer(config.host, config.workerMetricsPort, () => registry.metrics())
    members.defer(() => server.close())
  }
  const lineage = config.lineage && openLineage(config.lineage, (error) => report('lineage', error))
  members.defer(() => lineage?.close())
  const relay = members.adopt(
    startRelay(deps, (error) => report('relay', error)),
    (startedRelay) => startedRelay.stop(),
  )
  members.defer(() => source.close())
  // Closing the pool rejects the tasks of abandoned steps, which then free their connections.
  const pool = members.adopt(openPool({ threads: 2 }), (openedPool) => openedPool.close())
  const activities = createActivities({
    database: deps.database,
    objects: signedStore(deps.objects, config.signingSecret),
    slabs: deps.objects,
    upstream: source.upstream,
    quarantine: quarantineOver(deps),
    pool,
    resolution: config.h3Resolution,
    cacheDir: join(config.dataDir, 'cache'),
    config,
    secondSources: config.secondSources,
    simulated: source.simulated,
    clock: Date.now,
    notify: relay.nudge,
    forecasts,
    lineage,
    note(step) {
      note(step)
      first.note(step)
    },
  })
  const metrics = createWorkerMetrics(registry)
  const steps = observeActivities(activities, metrics, log)
  const reportTimeouts = countTimeouts(metrics, report)
  const reportFailed = (name: string, id: string, error: unknown) => {
    countFailure(metrics, name, error)
    reportTimeouts(name, id, error)
  }
  const engine = members.adopt(await openEngine(config, deps, steps, reportFailed, onlyWorker), (openedEngine) =>
    openedEngine.stop(),
  )
  members.defer(await workInOrder(engine, schedules(config), first, note, report))
  measureWork(registry, engine, relay, exports)
  measureRetirement(registry, deps.database, Date.now())
  if (registry instanceof WorkerRegistry) registry.engine = engine
  if (config.upstreamQueueUrls.length > 0) {
    const wake = createNoticeHandler(engine, config, Date.now)
    const notices = openNotices(
      config.upstreamQueueUrls,
      config.awsRegion,
      wake,
      (error) => report('upstream queue', error),
      config.awsCredentials,
    )
    members.defer(() => notices.close())
  }
  const opened = members.move()
  const failure = engine.failure ?? new Promise<never>(() => undefined)
  return { engine, source, failure, stop: () => opened.disposeAsync() }
}

async function openEngine(
  config: Config,
  deps: OpenPorts,
  activities: Activities,
  report: (workflow: string, id: string, error: unknown) => void,
  onlyWorker: boolean,
): Promise<Engine> {
  if (config.temporal) {
    const { openTemporalEngine } = await import('./temporal/engine.ts')
    return openTemporalEngine({
      ...config.temporal,
      activities,
      clock: Date.now,
      report,
    })
  }
  const { openEmbeddedEngine } = await import('./embedded/engine.ts')
  return openEmbeddedEngine({
    database: deps.database,
    onlyWorker: onlyWorker || deps.database.kind === 'embedded',
    activities,
    clock: Date.now,
    report,
  })
}
