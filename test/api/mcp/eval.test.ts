import { describe, expect, test } from 'vitest'
import { examplesOf, isFalseAllClear, judge } from '../../bench/tools/question.ts'
import { questionsAt } from '../../bench/tools/questions.ts'
import { unreadOf } from '../../bench/tools/readiness.ts'
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

describe('a server', () => {
  const now = Date.parse('2026-11-29T00:00:00Z')
  const row = (dataset_id: string, hours: number | null) => ({
    dataset_id,
    reference_time: hours === null ? null : new Date(now).toISOString(),
    time_range: hours === null ? null : { end: new Date(now + hours * HOUR).toISOString() },
  })

  test('is not ready while a source or lead hours are missing', () => {
    const datasets = [row('nbm', 48), row('gfs', null), row('nws-alerts', null), row('metar', 0)]
    expect(unreadOf(datasets, now)).toEqual(['nbm: 48 of 250 h', 'gfs: nothing', 'nws-alerts: nothing'])
  })

  test('is ready once every lead hour of a run of a few hours ago is there', () => {
    expect(unreadOf([row('nbm', 261), row('nbm-qmd', 230), row('gfs', 373), row('hrrr', 15)], now)).toEqual([])
  })
})
