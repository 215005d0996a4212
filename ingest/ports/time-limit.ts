/**
 * @throws the error of `late` when the work is not done in time; the work itself continues. One promise: a race of two and a `finally`
 * are a tenth of what the HTTP layer adds to an answer.
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
