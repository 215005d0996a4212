/** What is at hand already, or comes: a promise costs more than most things that are at hand. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with a value: at once where it is at hand. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** All of them, at once where all are at hand. */
export function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[])
}
