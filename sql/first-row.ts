import { Fault } from '../ingest/domain/fault.ts'

/**
 * Returns the first row of a statement that always returns at least one row, such as an aggregate.
 * @throws Fault Corrupt if there is no row
 */
export function firstRow<T>([row]: readonly T[], statement: string): T {
  if (row === undefined) throw new Fault('Corrupt', `${statement}: the database returned no row, but one was expected`)
  return row
}
