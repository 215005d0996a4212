/** Returns the element of a list at an index. Throws a RangeError if the list has none there. */
export function nth<T>(list: ArrayLike<T>, index: number): NonNullable<T> {
  const element = list[index]
  if (element === undefined || element === null)
    throw new RangeError(`element ${index} was expected in a list of ${list.length}`)
  return element
}

/** Returns the entry of a record by its key. Throws a RangeError if the record has none. */
export function entryOf<R extends object, K extends keyof R>(record: R, key: K): NonNullable<R[K]> {
  const entry = record[key]
  if (entry === undefined || entry === null) throw new RangeError(`the entry "${String(key)}" is missing`)
  return entry
}
