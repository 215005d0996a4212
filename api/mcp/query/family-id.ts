import type { ToolContext } from '../protocol/context.ts'

/** Returns the public id of a product's family, which is the source in `meta.freshness`; the id itself for a product without a family. */
export function familyId({ deps }: Pick<ToolContext, 'deps'>, product: string): string {
  return deps.values.datasets.find(({ id }) => id === product)?.family ?? product
}
