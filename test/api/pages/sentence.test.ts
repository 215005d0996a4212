import { expect, test } from 'vitest'
import type { Nowcast } from '../../../api/pages/browser/api.ts'
import { rainNow } from '../../../api/pages/browser/sentence.ts'

const NOW = Date.parse('2026-11-23T10:26:00Z')
const about = (summary: object, thunder = false) => rainNow({ summary, points: [] } as unknown as Nowcast, NOW, thunder)

test('what falls is stated where the radar sees it, and nothing where no radar does', () => {
  expect(about({ type: 'unknown', ends_at: null, already_occurring: false, peak_intensity: 'none' })).toBeUndefined()
  expect(about({ type: 'none', ends_at: null, already_occurring: false })).toBeUndefined()
  expect(about({ type: 'snow', ends_at: null, already_occurring: true })).toBe('Snow now, for at least 90 minutes.')
  expect(about({ type: 'rain', ends_at: '2026-11-23T10:46:00Z', already_occurring: true })).toBe(
    'Rain now, ending in about 20 min.',
  )
  expect(
    about({
      type: 'unknown',
      starts_at: '2026-11-23T10:56:00Z',
      ends_at: '2026-11-23T11:26:00Z',
      already_occurring: false,
    }),
  ).toBe('Precipitation in about 30 min, for about 30 min.')
})

test('what falls now is called as its bar is, not as the rest of the 90 minutes', () => {
  const nowcast = {
    summary: { type: 'wintry_mix', ends_at: null, already_occurring: true },
    points: [{ type: 'rain' }],
  }
  expect(rainNow(nowcast as unknown as Nowcast, NOW)).toBe('Rain now, for at least 90 minutes.')
})

test('rain of a thunderstorm is called so while it falls, and only then', () => {
  const rain = { type: 'rain', ends_at: null, already_occurring: true }
  expect(about(rain, true)).toBe('Thunderstorms now, for at least 90 minutes.')
  expect(about({ ...rain, type: 'snow' }, true)).toBe('Snow now, for at least 90 minutes.')
  const later = { type: 'rain', starts_at: '2026-11-23T10:56:00Z', ends_at: null, already_occurring: false }
  expect(about(later, true)).toBe('Rain in about 30 min.')
})
