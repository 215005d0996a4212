import { createHash } from 'node:crypto'
import pg from 'pg'
import { migrate, pendingMigrations } from '../../../sql/migrate.ts'
import type { Parameter, Result, Session, SessionSource } from '../../../sql/session.ts'
import { certificateFault } from '../../domain/certificate-fault.ts'
import type { DatabaseTimes } from '../../domain/connection-settings.ts'
import { Fault } from '../../domain/fault.ts'
import type { OpenOptions } from '../database.ts'

// The parsers return the same JavaScript values as the embedded database does: see Queries.query.
const asText = (value: string) => value
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.DATE, asText],
  [1182, (value) => value.slice(1, -1).split(',').filter(Boolean)],
  [1016, (value) => value.slice(1, -1).split(',').filter(Boolean).map(Number)],
])
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    parsers.get(id) ?? pg.types.getTypeParser(id, (format ?? 'text') as 'text'),
}

/**
 * Maximum length of a prepared statement, in characters. Longer statements are generated for one use, and preparing them would fill the
 * server's memory.
 */
const longestPrepared = 20_000

const DEFAULT_TIMES: DatabaseTimes = { connectSeconds: 5, idleSeconds: 60, lifetimeSeconds: 0 }

/** Size and times of a pool. */
export interface PoolSettings {
  readonly databasePool: number
  readonly databaseTimes?: DatabaseTimes
  /** If false, a database with an older schema is refused. */
  readonly databaseMigrate?: boolean
  /** Whether a pooler between this process and the server gives each transaction another connection. */
  readonly databasePooler?: 'transaction' | undefined
}

/**
 * Opens a pool of connections to a PostgreSQL server, and migrates its database.
 * @throws Fault Invalid if the schema is older and must not be migrated
 */
export async function openServer(
  url: string,
  { databasePool, databaseTimes: times = DEFAULT_TIMES, databaseMigrate = true, databasePooler }: PoolSettings,
  options: OpenOptions,
): Promise<SessionSource> {
  const pool = new pg.Pool({
    connectionString: url,
    max: databasePool,
    types: types as never,
    application_name: options.name ?? 'hexcast',
    connectionTimeoutMillis: times.connectSeconds * 1000,
    idleTimeoutMillis: times.idleSeconds * 1000,
    maxLifetimeSeconds: times.lifetimeSeconds,
    // A pooler refuses these options, because they are of a session; the role has them instead.
    ...(databasePooler
      ? {}
      : {
          statement_timeout: options.statementTimeoutMs ?? 30_000,
          idle_in_transaction_session_timeout: 60_000,
        }),
    query_timeout: (options.statementTimeoutMs ?? 30_000) + 5_000,
    keepAlive: true,
  })
  // The pool replaces a broken idle connection at the next use.
  pool.on('error', () => {})
  let waitedMs = 0
  const acquire = async () => {
    const from = performance.now()
    try {
      return sessionOver(await pool.connect(), { named: !databasePooler })
    } catch (error) {
      throw away(error)
    } finally {
      waitedMs += performance.now() - from
    }
  }
  const source: SessionSource = {
    acquire,
    async run(text, parameters) {
      const session = await acquire()
      return session.run(text, parameters).finally(session.release)
    },
    waited: () => waitedMs / 1000,
    close: () => pool.end(),
  }
  try {
    if (databasePooler) await refuseBoundless(source)
    if (databaseMigrate) {
      const applied = await migrate(source, { lock: true })
      options.onMigrated?.(applied)
    } else refuseOlder(await pendingMigrations(source))
  } catch (error) {
    await pool.end()
    throw error
  }
  return source
}

function refuseOlder(missing: readonly string[]): void {
  if (missing.length === 0) return
  throw new Fault(
    'Invalid',
    `the database lacks ${missing.length} migrations, from ${missing[0]} to ${missing.at(-1)}, and DATABASE_MIGRATE is false; run "hexcast migrate" and start again`,
  )
}

/** @throws Fault Invalid if a statement or a transaction could last forever */
async function refuseBoundless(source: SessionSource): Promise<void> {
  const { rows } = await source.run(
    `select name, quote_ident(current_user) as role from pg_settings
     where name in ('statement_timeout', 'idle_in_transaction_session_timeout') and setting = '0' order by name desc`,
  )
  if (rows.length === 0) return
  const repairs = rows.map(
    ({ name, role }) => `alter role ${role} set ${name} = '${name === 'statement_timeout' ? 30 : 60}s'`,
  )
  throw new Fault(
    'Invalid',
    `DATABASE_POOLER is transaction, and ${rows.map(({ name }) => name).join(' and ')} of the role are 0; run "${repairs.join('; ')}", let the pooler reconnect, and start again`,
  )
}

/** @param named whether statements are prepared by name, which needs the same connection for all of them */
function sessionOver(client: pg.PoolClient, { named }: { named: boolean }): Session {
  let open = true
  let broken = false
  // A connection that breaks between two statements of a transaction reports its error only to this listener.
  const lost = () => {
    broken = true
  }
  client.on('error', lost)
  const end = (how?: boolean) => {
    if (!open) return
    open = false
    client.off('error', lost)
    client.release(how || broken)
  }
  const run = async (text: string, parameters?: readonly Parameter[]): Promise<Result> => {
    if (!open) throw new Error('database: this transaction has ended. Start another.')
    try {
      const answer = parameters?.length
        ? await client.query(prepared(text, parameters, named))
        : await client.query(text)
      const result = Array.isArray(answer) ? answer.at(-1) : answer
      const counts = !/^(SELECT|SHOW|WITH)?$/.test(result?.command ?? '')
      return { rows: result?.rows ?? [], affected: counts ? (result?.rowCount ?? 0) : 0 }
    } catch (error) {
      // An error without an SQLSTATE comes from the connection. 25006: the server was demoted and only reads.
      if (!/^[0-9A-Z]{5}$/.test(codeOf(error)) || /^(08|57P0|25006)/.test(codeOf(error))) {
        broken = true
        throw away(error)
      }
      throw error
    }
  }
  return {
    run,
    finish: (text) => run(text).finally(() => end()),
    release: () => end(),
    breakOff: () => end(true),
  }
}

function prepared(text: string, parameters: readonly Parameter[], named: boolean): pg.QueryConfig {
  const values = parameters as unknown[]
  if (!named || text.length > longestPrepared) return { text, values }
  return { name: createHash('sha1').update(text).digest('base64url'), text, values }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

const TLS_NAMES = {
  address: 'DATABASE_URL',
  ca: 'sslrootcert of DATABASE_URL',
  certificate: 'sslcert',
  key: 'sslkey of DATABASE_URL',
}

/** What to do, by words of the error. */
const ADVICE = {
  'does not support SSL': 'Switch TLS on at the server, or set sslmode=disable in DATABASE_URL.',
  'unsupported startup parameter: options':
    'The pooler refuses options in DATABASE_URL. Set them for the role, or in connect_query of the pooler.',
  'unsupported startup parameter': 'A pooler answers in its place. Set DATABASE_POOLER=transaction.',
}

function away(error: unknown): unknown {
  const { message } = error as Error
  // Waiting does not correct a wrong password or an unknown database.
  if (/^(28|3D|42)/.test(codeOf(error))) return error
  // The driver's error of a server that asks for a password while none is set.
  if (message.includes('client password must be a string'))
    return new Fault(
      'Invalid',
      'PostgreSQL asks for a password, and none is set. Set DATABASE_PASSWORD_FILE.',
      {},
      error,
    )
  const fault = certificateFault(error, TLS_NAMES)
  if (fault) return new Fault('Refused', `PostgreSQL does not answer: ${fault}`, {}, error)
  const advice =
    Object.entries(ADVICE).find(([words]) => message.includes(words))?.[1] ??
    'Check that it runs and that DATABASE_URL has its address.'
  return new Fault('Refused', `PostgreSQL does not answer ("${message}"). ${advice}`, {}, error)
}
