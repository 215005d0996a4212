import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Instant } from '../ingest/domain/time.ts'
import type { Exporter } from '../ingest/ports/exporter.ts'
import { readForScrape } from '../ingest/ports/scrape.ts'
import { fullStorage, STORAGES } from '../ingest/ports/storage-full.ts'
import { retirementStates } from '../sql/queries/retirement.ts'
import type { Queries } from '../sql/session.ts'
import { retirements } from './activities/retirements.ts'
import type { Engine } from './engine.ts'
import { retryPolicies } from './retry.ts'
import { RunTimedOut, workflowOf } from './run-timeout.ts'
import { workflows } from './workflows/index.ts'

/** The metrics of a worker, followed by those of its engine's client (`temporal_…`) if it has any. */
export class WorkerRegistry extends Registry {
  engine: Pick<Engine, 'metrics'> | undefined

  override async metrics(): Promise<string> {
    const workerMetrics = await super.metrics()
    const engineMetrics = await readForScrape(async () => this.engine?.metrics?.())
    return engineMetrics ? `${workerMetrics}\n${engineMetrics}` : workerMetrics
  }
}

/** Values of the label `fault`. An error that is not a fault counts as a bug. */
const FAULTS = ['Invalid', 'NotYet', 'Gone', 'Missing', 'Corrupt', 'Refused', 'bug'] as const

/**
 * Creates the metrics of a worker. Each counter starts at 0 for every value of its labels, because Prometheus measures an
 * increase between two samples.
 */
export function createWorkerMetrics(registry: Registry) {
  const registers = [registry]
  const metrics = {
    steps: new Histogram({
      name: 'hexcast_step_seconds',
      help: 'Duration of steps by outcome: ok, waiting, or the kind of fault',
      labelNames: ['step', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900],
      registers,
    }),
    failures: new Counter({
      name: 'hexcast_feed_failures_total',
      help: 'Failed steps by step and kind of fault',
      labelNames: ['step', 'fault'],
      registers,
    }),
    timedOut: new Counter({
      name: 'hexcast_runs_timed_out_total',
      help: 'Runs of workflows that were ended at their timeout',
      labelNames: ['workflow'],
      registers,
    }),
    workflowFailures: new Counter({
      name: 'hexcast_workflow_failures_total',
      help: 'Failures of workflows that this worker ran, without runs that ended at their timeout',
      labelNames: ['workflow'],
      registers,
    }),
    storageFull: new Counter({
      name: 'hexcast_storage_full_total',
      help: 'Failures of steps and workflows because a disk, the database or the object store has no space',
      labelNames: ['storage'],
      registers,
    }),
  }
  for (const step of Object.keys(retryPolicies)) for (const fault of FAULTS) metrics.failures.inc({ step, fault }, 0)
  for (const workflow of Object.keys(workflows)) {
    metrics.workflowFailures.inc({ workflow }, 0)
    metrics.timedOut.inc({ workflow }, 0)
  }
  for (const storage of STORAGES) metrics.storageFull.inc({ storage }, 0)
  return metrics
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>

/** Returns a function that reports errors of workflows, and counts the runs that were ended at their timeout. */
export function countTimeouts(
  { timedOut }: Pick<WorkerMetrics, 'timedOut'>,
  report: (subject: string, error: unknown) => void,
): (workflow: string, id: string, error: unknown) => void {
  return (workflow, id, error) => {
    if (error instanceof RunTimedOut) timedOut.inc({ workflow })
    report(`${workflow} ${id}`, error)
  }
}

/**
 * Registers the gauge of retirement, which is read at each scrape. For a step without a success the gauge is the time
 * of its first attempt, or of the start of this process.
 */
export function measureRetirement(registry: Registry, database: Queries, startedAt: Instant): void {
  new Gauge({
    name: 'hexcast_retirement_last_success_timestamp_seconds',
    help: 'Unix time at which each step of retirement last ended without an error; before that, of its first attempt',
    labelNames: ['step'],
    registers: [registry],
    async collect() {
      const states = await readForScrape(() => retirementStates(database))
      if (!states) return
      const stored = new Map(states.map(({ step, succeeded_at, first_at }) => [step, succeeded_at ?? first_at]))
      for (const { subject } of retirements)
        this.set({ step: subject }, (stored.get(subject)?.getTime() ?? startedAt) / 1000)
    },
  })
}

/**
 * Counts the failure of a workflow, or of a step under its name, and whether a storage was full, because the queue
 * itself also needs space. Runs that were ended at their timeout are not failures of the workflow: after an outage of
 * all workers a server ends many runs.
 */
export function countFailure(metrics: WorkerMetrics, name: string, error: unknown): void {
  const workflow = workflowOf(name)
  if (workflow !== undefined && !(error instanceof RunTimedOut)) metrics.workflowFailures.inc({ workflow })
  const storage = fullStorage(error)
  if (storage) metrics.storageFull.inc({ storage })
}

/**
 * Registers the gauges of queued work. They are read at each scrape; while the engine is unreachable they keep their
 * values. The engine counts the work of all workers, so only one worker exports the counts.
 */
export function measureWork(
  registry: Registry,
  engine: Engine,
  relay: { readonly failures: number },
  exports: Exporter = async () => true,
): void {
  new Gauge({
    name: 'hexcast_queue_depth',
    help: 'Workflows by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      if (!(await exports('work'))) {
        this.reset()
        return
      }
      const counts = await readForScrape(() => engine.counts())
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'hexcast_relay_failures',
    help: 'Consecutive failures of the outbox relay',
    registers: [registry],
    collect() {
      this.set(relay.failures)
    },
  })
}
