import { Body, Observer, SearchRiseSet } from 'astronomy-engine'
import { describe, expect, test } from 'vitest'
import { CIVIL_TWILIGHT, SUN_HORIZON, skyAt } from '../../../ingest/domain/sky/sky.ts'
import { sunMoon } from '../../../ingest/domain/sky/sun-moon.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { seeded } from '../../tile/made-slabs.ts'

function on(date: string, lat: number, lon: number, name: string) {
  const local = zone(name)
  const day = Date.parse(`${date}T00:00:00Z`) / DAY
  const times = sunMoon(skyAt(lat, lon), local.startOfDay(day), local.startOfDay(day + 1))
  const clock = (at: number | undefined) => {
    if (at === undefined) return undefined
    const minutes = Math.round((at + local.offset(at) - day * DAY) / MINUTE)
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  }
  return { ...times, clock }
}

const minutes = (clock: string | undefined) =>
  clock ? Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)) : Number.NaN

describe('the almanac of the US Naval Observatory, to the minute', () => {
  test.each([
    ['2024-06-20', 38.9072, -77.0369, 'America/New_York', '05:43', '20:37'],
    ['2024-12-21', 40.7128, -74.006, 'America/New_York', '07:17', '16:32'],
    ['2024-06-20', 21.3069, -157.8583, 'Pacific/Honolulu', '05:51', '19:16'],
  ])('%s at %d, %d', (date, lat, lon, name, rise, set) => {
    const times = on(date, lat, lon, name)
    expect(Math.abs(minutes(times.clock(times.sunrise)) - minutes(rise))).toBeLessThanOrEqual(1)
    expect(Math.abs(minutes(times.clock(times.sunset)) - minutes(set))).toBeLessThanOrEqual(1)
  })
})

describe('polar day and night', () => {
  const utqiagvik = (date: string) => on(date, 71.2906, -156.7886, 'America/Anchorage')
  test('returns 24 hours of day without rise or set for Utqiaġvik in July', () => {
    const times = utqiagvik('2026-07-01')
    expect(times.sunrise).toBeUndefined()
    expect(times.sunset).toBeUndefined()
    expect(times.polar).toBe('midnight_sun')
    expect(times.dayLength).toBe(86_400)
    expect(times.daylightLength).toBe(86_400)
    expect(times.solarNoon).toBeDefined()
  })
  test('returns night with a civil twilight around noon for Utqiaġvik in December', () => {
    const times = utqiagvik('2026-12-21')
    expect(times.polar).toBe('polar_night')
    expect(times.dayLength).toBe(0)
    expect(times.daylightLength).toBeGreaterThan(3600)
    expect(times.civilDawn).toBeDefined()
  })
  test('returns a sunset after midnight and a day of 21.8 hours for Fairbanks at midsummer', () => {
    const times = on('2026-06-21', 64.8378, -147.7164, 'America/Anchorage')
    expect(Math.abs(minutes(times.clock(times.sunrise)) - minutes('02:57'))).toBeLessThanOrEqual(2)
    expect(Math.abs(minutes(times.clock(times.sunset)) - minutes('00:47'))).toBeLessThanOrEqual(2)
    expect(times.dayLength / 3600).toBeCloseTo(21.8, 1)
    expect(times.daylightLength).toBe(86_400)
    expect(times.polar).toBeUndefined()
  })
})

describe('the moon', () => {
  test.each([
    ['2024-04-08', 'New Moon', 0],
    ['2026-03-03', 'Full Moon', 0.5],
    ['2026-08-12', 'New Moon', 0],
  ])('%s is %s (an eclipse)', (date, name, phase) => {
    const times = on(date, 40, -100, 'America/Chicago')
    expect(times.moonPhaseName).toBe(name)
    const off = Math.abs(times.moonPhase - phase)
    expect(Math.min(off, 1 - off)).toBeLessThan(0.02)
    expect(Math.abs(times.moonIllumination - (phase === 0.5 ? 1 : 0))).toBeLessThan(0.01)
  })
  test('returns no moonrise on one date of a month, and no moonset on another', () => {
    let rises = 0
    let sets = 0
    for (let day = 0; day < 29; day++) {
      const times = on(
        new Date(Date.UTC(2026, 4, 1) + day * DAY).toISOString().slice(0, 10),
        39.74,
        -104.99,
        'America/Denver',
      )
      if (times.moonrise !== undefined) rises++
      if (times.moonset !== undefined) sets++
    }
    expect(rises).toBe(28)
    expect(sets).toBe(28)
  })
})

test('finds rise and set within 3 s of astronomy-engine (20 s for a grazing sun) on 120 days at 5 places', () => {
  let worstMoon = 0
  let worstSun = 0
  for (const [lat, lon, name] of [
    [39.74, -104.99, 'America/Denver'],
    [61.22, -149.9, 'America/Anchorage'],
    [21.31, -157.86, 'Pacific/Honolulu'],
    [51.88, -176.65, 'America/Adak'],
    [44.9, -66.99, 'America/New_York'],
  ] as const) {
    const local = zone(name)
    const observer = new Observer(lat, lon, 0)
    for (let day = 20_500; day < 20_860; day += 15) {
      const from = local.startOfDay(day)
      const to = local.startOfDay(day + 1)
      const times = sunMoon(skyAt(lat, lon), from, to)
      for (const [body, direction, actual] of [
        [Body.Sun, 1, times.sunrise],
        [Body.Sun, -1, times.sunset],
        [Body.Moon, 1, times.moonrise],
        [Body.Moon, -1, times.moonset],
      ] as const) {
        const searched = SearchRiseSet(body, observer, direction, new Date(from), (to - from) / DAY)?.date.getTime()
        const expected = searched !== undefined && searched < to ? searched : undefined
        expect(actual === undefined).toBe(expected === undefined)
        if (actual === undefined || expected === undefined) continue
        const off = Math.abs(actual - expected) / 1000
        if (body === Body.Moon) worstMoon = Math.max(worstMoon, off)
        else worstSun = Math.max(worstSun, off)
      }
    }
  }
  console.log(`rise and set: worst ${worstSun.toFixed(1)} s (sun), ${worstMoon.toFixed(1)} s (moon)`)
  expect(worstMoon).toBeLessThan(3)
  expect(worstSun).toBeLessThan(20)
})

describe('returns the instant at which the altitude itself crosses', () => {
  const horizon = { sunrise: SUN_HORIZON, sunset: SUN_HORIZON, civilDawn: CIVIL_TWILIGHT, civilDusk: CIVIL_TWILIGHT }
  /** Bisects the 6 seconds around it. */
  function bisected(height: (at: number) => number, near: number, threshold: number): number {
    let low = near - 3000
    let high = near + 3000
    const rises = height(high) > threshold
    expect(height(low) > threshold).toBe(!rises)
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2
      if (height(middle) > threshold === rises) high = middle
      else low = middle
    }
    return (low + high) / 2
  }

  test('is exact to the shown second at 3000 places from pole to pole on 600 dates', () => {
    const random = seeded(11)
    let looked = 0
    for (let i = 0; i < 3000; i++) {
      const sky = skyAt(random() * 179 - 89.5, random() * 360 - 180)
      const from = (20_500 + Math.floor(i / 5)) * DAY + Math.floor(random() * 24) * HOUR
      const times = sunMoon(sky, from, from + DAY)
      for (const name of ['sunrise', 'sunset', 'civilDawn', 'civilDusk', 'moonrise', 'moonset'] as const) {
        const at = times[name]
        if (at === undefined) continue
        const moon = name === 'moonrise' || name === 'moonset'
        const exact = bisected(moon ? sky.moon : sky.sun, at, moon ? 0 : horizon[name])
        expect(Math.floor(at / SECOND)).toBe(Math.floor(exact / SECOND))
        expect(Math.abs(at - exact)).toBeLessThan(5)
        looked++
      }
    }
    expect(looked).toBeGreaterThan(12_000)
  })

  test('finds the same rises and sets of the moon as a check of each minute at 150 places', () => {
    const random = seeded(12)
    for (let i = 0; i < 150; i++) {
      const sky = skyAt(random() * 178 - 89, random() * 360 - 180)
      // Some zones have half hours.
      const from = (20_500 + i * 5) * DAY + Math.floor(random() * 48) * 30 * MINUTE
      const times = sunMoon(sky, from, from + DAY)
      let rise: number | undefined
      let set: number | undefined
      for (let at = from; at < from + DAY; at += MINUTE) {
        const [before, after] = [sky.moon(at), sky.moon(at + MINUTE)]
        if (before <= 0 && after > 0) rise ??= at
        if (before > 0 && after <= 0) set ??= at
      }
      for (const [actual, expected] of [
        [times.moonrise, rise],
        [times.moonset, set],
      ]) {
        expect(actual === undefined).toBe(expected === undefined)
        expect(Math.abs((actual ?? 0) - (expected ?? -MINUTE / 2) - MINUTE / 2)).toBeLessThanOrEqual(MINUTE / 2)
      }
    }
  })
})

test('computes the same altitudes for many full hours as for each hour alone', () => {
  const sky = skyAt(61.2, -149.9)
  const many = new Float64Array(60)
  for (const first of [500_000, 500_009, 500_023, -30]) {
    sky.sunAtHours(first, many)
    for (const [i, height] of many.entries()) expect(height).toBe(sky.sunAtHour(first + i))
    sky.moonAtHours(first, many)
    for (const [i, height] of many.entries()) expect(height).toBe(sky.moonAtHour(first + i))
  }
})
