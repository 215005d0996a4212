/** The limit is measured in so many parts, of which a pause of this process uses up one. */
const PARTS = 5

/**
 * Returns the result of the work if it arrives in time. Otherwise the work continues, but its result is ignored. A pause in which this
 * process could not read the result (long computation, a processor that is busy elsewhere) counts as a fifth of the limit at most, because
 * the result may have arrived meanwhile. The function creates one promise: a race of two and a `finally` would take a tenth of the time
 * that the HTTP layer adds to an answer.
 * @throws the error of `late()` if the time is up
 */
export function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = PARTS
    const next = () => {
      left--
      if (left === 0) reject(late())
      else timer = setTimeout(next, milliseconds / PARTS)
    }
    let timer = setTimeout(next, milliseconds / PARTS)
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
