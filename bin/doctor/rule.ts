import type { AnyJson } from './answer-members.ts'

/** What must be true of every answer of `/v1/weather`. */
export interface Rule {
  readonly name: string
  /** Each contradiction, one line each; none where the rule is satisfied or does not apply. */
  check(answer: AnyJson): string[]
}
