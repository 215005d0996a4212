/** Long computations of all requests together may take so much of one turn of the event loop, ms. */
const STRETCH_MS = 5
/** Items of one list in work at once: while some wait for a store, others compute. */
const LANES = 16

type Resume = () => void

const waiting: Resume[] = []
let turnBegan = 0

/**
 * To be awaited between the pieces of a long computation: lets other work in once the time of this turn is used up. Those that
 * wait go on one after the other, one in each turn.
 */
export function pause(): Promise<void> | undefined {
  if (performance.now() - turnBegan < STRETCH_MS) return undefined
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext)
  })
}

function resumeNext(): void {
  turnBegan = performance.now()
  const resume = waiting.shift()
  if (waiting.length > 0) setImmediate(resumeNext)
  resume?.()
}

/** As `Promise.all` over a list whose items may compute for long: with pauses between them. */
export async function mapPaced<Item, Result>(
  list: readonly Item[],
  work: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(list.length)
  let next = 0
  const lane = async () => {
    while (next < list.length) {
      await pause()
      const index = next++
      if (index >= list.length) return
      try {
        results[index] = await work(list[index]!, index)
      } catch (error) {
        next = list.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(LANES, list.length) }, lane))
  return results
}
