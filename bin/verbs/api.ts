import { loadConfig } from '../../ingest/config.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { CommandLine, Verb } from '../verb.ts'

/** Opens the database (or connects to the process that owns it), runs, closes. A mistake of the caller is one line on stderr. */
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
    if (!name || name.length > 100) return refuse('keys create: wanted --name N of 1 to 100 characters')
    const expires = option('expires')
    const expiresAt = expires === undefined ? undefined : new Date(expires)
    if (expiresAt && !(expiresAt.getTime() > Date.now()))
      return refuse(
        `keys create: --expires needs a date in the future, such as 2040-01-31 or 2040-01-31T12:00:00Z; got "${expires}"`,
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
    if (!prefix) return refuse('keys revoke: wanted PREFIX, such as hx_live_Ab3dE6gH. See hexcast keys list.')
    return withDatabase(async (database) => {
      console.error(`revoked ${await revokeByPrefix(database, prefix)}`)
      return 0
    })
  }
  if (verb === 'rename') {
    const name = option('name')?.trim()
    if (!prefix || !name) return refuse('keys rename: wanted PREFIX --name N')
    const { renameKey } = await import('../../sql/queries/keys.ts')
    return withDatabase(async (database) => {
      if (await renameKey(database, prefix, name)) return 0
      return refuse(`keys rename: no key has the prefix ${prefix}. See hexcast keys list.`)
    })
  }
  return refuse('keys: wanted create, list, rename or revoke. See hexcast keys --help.')
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
    return refuse(error.message)
  }
  const { normalsReader } = await import('../normals.ts')
  await preload()
  const api = await startApi(config, undefined, normalsReader(config))
  api.describe()
  const { collectGarbage } = await import('../../ingest/ports/collect.ts')
  void api.settled.then(collectGarbage)
  const { yieldHelperThreads } = await import('../helper-threads.ts')
  yieldHelperThreads()
  console.error(`hexcast api: ${api.url}`)
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  await api.close()
  return 0
}

async function runMcp(): Promise<number> {
  const { HEXCAST_URL: url, HEXCAST_KEY: key } = process.env
  if (url) {
    if (!key) return refuse('mcp: HEXCAST_URL is set; wanted HEXCAST_KEY beside it, an API key of that server.')
    const { forwardTools } = await import('../../api/mcp/protocol/forward.ts')
    await forwardTools(url, key)
  } else {
    const { serveTools } = await import('../../api/mcp/server/stdio.ts')
    const { normalsReader } = await import('../normals.ts')
    const config = loadConfig()
    await serveTools(config, normalsReader(config))
  }
  // An open stdin would keep the process alive; every reply has been written.
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
    summary: 'serve the interface: one process, set by the environment alone',
    help: 'Listens on HOST and PORT until SIGTERM, which ends it without losing a request in work.',
    run: runApi,
  },
  {
    name: 'keys',
    usage:
      'keys create --name N [--plan free|developer|professional|trial] [--expires DATE] | list | rename PREFIX --name N | revoke PREFIX',
    summary: 'make, list, rename and revoke API keys',
    help: `create   prints the new key, alone, on stdout; only its hash is stored, it cannot be shown again.
         --plan free by default; --expires a date in the future (UTC), after which it is refused
list     one JSON line a key, oldest first
rename   gives a key another name
revoke   the key with this prefix; it is refused everywhere within 2 s. A prefix that fits several is refused`,
    options: { name: { type: 'string' }, plan: { type: 'string' }, expires: { type: 'string' } },
    positionals: 2,
    run: runKeys,
  },
  {
    name: 'outbox',
    usage: 'outbox',
    summary: 'mails of the embedded mail transport, newest first',
    help: 'One JSON line each: { to, subject, text, at }. With MAIL_URL=smtp://… mails are sent instead and none are kept.',
    run: runOutbox,
  },
  {
    name: 'mcp',
    usage: 'mcp',
    summary: 'serve the tools for assistants on stdin and stdout',
    help: `The same tools as at /mcp, without a key: over the process that runs on the same DATA_DIR, or by itself.
With HEXCAST_URL and HEXCAST_KEY set, everything is passed on to that server instead.

  { "mcpServers": { "hexcast": { "command": "npx", "args": ["hexcast", "mcp"] } } }`,
    run: runMcp,
  },
]
