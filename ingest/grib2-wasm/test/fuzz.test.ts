import { expect, test } from 'vitest'
import { checkSeed, fresh, seeds } from './fuzz.ts'

const CASES = 20_000

test(`${CASES} mutated messages end in values or in a GribError, within 2 s and 1 GB`, { timeout: 300_000 }, () => {
  const list = seeds()
  const tally = fresh()
  for (let seed = 1; seed <= CASES; seed++) checkSeed(seed, list, tally)
  console.log(
    `${tally.cases} cases of ${list.length} messages: ${tally.faults} faults, ${tally.values} values, slowest ${tally.slowest.toFixed(0)} ms, peak ${(tally.peak / 2 ** 20).toFixed(0)} MB`,
  )
  expect(tally.cases).toBe(CASES)
  // Both outcomes must be frequent, so that the mutations break some messages and not all.
  expect(tally.faults).toBeGreaterThan(CASES / 4)
  expect(tally.values).toBeGreaterThan(CASES)
})
