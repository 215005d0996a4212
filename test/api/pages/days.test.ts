import { expect, test } from 'vitest'
import type { Day } from '../../../api/pages/browser/api.ts'
import { fallOf } from '../../../api/pages/browser/days.ts'
import { labelsOf } from '../../../api/pages/browser/format.ts'
import { threatsLine } from '../../../api/pages/browser/risks.ts'

const labels = labelsOf({ temperature: 'F', wind_speed: 'mph', precip_amount: 'in' } as Parameters<typeof labelsOf>[0])
const fall = (precip_total: number | null, snow_total: number | null) =>
  fallOf({ precip_total, snow_total } as Day, labels)

test('shows the amount of rain for a day with a trace of snow, and the depth of a snowfall', () => {
  expect(fall(3.66, 0.1)).toBe('3.66 in')
  expect(fall(0.24, 2.4)).toBe('2.4 in snow')
  expect(fall(0.004, null)).toBe('< 0.01 in')
  expect(fall(0, 0)).toBe('')
  expect(fall(null, null)).toBe('')
})

test('names the kind of each hazard beside its grade', () => {
  expect(
    threatsLine([
      { type: 'severe', risk_label: 'Enhanced' },
      { type: 'fire', risk_label: 'Elevated' },
      { type: 'wind', risk_label: 'Warning' },
    ]),
  ).toBe('severe storms (Enhanced), fire weather (Elevated), wind (Warning)')
})
