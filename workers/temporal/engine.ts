import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime, type Worker } from '@temporalio/worker'
import type { TemporalConnection } from '../../ingest/domain/connection-settings.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { version } from '../../ingest/ports/version.ts'
import type { Activities } from '../activities.ts'
import type { Engine } from '../engine.ts'
import { laneOf } from '../lane.ts'
import { runSecondsOf } from '../run-timeout.ts'
import { onceOnly } from '../workflows/flow.ts'
import { searchAttributesOf } from './attributes.ts'
import { connectClient, connectionOptions, explained } from './connect.ts'
import { countsOf } from './counts.ts'
import { becomeCurrent } from './deployment.ts'
import { defaultQueue, queueOfLane, wakeSignal } from './names.ts'
import { syncSchedules } from './schedules.ts'
import { registerSearchAttributes } from './search-attributes.ts'
import { reportTimedOut } from './timed-out.ts'
import { createWorkers } from './workers.ts'

export { workflowsPath } from './workers.ts'

export interface TemporalOptions extends TemporalConnection {
  readonly activities: Activities
  readonly clock: () => Instant
  /** Called when a step has failed permanently. */
  report(workflow: string, id: string, error: unknown): void
  readonly queue?: string
  /** Version of this worker; by default the version of the package. */
  readonly release?: string
  /** Number of concurrent heavy steps of this process. */
  readonly stepsAtOnce?: number
}

/** Address of the metrics of Temporal's core. The runtime is installed once in a process. */
let runtimeMetricsUrl: Promise<string> | undefined

/**
 * Installs Temporal's core without signal handlers, because the process has its own; errors in its log are reported.
 * The core can serve its metrics only over HTTP, so it listens on a free loopback port.
 * @returns URL of the core's metrics
 */
function installRuntime(report: TemporalOptions['report']): Promise<string> {
  runtimeMetricsUrl ??= freePort().then((port) => {
    const bindAddress = `127.0.0.1:${port}`
    Runtime.install({
      logger: new DefaultLogger('ERROR', ({ message, meta }) =>
        report('temporal', String(meta?.['taskQueue'] ?? ''), meta?.['error'] ?? new Error(message)),
      ),
      shutdownSignals: [],
      telemetryOptions: {
        logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }), forward: {} },
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
/** Interval of the checks for failed workers, ms: the run of a worker that failed during a step may never settle. */
const STATE_CHECK_MS = 1000
/** Maximum time of a shutdown, ms. */
const STOP_MS = 4500

/**
 * Opens the engine that runs the workflows on a Temporal server. Any number of processes may work on the same queue.
 * @throws Fault Refused if the server does not answer
 */
export async function openTemporalEngine(options: TemporalOptions): Promise<Engine> {
  const { namespace, clock } = options
  const queue = options.queue ?? defaultQueue
  const release = options.release ?? version
  const connection = await connectClient(options)
  const client = new Client({ connection, namespace })
  const hasAttributes = await registerSearchAttributes(client)
  let native: NativeConnection | undefined
  let metricsUrl: string | undefined
  let workers: Worker[] = []
  let running: Promise<unknown> = Promise.resolve()
  let stopReports: (() => void) | undefined
  let stopping = false
  let stateChecks: NodeJS.Timeout | undefined
  const failure = Promise.withResolvers<unknown>()

  return {
    kind: 'temporal',
    failure: failure.promise,
    async start(workflow, workflowId, input, at) {
      const delay = Math.max(0, (at ?? 0) - clock())
      try {
        await client.workflow.start(workflow, {
          workflowId,
          taskQueue: queueOfLane(queue, laneOf(workflow, input)),
          args: [input],
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
          workflowIdReusePolicy: onceOnly.has(workflow)
            ? WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY
            : WorkflowIdReusePolicy.ALLOW_DUPLICATE,
          workflowRunTimeout: runSecondsOf(workflow) * 1000 + delay,
          ...(hasAttributes && { typedSearchAttributes: searchAttributesOf(input) }),
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
        // The workflow may have ended after it was listed.
        await client.workflow.getHandle(workflowId).signal(wakeSignal).catch(ignoreMissingWorkflow)
      }
    },
    schedule: (list) => syncSchedules(client, queue, list, release, hasAttributes),
    async work() {
      metricsUrl = await installRuntime(options.report)
      native = await explained(options, () => NativeConnection.connect(connectionOptions(options)))
      workers = await createWorkers({ ...options, connection: native, queue, release })
      const runs = workers.map((worker) => worker.run())
      for (const run of runs)
        run.catch((error: unknown) => {
          if (!stopping) failure.resolve(error)
        })
      running = Promise.allSettled(runs)
      stateChecks = setInterval(() => {
        if (!stopping && workers.some((worker) => worker.getState() === 'FAILED'))
          failure.resolve(new Error('a worker of Temporal has failed; the preceding log lines have the reason'))
      }, STATE_CHECK_MS)
      stateChecks.unref()
      if (options.deployment) void join(client, options.deployment, release, () => stopping, options.report)
      stopReports = reportTimedOut(client, queue, options.report)
    },
    async stop() {
      stopping = true
      clearInterval(stateChecks)
      stopReports?.()
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      // A worker that has failed may never end, and may then keep its connection open.
      await Promise.race([running, pause(STOP_MS, undefined, { ref: false })])
      await native?.close().catch(() => undefined)
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

/** Makes this release the current one, and reports why this worker gets no work otherwise. */
async function join(
  client: Client,
  deployment: string,
  release: string,
  isStopping: () => boolean,
  report: TemporalOptions['report'],
): Promise<void> {
  try {
    const current = await becomeCurrent(client, deployment, release, isStopping)
    if (current === undefined || current === release) return
    const command = `temporal worker deployment set-current-version --deployment-name ${deployment} --build-id ${release}`
    throw new Error(
      `release ${current} is current, so this worker of ${release} gets no work. To return to ${release}: ${command}`,
    )
  } catch (error) {
    if (!isStopping()) report('temporal', deployment, error)
  }
}

function ignoreMissingWorkflow(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error
}
