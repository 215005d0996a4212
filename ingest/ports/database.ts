import type { Transactions } from '../../sql/session.ts'

export type { Parameter, Result, Row } from '../../sql/session.ts'

/**
 * The database: PostGIS in a worker thread, the same through the socket of its owner, or a server.
 * A failed statement throws an Error with PostgreSQL's `code`; an unreachable database is Fault Refused.
 */
export interface Database extends Transactions {
  readonly kind: 'embedded' | 'socket' | 'server'
  close(): Promise<void>
}

export interface OpenOptions {
  /** Milliseconds after which a statement is cancelled (server only). */
  readonly statementTimeoutMs?: number
  /** Shown in pg_stat_activity and in the lock file. */
  readonly name?: string
  /** Called when the embedded database opens in its thread: the main thread is free from then on. */
  readonly waiting?: (() => void) | undefined
  /** This process runs no other WebAssembly: that of the embedded database may then take less memory and start sooner, at lower speed. */
  readonly onlyDatabase?: boolean
}
