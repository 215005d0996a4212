import type { AnyJson } from './answer-members.ts'

/** A statement that must be true of every answer of `/v1/weather`. */
export interface Rule {
  readonly name: string
  /** One line for each contradiction; empty if the rule is satisfied or does not apply. */
  check(answer: AnyJson): string[]
}
