import type { Transactions } from '../../sql/session.ts'

export type { Parameter, Result, Row } from '../../sql/session.ts'

/**
 * The database: embedded PostGIS in a worker thread, the embedded database of another process through its socket, or a server. A statement
 * that PostgreSQL rejects throws an Error with PostgreSQL's `code`; an unreachable database is Fault Refused.
 */
export interface Database extends Transactions {
  readonly kind: 'embedded' | 'socket' | 'server'
  /** Returns the total time that statements have waited for a connection since the start, in seconds (server only). */
  waited?(): number
  close(): Promise<void>
}

export interface OpenOptions {
  /** Time after which a statement is cancelled, ms (server only). */
  readonly statementTimeoutMs?: number
  /** The name of this process in pg_stat_activity and in the lock file. */
  readonly name?: string
  /** Called with the names of the migrations that were applied while the database was opened (server only). */
  readonly onMigrated?: (names: readonly string[]) => void
  /** Called while the thread opens the embedded database, when the main thread is free for other work. */
  readonly waiting?: (() => void) | undefined
  /** Whether this process runs no other WebAssembly. The embedded database then uses less memory and starts sooner, at lower speed. */
  readonly onlyDatabase?: boolean
}
