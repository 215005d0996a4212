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

test('writes complete sentences without decimals, under 160 characters for one hazard and 320 for several', () => {
  for (const text of narratives.filter((words) => words !== '')) {
    expect(text).toMatch(/^[A-Z][^.]*\.(?: [A-Z][^.]*\.)*$/)
    expect(text).not.toMatch(/\d\.\d/)
    const isSingle =
      !/thunder|gusts to ([4-9]\d|1\d\d) mph|gusts to (6[4-9]|[7-9]\d|1\d\d) km|gusts to (1[89]|[2-9]\d) m\/s|New snow.*Ice of/i.test(
        text,
      )
    expect(text.length, text).toBeLessThan(isSingle ? 160 : 320)
  }
})

test('writes nothing that JSON escapes', () => {
  for (const text of narratives) expect(JSON.stringify(text)).toBe(`"${text}"`)
})

test('names winds from all directions', () => {
  expect([0, 44, 225, 338, 359].map(compass)).toEqual(['north', 'northeast', 'southwest', 'north', 'north'])
})
