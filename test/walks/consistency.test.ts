import { expect, test } from 'vitest'
import { rules } from '../../bin/doctor/rules.ts'
import { moments, walk } from './consistency.ts'

/**
 * 2,000 points take half an hour. The moments can be run in parts: CONSISTENCY_POINTS=2000 CONSISTENCY_MOMENTS=0,1,2
 * vitest run test/walks/consistency.test.ts
 */
const points = Number(process.env['CONSISTENCY_POINTS'] ?? 24)
const chosen = process.env['CONSISTENCY_MOMENTS']?.split(',').map(Number)
const walkedMoments = moments.filter((_, i) => !chosen || chosen.includes(i))

test(`finds no contradiction in any answer: ${points} points, ${walkedMoments.length} moments, both systems of units, both views`, {
  timeout: points * 60_000,
}, async () => {
  const { answers, situations, counts, examples } = await walk(points, walkedMoments)
  console.log(
    [
      `${answers} answers, ${rules.length + 1} rules: ${walkedMoments.map(({ name }) => name).join('; ')}`,
      ...[...situations].map(([situation, count]) => `${String(count).padStart(8)} ${situation}`),
      'contradictions by rule:',
      ...[...counts].map(([rule, count]) => `${String(count).padStart(8)} ${rule}`),
    ].join('\n'),
  )
  if (!chosen) for (const [situation, count] of situations) expect(count, situation).toBeGreaterThan(0)
  expect(
    [...counts].filter(([, count]) => count > 0).map(([rule, count]) => `${count} ${rule}: ${examples.get(rule)}`),
  ).toEqual([])
  expect(answers).toBeGreaterThan(points * walkedMoments.length * 4 * 0.55)
})
