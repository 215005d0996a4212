import type { QueryContext } from './context.ts'
import { QueryError } from './error.ts'

/** Maximum number of values that one call may request at points, before aggregation. */
const MAX_VALUES = 100_000
/** Number of values that count as one request. */
const VALUES_PER_REQUEST = 10_000

/**
 * Charges a query additional calls, by the number of values that it reads; the request itself already counts as one
 * call.
 * @param factors explanation of the number, such as `50 points × 264 hours × 5 variables`
 * @throws QueryError if there are too many values, or if the caller's limit is reached
 */
export async function countValues(
  { count }: Pick<QueryContext, 'count'>,
  values: number,
  factors: string,
): Promise<void> {
  if (values > MAX_VALUES)
    throw new QueryError(
      'bad-request',
      `${factors} are ${values} values, but a query may read at most ${MAX_VALUES}.`,
      'request fewer points, hours or variables; statistics over areas may read every cell.',
      { field: 'hours', allowed: MAX_VALUES, got: values },
    )
  if (values > VALUES_PER_REQUEST) await count(Math.ceil(values / VALUES_PER_REQUEST) - 1)
}
