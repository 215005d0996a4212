import { nearest } from '../ingest/domain/nearest.ts'
import { runVerb } from './command-line.ts'
import type { Verb } from './verb.ts'

const verbLists: readonly (() => Promise<readonly Verb[]>)[] = [
  async () => (await import('./verbs/ingest.ts')).verbs,
  async () => (await import('./verbs/workers.ts')).verbs,
  async () => (await import('./verbs/api.ts')).verbs,
  async () => (await import('./verbs/doctor.ts')).verbs,
  async () => (await import('./verbs/verify.ts')).verbs,
]

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv
  const verbs = (await Promise.all(verbLists.map((load) => load()))).flat()
  if (!name || name === '--help' || name === 'help' || name === '-h') {
    const width = Math.max(...verbs.map((verb) => verb.name.length))
    console.log('hexcast: US weather from raw products to an answer\n\nusage: npx hexcast VERB [arguments]\n')
    for (const verb of verbs) console.log(`  ${verb.name.padEnd(width)}  ${verb.summary}`)
    console.log('\nRun "npx hexcast VERB --help" for the help of a verb.')
    return 0
  }
  const verb = verbs.find((candidate) => candidate.name === name)
  if (!verb) {
    const names = verbs.map((candidate) => candidate.name)
    const [similar] = nearest(name, names)
    console.error(
      `hexcast: unknown verb "${name}"${similar ? `: did you mean "${similar}"?` : '.'} Verbs: ${names.join(', ')}. See npx hexcast --help.`,
    )
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`usage: npx hexcast ${verb.usage}\n\n${verb.summary}\n\n${verb.help.trim()}`)
    return 0
  }
  return runVerb(verb, args)
}

// The reader of a pipe may close it, as in `hexcast status --watch | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'Fault') throw error
  // The message of a fault names the external system and the remedy; a stack trace would add nothing.
  const verb = process.argv[2] ?? ''
  if (['start', 'api', 'worker'].includes(verb)) {
    const { refuseToStart } = await import('./faults.ts')
    refuseToStart(verb, error.message)
  } else console.error(`hexcast ${verb}: ${error.message}`)
  process.exit(1)
}
