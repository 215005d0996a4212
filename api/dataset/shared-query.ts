import type { Database } from '../../ingest/ports/database.ts'

const underWay = new WeakMap<Database, Map<string, Promise<unknown>>>()

/**
 * A query that many may ask at once: those who come while it runs share its rows. A list of all datasets makes thirty of them, and a
 * few callers who asked for nothing else had the embedded database for themselves.
 */
export function sharedQuery<Rows>(database: Database, name: string, query: () => Promise<Rows>): Promise<Rows> {
  const queries = underWay.get(database) ?? new Map<string, Promise<unknown>>()
  underWay.set(database, queries)
  const known = queries.get(name) as Promise<Rows> | undefined
  if (known) return known
  const asked = query().finally(() => queries.delete(name))
  queries.set(name, asked)
  return asked
}
