import { expect, test } from 'vitest'
import { AnswerCache } from '../../../api/answer/cache.ts'

const answer = (size: number, until = 1000) => ({
  body: Buffer.alloc(size),
  etag: '"x"',
  until,
  forms: {},
})

test('an entry is good until its time, and only while its stamp is what it was', () => {
  const cache = new AnswerCache(1e6)
  let stamp = 1
  const first = answer(10)
  cache.put('a', first, () => stamp, 1)
  expect(cache.get('a', 999)).toBe(first)
  expect(cache.get('a', 1000)).toBeUndefined()
  cache.put('a', first, () => stamp, 1)
  stamp = 2
  expect(cache.get('a', 0)).toBeUndefined()
  expect([cache.bytes, cache.count]).toEqual([0, 0])
})

test('a change while the answer was made leaves it stale at once', () => {
  const cache = new AnswerCache(1e6)
  cache.put('a', answer(10), () => 2, 1)
  expect(cache.get('a', 0)).toBeUndefined()
})

test('bytes stay within the limit whatever comes; what is asked for again stays longer', () => {
  const cache = new AnswerCache(100_000)
  cache.put('dear', answer(9000), () => 1, 1)
  for (let i = 0; i < 5000; i++) {
    cache.get('dear', 0)
    cache.put(`n${i}`, answer(9000), () => 1, 1)
    cache.alias(`alias${i}`, `n${i}`)
    expect(cache.bytes).toBeLessThanOrEqual(100_500)
  }
  expect(cache.get('dear', 0)).toBeDefined()
  expect(cache.count).toBeLessThan(30)
})

test('a second name leads to the same answer and goes with it', () => {
  const cache = new AnswerCache(1e6)
  const first = answer(10)
  cache.put('a', first, () => 1, 1)
  cache.alias('b', 'a')
  expect(cache.get('b', 0)).toBe(first)
  expect(cache.get('b', 1000)).toBeUndefined()
  expect(cache.get('a', 0)).toBeUndefined()
  cache.alias('c', 'gone')
  expect(cache.get('c', 0)).toBeUndefined()
  expect(cache.bytes).toBe(0)
})

test('compressed forms count in the bytes and go with their answer', () => {
  const cache = new AnswerCache(20_000)
  const first = answer(5000)
  cache.put('a', first, () => 1, 1)
  cache.keepForm(first, 'br', Buffer.alloc(2000))
  cache.keepForm(first, 'br', Buffer.alloc(2000))
  expect(cache.bytes).toBe(2 + 5000 + 1000 + 2000)
  cache.put('b', answer(15_000), () => 1, 1)
  expect(cache.get('a', 0)).toBeUndefined()
  expect(cache.bytes).toBe(16_002)
  const late = answer(10)
  cache.keepForm(late, 'gzip', Buffer.alloc(10))
  cache.keepForm(first, 'gzip', Buffer.alloc(10))
  expect([late.forms, cache.bytes]).toEqual([{}, 16_002])
})
