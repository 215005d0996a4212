/** Returns a table without a prototype, so that a caller's name such as `constructor` only matches a row. */
export function lookup<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), rows)
}
