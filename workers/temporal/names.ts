import type { FaultKind } from '../../ingest/domain/fault.ts'
import type { ActivityName } from '../retry.ts'

export const defaultQueue = 'hexcast'

/** Steps that keep a core busy have a queue of their own: an alert never waits behind a forecast. */
export const heavySteps: ReadonlySet<ActivityName> = new Set(['sampleFile', 'publishStage', 'retire'])

export function heavyQueue(queue: string): string {
  return `${queue}-heavy`
}

/** Faults that no second try mends. */
export const nonRetryable: readonly FaultKind[] = ['Invalid', 'Corrupt', 'Gone', 'Missing']
