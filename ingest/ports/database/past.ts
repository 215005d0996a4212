import { Kysely } from 'kysely'
import { enterPast, type PastState } from '../../../sql/queries/versions.ts'
import type { Schema } from '../../../sql/schema.ts'
import type { Parameter, Queries } from '../../../sql/session.ts'
import type { Database } from '../database.ts'
import { SourceDialect } from './dialect.ts'

/**
 * Returns the database as of a recorded snapshot. The same statements read it. Only versioned tables have a history
 * (`sql/migrations/140-versions.sql`); all other tables return their current rows. Every statement is a separate read-only transaction.
 */
export function databaseInPast(database: Database, state: PastState): Database {
  const inPast = <T>(work: (tx: Queries) => Promise<T>): Promise<T> =>
    database.transaction(async (tx) => {
      await enterPast(tx, state)
      return work(tx)
    }, 'snapshot')
  const run = async (text: string, parameters?: readonly Parameter[]) => ({
    rows: await inPast((tx) => tx.query(text, parameters)),
    affected: 0,
  })
  return {
    kind: database.kind,
    kysely: new Kysely<Schema>({ dialect: new SourceDialect(run) }),
    query: (text, parameters) => inPast((tx) => tx.query(text, parameters)),
    transaction: inPast,
    run,
    close: async () => undefined,
  }
}
