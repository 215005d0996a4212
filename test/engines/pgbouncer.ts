import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { entryOf } from '../../ingest/domain/nth.ts'
import { freePorts } from './native.ts'

/** Connections from PgBouncer to PostgreSQL: fewer than the pools of two processes, so that their transactions share them. */
const SERVER_CONNECTIONS = 4

/** The version of PgBouncer, such as 1.18.0; undefined if it is not installed. */
export const pgbouncerVersion = (() => {
  try {
    return /PgBouncer (\S+)/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }))?.[1]
  } catch {
    return undefined
  }
})()

/**
 * Starts PgBouncer in transaction mode in front of the server of a DATABASE_URL.
 * @param databases names in PgBouncer, each with the statements of its `connect_query`
 */
export async function startPgbouncer(
  databaseUrl: string,
  databases: Readonly<Record<string, readonly string[]>>,
): Promise<{ urlOf(database: string): string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-pgbouncer-'))
  const direct = new URL(databaseUrl)
  const port = entryOf(await freePorts(), 'POSTGRES_PORT')
  const place = `host=${direct.hostname} port=${direct.port} dbname=${direct.pathname.slice(1)}`
  const lines = [
    '[databases]',
    ...Object.entries(databases).map(
      ([name, query]) =>
        `${name} = ${place}${query.length > 0 ? ` connect_query='${query.join('; ').replaceAll("'", "''")}'` : ''}`,
    ),
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'pool_mode = transaction',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users')}`,
    `default_pool_size = ${SERVER_CONNECTIONS}`,
    'max_client_conn = 300',
  ]
  const files = {
    'pgbouncer.ini': `${lines.join('\n')}\n`,
    users: `"hexcast" "${decodeURIComponent(direct.password)}"\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 })
  const asRoot = process.getuid?.() === 0
  if (asRoot) handOver(folder, Object.keys(files))
  // PgBouncer refuses to run as root.
  const child = spawn('pgbouncer', [...(asRoot ? ['--user', 'nobody'] : []), join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk).slice(-4000)
  })
  for (let attempt = 0; !(await answers(Number(port))); attempt++) {
    if (child.exitCode !== null || attempt > 200) throw new Error(`PgBouncer did not start: ${output}`)
    await pause(50)
  }
  return {
    urlOf(database) {
      const url = new URL(databaseUrl)
      url.port = port
      url.pathname = `/${database}`
      return url.href
    },
    async stop() {
      // SIGINT waits for transactions; SIGTERM ends at once.
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Lets the user nobody read the files. */
function handOver(folder: string, names: readonly string[]): void {
  const uid = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
  chmodSync(folder, 0o755)
  for (const name of names) chownSync(join(folder, name), uid, -1)
}

async function answers(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  const connected = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    pause(1000, false),
  ])
  socket.destroy()
  return connected
}
