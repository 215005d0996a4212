import type { Database } from '../../ingest/ports/database.ts'

const runningQueries = new WeakMap<Database, Map<string, Promise<unknown>>>()

/**
 * Runs a query, or shares the rows of an identical query that is already running. A list of all datasets needs thirty
 * queries, and without sharing a few callers of that list would occupy the embedded database.
 */
export function sharedQuery<Rows>(database: Database, name: string, query: () => Promise<Rows>): Promise<Rows> {
  const queries = runningQueries.get(database) ?? new Map<string, Promise<unknown>>()
  runningQueries.set(database, queries)
  const running = queries.get(name) as Promise<Rows> | undefined
  if (running) return running
  const started = query().finally(() => queries.delete(name))
  queries.set(name, started)
  return started
}
