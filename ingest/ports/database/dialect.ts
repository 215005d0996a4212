import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Parameter, SessionSource } from '../../../sql/session.ts'

type Run = SessionSource['run']

/**
 * Kysely over our sessions: `run` executes every statement. `database.transaction` begins a transaction and passes a separate Kysely;
 * Kysely's own `transaction()` throws, because it does not know the single session of the embedded database.
 */
export class SourceDialect implements Dialect {
  readonly #run: Run

  constructor(run: Run) {
    this.#run = run
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter()
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler()
  }

  createIntrospector(kysely: Kysely<never>): DatabaseIntrospector {
    return new PostgresIntrospector(kysely)
  }

  createDriver(): Driver {
    return new SourceDriver(this.#run)
  }
}

class SourceDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(run: Run) {
    this.#connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        const { sql, parameters } = query
        const { rows, affected } = await run(sql, parameters as readonly Parameter[])
        return { rows: rows as R[], numAffectedRows: BigInt(affected) }
      },
      // biome-ignore lint/correctness/useYield: streaming is not supported, and the error reports that
      async *streamQuery(): AsyncIterableIterator<never> {
        throw new Error(
          'database: stream() is not supported. Use execute(), and page through large results with limit.',
        )
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    throw new Error('database: kysely.transaction() is not supported. Use database.transaction(tx => …).')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
