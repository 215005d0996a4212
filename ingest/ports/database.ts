import type { Kysely } from 'kysely'
import type { Schema } from '../../sql/schema.ts'
import type { Config } from '../config.ts'
import type { Parameter, Result, Row, Source } from './database-session.ts'

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
  /** Called when the embedded database opens in its thread: what blocks this one is free from then on. */
  readonly waiting?: (() => void) | undefined
}

/** Opens and migrates. With the embedded database this process becomes its owner, or speaks to the process that is. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir'>,
  options: OpenOptions = {},
): Promise<Database> {
  const { source, kind } = await sourceOf(config, options)
  // The 255 files of the query builder are read while the embedded database opens in its thread, not before.
  const { databaseOver } = await import('./database-over.ts')
  return databaseOver(source, kind)
}

async function sourceOf(
  config: Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir'>,
  options: OpenOptions,
): Promise<{ source: Source; kind: Database['kind'] }> {
  if (config.databaseUrl) {
    const { openServer } = await import('./database-server.ts')
    return { source: await openServer(config.databaseUrl, config.databasePool, options), kind: 'server' }
  }
  const { openEmbedded } = await import('./database-embedded.ts')
  const { source, owned } = await openEmbedded(config.dataDir, options)
  return { source, kind: owned ? 'embedded' : 'socket' }
}
