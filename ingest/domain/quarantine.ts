import type { DomainId } from './domain.ts'
import { isFault } from './fault.ts'
import type { Instant } from './time.ts'

/** Why something of upstream is not published; label `reason` of `hexcast_quarantine_total`. */
export const quarantineReasons = {
  absent: 'a required variable is not in the file',
  index: 'the index of a file is not one, or does not describe it',
  format: 'the bytes violate their format',
  parameter: 'the message is of another parameter, level or interval than the index lists',
  time: 'the message is of another run or valid time',
  grid: 'section 3 is not the grid that the dataset declares',
  packing: 'the numbers of the packing cannot be right',
  range: 'values outside of the range of the variable',
  roughness: 'rows do not fit each other',
  constant: 'the same value everywhere',
  missing: 'no values',
  outlier: 'an hour unlike its neighbours',
} as const satisfies Readonly<Record<string, string>>

export type QuarantineReason = keyof typeof quarantineReasons

/** A variable at one time that is not published. */
export interface Lost {
  readonly variable: string
  readonly reason: QuarantineReason
  /** Expected and found, in words. */
  readonly detail: string
  /** First byte of its message in the file. */
  readonly from?: number
}

/** What is put into quarantine. */
export interface Quarantined {
  readonly dataset: string
  readonly domain?: DomainId
  readonly run: Instant
  readonly leadHours?: number
  /** Absent: the whole file. */
  readonly variable?: string
  readonly reason: QuarantineReason
  readonly detail: string
  readonly url?: string
  readonly bytes?: Uint8Array
}

/** The reason that a fault carries in its details; `otherwise` for others. */
export function reasonOf(error: unknown, otherwise: QuarantineReason = 'format'): QuarantineReason {
  const reason = isFault(error) ? error.details['reason'] : undefined
  return typeof reason === 'string' && Object.hasOwn(quarantineReasons, reason)
    ? (reason as QuarantineReason)
    : otherwise
}
