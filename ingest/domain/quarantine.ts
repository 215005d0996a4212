import type { DomainId } from './domain.ts'
import { type Fault, isFault } from './fault.ts'
import type { Instant } from './time.ts'

/** Why data of upstream is rejected; label `reason` of `hexcast_quarantine_total`. */
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
  doubled: 'a second copy of a message or feature, which is not used',
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

/** A rejected variable at one time. */
export interface Lost {
  readonly variable: string
  readonly reason: QuarantineReason
  /** What was expected and what was received. */
  readonly detail: string
  /** First byte of the message in the file. */
  readonly from?: number
}

/** An item for quarantine. */
export interface Quarantined {
  readonly dataset: string
  readonly domain?: DomainId
  /** The time of the run; for a feed, which has no runs, the hour of the read, and for its rows the day. */
  readonly run: Instant
  readonly leadHours?: number
  /** The variable, or the row or feature of a feed; absent for the whole file. */
  readonly variable?: string
  readonly reason: QuarantineReason
  readonly detail: string
  readonly url?: string
  readonly bytes?: Uint8Array
}

/** Returns the reason in the details of a fault; `otherwise` if it has none. */
export function reasonOf(error: unknown, otherwise: QuarantineReason = 'format'): QuarantineReason {
  const reason = isFault(error) ? error.details['reason'] : undefined
  return typeof reason === 'string' && Object.hasOwn(quarantineReasons, reason)
    ? (reason as QuarantineReason)
    : otherwise
}

/** Returns whether the bucket redirects: it has moved, which is no outage that ends by itself. */
export function isRedirected(error: unknown): error is Fault {
  const status = isFault(error, 'Refused') ? error.details['status'] : undefined
  return typeof status === 'number' && status >= 300 && status < 400
}
