import { expect, test } from 'vitest'
import type { Nowcast, PageWeather } from '../../../api/pages/browser/api.ts'
import { clockOf } from '../../../api/pages/browser/format.ts'
import { rainNow, statements } from '../../../api/pages/browser/sentence.ts'

const NOW = Date.parse('2026-11-23T10:26:00Z')
const about = (summary: object, thunder = false) => rainNow({ summary, points: [] } as unknown as Nowcast, NOW, thunder)

test('states precipitation that radar sees, and nothing without radar coverage', () => {
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

test('names the current type of precipitation, not the main type of the 90 minutes', () => {
  const nowcast = {
    summary: { type: 'wintry_mix', ends_at: null, already_occurring: true },
    points: [{ type: 'rain' }],
  }
  expect(rainNow(nowcast as unknown as Nowcast, NOW)).toBe('Rain now, for at least 90 minutes.')
})

test('names a change of type with its time, unless it lasts only one step', () => {
  const step = (minutes: number, type: string) => ({ time: new Date(NOW + minutes * 60_000).toISOString(), type })
  const after = (types: readonly string[], ends_at: string | null = null) =>
    rainNow(
      {
        summary: { type: 'snow', ends_at, already_occurring: true },
        points: types.map((type, i) => step(5 * i - 1, type)),
      } as unknown as Nowcast,
      NOW,
    )
  expect(after(['rain', 'rain', 'snow', 'snow'])).toBe(
    'Rain now, turning to snow in about 9 min, no end within 90 minutes.',
  )
  const ends = new Date(NOW + 14 * 60_000).toISOString()
  expect(after(['freezing_rain', 'wintry_mix', 'wintry_mix', 'none', 'snow', 'snow'], ends)).toBe(
    'Freezing rain now, turning to wintry mix in about 4 min, ending in about 14 min.',
  )
  expect(after(['rain', 'snow', 'rain', 'unknown', 'unknown'])).toBe('Rain now, for at least 90 minutes.')
})

test('calls rain thunderstorms only while a thunderstorm is observed', () => {
  const rain = { type: 'rain', ends_at: null, already_occurring: true }
  expect(about(rain, true)).toBe('Thunderstorms now, for at least 90 minutes.')
  expect(about({ ...rain, type: 'snow' }, true)).toBe('Snow now, for at least 90 minutes.')
  const later = { type: 'rain', starts_at: '2026-11-23T10:56:00Z', ends_at: null, already_occurring: false }
  expect(about(later, true)).toBe('Rain in about 30 min.')
})

test('states the most severe alert first, with weekdays only for times of other days', () => {
  const alert = (event: string, severity: string, onset: string, ends: string) => ({ event, severity, onset, ends })
  const alerts = [
    alert('Flood Watch', 'Severe', '2026-11-23T09:00:00Z', '2026-11-24T09:00:00Z'),
    alert('Tornado Warning', 'Extreme', '2026-11-23T10:00:00Z', '2026-11-23T11:15:00Z'),
  ]
  const weather = { alerts, hourly: [{ time: '2026-11-24T13:00:00Z', feels_like: -20 }] } as unknown as PageWeather
  const clock = clockOf('America/Chicago')
  expect(statements(weather, clock, NOW)).toEqual([
    { text: 'Tornado Warning until 5:15 AM, and 1 more alert.', severity: 'Extreme' },
    { text: 'Feels like -20° by 7 AM tomorrow.' },
  ])
  const later = { alerts: [alert('Winter Storm Warning', 'Severe', '2026-11-24T12:00:00Z', '2026-12-02T12:00:00Z')] }
  expect(statements(later as unknown as PageWeather, clock, NOW)[0]?.text).toBe(
    'Winter Storm Warning from Tue 6:00 AM until Wed, Dec 2, 6:00 AM.',
  )
})

test('warns without a colour if alerts could not be read', () => {
  expect(statements({} as PageWeather, clockOf('America/Chicago'), NOW)).toEqual([
    { text: 'Alerts could not be read just now: this is no all-clear.' },
  ])
})
