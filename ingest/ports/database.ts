import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely } from 'kysely'
import type { Schema } from '../../sql/schema.ts'
import type { Config } from '../config.ts'
import { SourceDialect } from './database-dialect.ts'
import type { Parameter, Result, Row, Session, Source } from './database-session.ts'
import { tracing } from './trace.ts'
import { tracedSession } from './traced.ts'

export type { Parameter, Result, Row } from './database-session.ts'

/** What can be asked inside a transaction, and outside of one. */
export interface Queries {
  /** Statements in TypeScript; the same session as `query`. */
  readonly kysely: Kysely<Schema>
  /**
   * One statement with `$1…` parameters, or several without. JSON goes in as text (JSON.stringify) and comes out as objects; bigint,
   * count and numeric come out as numbers, date as 'YYYY-MM-DD', timestamptz as Date, bytea as Uint8Array.
   */
  query<T extends object = Row>(text: string, parameters?: readonly Parameter[]): Promise<T[]>
}

/**
 * The database: PostGIS in a worker thread, the same through the socket of its owner, or a server.
 * A failed statement throws an Error with PostgreSQL's `code`; a database that is away is Fault Refused.
 */
export interface Database extends Queries {
  readonly kind: 'embedded' | 'socket' | 'server'
  /** Commits when `work` resolves, rolls back when it throws. Only `tx` may be used inside: the outer database would wait for itself. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /** The raw result of one statement or several: for libraries that bring their own statements. */
  run(text: string, parameters?: readonly Parameter[]): Promise<Result>
  close(): Promise<void>
}

export interface OpenOptions {
  /** Milliseconds after which a statement is cancelled (server only). */
  readonly statementTimeoutMs?: number
  /** Shown in pg_stat_activity and in the lock file. */
  readonly name?: string
}

/** Opens and migrates. With the embedded database this process becomes its owner, or speaks to the process that is. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir'>,
  options: OpenOptions = {},
): Promise<Database> {
  if (config.databaseUrl) {
    const { openServer } = await import('./database-server.ts')
    return databaseOver(await openServer(config.databaseUrl, config.databasePool, options), 'server')
  }
  const { openEmbedded } = await import('./database-embedded.ts')
  const { source, owned } = await openEmbedded(config.dataDir, options)
  return databaseOver(source, owned ? 'embedded' : 'socket')
}

const inside = new AsyncLocalStorage<{ open: boolean }>()

export function databaseOver(source: Source, kind: Database['kind']): Database {
  const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    if (inside.getStore()?.open) {
      throw new Error(
        'database: inside transaction(tx => …) wanted tx, got the database itself: it would wait for its own end',
      )
    }
    const taken = await source.acquire()
    const session = tracing() ? tracedSession(taken) : taken
    try {
      return await work(session)
    } finally {
      session.release()
    }
  }
  const kysely = new Kysely<Schema>({ dialect: new SourceDialect(withSession) })
  return {
    kind,
    kysely,
    async query<T extends object>(text: string, parameters?: readonly Parameter[]) {
      return (await withSession((session) => session.run(text, parameters))).rows as T[]
    },
    run: (text, parameters) => withSession((session) => session.run(text, parameters)),
    transaction: (work) =>
      withSession(async (session) => {
        const scope = { open: true }
        await session.run('begin')
        try {
          const result = await inside.run(scope, () => work(queriesOver(session)))
          scope.open = false
          await session.run('commit')
          return result
        } catch (error) {
          scope.open = false
          await session.run('rollback').catch(() => session.breakOff())
          throw error
        }
      }),
    close: () => source.close(),
  }
}

function queriesOver(session: Session): Queries {
  return {
    kysely: new Kysely<Schema>({ dialect: new SourceDialect((work) => work(session)) }),
    query: async <T extends object>(text: string, parameters?: readonly Parameter[]) =>
      (await session.run(text, parameters)).rows as T[],
  }
}
