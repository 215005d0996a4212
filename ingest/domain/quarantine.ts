import type { DomainId } from './domain.ts'
import { isFault } from './fault.ts'
import type { Instant } from './time.ts'

/** Why something of upstream is not published; label `reason` of `hexcast_quarantine_total`. */
export const quarantineReasons = {
  absent: 'a required variable is not in the file, or one is missing between hours that have it',
  index: 'the index of a file is not one, or does not describe it',
  format: 'the bytes violate their format',
  parameter: 'the message is of another parameter, level or interval than the index lists',
  time: 'the message is of another run or valid time',
  grid: 'section 3 is not the grid that the dataset declares',
  packing: 'the numbers of the packing cannot be right',
  range: 'values outside of the range of the variable',
  value: 'single values outside of the range; only they are left out',
  roughness: 'rows do not fit each other',
  constant: 'the same value everywhere',
  missing: 'no values',
  outlier: 'an hour unlike its neighbours, or a run unlike the one before',
  unit: 'values in another unit than before',
  refused: 'a host refuses, is silent, or answers with an error',
  forbidden: 'a host answers 403',
  redirect: 'a host redirects to elsewhere',
  html: 'a host answers with a web page',
  empty: 'an empty document',
  row: 'rows of a feed that were rejected',
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
  /** Absent: a feed. */
  readonly run?: Instant
  readonly leadHours?: number
  /** Absent: the whole file or document. */
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
