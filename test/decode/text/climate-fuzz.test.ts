import { expect, test } from 'vitest'
import { fuzzClimate } from './climate-fuzz.ts'

test('mutated climate texts give items within bounds or a Corrupt fault', () => {
  const { items, refused } = fuzzClimate(1500, 18)
  expect(items).toBeGreaterThan(100)
  expect(refused).toBeGreaterThan(100)
})
