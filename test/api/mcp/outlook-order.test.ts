import { expect, test } from 'vitest'
import { highestFirst } from '../../../api/mcp/tools/get-severe-outlook.ts'

test('sorts outlooks by category, then by day, and hazards without a category by probability', () => {
  const list = [
    { day: 1, risk: '0.05', risk_label: '5%', probability: 0.05 },
    { day: 2, risk: 'MRGL', risk_label: 'Marginal' },
    { day: 4, risk: '0.15', risk_label: 'Slight', probability: 0.15 },
    { day: 1, risk: '0.15', risk_label: '15%', probability: 0.15 },
    { day: 3, risk: 'SLGT', risk_label: 'Slight' },
    { day: 5, risk: '0.3', risk_label: 'Enhanced', probability: 0.3 },
    { day: 1, risk: 'TSTM', risk_label: 'General Thunderstorms' },
  ]
  expect(list.toSorted(highestFirst).map(({ day, risk_label }) => `${day} ${risk_label}`)).toEqual([
    '5 Enhanced',
    '3 Slight',
    '4 Slight',
    '2 Marginal',
    '1 General Thunderstorms',
    '1 15%',
    '1 5%',
  ])
})
