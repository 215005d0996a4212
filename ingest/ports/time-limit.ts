/**
 * Returns the result of the work if it arrives in time. Otherwise the work continues, but its result is ignored. The function creates one
 * promise: a race of two and a `finally` would take a tenth of the time that the HTTP layer adds to an answer.
 * @throws the error of `late()` if the time is up
 */
export function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds)
    work.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
