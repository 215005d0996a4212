import { expect, test } from 'vitest'
import { examplesOf, isFalseAllClear, judge } from '../../bench/tools/question.ts'
import { questionsAt } from '../../bench/tools/questions.ts'
import { HOUR } from '../../bench/tools/truth.ts'

/** The judge of `npm run eval:tools` rates answers in prose and parts of the texts of tools. */
const lists = [0, 3, 10, 17].map((ahead) => questionsAt(Date.now() + ahead * HOUR))

test('has at least 400 different questions at any hour', () => {
  for (const questions of lists) {
    expect(questions.length).toBeGreaterThanOrEqual(400)
    const different = new Set(questions.map(({ state, text, call }) => JSON.stringify([state, text, call])))
    expect(different.size).toBe(questions.length)
  }
})

test('tells a true answer in prose from a false one for every question', () => {
  for (const question of lists.flat()) {
    const [right, wrong] = examplesOf(question)
    const about = `${question.text} ${JSON.stringify(question.expected)}`
    expect(judge(question.expected, right), `${about} ${right}`).toBe(true)
    expect(judge(question.expected, wrong), `${about} ${wrong}`).toBe(false)
    expect(isFalseAllClear(question, right, true), `${about} ${right}`).toBe(false)
  }
})

test('calls a denial of a danger a false all-clear', () => {
  for (const question of lists.flat().filter(({ danger }) => danger))
    expect(isFalseAllClear(question, 'No alerts are in effect and no rain falls.', true), question.text).toBe(true)
})
