import type { QueryContext } from './context.ts'
import { QueryError } from './error.ts'

/** Values that one call may ask for at points, before aggregation. */
const MAX_VALUES = 100_000
/** Values that count as one request. */
const VALUES_PER_REQUEST = 10_000

/**
 * Counts a query by the values that are read for it: the request itself counts as one already.
 * @param made how they come about: `50 points × 264 hours × 5 variables`
 * @throws QueryError where they are too many, or the caller's limit is reached
 */
export async function countValues({ count }: Pick<QueryContext, 'count'>, values: number, made: string): Promise<void> {
  if (values > MAX_VALUES)
    throw new QueryError(
      'bad-request',
      `${made} are ${values} values, ${MAX_VALUES} at most.`,
      'ask for fewer points, hours or variables; statistics over areas read every cell.',
      { field: 'hours', allowed: MAX_VALUES, got: values },
    )
  if (values > VALUES_PER_REQUEST) await count(Math.ceil(values / VALUES_PER_REQUEST) - 1)
}
