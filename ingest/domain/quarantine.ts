import type { DomainId } from './domain.ts'
import { type Fault, isFault } from './fault.ts'
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
  jump: 'unlike the run, scan or file before it',
  html: 'a page for people in place of the document',
  status: 'the address redirects or refuses',
  row: 'a row or feature violates its format',
  count: 'far fewer rows than before',
  stale: 'older than what was read before, or than the source may be',
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
  /** Of a feed, which has no runs: the hour of the read, of its rows the day. */
  readonly run: Instant
  readonly leadHours?: number
  /** The variable, or of a feed the row or feature. Absent: the whole file. */
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

/** A bucket that redirects has moved: not an outage that ends by itself. */
export function isRedirected(error: unknown): error is Fault {
  const status = isFault(error, 'Refused') ? error.details['status'] : undefined
  return typeof status === 'number' && status >= 300 && status < 400
}
