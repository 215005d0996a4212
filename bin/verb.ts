import type { ParseArgsOptionsConfig } from 'node:util'

/** The words after a verb's name, checked against its options. */
export interface CommandLine {
  readonly positionals: readonly string[]
  /** Value of `--name VALUE` or `--name=VALUE`. */
  option(name: string): string | undefined
  /** All values of an option that may be given several times. */
  options(name: string): readonly string[]
  /** Whether `--name` is given. */
  flag(name: string): boolean
}

/** The one command: a list of verbs, each loaded only when it is called. */
export interface Verb {
  readonly name: string
  /** Usage without the word hexcast: `point LAT,LON [--dataset ID]`. */
  readonly usage: string
  /** One line for the list of verbs. */
  readonly summary: string
  /** Text of `hexcast VERB --help` below the usage line. */
  readonly help: string
  /** As `node:util` parseArgs takes them: `string` for one with a value, `boolean` for one without. */
  readonly options?: ParseArgsOptionsConfig
  /** Maximum number of positional arguments; 0 where absent. */
  readonly positionals?: number
  /** @returns the exit status: 2 for a mistake of the caller, 1 for a failure */
  run(line: CommandLine): Promise<number>
}
