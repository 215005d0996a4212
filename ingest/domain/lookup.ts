/** A table without prototype: a name that a caller sends, such as `constructor`, finds nothing but rows. */
export function lookup<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), rows)
}
