import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { Fault, isFault } from '../ingest/domain/fault.ts'
import { nearest } from '../ingest/domain/nearest.ts'
import type { CommandLine, Verb } from './verb.ts'

/** Marks a coordinate such as `-14.3,-170.7`, which parseArgs would parse as short options. */
const COORDINATE = '\u0000'

/**
 * Parses the words after a verb's name.
 * @throws Fault Invalid for an unknown option (with the most similar option), a missing or unexpected value, or too
 * many positional arguments
 */
export function parseCommandLine(
  { options = {}, positionals: most = 0 }: Pick<Verb, 'options' | 'positionals'>,
  args: readonly string[],
): CommandLine {
  const marked = args.map((word) => (/^-[\d.]/.test(word) ? COORDINATE + word : word))
  const { values, tokens, positionals } = parseArgs({
    args: marked,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) if (token.kind === 'option') checkOption(token, options)
  const words = positionals.map((word) => word.replace(COORDINATE, ''))
  if (words.length > most)
    throw new Fault(
      'Invalid',
      `unexpected argument "${words[most]}": ${most === 0 ? 'no arguments are' : most === 1 ? 'only one argument is' : `at most ${most} arguments are`} allowed`,
    )
  return {
    positionals: words,
    option: (name) => (typeof values[name] === 'string' ? values[name].replace(COORDINATE, '') : undefined),
    options: (name) => [values[name] ?? []].flat().filter((value) => typeof value === 'string'),
    flag: (name) => values[name] === true,
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string
}

function checkOption({ name, rawName, value }: OptionToken, options: ParseArgsOptionsConfig): void {
  const names = Object.keys(options)
  const option = Object.hasOwn(options, name) && rawName.startsWith('--') ? options[name] : undefined
  if (!option) {
    const [similar] = nearest(name, names)
    const list = names.map((known) => `--${known}`).join(', ') || 'none'
    throw new Fault(
      'Invalid',
      `unknown option ${rawName}${similar ? `: did you mean --${similar}?` : '.'} Options: ${list}`,
    )
  }
  if (option.type === 'string' && !value) throw new Fault('Invalid', `--${name} needs a value, such as --${name} VALUE`)
  if (option.type === 'boolean' && value !== undefined)
    throw new Fault('Invalid', `--${name} takes no value, but was given "${value}"`)
}

/** Parses the arguments and runs the verb. An invalid argument gives one line on stderr and exit status 2. */
export async function runVerb(verb: Verb, args: readonly string[]): Promise<number> {
  let line: CommandLine
  try {
    line = parseCommandLine(verb, args)
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast ${verb.name}: ${error.message}. See npx hexcast ${verb.name} --help.`)
    return 2
  }
  try {
    return await verb.run(line)
  } catch (error) {
    if (!isFault(error, 'Invalid')) throw error
    console.error(`hexcast ${verb.name}: ${error.message}. See npx hexcast ${verb.name} --help.`)
    return 2
  }
}
