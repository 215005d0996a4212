import { expect, test } from 'vitest'
import { fuzzClimate } from './climate-fuzz.ts'

test('reads mutated climate texts as items within bounds or rejects them as Corrupt', () => {
  const { items, refused } = fuzzClimate(1500, 18)
  expect(items).toBeGreaterThan(100)
  expect(refused).toBeGreaterThan(100)
})
