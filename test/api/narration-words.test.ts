import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  imperialNarration as imperial,
  metricNarration as metric,
  type NarratedHour,
  narrateNext,
  narrateNow,
} from '../../api/sections/narration-words.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'

const noon = Date.UTC(2026, 8, 4, 12)
const utcHour = (at: number) => new Date(at).getUTCHours()
const hours = (make: (i: number) => Omit<NarratedHour, 'time'>, count = 12): NarratedHour[] =>
  Array.from({ length: count }, (_, i) => ({ time: noon + i * HOUR, ...make(i) }))
const next = (rows: readonly NarratedHour[], units = imperial) => narrateNext(rows, utcHour, units)

describe('current', () => {
  test('writes every sentence in order', () => {
    const now = {
      conditions: 'Light Rain',
      temperature: 71.6,
      feels_like: 75,
      wind_speed: 12.4,
      wind_gust: 25,
      wind_direction: 310,
      precip_type: 'rain',
      precip_rate: 0.124,
      visibility: 2.4,
      aqi: 151,
      aqi_category: 'Unhealthy',
    }
    expect(narrateNow(now, ['Tornado Warning', 'Flood Watch'], imperial)).toBe(
      'Light Rain, 72°F. Feels like 75°F. Wind from the northwest at 12 mph, gusting to 25 mph. Rain falling at 0.12 in/h. Visibility 2 miles. Air quality is unhealthy (AQI 151). Tornado Warning and 1 more in effect.',
    )
  })

  test('omits values below the limits', () => {
    const now = {
      conditions: 'Clear',
      temperature: 72,
      feels_like: 74.9,
      wind_speed: 2.9,
      wind_gust: 12.8,
      visibility: 3,
      aqi: 100,
    }
    expect(narrateNow({ ...now, aqi_category: 'Moderate', precip_rate: 0 }, [], imperial)).toBe(
      'Clear, 72°F. Wind calm.',
    )
    expect(narrateNow({ ...now, wind_gust: 12.9 }, [], imperial)).toBe('Clear, 72°F. Wind calm, gusting to 13 mph.')
  })

  test('converts limits: 3 °F is 1.67 °C, 3 mph is 4.8 km/h', () => {
    const now = {
      conditions: 'Cloudy',
      temperature: 20,
      feels_like: 21.7,
      wind_speed: 4.9,
      wind_direction: 0,
      visibility: 4.8,
    }
    expect(narrateNow(now, [], metric)).toBe(
      'Cloudy, 20°C. Feels like 22°C. Wind from the north at 5 km/h. Visibility 5 km.',
    )
    expect(narrateNow({ ...now, feels_like: 21.6, wind_speed: 4.8, visibility: 4.9 }, [], metric)).toBe(
      'Cloudy, 20°C. Wind calm.',
    )
  })

  test('writes a visibility below a mile in words, never as 0 or a mile', () => {
    const now = { conditions: 'Dense Fog', temperature: 40 }
    expect(narrateNow({ ...now, visibility: 0.25 }, [], imperial)).toBe(
      'Dense Fog, 40°F. Visibility less than half a mile.',
    )
    expect(narrateNow({ ...now, visibility: 0.5 }, [], imperial)).toBe('Dense Fog, 40°F. Visibility less than 1 mile.')
    expect(narrateNow({ ...now, visibility: 1.2 }, [], imperial)).toBe('Dense Fog, 40°F. Visibility 1 mile.')
    expect(narrateNow({ ...now, visibility: 0.4 }, [], metric)).toBe('Dense Fog, 40°C. Visibility less than 500 m.')
  })

  test('omits nulls, and writes nothing about too little data', () => {
    expect(narrateNow({ conditions: 'Clear', temperature: null, wind_speed: null }, [], imperial)).toBeUndefined()
    expect(narrateNow({ temperature: -0.4, wind_speed: 5, wind_direction: 359 }, [], imperial)).toBe(
      '0°F. Wind from the north at 5 mph.',
    )
  })
})

describe('short term', () => {
  test('describes rising temperature, a wet period, thunder and gusts', () => {
    const rows = hours((i) => ({
      conditions: i < 8 ? 'Mostly Sunny' : 'Thunderstorms',
      temperature: 70 + Math.min(i, 5),
      precip_probability: i >= 8 ? 60 : 5,
      precip_type: i >= 8 ? 'rain' : 'none',
      wind_gust: 20 + i,
      thunder_possible: i === 9,
    }))
    expect(next(rows)).toBe(
      'This afternoon: mostly sunny, rising to 75°F by 5 PM. Rain likely (60 percent), mainly 7 PM to 11 PM. Thunderstorms possible. Wind gusts to 31 mph.',
    )
  })

  test('describes falling temperature, dry hours, a single wet hour and continuous rain', () => {
    const dry = (temperature: (i: number) => number) =>
      hours((i) => ({ conditions: 'Clear', temperature: temperature(i), precip_probability: 14 }))
    expect(next(dry((i) => 60 - i))).toBe('This afternoon: clear, falling to 54°F by 6 PM. Dry.')
    expect(next(dry(() => 60))).toBe('This afternoon: clear, near 60°F. Dry.')
    const once = hours((i) => ({
      conditions: 'Clear',
      temperature: 60,
      precip_probability: i === 2 ? 20 : 0,
      precip_type: 'wintry_mix',
    }))
    expect(next(once)).toContain('A wintry mix slight chance (20 percent), mainly 1 PM to 2 PM.')
    const always = hours(() => ({ conditions: 'Snow', temperature: 20, precip_probability: 90, precip_type: 'snow' }))
    expect(next(always)).toBe('This afternoon: snow, near 20°F. Snow expected (90 percent).')
  })

  test('names no later part of the day than its hours', () => {
    const at = (hour: number) => Date.UTC(2026, 8, 4, hour)
    const from = (hour: number) =>
      Array.from({ length: 12 }, (_, i) => ({
        time: at(hour + i),
        conditions: (hour + i) % 24 < 6 ? 'Cloudy' : 'Sunny',
        temperature: 50 + i,
        precip_probability: 0,
      }))
    expect(next(from(5))).toBe('Tonight: cloudy, near 50°F. This morning: sunny, rising to 57°F by 12 PM. Dry.')
    expect(next(from(23))).toBe('Tonight: cloudy, rising to 57°F by 6 AM. Dry.')
    expect(next(from(0))).toBe('Tonight: cloudy, rising to 56°F by 6 AM. Dry.')
    expect(next(from(21))).toBe('This evening: sunny, near 50°F. Tonight: cloudy, rising to 59°F by 6 AM. Dry.')
  })

  test('names a type that falls in most of the main hours, and none if rain changes to snow', () => {
    const falling = (types: readonly string[]) =>
      next(
        hours((i) => ({
          conditions: 'Cloudy',
          temperature: 40,
          precip_probability: types[i] ? 75 : 0,
          precip_type: types[i] ?? 'none',
        })),
      )
    expect(falling(['rain', 'wintry_mix', 'snow', 'snow'])).toContain('Precipitation likely (75 percent), mainly')
    expect(falling(['rain', 'snow', 'snow', 'snow', 'snow'])).toContain('Snow likely (75 percent), mainly')
    expect(falling(['rain', 'rain', 'rain'])).toContain('Rain likely (75 percent), mainly')
  })

  test('decides by imperial values, so that both systems have the same sentences', () => {
    const rows = hours((i) => ({
      conditions: 'Sunny',
      temperature: i === 5 ? 16.7 : 14.4,
      wind_gust: 40.2,
      precip_probability: 0,
      imperial: { temperature: i === 5 ? 61.9 : 58, wind_gust: 25 },
    }))
    expect(next(rows, metric)).toBe('This afternoon: sunny, near 14°C. Dry. Wind gusts to 40 km/h.')
  })

  test('writes the time of likely thunder', () => {
    const rows = hours((i) => ({
      conditions: 'Thunderstorms',
      temperature: 70,
      precip_probability: 90,
      precip_type: 'rain',
      thunder_possible: true,
      thunderstorm_probability: nth([91, 100, 61, 20, 10, 10, 10, 10, 10, 10, 10, 10], i),
    }))
    expect(next(rows)).toBe(
      'This afternoon: thunderstorms, near 70°F. Rain expected (90 percent). Thunderstorms expected, mainly 11 AM to 2 PM.',
    )
  })

  test('does not call hours dry in which thunder is possible', () => {
    const rows = hours(() => ({
      conditions: 'Partly Cloudy',
      temperature: 88,
      precip_probability: 8,
      thunder_possible: true,
      thunderstorm_probability: 5,
    }))
    expect(next(rows)).toBe('This afternoon: partly cloudy, near 88°F. Mostly dry. Thunderstorms possible.')
  })

  test('calls thunder in dry hours possible, not expected', () => {
    const rows = hours((i) => ({
      conditions: 'Partly Cloudy',
      temperature: 88,
      precip_probability: nth([0, 0, 0, 4, 21, 93, 93, 90, 60, 10, 0, 0], i),
      precip_type: i > 3 ? 'rain' : 'none',
      thunder_possible: true,
      thunderstorm_probability: nth([83, 83, 83, 83, 83, 40, 40, 20, 10, 10, 10, 10], i),
    }))
    expect(next(rows)).toMatch(/Rain expected \(93 percent\), mainly 4 PM to 8 PM\. Thunderstorms possible\.$/)
  })

  test.each([
    [5, 'Tonight'],
    [6, 'This morning'],
    [12, 'This afternoon'],
    [18, 'This evening'],
    [22, 'Tonight'],
  ])('names the hour %i: %s', (hour, words) => {
    const now = Date.UTC(2026, 8, 4, hour)
    expect(
      next(
        hours(() => ({ conditions: 'Clear', temperature: 60 })).map((row, i) => ({ ...row, time: now + i * HOUR })),
      )!.startsWith(`${words}:`),
    ).toBe(true)
  })

  test('treats unknown probabilities as neither dry nor wet', () => {
    expect(next(hours(() => ({ conditions: 'Clear', temperature: 60 })))).toBe('This afternoon: clear, near 60°F.')
    expect(next([])).toBeUndefined()
  })
})

test('writes plain ASCII of 20 to 400 characters with full stops for any values', () => {
  const value = fc.option(fc.double({ min: -80, max: 600, noNaN: true }), { nil: null })
  const words = fc.constantFrom('Clear', 'Thunderstorms with Hail', null, undefined)
  const type = fc.constantFrom('rain', 'snow', 'freezing_rain', 'ice_pellets', 'wintry_mix', 'unknown', 'none', null)
  const hour = fc.record({
    time: fc.integer({ min: 0, max: 2e12 }),
    conditions: words,
    temperature: value,
    precip_probability: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
    precip_type: type,
    wind_gust: value,
    thunder_possible: fc.boolean(),
  })
  const now = fc.record({
    conditions: words,
    temperature: value,
    feels_like: value,
    wind_speed: value,
    wind_gust: value,
    wind_direction: value,
    precip_type: type,
    precip_rate: value,
    visibility: value,
    aqi: value,
    aqi_category: fc.constantFrom('Good', 'Unhealthy for Sensitive Groups', null),
  })
  const good = (text: string | undefined) => {
    if (text === undefined) return
    expect(text).toMatch(/^[\x20-\x7e°]{20,400}$/)
    expect(text.endsWith('.')).toBe(true)
    expect(text).not.toMatch(/null|undefined|NaN|-0°|Infinity/)
  }
  fc.assert(
    fc.property(
      fc.array(hour, { maxLength: 14 }),
      now,
      fc.array(fc.constant('Winter Storm Warning'), { maxLength: 5 }),
      fc.boolean(),
      (rows, at, alerts, us) => {
        const units = us ? imperial : metric
        good(narrateNow(at, alerts, units))
        good(narrateNext(rows, utcHour, units))
      },
    ),
    { numRuns: 2000, seed: 7 },
  )
})

test('names the likeliest weather of a wet part, so that no slight chance stands beside rain that is expected', () => {
  const rows = hours((i) => ({
    conditions: i === 0 ? 'Rain' : i < 6 ? 'Slight Chance Rain' : 'Cloudy',
    precip_type: i < 6 ? 'rain' : 'none',
    precip_probability: i === 0 ? 100 : i < 6 ? 20 : 0,
    temperature: 50,
  }))
  expect(next(rows)).toMatch(/^This afternoon: rain, near 50°F\. Rain expected \(100 percent\)/)
})
