import type { DomainId } from './domain.ts'
import { type Fault, isFault } from './fault.ts'
import type { Instant } from './time.ts'

/** Reasons for which upstream data is rejected; they are the label `reason` of `hexcast_quarantine_total`. */
export const quarantineReasons = {
  absent: 'the file lacks a required variable',
  index: 'the index of a file cannot be read, or does not describe the file',
  format: 'the bytes violate their format',
  parameter: 'the message has another parameter, level or interval than the index states',
  time: 'the message has another run or valid time than expected',
  grid: 'section 3 is not the grid that the dataset declares',
  packing: 'the numbers of the packing are not plausible',
  range: 'values are outside the range of the variable',
  roughness: 'neighbouring rows differ too much',
  doubled: 'the message or feature repeats another one, and is ignored',
  constant: 'all values are the same',
  missing: 'there are no values',
  outlier: 'the hour differs too much from neighbouring hours',
  jump: 'the data differ too much from the previous run, scan or file',
  html: 'the address serves a web page instead of the document',
  status: 'the address redirects or rejects the request',
  row: 'the row or feature violates its format',
  count: 'there are far fewer rows than before',
  stale: 'the data are older than earlier data, or than the source may be',
} as const satisfies Readonly<Record<string, string>>

export type QuarantineReason = keyof typeof quarantineReasons

/** A rejected variable at one time. */
export interface Lost {
  readonly variable: string
  readonly reason: QuarantineReason
  /** The expected and the actual content. */
  readonly detail: string
  /** First byte of the message in the file. */
  readonly from?: number
}

/** A quarantined item. */
export interface Quarantined {
  readonly dataset: string
  readonly domain?: DomainId
  /** The time of the run. A feed has no runs, so it has the hour of the read instead, and its rows have the day. */
  readonly run: Instant
  readonly leadHours?: number
  /** The variable, or the row or feature of a feed; absent for the whole file. */
  readonly variable?: string
  readonly reason: QuarantineReason
  readonly detail: string
  readonly url?: string
  readonly bytes?: Uint8Array
}

/** Returns the reason in the details of a fault; if there is none, `otherwise`. */
export function reasonOf(error: unknown, otherwise: QuarantineReason = 'format'): QuarantineReason {
  const reason = isFault(error) ? error.details['reason'] : undefined
  return typeof reason === 'string' && Object.hasOwn(quarantineReasons, reason)
    ? (reason as QuarantineReason)
    : otherwise
}

/** Returns whether a bucket redirects. It has then moved permanently, which is not a temporary outage. */
export function isRedirected(error: unknown): error is Fault {
  const status = isFault(error, 'Refused') ? error.details['status'] : undefined
  return typeof status === 'number' && status >= 300 && status < 400
}
