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
 * Any other exception is a bug.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: FaultKind
  readonly details: Readonly<Record<string, unknown>>

  /** @param message expected, found, and what to do next */
  constructor(kind: FaultKind, message: string, details: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.details = details
  }
}

export function isFault(error: unknown, kind?: FaultKind): error is Fault {
  return error instanceof Fault && (kind === undefined || error.kind === kind)
}
