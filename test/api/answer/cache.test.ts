import { expect, test } from 'vitest'
import { AnswerCache } from '../../../api/answer/cache.ts'

interface Sized {
  readonly name: string
  readonly until: number
  bytes: number
}

const answer = (name: string, bytes: number, until = 1000): Sized => ({ name, bytes, until })
const cacheOf = (mostBytes: number) => new AnswerCache<Sized>(mostBytes, ({ bytes }) => bytes)

test('returns an entry until it expires or its data change', () => {
  const cache = cacheOf(1e6)
  let stamp = 1
  const first = answer('a', 10)
  cache.put(first, () => stamp === 1)
  expect(cache.get('a', 999)).toBe(first)
  expect(cache.get('a', 1000)).toBeUndefined()
  cache.put(first, () => stamp === 1)
  stamp = 2
  expect(cache.get('a', 0)).toBeUndefined()
  expect([cache.bytes, cache.count]).toEqual([0, 0])
})

test('treats an answer as stale if its data changed while it was built', () => {
  const cache = cacheOf(1e6)
  cache.put(answer('a', 10), () => false)
  expect(cache.get('a', 0)).toBeUndefined()
})

test('keeps bytes within the limit, and evicts the least recently read answers first', () => {
  const cache = cacheOf(100_000)
  cache.put(answer('dear', 9000), () => true)
  for (let i = 0; i < 5000; i++) {
    cache.get('dear', 0)
    cache.put(answer(`n${i}`, 9000), () => true)
    cache.alias(`alias${i}`, `n${i}`)
    expect(cache.bytes).toBeLessThanOrEqual(100_500)
  }
  expect(cache.get('dear', 0)).toBeDefined()
  expect(cache.count).toBeLessThan(30)
})

test('finds an answer by a second name, and drops the name with the answer', () => {
  const cache = cacheOf(1e6)
  const first = answer('a', 10)
  cache.put(first, () => true)
  cache.alias('b', 'a')
  expect(cache.get('b', 0)).toBe(first)
  expect(cache.get('b', 1000)).toBeUndefined()
  expect(cache.get('a', 0)).toBeUndefined()
  cache.alias('c', 'gone')
  expect(cache.get('c', 0)).toBeUndefined()
  expect(cache.bytes).toBe(0)
})

test('counts the bytes that a cached answer grows by, and does not let other answers grow', () => {
  const cache = cacheOf(20_000)
  const first = answer('a', 5000)
  cache.put(first, () => true)
  cache.grow(first, () => (first.bytes += 2000))
  expect(cache.bytes).toBe(2 + 5000 + 2000 + 2000)
  cache.put(answer('b', 15_000), () => true)
  expect(cache.get('a', 0)).toBeUndefined()
  expect(cache.bytes).toBe(17_002)
  const late = answer('late', 10)
  for (const answer of [late, first]) cache.grow(answer, () => (answer.bytes += 10))
  expect([late.bytes, first.bytes, cache.bytes]).toEqual([10, 7000, 17_002])
})

test('drops each answer once when it is stale, replaced, evicted or too large, but not when it grows or gets another name', () => {
  const dropped: string[] = []
  const cache = new AnswerCache<Sized>(
    10_000,
    ({ bytes }) => bytes,
    ({ name, bytes }) => dropped.push(`${name} ${bytes}`),
  )
  let stamp = 1
  const put = (answer: Sized) => {
    const at = stamp
    cache.put(answer, () => stamp === at)
  }
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
