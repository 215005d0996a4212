import { expect, test } from 'vitest'
import { AnswerCache } from '../../../api/answer/cache.ts'

interface Sized {
  readonly name: string
  readonly until: number
  bytes: number
}

const answer = (name: string, bytes: number, until = 1000): Sized => ({ name, bytes, until })
const cacheOf = (mostBytes: number) => new AnswerCache<Sized>(mostBytes, ({ bytes }) => bytes)

test('an entry is good until its time, and only while its stamp is what it was', () => {
  const cache = cacheOf(1e6)
  let stamp = 1
  const first = answer('a', 10)
  cache.put(first, () => stamp, 1)
  expect(cache.get('a', 999)).toBe(first)
  expect(cache.get('a', 1000)).toBeUndefined()
  cache.put(first, () => stamp, 1)
  stamp = 2
  expect(cache.get('a', 0)).toBeUndefined()
  expect([cache.bytes, cache.count]).toEqual([0, 0])
})

test('a change while the answer was made leaves it stale at once', () => {
  const cache = cacheOf(1e6)
  cache.put(answer('a', 10), () => 2, 1)
  expect(cache.get('a', 0)).toBeUndefined()
})

test('bytes stay within the limit whatever comes; what is asked for again stays longer', () => {
  const cache = cacheOf(100_000)
  cache.put(answer('dear', 9000), () => 1, 1)
  for (let i = 0; i < 5000; i++) {
    cache.get('dear', 0)
    cache.put(answer(`n${i}`, 9000), () => 1, 1)
    cache.alias(`alias${i}`, `n${i}`)
    expect(cache.bytes).toBeLessThanOrEqual(100_500)
  }
  expect(cache.get('dear', 0)).toBeDefined()
  expect(cache.count).toBeLessThan(30)
})

test('a second name leads to the same answer and goes with it', () => {
  const cache = cacheOf(1e6)
  const first = answer('a', 10)
  cache.put(first, () => 1, 1)
  cache.alias('b', 'a')
  expect(cache.get('b', 0)).toBe(first)
  expect(cache.get('b', 1000)).toBeUndefined()
  expect(cache.get('a', 0)).toBeUndefined()
  cache.alias('c', 'gone')
  expect(cache.get('c', 0)).toBeUndefined()
  expect(cache.bytes).toBe(0)
})

test('what an answer grows by counts in the bytes and goes with it; one that is not cached does not grow', () => {
  const cache = cacheOf(20_000)
  const first = answer('a', 5000)
  cache.put(first, () => 1, 1)
  cache.grow(first, () => (first.bytes += 2000))
  expect(cache.bytes).toBe(2 + 5000 + 1000 + 2000)
  cache.put(answer('b', 15_000), () => 1, 1)
  expect(cache.get('a', 0)).toBeUndefined()
  expect(cache.bytes).toBe(16_002)
  const late = answer('late', 10)
  for (const one of [late, first]) cache.grow(one, () => (one.bytes += 10))
  expect([late.bytes, first.bytes, cache.bytes]).toEqual([10, 7000, 16_002])
})

test('each answer is dropped once: when it is stale, replaced, evicted, or too large; not when it grows or is named again', () => {
  const dropped: string[] = []
  const cache = new AnswerCache<Sized>(
    10_000,
    ({ bytes }) => bytes,
    ({ name, bytes }) => dropped.push(`${name} ${bytes}`),
  )
  let stamp = 1
  const put = (one: Sized) => cache.put(one, () => stamp, stamp)
  const first = answer('a', 1000)
  put(first)
  cache.alias('b', 'a')
  cache.grow(first, () => (first.bytes = 2000))
  expect(dropped).toEqual([])
  put(answer('a', 3000))
  expect(dropped).toEqual(['a 2000'])
  put(answer('c', 7000))
  expect(dropped).toEqual(['a 2000', 'a 3000'])
  put(answer('large', 20_000))
  expect(dropped.at(-1)).toBe('large 20000')
  stamp = 2
  expect(cache.get('c', 0)).toBeUndefined()
  expect(dropped.slice(3)).toEqual(['c 7000'])
  const grown = answer('d', 1000)
  put(grown)
  cache.grow(grown, () => (grown.bytes = 50_000))
  expect(dropped.slice(4)).toEqual(['d 50000'])
  expect([cache.bytes, cache.count]).toEqual([0, 0])
})
