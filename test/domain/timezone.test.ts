import { describe, expect, test } from 'vitest'
import { dayWindows } from '../../ingest/domain/day-window.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { DAY, dateText, HOUR } from '../../ingest/domain/time.ts'
import { zone } from '../../ingest/domain/timezone.ts'

const names = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'Pacific/Honolulu',
  'America/Indiana/Indianapolis',
  'America/Indiana/Tell_City',
  'America/Boise',
  'America/Detroit',
  'America/North_Dakota/Center',
  'America/Nome',
  'America/Metlakatla',
  'America/Kentucky/Monticello',
]
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY

test('returns the offsets of Intl at every sixth hour of two years in every zone of the 50 states', () => {
  for (const name of names) {
    const local = zone(name)
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2028, 0, 1); at += 18 * HOUR) {
      const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
      const wall = Date.UTC(
        entryOf(parts, 'year'),
        entryOf(parts, 'month') - 1,
        entryOf(parts, 'day'),
        entryOf(parts, 'hour'),
        entryOf(parts, 'minute'),
      )
      expect(local.offset(at), `${name} ${new Date(at).toISOString()}`).toBe(wall - at)
    }
  }
})

describe('days of 23 and 25 hours', () => {
  test.each([
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['America/Adak', '2026-03-08', 23],
    ['America/Adak', '2026-11-01', 25],
    ['America/Phoenix', '2026-03-08', 24],
    ['Pacific/Honolulu', '2026-11-01', 24],
  ])('%s %s has %d', (name, date, hours) => {
    const local = zone(name)
    const day = dayOf(date)
    expect((local.startOfDay(day + 1) - local.startOfDay(day)) / HOUR).toBe(hours)
  })
  test('returns a row of 23 or 25 hours whose halves begin at 06:00 and 18:00 local time', () => {
    const local = zone('America/Denver')
    const spring = dayWindows(local, Date.parse('2026-03-07T20:00:00Z'), 3)
    expect(spring.map(({ start, end }) => (end - start) / HOUR)).toEqual([23, 24, 24])
    const autumn = dayWindows(local, Date.parse('2026-10-31T20:00:00Z'), 3)
    expect(autumn.map(({ start, end }) => (end - start) / HOUR)).toEqual([25, 24, 24])
    for (const { start, nightfall } of [...spring, ...autumn]) {
      expect(local.minuteOf(start)).toBe(360)
      expect(local.minuteOf(nightfall)).toBe(1080)
    }
  })
})

describe('the rows of daily', () => {
  const local = zone('America/Adak')
  test('lists the current night of yesterday first before 06:00, and does not count it', () => {
    const now = local.at(dayOf('2026-07-10'), 5) + 59 * 60_000
    const rows = dayWindows(local, now, 3)
    expect(rows.map(({ relative }) => relative)).toEqual([-1, 0, 1, 2])
    expect(rows.map(({ day }) => dateText(day))).toEqual(['2026-07-09', '2026-07-10', '2026-07-11', '2026-07-12'])
  })
  test('does not list that night from 06:00 on', () => {
    expect(dayWindows(local, local.at(dayOf('2026-07-10'), 6), 3).map(({ relative }) => relative)).toEqual([0, 1, 2])
  })
})

test('returns the same instant for a local hour, whatever was requested before', () => {
  const local = zone('America/Denver')
  const day = dayOf('2026-03-01')
  for (let round = 0; round < 2; round++) {
    for (const weeks of [0, 3, 6]) {
      for (const hour of [0, 6, 8, 8.5, 12, 16, 22]) {
        const at = local.at(day + weeks * 7, hour)
        expect(at + local.offset(at)).toBe((day + weeks * 7) * DAY + hour * HOUR)
      }
    }
  }
})
