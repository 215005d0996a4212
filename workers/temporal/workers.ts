import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  bundleWorkflowCode,
  type NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker'
import type { Activities } from '../activities.ts'
import { alertWorkflows } from '../lane.ts'
import type { ActivityName } from '../retry.ts'
import { ALERT_SLOTS, FAMILIES_AT_ONCE, FEEDS_AT_ONCE } from '../slots.ts'
import { deploymentOptions } from './deployment.ts'
import { alertSteps, alertsQueue, heavyQueue, heavySteps, WORKFLOWS_FILE } from './names.ts'
import { temporalSteps } from './steps.ts'

export const workflowsPath = fileURLToPath(new URL('./workflows.ts', import.meta.url))
/**
 * The workflows as `npm run build` has bundled them, beside the built programs. A worker that runs from its sources has
 * no such file. `import.meta.url` is an address in the sources, also in the built programs.
 */
const builtWorkflows = fileURLToPath(new URL(`./${WORKFLOWS_FILE}`, import.meta['url']))

/** Time that running steps get at shutdown, ms. Afterwards the server assigns them to another worker. */
const GRACE_MS = 1000
/** Time after which a shutdown no longer waits, not even for the server, ms. */
const FORCE_MS = 3500
/**
 * Number of concurrent quick steps of model runs and checks, in addition to a step for each feed and each family of
 * frames.
 */
const OTHER_STEPS_AT_ONCE = 8
/** Number of concurrent steps in the lane of alerts: a read of alerts and the timers of their expirations. */
const CACHED_ALERT_WORKFLOWS = 50

interface WorkersOptions {
  readonly connection: NativeConnection
  readonly namespace: string
  /** The common task queue. */
  readonly queue: string
  readonly activities: Activities
  readonly stepsAtOnce?: number
  /** Name of the deployment whose releases Temporal distinguishes; absent if it does not. */
  readonly deployment?: string
  /** Version of these workers. */
  readonly release: string
  report(workflow: string, id: string, error: unknown): void
}

/** Bundling takes seconds and some 150 MB of memory, so it is done only where the workflows are not built. */
async function loadWorkflows(): Promise<WorkflowBundleOption> {
  if (existsSync(builtWorkflows)) return { codePath: builtWorkflows }
  return bundleWorkflowCode({ workflowsPath, logger: Runtime.instance().logger })
}

/** Creates the workers of a process: for the common queue, the lane of alerts, and heavy steps. They are not started. */
export async function createWorkers(options: WorkersOptions): Promise<Worker[]> {
  const { connection, namespace, queue, activities, report, stepsAtOnce = 3 } = options
  const steps = Object.entries(temporalSteps(activities, report))
  const stepsOf = (isPart: (name: ActivityName) => boolean) =>
    Object.fromEntries(steps.filter(([name]) => isPart(name as ActivityName)))
  const common = {
    connection,
    namespace,
    shutdownGraceTime: GRACE_MS,
    shutdownForceTime: FORCE_MS,
    ...(options.deployment && { workerDeploymentOptions: deploymentOptions(options.deployment, options.release) }),
  } as const
  const workflowBundle = await loadWorkflows()
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue: queue,
      workflowBundle,
      activities: stepsOf((name) => !heavySteps.has(name)),
      maxConcurrentActivityTaskExecutions: FEEDS_AT_ONCE + FAMILIES_AT_ONCE + OTHER_STEPS_AT_ONCE,
    }),
    Worker.create({
      ...common,
      taskQueue: alertsQueue(queue),
      workflowBundle,
      activities: stepsOf((name) => alertSteps.has(name)),
      maxConcurrentActivityTaskExecutions: ALERT_SLOTS * alertWorkflows.length,
      maxCachedWorkflows: CACHED_ALERT_WORKFLOWS,
      workflowThreadPoolSize: 1,
    }),
    Worker.create({
      ...common,
      taskQueue: heavyQueue(queue),
      activities: stepsOf((name) => heavySteps.has(name)),
      maxConcurrentActivityTaskExecutions: stepsAtOnce,
    }),
  ])
}
