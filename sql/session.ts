import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'
/** Queries inside a transaction, and outside of one. */
export interface Queries {
  /** Statements in TypeScript; the same session as `query`. */
  readonly kysely: Kysely<Schema>
  /**
   * One statement with `$1…` parameters, or several without. JSON goes in as text (JSON.stringify) and comes out as objects; bigint,
   * count and numeric come out as numbers, date as 'YYYY-MM-DD', timestamptz as Date, bytea as Uint8Array.
   */
  query<T extends object = Row>(text: string, parameters?: readonly Parameter[]): Promise<T[]>
}

export type Parameter = string | number | boolean | bigint | null | undefined | Date | Uint8Array | readonly Parameter[]

export type Row = Record<string, unknown>

export interface Result {
  readonly rows: Row[]
  /** Rows that an insert, update or delete touched. */
  readonly affected: number
}

/** One connection, used by one caller at a time. */
export interface Session {
  run(text: string, parameters?: readonly Parameter[]): Promise<Result>
  /** The last statement: the session is released when it has run, whether it succeeds or fails. */
  finish(text: string): Promise<Result>
  release(): void
  /** The connection is in an unknown state: never pass it to another caller. */
  breakOff(): void
}

/** The source of sessions: one in the embedded database, a pool for a server. */
export interface SessionSource {
  acquire(): Promise<Session>
  /** One statement in a session of its own. Of a database in another process it is one exchange, where `acquire` makes three. */
  run(text: string, parameters?: readonly Parameter[]): Promise<Result>
  close(): Promise<void>
}

/** Queries that can run in a transaction: the database itself, never a transaction. */
export interface Transactions extends Queries {
  /**
   * Commits when `work` resolves, rolls back when it throws. Only `tx` may be used inside: the outer database would wait for itself.
   * @param mode `snapshot`: reads alone, all of them the same state of the database
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, mode?: 'snapshot'): Promise<T>
  /** The raw result of one statement or several: for libraries that bring their own statements. */
  run(text: string, parameters?: readonly Parameter[]): Promise<Result>
}
