import type { Parameter, Transactions } from './session.ts'

/** Number of rows of the first statement. 5,000 rows of the widest table take about 0.2 s. */
const FIRST_BATCH = 5_000
const SMALLER = 4
/** SQLSTATE of a statement that the database cancelled, for example at the statement timeout. */
const QUERY_CANCELED = '57014'

/**
 * Removes rows in statements of limited size, so that no statement exceeds the statement timeout however many rows
 * there are. Each statement is its own transaction, so earlier removals persist if a later statement fails. After a
 * cancelled statement, the following statements are a quarter as large.
 * @param remove removes at most `most` rows and returns their number
 * @returns the number of removed rows
 * @throws the error of a statement, if it is a different error or if even a single row takes too long
 */
export async function inBatches(remove: (most: number) => Promise<number>, first = FIRST_BATCH): Promise<number> {
  let most = first
  let removed = 0
  for (;;) {
    try {
      const count = await remove(most)
      removed += count
      if (count < most) return removed
    } catch (error) {
      if ((error as { code?: unknown })?.code !== QUERY_CANCELED || most === 1) throw error
      most = Math.max(1, Math.floor(most / SMALLER))
    }
  }
}

/** Runs a delete statement in batches. Its last parameter is the maximum number of rows. @returns the number of rows */
export function deleteInBatches(
  db: Pick<Transactions, 'run'>,
  statement: string,
  parameters: readonly Parameter[] = [],
): Promise<number> {
  return inBatches(async (most) => (await db.run(statement, [...parameters, most])).affected)
}
