import { nearest } from '../../ingest/domain/nearest.ts'
import type { QueryContext } from './context.ts'
import { type Family, families } from './dataset.ts'
import type { DatasetQuery } from './dataset-query.ts'
import { QueryError } from './error.ts'
import { functionPattern } from './statistics.ts'
import { factsOf, quantityIn } from './variable-facts.ts'

/** Returns a query unchanged if no list in it repeats an item. @throws QueryError bad-request */
export function withoutRepeats<Q extends DatasetQuery>(query: Q): Q {
  for (const [name, list] of [
    ['variables', query.variables],
    ['aggregate.functions', query.aggregate?.functions ?? []],
  ] as const) {
    if (new Set(list).size !== list.length)
      throw new QueryError(
        'bad-request',
        `\`${name}\` may contain each item once, but was ${list.join(', ')}.`,
        'remove the repeated items and call again.',
        { field: name, got: list },
      )
  }
  return query
}

/** Checks the variables and functions of a query. @throws QueryError bad-request, not-found */
export function checkVariables(context: QueryContext, family: Family, query: DatasetQuery): void {
  if (!family.queryable)
    throw new QueryError(
      'bad-request',
      `${family.id} cannot be queried, because it is not a table.`,
      family.useTool ? `call ${family.useTool}.` : 'no tool reads it yet.',
      { field: 'dataset_id', got: query.dataset_id, suggestions: family.useTool ? [family.useTool] : [] },
    )
  const names = [...query.variables, ...(query.filters ?? []).map(({ variable }) => variable)]
  for (const name of names) {
    if (family.variables.includes(name)) continue
    const suggestions = nearest(name, family.variables)
    const owners = families(context)
      .filter((candidate) => candidate.variables.includes(name))
      .map(({ id }) => id)
    const hint =
      owners.length > 0
        ? ` ${owners.join(', ')} has it.`
        : suggestions.length > 0
          ? ` Nearest: ${suggestions.join(', ')}.`
          : ''
    throw new QueryError(
      'not-found',
      `${family.id} has no variable "${name}".${hint}`,
      'describe_dataset lists the variables.',
      {
        field: query.variables.includes(name) ? 'variables' : 'filters',
        got: name,
        suggestions: owners.length > 0 ? owners : suggestions,
      },
    )
  }
  for (const functionName of query.aggregate?.functions ?? []) {
    if (!functionPattern.test(functionName))
      throw new QueryError(
        'bad-request',
        `\`aggregate.functions\` must be min, max, mean, sum, median, stddev, count, argmin, argmax or p1 to p99, but has "${functionName}".`,
        'change it and call again.',
        { field: 'aggregate.functions', got: functionName },
      )
    for (const name of query.variables) {
      const { kind, functions } = factsOf(name, [])
      if (functionName === 'sum' && kind !== 'accumulation')
        throw new QueryError(
          'bad-request',
          `sum needs an accumulation, but ${name} is of kind ${kind}.`,
          'use mean, or leave the variable out.',
          { field: 'aggregate.functions', allowed: functions, got: functionName },
        )
      if (quantityIn(name) === 'direction' && functionName !== 'mean' && functionName !== 'count')
        throw new QueryError(
          'bad-request',
          `${name} is a direction, which has only a (circular) mean and a count, but ${functionName} was requested.`,
          'use mean.',
          { field: 'aggregate.functions', allowed: functions, got: functionName },
        )
    }
  }
}
