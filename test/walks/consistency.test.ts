import { expect, test } from 'vitest'
import { rules } from '../../bin/doctor/rules.ts'
import { walk } from './consistency.ts'

/** 2,000 points take half an hour: CONSISTENCY_POINTS=2000 vitest run test/walks/consistency.test.ts */
const points = Number(process.env['CONSISTENCY_POINTS'] ?? 24)

test(`no answer contradicts itself: ${points} points, 12 moments, both systems of units, both views`, {
  timeout: points * 60_000,
}, async () => {
  const { answers, counts, examples } = await walk(points)
  console.log(`${answers} answers, ${rules.length + 1} rules`)
  expect(
    [...counts].filter(([, count]) => count > 0).map(([rule, count]) => `${count} ${rule}: ${examples.get(rule)}`),
  ).toEqual([])
  expect(answers).toBeGreaterThan(points * 12 * 4 * 0.7)
})
