import { expect, test } from 'vitest'
import { isFalseAllClear, questionsAt } from '../../bench/tools/questions.ts'

/** The judge of `npm run eval:tools` rates the answer of a model to its user, not the text of the tool that the model read. */
test('tells a true answer in prose from a false one for every question of the evaluation', () => {
  const questions = questionsAt(Date.now())
  expect(questions.length).toBeGreaterThanOrEqual(200)
  for (const question of questions) {
    const [right, wrong] = question.examples
    expect(question.judge(right), `${question.text} ${right}`).toBe(true)
    if (wrong) expect(question.judge(wrong), `${question.text} ${wrong}`).toBe(false)
    expect(isFalseAllClear(question, right, true), `${question.text} ${right}`).toBe(false)
    expect(isFalseAllClear(question, 'No alerts are in effect.', true), question.text).toBe(question.danger === true)
  }
})
