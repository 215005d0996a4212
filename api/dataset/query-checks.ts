import { nearest } from '../../ingest/domain/nearest.ts'
import type { QueryContext } from './context.ts'
import { type Family, families } from './dataset.ts'
import type { DatasetQuery } from './dataset-query.ts'
import { QueryError } from './error.ts'
import { functionName } from './statistics.ts'
import { factsOf, quantityIn } from './variable-facts.ts'

export function withoutRepeats<Q extends DatasetQuery>(given: Q): Q {
  for (const [name, list] of [
    ['variables', given.variables],
    ['aggregate.functions', given.aggregate?.functions ?? []],
  ] as const) {
    if (new Set(list).size !== list.length)
      throw new QueryError(
        'bad-request',
        `${name}: each may stand once, got ${list.join(', ')}.`,
        'leave the repeated ones out.',
        { field: name, got: list },
      )
  }
  return given
}

export function checkVariables(context: QueryContext, family: Family, asked: DatasetQuery): void {
  if (!family.queryable)
    throw new QueryError(
      'bad-request',
      `${family.id} is not a table and cannot be queried.`,
      family.useTool ? `call ${family.useTool}.` : 'no tool answers from it yet.',
      { field: 'dataset_id', got: asked.dataset_id, suggestions: family.useTool ? [family.useTool] : [] },
    )
  const names = [...asked.variables, ...(asked.filters ?? []).map(({ variable }) => variable)]
  for (const name of names) {
    if (family.variables.includes(name)) continue
    const suggestions = nearest(name, family.variables)
    const others = families(context)
      .filter((one) => one.variables.includes(name))
      .map(({ id }) => id)
    const hint =
      others.length > 0
        ? ` ${others.join(', ')} has it.`
        : suggestions.length > 0
          ? ` Nearest: ${suggestions.join(', ')}.`
          : ''
    throw new QueryError(
      'not-found',
      `${family.id} has no variable "${name}".${hint}`,
      'describe_dataset lists the variables.',
      {
        field: asked.variables.includes(name) ? 'variables' : 'filters',
        got: name,
        suggestions: others.length > 0 ? others : suggestions,
      },
    )
  }
  for (const one of asked.aggregate?.functions ?? []) {
    if (!functionName.test(one))
      throw new QueryError(
        'bad-request',
        `aggregate.functions: wanted min, max, mean, sum, median, stddev, count or p1 to p99, got "${one}".`,
        'mend it and call again.',
        { field: 'aggregate.functions', got: one },
      )
    for (const name of asked.variables) {
      const { kind, functions } = factsOf(name, [])
      if (one === 'sum' && kind !== 'accumulation')
        throw new QueryError(
          'bad-request',
          `sum is for accumulations only, and ${name} is of kind ${kind}.`,
          'use mean, or leave the variable out.',
          { field: 'aggregate.functions', allowed: functions, got: one },
        )
      if (quantityIn(name) === 'direction' && one !== 'mean' && one !== 'count')
        throw new QueryError(
          'bad-request',
          `${name} is a direction: only its mean (circular) and count make sense, got ${one}.`,
          'use mean.',
          { field: 'aggregate.functions', allowed: functions, got: one },
        )
    }
  }
}
