/** A value, or a promise of it: values in memory skip the cost of a promise. */
export type MaybePromise<T> = T | Promise<T>

/** Applies `next` to the value, synchronously where it is no promise. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** All values, synchronously where none is a promise. */
export function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[])
}
