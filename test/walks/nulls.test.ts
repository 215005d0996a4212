import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answersOf, moments } from './consistency.ts'
import { descriptionsOf, isWarned, nullsOf } from './nulls.ts'

/** 60 points of all moments take two minutes: NULLS_POINTS=60 NULLS_MOMENTS=0,1,2 vitest run test/walks/nulls.test.ts */
const points = Number(process.env['NULLS_POINTS'] ?? 10)
const chosen = process.env['NULLS_MOMENTS']?.split(',').map(Number) ?? [0, 6, 7, 10, 11]
const walkedMoments = moments.filter((_, i) => chosen.includes(i))
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const forms = [
  { units: 'imperial', view: 'detailed', hourlyHours: 264 },
  { units: 'metric', view: 'concise', hourlyHours: 12 },
]

test(`explains every null by its description or a warning: ${points} points, ${walkedMoments.length} moments`, {
  timeout: points * 60_000,
}, async () => {
  const explained = new Map<string, number>()
  const unexplained = new Map<string, { count: number; example: string }>()
  for await (const { moment, place, answers } of answersOf(points, walkedMoments, forms)) {
    for (const { answer, view } of answers) {
      for (const path of nullsOf(answer)) {
        const name = path.join('.')
        const isDocumented = /\bnull\b/.test(descriptionsOf(document, document.components.schemas.Weather, path))
        if (isDocumented || isWarned(answer, path)) {
          explained.set(name, (explained.get(name) ?? 0) + 1)
          continue
        }
        const { count, example } = unexplained.get(name) ?? { count: 0, example: '' }
        unexplained.set(name, {
          count: count + 1,
          example: example || `${moment.name} ${place.lat},${place.lon} ${view}`,
        })
      }
    }
  }
  const total = [...explained.values()].reduce((sum, count) => sum + count, 0)
  console.log(`${total} nulls of ${explained.size} members are explained`)
  expect([...unexplained].map(([name, { count, example }]) => `${count} ${name}: ${example}`)).toEqual([])
  expect(explained.size).toBeGreaterThan(20)
})
