import { expect, test } from 'vitest'
import { mapPaced } from '../../ingest/domain/pacer.ts'

const compute = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Turns of the event loop while something runs. */
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

test('results keep the order of their items, whichever ends first', async () => {
  const list = Array.from({ length: 100 }, (_, i) => i)
  const results = await mapPaced(list, async (item, index) => {
    await new Promise((resolve) => setTimeout(resolve, (item * 7) % 5))
    return `${item}/${index}`
  })
  expect(results).toEqual(list.map((item) => `${item}/${item}`))
  expect(await mapPaced([], () => 1)).toEqual([])
})

test('computations of several lists let other work in, and none waits for the end of another', async () => {
  const ends: string[] = []
  const run = (name: string, items: number) =>
    mapPaced(Array(items).fill(0), () => compute(2)).then(() => ends.push(name))
  const turns = await turnsDuring(Promise.all([run('long', 100), run('also long', 100), run('short', 5)]))
  // 410 ms of computation, 5 ms in a turn and at most one item more of each that goes on.
  expect(turns).toBeGreaterThan(20)
  expect(ends[0]).toBe('short')
})

test('what waits for a store does not hold up the others; not all begin at once', async () => {
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

test('the first failure ends it: nothing new is begun', async () => {
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
