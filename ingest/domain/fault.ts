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
 * Any other exception is a bug. Only `Corrupt` has a stack, which shows the failed check. The other kinds are external states that an answer may
 * meet several times, and recording a stack takes 8 µs. Faults with a constant message are created once and thrown again, because creating the
 * first Fault of an answer takes another 8 µs.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: FaultKind
  readonly details: Readonly<Record<string, unknown>>

  /** @param message the actual and the expected state, and what to do next */
  constructor(kind: FaultKind, message: string, details: Record<string, unknown> = {}, cause?: unknown) {
    const { stackTraceLimit } = Error
    if (kind !== 'Corrupt') Error.stackTraceLimit = 0
    // PostgreSQL cannot store NUL in a text, and a message may quote bytes of upstream.
    super(message.replaceAll('\0', '\uFFFD'), cause === undefined ? undefined : { cause })
    Error.stackTraceLimit = stackTraceLimit
    this.kind = kind
    this.details = details
  }
}

export function isFault(error: unknown, kind?: FaultKind): error is Fault {
  return error instanceof Fault && (kind === undefined || error.kind === kind)
}

/** Returns undefined for a fault, because another section reports the failure of the same source. Any other error is thrown again. */
export function ignoreFault(error: unknown): undefined {
  if (!isFault(error)) throw error
  return undefined
}
