export type QueryErrorCode =
  | 'bad-request'
  | 'not-found'
  | 'ambiguous-place'
  | 'outside-coverage'
  | 'no-data'
  | 'too-many-requests'
  | 'rate-limit-exceeded'
  | 'trial-ended'
  | 'upstream'
  | 'service-unavailable'
  | 'timeout'
  | 'internal'

/** Details that help the caller to correct the query. */
export interface ErrorDetails {
  readonly field?: string
  readonly allowed?: unknown
  readonly got?: unknown
  readonly suggestions?: readonly string[]
  readonly retry_after_s?: number
}

/** A failure that the caller can correct or must report to the user; `next` states what to do. */
export class QueryError extends Error {
  readonly code: QueryErrorCode
  readonly next: string
  readonly details: ErrorDetails
  constructor(code: QueryErrorCode, message: string, next: string, details: ErrorDetails = {}) {
    super(message)
    this.name = new.target.name
    this.code = code
    this.next = next
    this.details = details
  }
}
