import { expect, test } from 'vitest'
import { mapPaced } from '../../ingest/domain/pacer.ts'

const compute = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Returns the number of turns of the event loop while a function runs. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const count = () => {
    turns++
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  await work.finally(() => {
    over = true
  })
  return turns
}

test('returns results in the order of the items, whichever finishes first', async () => {
  const list = Array.from({ length: 100 }, (_, i) => i)
  const results = await mapPaced(list, async (item, index) => {
    await new Promise((resolve) => setTimeout(resolve, (item * 7) % 5))
    return `${item}/${index}`
  })
  expect(results).toEqual(list.map((item) => `${item}/${item}`))
  expect(await mapPaced([], () => 1)).toEqual([])
})

test('interleaves computations of several lists with other work', async () => {
  const ends: string[] = []
  const run = (name: string, items: number) =>
    mapPaced(Array(items).fill(0), () => compute(2)).then(() => ends.push(name))
  const turns = await turnsDuring(Promise.all([run('long', 100), run('also long', 100), run('short', 5)]))
  // 410 ms of computation, 5 ms in a turn and at most one item more of each that goes on.
  expect(turns).toBeGreaterThan(20)
  expect(ends[0]).toBe('short')
})

test('continues other items while an item waits for a store, and limits concurrency', async () => {
  let inWork = 0
  let most = 0
  await mapPaced(Array(200).fill(0), async () => {
    most = Math.max(most, ++inWork)
    await new Promise((resolve) => setTimeout(resolve, 1))
    inWork--
  })
  expect(most).toBeGreaterThan(4)
  expect(most).toBeLessThanOrEqual(16)
})

test('starts nothing more after the first failure', async () => {
  let begun = 0
  const work = mapPaced(Array(1000).fill(0), async (_, index) => {
    begun++
    await null
    if (index === 3) throw new Error('the fourth')
  })
  await expect(work).rejects.toThrow('the fourth')
  const then = begun
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(begun).toBe(then)
  expect(begun).toBeLessThan(100)
})
