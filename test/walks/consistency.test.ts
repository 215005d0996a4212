import { expect, test } from 'vitest'
import { rules } from '../../bin/doctor/rules.ts'
import { moments, walk } from './consistency.ts'

/** 2,000 points take a quarter of an hour: CONSISTENCY_POINTS=2000 vitest run test/walks/consistency.test.ts */
const points = Number(process.env['CONSISTENCY_POINTS'] ?? 24)

test(`no answer contradicts itself: ${points} points, ${moments.length} moments, both systems of units, both views`, {
  timeout: points * 60_000,
}, async () => {
  const { answers, seen, counts, examples } = await walk(points)
  console.log(
    [
      `${answers} answers, ${rules.length + 1} rules`,
      ...[...seen].map(([what, count]) => `${String(count).padStart(8)} ${what}`),
      'contradictions by rule:',
      ...[...counts].map(([rule, count]) => `${String(count).padStart(8)} ${rule}`),
    ].join('\n'),
  )
  for (const [what, count] of seen) expect(count, what).toBeGreaterThan(0)
  expect(
    [...counts].filter(([, count]) => count > 0).map(([rule, count]) => `${count} ${rule}: ${examples.get(rule)}`),
  ).toEqual([])
  expect(answers).toBeGreaterThan(points * moments.length * 4 * 0.55)
})
