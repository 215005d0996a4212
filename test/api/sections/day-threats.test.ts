import { expect, test } from 'vitest'
import type { Forecast } from '../../../api/blend/columns.ts'
import type { DayRow } from '../../../api/sections/day-row.ts'
import { rowThreats } from '../../../api/sections/day-threats.ts'
import { emptySummary } from '../../../api/sections/half-summary.ts'

const kelvin = (fahrenheit: number) => (fahrenheit + 459.67) / 1.8
const none = { outlooks: [], alerts: [], severe: new Uint8Array(0) }

function row(active: number, day: object, night: object, wholeDay: object = {}): DayRow {
  return {
    ...{ window: { day: 0, relative: 0, start: 0, nightfall: 0, end: 0 }, active, high: Number.NaN, low: Number.NaN },
    ...{ feelsLikeHigh: Number.NaN, feelsLikeLow: Number.NaN },
    ...{
      day: { ...emptySummary(), ...day },
      night: { ...emptySummary(), ...night },
      wholeDay: { ...emptySummary(), ...wholeDay },
    },
  } as unknown as DayRow
}

const typesOf = (dayRow: DayRow) =>
  rowThreats({} as Forecast, dayRow, none).map(({ type, risk_label }) => [type, risk_label])

test('derives a threat from the remaining hours if passed hours are not known', () => {
  const hot = { feelsLikeHigh: kelvin(120), windGust: 24 }
  expect(typesOf(row(1, hot, { feelsLikeHigh: kelvin(90), windGust: 5 }))).toEqual([
    ['heat', 'Danger'],
    ['wind', 'Elevated'],
  ])
  // The day has passed: what it was is no threat of the night.
  expect(typesOf(row(2, hot, { feelsLikeHigh: kelvin(90), windGust: 5 }))).toEqual([])
  expect(typesOf(row(1, hot, {}, { windGust: 10 }))).toEqual([['heat', 'Danger']])
})

test('derives a threat of cold from the number that the row shows', () => {
  const mild = { ...row(1, { feelsLikeLow: kelvin(-28) }, { feelsLikeLow: kelvin(-9) }), feelsLikeLow: kelvin(-9) }
  expect(typesOf(mild)).toEqual([])
  expect(typesOf({ ...mild, feelsLikeLow: kelvin(-28) })).toEqual([['cold', 'Danger']])
})
