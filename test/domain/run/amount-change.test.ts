import { expect, test } from 'vitest'
import { unlikelyAmounts } from '../../../ingest/domain/run/amount-change.ts'
import type { Mean } from '../../../ingest/domain/run/run-change.ts'
import { HOUR } from '../../../ingest/domain/time.ts'

const run = Date.UTC(2026, 7, 20, 12)

/** Means of consecutive hours from the first after the run, or from another hour. */
const hours = (means: readonly number[], from = 1): Mean[] =>
  means.map((mean, k) => ({ time: run + (from + k) * HOUR, mean }))

const usual = [0.08, 0.085, 0.09, 0.1, 0.11, 0.1]
const withChange = (at: number, factor: number) => usual.map((mean, k) => (k === at ? mean * factor : mean))

const unlikely = (series: readonly number[], before: readonly Mean[] = [], others: readonly (readonly Mean[])[] = []) =>
  unlikelyAmounts('precip_amount', 'conus', hours(series), before, others).map(({ time }) => (time - run) / HOUR)

test.each([
  ['tenfold', 10],
  ['inches in place of millimetres', 1 / 25.4],
  ['metres in place of millimetres', 1 / 1000],
])('reports an hour with another scale: %s', (_, factor) => {
  // Dry hours change little in absolute terms, so a smaller scale shows in wet hours only.
  const wet = factor > 1 ? 1 : 6
  const series = withChange(2, factor).map((mean) => mean * wet)
  const known = hours(usual.map((mean) => mean * wet * 1.1))
  expect(unlikely(series, known)).toEqual([3])
  expect(unlikely(series, known, [known])).toEqual([3])
  expect(unlikely(series, [], [known])).toEqual([3])
})

test('reports the first and the last hour, which have one neighbor', () => {
  expect(unlikely(withChange(0, 10), hours(usual))).toEqual([1])
  expect(unlikely(withChange(5, 10), hours(usual))).toEqual([6])
})

test('reports a tenfold hour of a first run by comparing the neighbouring hours', () => {
  expect(unlikely(withChange(2, 12))).toEqual([3])
})

test('reports every hour of a run with another scale by comparing the previous run', () => {
  const series = usual.map((mean) => mean * 10)
  expect(unlikely(series, hours(usual))).toEqual([1, 2, 3, 4, 5, 6])
  expect(unlikely(series, hours(usual), [hours(usual)])).toEqual([1, 2, 3, 4, 5, 6])
})

test.each([
  ['a storm that the run before has too', withChange(2, 10), hours(withChange(2, 8)), []],
  ['a storm that another model has too', withChange(2, 10), hours(usual), [hours(usual), hours(withChange(2, 7))]],
  ['a storm that lasts for hours and came with this run', [0.08, 0.3, 0.5, 0.5, 0.4, 0.1], hours(usual), []],
  ['a landfall: three times the mean of the run before', usual.map((mean) => mean * 3), hours(usual), []],
  [
    'a storm that is some hours earlier than in the run before',
    [0.6, 0.7, 0.5, 0.2, 0.1, 0.1],
    hours([0.1, 0.1, 0.3, 0.6, 0.7, 0.5]),
    [],
  ],
  [
    'a front that is one hour earlier than in both',
    [0.1, 0.9, 0.1, 0.1],
    hours([0.1, 0.1, 0.9, 0.1]),
    [hours([0.1, 0.1, 0.9, 0.1])],
  ],
  ['a dry run', [0, 0, 0, 0, 0, 0], hours([0.02, 0.03, 0.05, 0.02, 0, 0]), []],
  ['the first run of a wet system', [0.1, 0.3, 0.9, 2.1, 3.2, 2.6], [], []],
] as const)('accepts %s', (_, series, before, others) => {
  expect(unlikely(series, before, others)).toEqual([])
})

const sixHourly = (means: readonly number[]): Mean[] =>
  means.map((mean, k) => ({ time: run + (k + 1) * 6 * HOUR, mean }))
const hawaii = (series: readonly Mean[], before: readonly Mean[], others: readonly (readonly Mean[])[] = []) =>
  unlikelyAmounts('precip_amount_6h', 'hawaii', series, before, others).map(({ time }) => (time - run) / HOUR)

test('accepts a front over islands that comes six hours earlier than in the previous run', () => {
  const [now, then] = [sixHourly([0.1, 0.1, 2.4, 0.2, 0.1]), sixHourly([0.1, 0.1, 0.2, 2.2, 0.1])]
  expect(hawaii(now, then)).toEqual([])
  expect(hawaii(now, sixHourly([0.1, 0.1, 0.2, 0.2, 0.1]), [then])).toEqual([])
  expect(hawaii(now, sixHourly([0.1, 0.1, 0.2, 0.2, 0.1]))).toEqual([18])
})

test('accepts storms over islands with dry hours between them, in a first run too', () => {
  const means = [0.02, 0.05, 0.84, 0.02, 0.92, 0.3, 0.02, 0.01]
  const reported = (series: readonly Mean[], before: readonly Mean[] = []) =>
    unlikelyAmounts('precip_amount', 'hawaii', series, before, []).map(({ time }) => (time - run) / HOUR)
  expect(reported(hours(means))).toEqual([])
  expect(reported(hours(means), hours([...means].reverse()))).toEqual([])
  expect(reported(hours([0.05, 0.05, 0.84, 0.05, 0.05]))).toEqual([])
  // A scale of inches, and a tenfold hour beside the previous run.
  expect(reported(hours([0.1, 0.1, 2.54, 0.1, 0.1]))).toEqual([3])
  expect(reported(hours([0.1, 0.1, 1, 0.1, 0.1]), hours([0.1, 0.1, 0.1, 0.1, 0.1]))).toEqual([3])
})

test('reports a whole run over islands whose scale differs from that of another model', () => {
  const means = Array.from({ length: 48 }, (_, k) => [0.01, 0.05, 0.8, 0.02, 0.3, 0.1][k % 6] ?? 0)
  const reported = (factor: number, others: readonly (readonly Mean[])[]) =>
    unlikelyAmounts('precip_amount', 'hawaii', hours(means.map((mean) => mean * factor)), [], others).length
  expect(reported(1, [hours(means)])).toBe(0)
  expect(reported(25.4, [hours(means)])).toBeGreaterThan(15)
  expect(reported(1000, [hours(means)])).toBe(48)
  // Two models that differ from each other prove nothing.
  expect(reported(25.4, [hours(means), hours(means.map((mean) => mean * 25))])).toBe(0)
})

test('accepts a front over islands that comes a day earlier than in the previous run', () => {
  const [now, then] = [sixHourly([0.1, 2.4, 0.2, 0.1, 0.1, 0.1]), sixHourly([0.1, 0.1, 0.1, 0.1, 0.2, 2.4])]
  expect(hawaii(now, then)).toEqual([])
})

test('accepts a shower over islands that are otherwise dry', () => {
  expect(hawaii(sixHourly([0, 0.02, 0.1, 0.01, 0]), sixHourly([0, 0, 0, 0, 0]))).toEqual([])
})

test('reports a tenfold hour of a dry day over the states, of amounts and of rates', () => {
  const dry = [0.02, 0.021, 0.02, 0.022, 0.02]
  const series = hours(dry.map((mean, k) => (k === 2 ? mean * 10 : mean)))
  for (const name of ['precip_amount', 'precip_rate'])
    expect(unlikelyAmounts(name, 'conus', series, hours(dry), []).map(({ time }) => (time - run) / HOUR)).toEqual([3])
})

test('compares only the same valid time, and ignores means that were carried over', () => {
  const series = usual.map((mean) => mean * 10)
  expect(unlikely(series, hours(usual, 7))).toEqual([])
  expect(
    unlikely(
      series,
      hours(usual).map((mean) => ({ ...mean, carried: true })),
    ),
  ).toEqual([])
})

test('does not compare other quantities', () => {
  expect(unlikelyAmounts('cape', 'conus', hours(withChange(2, 10)), hours(usual), [])).toEqual([])
})

test('names the compared means', () => {
  const [doubt] = unlikelyAmounts('precip_amount', 'conus', hours(withChange(2, 10)), hours(usual), [hours(usual)])
  expect(doubt).toEqual({
    time: run + 3 * HOUR,
    isJump: true,
    detail:
      'the mean over all cells is 0.900 mm, but 0.0850 to 0.100 mm in the previous run, 0.0850 to 0.100 mm in other models, 0.0850 to 0.100 mm in the neighbouring hours',
  })
})
