/** Time that the long computations of all requests may take together in one turn of the event loop, ms. */
const STRETCH_MS = 5
/** Maximum number of list items in progress at once: some compute while others wait for a store. */
const LANES = 16

type Resume = () => void

const waiting: Resume[] = []
let turnBegan = 0

/**
 * Lets other work run if the time of this turn of the event loop is used up. Long computations await this function between their steps.
 * Waiting computations continue one after the other, one in each turn.
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

/** Works like `Promise.all` over a list whose items may compute for a long time, with pauses between the items. */
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
        results[index] = await work(list[index] as Item, index)
      } catch (error) {
        next = list.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(LANES, list.length) }, lane))
  return results
}
