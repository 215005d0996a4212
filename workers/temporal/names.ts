import type { FaultKind } from '../../ingest/domain/fault.ts'
import type { ActivityName } from '../retry.ts'

export const defaultQueue = 'hexcast'

/** Signal that ends the wait of a workflow. */
export const wakeSignal = 'wake'

/** CPU-bound steps have a task queue of their own, so that an alert never waits behind a forecast. */
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

/** Faults that a retry cannot solve. */
export const nonRetryable: readonly FaultKind[] = ['Invalid', 'Corrupt', 'Gone', 'Missing']
