import type { FaultKind } from '../../ingest/domain/fault.ts'
import type { Lane } from '../lane.ts'
import type { ActivityName } from '../retry.ts'

export const defaultQueue = 'hexcast'

/** Name of the file with the bundled workflows in the folder of the built programs. */
export const WORKFLOWS_FILE = 'temporal-workflows.cjs'

/** Signal that ends the wait of a workflow. */
export const wakeSignal = 'wake'

/** CPU-bound steps have their own task queue, so that an alert never waits behind a forecast. */
export const heavySteps: ReadonlySet<ActivityName> = new Set([
  'sampleFile',
  'publishStage',
  'issueForecasts',
  'scoreDays',
  'retire',
])

export function heavyQueue(queue: string): string {
  return `${queue}-heavy`
}

const ALERTS_SUFFIX = '-alerts'

/** Returns the task queue of the lane of alerts, for its workflows and their steps. */
export function alertsQueue(queue: string): string {
  return `${queue}${ALERTS_SUFFIX}`
}

/** Returns the task queue of a workflow. @param queue the common queue */
export function queueOfLane(queue: string, lane: Lane | undefined): string {
  return lane ? alertsQueue(queue) : queue
}

/** Returns the common queue of a worker whose workflow runs in this queue. */
export function commonQueue(queue: string): string {
  return queue.endsWith(ALERTS_SUFFIX) ? queue.slice(0, -ALERTS_SUFFIX.length) : queue
}

/** The steps of the lane of alerts. */
export const alertSteps: ReadonlySet<ActivityName> = new Set(['sweepFeed', 'expireFeed'])

/** Returns the condition of a list query for the workflows of all queues of a worker. */
export function inQueues(queue: string): string {
  return `TaskQueue in ('${queue}', '${alertsQueue(queue)}')`
}

/** Faults that a retry cannot solve. */
export const nonRetryable: readonly FaultKind[] = ['Invalid', 'Corrupt', 'Gone', 'Missing']
