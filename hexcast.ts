/** The one command: a list of verbs, each loaded only when it is called. */
export interface Verb {
  readonly name: string
  /** How the verb is called, without the word hexcast: `point LAT,LON [--dataset ID]`. */
  readonly usage: string
  /** One line for the list of verbs. */
  readonly summary: string
  /** What `hexcast VERB --help` teaches below the usage line. */
  readonly help: string
  /** Runs the verb with the words after its name; gives the exit status. */
  run(args: readonly string[]): Promise<number>
}

const rooms: readonly (() => Promise<readonly Verb[]>)[] = [
  async () => (await import('./ingest/cli.ts')).verbs,
  async () => (await import('./workers/cli.ts')).verbs,
  async () => (await import('./api/cli.ts')).verbs,
]

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv
  const verbs = (await Promise.all(rooms.map((load) => load()))).flat()
  if (!name || name === '--help' || name === 'help' || name === '-h') {
    const width = Math.max(...verbs.map((verb) => verb.name.length))
    console.log('hexcast: US weather from raw products to an answer\n\nusage: npx hexcast VERB [arguments]\n')
    for (const verb of verbs) console.log(`  ${verb.name.padEnd(width)}  ${verb.summary}`)
    console.log('\nnpx hexcast VERB --help says more about each.')
    return 0
  }
  const verb = verbs.find((candidate) => candidate.name === name)
  if (!verb) {
    console.error(
      `hexcast: no verb "${name}". Verbs: ${verbs.map((candidate) => candidate.name).join(', ')}. See npx hexcast --help.`,
    )
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`usage: npx hexcast ${verb.usage}\n\n${verb.summary}\n\n${verb.help.trim()}`)
    return 0
  }
  return verb.run(args)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'Fault') throw error
  // An outside that is away says so in its message: where in our code that was found helps nobody.
  console.error(`hexcast ${process.argv[2]}: ${error.message}`)
  process.exit(1)
}
