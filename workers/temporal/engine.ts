import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { Fault } from '../../ingest/domain/fault.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Activities } from '../activities.ts'
import type { Engine } from '../engine.ts'
import { runSecondsOf } from '../run-timeout.ts'
import { onceOnly } from '../workflows/flow.ts'
import { countsOf } from './counts.ts'
import { defaultQueue, heavyQueue, heavySteps, wakeSignal } from './names.ts'
import { syncSchedules } from './schedules.ts'
import { temporalSteps } from './steps.ts'
import { reportTimedOut } from './timed-out.ts'

export interface TemporalOptions {
  readonly address: string
  readonly namespace: string
  readonly activities: Activities
  readonly clock: () => Instant
  /** Called when a step has failed permanently. */
  report(workflow: string, id: string, error: unknown): void
  readonly queue?: string
  /** Concurrent heavy steps of this process. */
  readonly stepsAtOnce?: number
}

export const workflowsPath = fileURLToPath(new URL('./workflows.ts', import.meta.url))

/** Time that running steps get at shutdown, ms. Then the server assigns them to another worker. */
const GRACE_MS = 1000
/** Time after which a shutdown no longer waits, not even for the server, ms. */
const FORCE_MS = 3500

/** Address of the metrics of Temporal's core. The runtime is installed once in a process. */
let runtimeMetricsUrl: Promise<string> | undefined

/**
 * Installs Temporal's core without its own logs and signal handlers, because the process has its own. The core can
 * serve its metrics only over HTTP, so it listens on a free loopback port.
 * @returns URL of the core's metrics
 */
function installRuntime(): Promise<string> {
  runtimeMetricsUrl ??= freePort().then((port) => {
    const bindAddress = `127.0.0.1:${port}`
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      shutdownSignals: [],
      telemetryOptions: {
        logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
        metrics: {
          prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
        },
      },
    })
    return `http://${bindAddress}/metrics`
  })
  return runtimeMetricsUrl
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const METRICS_TIMEOUT_MS = 500

/**
 * Opens the engine that runs the workflows on a Temporal server. Any number of processes may work on the same queue.
 * @throws Fault Refused if the server does not answer
 */
export async function openTemporalEngine(options: TemporalOptions): Promise<Engine> {
  const { address, namespace, activities, clock } = options
  const queue = options.queue ?? defaultQueue
  const connection = await connect(address, () => Connection.connect({ address, connectTimeout: 5_000 }))
  const client = new Client({ connection, namespace })
  let native: NativeConnection | undefined
  let metricsUrl: string | undefined
  let workers: Worker[] = []
  let running: Promise<unknown> = Promise.resolve()
  let stopReports: (() => void) | undefined

  return {
    kind: 'temporal',
    async start(workflow, workflowId, input, at) {
      const delay = Math.max(0, (at ?? 0) - clock())
      try {
        await client.workflow.start(workflow, {
          workflowId,
          taskQueue: queue,
          args: [input],
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
          workflowIdReusePolicy: onceOnly.has(workflow)
            ? WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY
            : WorkflowIdReusePolicy.ALLOW_DUPLICATE,
          workflowRunTimeout: runSecondsOf(workflow) * 1000 + delay,
          ...(delay > 0 && { startDelay: delay }),
        })
        return true
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false
        throw error
      }
    },
    async wake(workflow, prefix) {
      const running = `TaskQueue = '${queue}' and WorkflowType = '${workflow}' and ExecutionStatus = 'Running'`
      const query = `${running} and WorkflowId starts_with '${prefix}'`
      for await (const { workflowId } of client.workflow.list({ query })) {
        // The workflow may have ended since it was listed.
        await client.workflow.getHandle(workflowId).signal(wakeSignal).catch(unlessGone)
      }
    },
    schedule: (list) => syncSchedules(client, queue, list),
    async work() {
      metricsUrl = await installRuntime()
      native = await connect(address, () => NativeConnection.connect({ address }))
      const steps = temporalSteps(activities, options.report)
      const stepsOf = (heavy: boolean) =>
        Object.fromEntries(Object.entries(steps).filter(([name]) => heavySteps.has(name as never) === heavy))
      const common = {
        connection: native,
        namespace,
        shutdownGraceTime: GRACE_MS,
        shutdownForceTime: FORCE_MS,
      } as const
      workers = await Promise.all([
        Worker.create({
          ...common,
          taskQueue: queue,
          workflowsPath,
          activities: stepsOf(false),
          maxConcurrentActivityTaskExecutions: 8,
        }),
        Worker.create({
          ...common,
          taskQueue: heavyQueue(queue),
          activities: stepsOf(true),
          maxConcurrentActivityTaskExecutions: options.stepsAtOnce ?? 3,
        }),
      ])
      running = Promise.all(workers.map((worker) => worker.run()))
      running.catch((error) => options.report('worker', queue, error))
      stopReports = reportTimedOut(client, queue, options.report)
    },
    async stop() {
      stopReports?.()
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      await running.catch(() => {})
      await native?.close()
      await connection.close()
      workers = []
    },
    counts: () => countsOf(client, queue),
    async metrics() {
      if (!metricsUrl) return ''
      return (await fetch(metricsUrl, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) })).text()
    },
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error
}

async function connect<T>(address: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Fault(
      'Refused',
      `Temporal at ${address} did not answer: ${reason}. Check TEMPORAL_ADDRESS and that the server is running.`,
      {},
      error,
    )
  }
}
