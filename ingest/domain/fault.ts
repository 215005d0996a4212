export type FaultKind = 'NotYet' | 'Gone' | 'Refused' | 'Corrupt' | 'Missing' | 'Invalid'

/**
 * A failure with a name. The kind decides about retry and response:
 *
 * | kind    | retry                              | to the reader              | meaning                                     |
 * |---------|------------------------------------|----------------------------|---------------------------------------------|
 * | NotYet  | wait until the dataset's deadline  | nothing                    | upstream has not published                  |
 * | Gone    | no                                 | nothing                    | upstream has aged it out                    |
 * | Refused | back off                           | 503 or a degraded section  | an external system is busy, slow or throttled |
 * | Corrupt | no, keep the bytes                 | the section fails          | the bytes violate their format              |
 * | Missing | no                                 | section absent, a warning  | nothing is stored for that place or time    |
 * | Invalid | no                                 | 400                        | the caller's mistake                        |
 *
 * Any other exception is a bug. Only `Corrupt` has a stack, the place of the check: the others are states of the outside, which an answer may
 * meet several times, and recording a stack takes 8 µs. Those with a constant message are made once and thrown again: making the first of an
 * answer takes another 8.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: FaultKind
  readonly details: Readonly<Record<string, unknown>>

  /** @param message expected, found, and what to do next */
  constructor(kind: FaultKind, message: string, details: Record<string, unknown> = {}, cause?: unknown) {
    const { stackTraceLimit } = Error
    if (kind !== 'Corrupt') Error.stackTraceLimit = 0
    // PostgreSQL stores no zero in a text, and a message may quote bytes of upstream.
    super(message.replaceAll('\0', '\uFFFD'), cause === undefined ? undefined : { cause })
    Error.stackTraceLimit = stackTraceLimit
    this.kind = kind
    this.details = details
  }
}

export function isFault(error: unknown, kind?: FaultKind): error is Fault {
  return error instanceof Fault && (kind === undefined || error.kind === kind)
}

/** For a source whose failure another section reports. */
export function ignoreFault(error: unknown): undefined {
  if (!isFault(error)) throw error
  return undefined
}
