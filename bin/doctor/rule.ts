import type { AnyJson } from './answer-members.ts'

/** A statement that must be true for every answer of `/v1/weather`. */
export interface Rule {
  readonly name: string
  /** Returns a line for each contradiction; none if the rule is satisfied or does not apply. */
  check(answer: AnyJson): string[]
}
