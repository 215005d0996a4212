import type { ParseArgsOptionsConfig } from 'node:util'

/** The parsed words after a verb's name. */
export interface CommandLine {
  readonly positionals: readonly string[]
  /** Returns the value of `--name VALUE` or `--name=VALUE`. */
  option(name: string): string | undefined
  /** Returns all values of an option that may be repeated. */
  options(name: string): readonly string[]
  /** Returns whether `--name` is present. */
  flag(name: string): boolean
}

/** A verb of the command `hexcast`. Its code is loaded only when it is called. */
export interface Verb {
  readonly name: string
  /** Usage without the word hexcast, such as `point LAT,LON [--dataset ID]`. */
  readonly usage: string
  /** One line for the list of verbs. */
  readonly summary: string
  /** Text of `hexcast VERB --help` below the usage line. */
  readonly help: string
  /** Options for parseArgs of `node:util`: type `string` for an option with a value, `boolean` for a flag. */
  readonly options?: ParseArgsOptionsConfig
  /** Maximum number of positional arguments; 0 if absent. */
  readonly positionals?: number
  /** @returns the exit status: 2 for invalid arguments, 1 for a failure */
  run(line: CommandLine): Promise<number>
}
