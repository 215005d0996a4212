/** @throws the error of `late` when the work is not done in time; the work itself continues. */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(late()), milliseconds)
      }),
    ])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}
