import { loadConfig } from '../../ingest/config.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { drainSecondsOf, endEarly, exitWhenIdle, signalToEnd } from '../signals.ts'
import type { CommandLine, Verb } from '../verb.ts'
import { exportVerb } from './export.ts'
import { scoreboardVerb } from './scoreboard.ts'

/**
 * Opens the database, or connects to the process that owns it, and runs `work`. A fault gives one line on stderr.
 * @returns exit status
 */
async function withDatabase(work: (database: Database) => Promise<number>): Promise<number> {
  try {
    const { openDatabase } = await import('../../ingest/ports/database/open.ts')
    const database = await openDatabase(loadConfig(), { name: 'hexcast' })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast: ${error.message}`)
    return error.kind === 'Invalid' ? 2 : 1
  }
}

async function runKeys({ positionals, option }: CommandLine): Promise<number> {
  const { issueKey, planNamed, revokeByPrefix } = await import('../../api/keys/issue.ts')
  const { listKeys } = await import('../../sql/queries/keys.ts')
  const [verb, prefix] = positionals
  if (verb === 'create') {
    const name = option('name')?.trim()
    if (!name || name.length > 100)
      return refuse('keys create: --name is missing or too long; expected --name NAME with 1 to 100 characters')
    const expires = option('expires')
    const expiresAt = expires === undefined ? undefined : new Date(expires)
    if (expiresAt && !(expiresAt.getTime() > Date.now()))
      return refuse(
        `keys create: --expires "${expires}" is not a date in the future; expected one such as 2040-01-31 or 2040-01-31T12:00:00Z`,
      )
    return withDatabase(async (database) => {
      const plan = planNamed(option('plan') ?? 'free')
      const { key } = await issueKey(database, { name, plan, channel: 'cli', ...(expiresAt && { expiresAt }) })
      console.log(key)
      return 0
    })
  }
  if (verb === 'list') {
    return withDatabase(async (database) => {
      for (const key of await listKeys(database)) {
        console.log(
          JSON.stringify({
            prefix: key.prefix,
            name: key.name,
            plan: key.plan,
            scopes: key.scopes,
            channel: key.channel,
            created_at: key.created_at,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
          }),
        )
      }
      return 0
    })
  }
  if (verb === 'revoke') {
    if (!prefix)
      return refuse('keys revoke: PREFIX is missing; expected one such as hx_live_Ab3dE6gH. See npx hexcast keys list.')
    return withDatabase(async (database) => {
      console.error(`revoked ${await revokeByPrefix(database, prefix)}`)
      return 0
    })
  }
  if (verb === 'rename') {
    const name = option('name')?.trim()
    if (!prefix || !name) return refuse('keys rename: PREFIX or --name is missing; expected PREFIX --name NAME')
    const { renameKey } = await import('../../sql/queries/keys.ts')
    return withDatabase(async (database) => {
      if (await renameKey(database, prefix, name)) return 0
      return refuse(`keys rename: no key has the prefix ${prefix}. See npx hexcast keys list.`)
    })
  }
  const problem = verb === undefined ? 'the action is missing' : `unknown action "${verb}"`
  return refuse(`keys: ${problem}; expected create, list, rename or revoke. See npx hexcast keys --help.`)
}

async function runOutbox(): Promise<number> {
  const { mails } = await import('../../sql/queries/mail.ts')
  return withDatabase(async (database) => {
    for (const mail of await mails(database)) {
      console.log(JSON.stringify({ to: mail.recipient, subject: mail.subject, text: mail.body, at: mail.at }))
    }
    return 0
  })
}

async function runApi(): Promise<number> {
  const { preload, startApi } = await import('../../api/main.ts')
  let config: ReturnType<typeof loadConfig>
  try {
    config = loadConfig()
  } catch (error) {
    if (!isFault(error)) throw error
    const { refuseToStart } = await import('../faults.ts')
    refuseToStart('api', error.message)
    return 2
  }
  const { logProcessEvents, openLog } = await import('../../ingest/ports/log.ts')
  const log = openLog('hexcast-api', config)
  logProcessEvents(log, config)
  const stopped = signalToEnd()
  const { normalsReader } = await import('../normals.ts')
  const starting = preload().then(() => startApi(config, undefined, normalsReader(config), log))
  const begun = await Promise.race([starting, stopped])
  if (typeof begun === 'string') return endEarly(log, begun, starting)
  const api = begun
  const { settle } = await import('../process-settings.ts')
  settle(api.settled)
  // The address is printed at any log level.
  log.child({}, { level: 'info' }).info({ url: api.url }, `hexcast api: ${api.url}`)
  const signal = await stopped
  const drainSeconds = drainSecondsOf(config)
  log.info(
    { signal, drain_seconds: drainSeconds },
    `${signal}: the process is no longer ready and ends after it has drained`,
  )
  await api.drain(drainSeconds)
  await api.close()
  log.flush()
  exitWhenIdle()
  return 0
}

async function runMcp(): Promise<number> {
  const { HEXCAST_URL: url, HEXCAST_KEY: key } = process.env
  if (url) {
    if (!key) return refuse('mcp: HEXCAST_URL is set, but HEXCAST_KEY is not. Set it to an API key of that server.')
    const { forwardTools } = await import('../../api/mcp/protocol/forward.ts')
    await forwardTools(url, key)
  } else {
    const { serveTools } = await import('../../api/mcp/server/stdio.ts')
    const { normalsReader } = await import('../normals.ts')
    const config = loadConfig()
    await serveTools(config, normalsReader(config))
  }
  // Every reply has been written, but the open stdin would keep the process alive.
  process.exit(0)
}

function refuse(message: string): number {
  console.error(`hexcast: ${message}`)
  return 2
}

export const verbs: readonly Verb[] = [
  {
    name: 'api',
    usage: 'api',
    summary: 'run one process of the API, configured by environment variables',
    help: `Listens on HOST and PORT until SIGTERM. Then /readyz is 503, and everything is answered for DRAIN_SECONDS. Streams end
after that, requests in progress are completed, and the process ends.`,
    run: runApi,
  },
  {
    name: 'keys',
    usage:
      'keys create --name NAME [--plan free|developer|professional|trial] [--expires DATE] | list | rename PREFIX --name NAME | revoke PREFIX',
    summary: 'create, list, rename and revoke API keys',
    help: `create   prints the new key on stdout. Only its hash is stored, so it cannot be shown again.
         --plan is free by default; --expires is a date in the future (UTC), after which the key is refused
list     prints one JSON line for each key, oldest first
rename   changes the name of a key
revoke   revokes the key with this prefix, which is refused everywhere within 2 s. The prefix must fit one key only.`,
    options: { name: { type: 'string' }, plan: { type: 'string' }, expires: { type: 'string' } },
    positionals: 2,
    run: runKeys,
  },
  {
    name: 'outbox',
    usage: 'outbox',
    summary: 'list the mails of the embedded mail transport, newest first',
    help: 'Prints one JSON line for each mail: { to, subject, text, at }. If MAIL_URL=smtp://… is set, mails are sent and not stored.',
    run: runOutbox,
  },
  {
    name: 'mcp',
    usage: 'mcp',
    summary: 'serve the tools for assistants on stdin and stdout',
    help: `Serves the same tools as /mcp, without an API key, from the data in DATA_DIR.
If HEXCAST_URL and HEXCAST_KEY are set, all calls are passed on to that server instead.

  { "mcpServers": { "hexcast": { "command": "npx", "args": ["hexcast", "mcp"] } } }`,
    run: runMcp,
  },
  exportVerb,
  scoreboardVerb,
]
