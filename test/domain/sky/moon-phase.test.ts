import { NextMoonQuarter, SearchMoonQuarter } from 'astronomy-engine'
import { expect, it } from 'vitest'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { moonPhaseNames, sunMoon } from '../../../ingest/domain/sky/sun-moon.ts'
import { zone } from '../../../ingest/domain/timezone.ts'

const zones = [
  'America/New_York',
  'America/Denver',
  'America/Phoenix',
  'America/Adak',
  'Pacific/Honolulu',
  'Pacific/Guam',
]
const sky = skyAt(40, -100)

function nameOn(timezone: string, day: number): string {
  const local = zone(timezone)
  return sunMoon(sky, local.startOfDay(day), local.startOfDay(day + 1)).moonPhaseName
}

it('names the date of each principal phase from 2024 to 2030, and no phase on the days around it', () => {
  let phases = 0
  const wrong: string[] = []
  for (
    let next = SearchMoonQuarter(new Date('2024-01-01T00:00:00Z'));
    next.time.date.getUTCFullYear() <= 2030;
    next = NextMoonQuarter(next)
  ) {
    phases++
    const at = next.time.date.getTime()
    for (const timezone of zones) {
      const local = zone(timezone)
      // A phase within a minute of midnight may be of either date.
      const [day, ...others] = [at, at - 60_000, at + 60_000].map((instant) => local.dayOf(instant))
      if (others.some((other) => other !== day)) continue
      const names = [day! - 1, day!, day! + 1].map((date) => nameOn(timezone, date))
      const expected = [-1, 0, 1].map((shift) => moonPhaseNames[(2 * next.quarter + shift + 8) % 8])
      if (names.join() !== expected.join()) wrong.push(`${timezone} ${next.time.date.toISOString()}: ${names.join()}`)
    }
  }
  expect(phases).toBeGreaterThan(340)
  expect(wrong).toEqual([])
}, 120_000)
