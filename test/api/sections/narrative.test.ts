import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compass } from '../../../api/sections/narrative.ts'
import { narrativeLines } from '../../../bin/doctor/narratives.ts'

const lines = narrativeLines()
const narratives = lines.map((line) => line.slice(line.indexOf(']: ') + 3))

test('writes the narratives of the golden list (npx hexcast words > test/cases/narratives.txt after an intended change)', async () => {
  const golden = await readFile(new URL('../../cases/narratives.txt', import.meta.url), 'utf8')
  expect(lines).toEqual(golden.replace(/\n$/, '').split('\n'))
  expect(lines.length).toBeGreaterThanOrEqual(300)
})

/** What falls, thunder beside it, severe storms, damaging gusts (40 mph, 64 km/h, 18 m/s), and ice beside snow. */
const hazards = [
  /rain|snow|sleet|showers|mix|thunder/i,
  /and thunder/i,
  /severe/,
  /gusts to (?:(?:[4-9]\d|1\d\d) mph|(?:6[4-9]|[7-9]\d|1\d\d) km|(?:1[89]|[2-9]\d) m\/s)/,
  /New snow.*Ice of/,
]

test('writes complete sentences without decimals, under 160 characters for one hazard and 320 for several', () => {
  let several = 0
  for (const text of narratives.filter((words) => words !== '')) {
    expect(text).toMatch(/^[A-Z][^.]*\.(?: [A-Z][^.]*\.)*$/)
    expect(text).not.toMatch(/\d\.\d/)
    const hazardCount = hazards.filter((hazard) => hazard.test(text)).length
    expect(text.length, text).toBeLessThan(hazardCount > 1 ? 320 : 160)
    if (hazardCount > 1) several++
  }
  expect(several).toBeGreaterThan(20)
})

test('tells half an inch of rain and an inch of snow, however much else there is to say', () => {
  const long = lines.filter((line) => / (?:beside much else|in falling temperatures), /.test(line))
  expect(long).toHaveLength(16)
  for (const line of long) expect(line).toMatch(/(?:Rain|New snow) (?:around|between|of) /)
})

test('writes nothing that JSON escapes', () => {
  for (const text of narratives) expect(JSON.stringify(text)).toBe(`"${text}"`)
})

test('names winds from all directions', () => {
  expect([0, 44, 225, 338, 359].map(compass)).toEqual(['north', 'northeast', 'southwest', 'north', 'north'])
})
