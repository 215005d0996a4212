/** Returns a table without prototype, so that a caller's name such as `constructor` finds only rows. */
export function lookup<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), rows)
}
