import { Client } from '@temporalio/client'
import type { TemporalConnection } from '../../ingest/domain/connection-settings.ts'
import { connectClient } from './connect.ts'
import { defaultQueue, inQueues } from './names.ts'
import { type FileProgress, progressOf } from './progress.ts'

export interface WorkflowCounts {
  readonly waiting: number
  readonly running: number
  readonly failed: number
}

/** Counts the workflows of a worker's task queues by state. Timers count as waiting. */
export async function countsOf(client: Client, queue: string): Promise<WorkflowCounts> {
  const count = async (query: string) => (await client.workflow.count(`${inQueues(queue)} and ${query}`)).count
  const [waiting, running, failed] = await Promise.all([
    count("ExecutionStatus = 'Running' and WorkflowType = 'expireFeed'"),
    count("ExecutionStatus = 'Running' and WorkflowType != 'expireFeed'"),
    count("ExecutionStatus in ('Failed', 'TimedOut')"),
  ])
  return { waiting, running, failed }
}

/** Counts the workers that have polled within the last five minutes, according to the server. */
async function workersOf(client: Client, queue: string): Promise<number> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: queue },
    taskQueueType: 2,
  })
  return new Set((pollers ?? []).map(({ identity }) => identity)).size
}

/** State of the default task queue. */
export interface TemporalState extends WorkflowCounts {
  readonly workers: number
  /** Files of at most eight runs in progress. */
  readonly progress: readonly FileProgress[]
}

const MAX_PROGRESS = 8

/** Reads workflows, workers and progress of the default task queue over a separate connection. */
export async function temporalCounts(at: TemporalConnection): Promise<TemporalState> {
  const connection = await connectClient(at)
  try {
    const client = new Client({ connection, namespace: at.namespace })
    const [counts, workers, progress] = await Promise.all([
      countsOf(client, defaultQueue),
      workersOf(client, defaultQueue),
      progressOf(client, defaultQueue, MAX_PROGRESS),
    ])
    return { ...counts, workers, progress }
  } finally {
    await connection.close()
  }
}
