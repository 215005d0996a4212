import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** Queries inside or outside a transaction. */
export interface Queries {
  /** Builds statements in TypeScript, in the same session as `query`. */
  readonly kysely: Kysely<Schema>
  /**
   * Runs one statement with parameters `$1…`, or several statements without parameters. JSON is written as text
   * (`JSON.stringify`) and read as objects. bigint, count and numeric are read as numbers, date as 'YYYY-MM-DD',
   * timestamptz as Date, bytea as Uint8Array.
   */
  query<T extends object = Row>(text: string, parameters?: readonly Parameter[]): Promise<T[]>
}

export type Parameter = string | number | boolean | bigint | null | undefined | Date | Uint8Array | readonly Parameter[]

export type Row = Record<string, unknown>

export interface Result {
  readonly rows: Row[]
  /** Number of rows that an insert, update or delete affected. */
  readonly affected: number
}

/** A connection, used by one caller at a time. */
export interface Session {
  run(text: string, parameters?: readonly Parameter[]): Promise<Result>
  /** Runs the last statement and then releases the session, even if the statement fails. */
  finish(text: string): Promise<Result>
  release(): void
  /** Closes the connection because its state is unknown, so that no other caller uses it. */
  breakOff(): void
}

/** The source of sessions: a single session in the embedded database, a pool for a server. */
export interface SessionSource {
  acquire(): Promise<Session>
  /**
   * Runs a statement in its own session. If the database is in another process, this takes one exchange, while
   * `acquire` takes three.
   */
  run(text: string, parameters?: readonly Parameter[]): Promise<Result>
  /**
   * Returns the seconds that callers have waited for a session since the start; absent if there is a single session.
   */
  waited?(): number
  close(): Promise<void>
}

/** Queries outside a transaction, which can start one. */
export interface Transactions extends Queries {
  /**
   * Commits when `work` resolves, and rolls back when it throws. `work` must use only `tx`, because a query on the
   * outer database would wait for itself.
   * @param mode with `snapshot` the transaction only reads, and all its statements read the same state of the database
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, mode?: 'snapshot'): Promise<T>
  /** Returns the raw result of one or several statements, for libraries that build their own statements. */
  run(text: string, parameters?: readonly Parameter[]): Promise<Result>
}
