import { expect, test } from 'vitest'
import { NameIndex } from '../../ingest/geo/name-index.ts'

const index = new NameIndex([
  ['aurora', 7],
  ['aurora', 2],
  ['aurora', 7],
  ['auburn', 3],
  ['austin', 1],
  ['a', 9],
  ['zion', 4],
])

test('returns the rows of a name ascending and once', () => {
  expect(index.named('aurora')).toEqual([2, 7])
  expect(index.named('a')).toEqual([9])
  expect(index.named('zion')).toEqual([4])
  expect(index.named('auror')).toEqual([])
  expect(index.named('zz')).toEqual([])
})

test('returns the rows of names with a prefix by name', () => {
  expect([...index.beginning('au')]).toEqual([3, 2, 7, 1])
  expect([...index.beginning('')]).toHaveLength(6)
  expect([...index.beginning('b')]).toEqual([])
})

test('returns names of similar length', () => {
  expect([...index.ofLength(5, 1)].map(([name]) => name)).toEqual(['auburn', 'aurora', 'aurora', 'austin', 'zion'])
  expect([...index.ofLength(2, 1)]).toEqual([['a', 9]])
})

test('supports an empty index', () => {
  const none = new NameIndex([])
  expect(none.named('a')).toEqual([])
  expect([...none.beginning('')]).toEqual([])
})
