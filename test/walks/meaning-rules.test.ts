import { expect, test } from 'vitest'
import { answersOf, moments } from './consistency.ts'
import { meaningRules } from './meaning-rules.ts'

/** 60 points take a minute; MEANING_POINTS and MEANING_MOMENTS=0,1,2 choose more points and some of the moments. */
const points = Number(process.env['MEANING_POINTS'] ?? 12)
const chosen = process.env['MEANING_MOMENTS']?.split(',').map(Number)
const walkedMoments = moments.filter((_, i) => !chosen || chosen.includes(i))
const exampleCount = Number(process.env['MEANING_EXAMPLES'] ?? 2)

const forms = [
  { units: 'imperial', view: 'detailed', hourlyHours: 264 },
  { units: 'metric', view: 'detailed', hourlyHours: 12 },
  { units: 'imperial', view: 'detailed', include: 'current' },
]

interface Tally {
  checked: number
  violated: number
  readonly examples: string[]
}

test(`rows mean what they show: ${points} points, ${walkedMoments.length} moments`, {
  timeout: points * 60_000,
}, async () => {
  const tallies = new Map(
    meaningRules.map(({ name }): [string, Tally] => [name, { checked: 0, violated: 0, examples: [] }]),
  )
  let answers = 0
  for await (const { moment, place, answers: group } of answersOf(points, walkedMoments, forms)) {
    const [imperial, metric, currentOnly] = group.map(({ answer }) => answer)
    answers++
    for (const { name, check } of meaningRules) {
      const tally = tallies.get(name)
      if (!tally) throw new Error(`The rule "${name}" has no tally.`)
      for (const detail of check({ imperial, metric, currentOnly })) {
        tally.checked++
        if (detail === true) continue
        tally.violated++
        // Examples are from different places.
        const where = `${moment.name} ${place.lat},${place.lon}`
        const isNew = !tally.examples.some((example) => example.includes(`${place.lat},${place.lon}`))
        if (tally.examples.length < exampleCount && isNew) tally.examples.push(`${where}: ${detail}`)
      }
    }
  }
  const lines = [...tallies].map(
    ([name, { checked, violated, examples }]) =>
      `${violated} of ${checked} ${name}${examples.map((example) => `\n      ${example}`).join('')}`,
  )
  console.log(lines.join('\n'))
  const unexpected = [...tallies].filter(([, { violated }]) => violated > 0)
  expect(unexpected.map(([name, { violated, examples }]) => `${violated} ${name}: ${examples[0]}`)).toEqual([])
  expect(answers).toBeGreaterThan(points * walkedMoments.length * 0.55)
})

test('has rules with different names', () => {
  const names = meaningRules.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
