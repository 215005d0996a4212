/**
 * Runs removals one after the other. A removal that fails does not stop the next.
 * @returns the total number of removed items
 * @throws the first error, after all have run
 */
export async function inTurn(removals: readonly (() => Promise<number>)[]): Promise<number> {
  let removed = 0
  const errors: unknown[] = []
  for (const remove of removals) {
    await remove().then(
      (count) => {
        removed += count
      },
      (error: unknown) => errors.push(error),
    )
  }
  if (errors.length > 0) throw errors[0]
  return removed
}
