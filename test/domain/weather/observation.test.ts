import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../ingest/domain/time.ts'
import {
  chooseStation,
  clockRejection,
  type MetarReport,
  newReports,
  observationKey,
  replaces,
  stationPlace,
  validPlace,
} from '../../../ingest/domain/weather/observation.ts'

const now = Date.UTC(2026, 1, 7, 7)
const report = (raw: string, corrected = false, station = 'KDEN', observedAt = now): MetarReport => ({
  station,
  observedAt,
  type: 'METAR',
  corrected,
  auto: false,
  raw,
  temperature: 1,
  dewPoint: 0,
  windDirection: null,
  windSpeed: null,
  windGust: null,
  visibility: null,
  pressure: null,
  weather: [],
})

describe('the stored report of a station and time', () => {
  test('replaces a report with a correction or with the last arrival, and ignores a repeat', () => {
    expect(replaces(report('b'), report('a'))).toBe(true)
    expect(replaces(report('a'), report('a'))).toBe(false)
    expect(replaces(report('a COR', true), report('a'))).toBe(true)
    expect(replaces(report('a'), report('a COR', true))).toBe(false)
    expect(replaces(report('b COR', true), report('a COR', true))).toBe(true)
  })

  test('changes nothing if the same file is read again or in parts', () => {
    const some = fc.record({
      raw: fc.constantFrom('a', 'b', 'c'),
      corrected: fc.boolean(),
      station: fc.constantFrom('KDEN', 'KBOS'),
      at: fc.constantFrom(0, 1),
    })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), fc.nat(12), (list, cut) => {
        const arrived = list.map(({ raw, corrected, station, at }) =>
          report(corrected ? `${raw} COR` : raw, corrected, station, now + at),
        )
        const apply = (table: Map<string, MetarReport>, part: readonly MetarReport[]) => {
          for (const report of newReports(part, table)) table.set(observationKey(report), report)
          return table
        }
        const once = apply(new Map(), arrived)
        const pieces = apply(apply(new Map(), arrived.slice(0, cut)), arrived.slice(cut))
        expect(new Map([...pieces].sort())).toEqual(new Map([...once].sort()))
        expect(newReports([...once.values()], once)).toEqual([])
      }),
      { numRuns: 500, seed: 2 },
    )
  })
})

test('accepts times that are at most ten minutes ahead', () => {
  expect(clockRejection(now + 10 * MINUTE, now)).toBeUndefined()
  expect(clockRejection(now + 11 * MINUTE, now)).toBe('future')
  expect(clockRejection(now - 72 * HOUR, now)).toBeUndefined()
  expect(clockRejection(now - 73 * HOUR, now)).toBe('too_old')
})

test('uses the position of the row if it is near that of the table, else that of the table, else that of the row', () => {
  const km = (a: { lat: number }, b: { lat: number }) => Math.abs(a.lat - b.lat) * 111
  const table = { lat: 40, lon: -105 }
  const lost = { lat: -40, lon: -105 }
  const moved = { lat: 40.4, lon: -105 }
  expect(stationPlace(moved, table, km)).toBe(moved)
  expect(stationPlace(lost, table, km)).toBe(table)
  expect(stationPlace(undefined, table, km)).toBe(table)
  expect(stationPlace(moved, undefined, km)).toBe(moved)
  expect(stationPlace(undefined, undefined, km)).toBeUndefined()
  expect(validPlace(-99.99, -99.99)).toBeUndefined()
  expect(validPlace(0, 0)).toBeUndefined()
  expect(validPlace(0, -120)).toEqual({ lat: 0, lon: -120 })
})

test('selects the nearest station with a fresh report, else with a usable report, within 150 km', () => {
  const at = (km: number, minutes: number) => ({ km, age: minutes * MINUTE })
  const choose = (...list: ReturnType<typeof at>[]) => {
    const choice = chooseStation(list)
    return choice && [choice.station.km, choice.stale]
  }
  expect(choose(at(5, 91), at(40, 90))).toEqual([40, false])
  expect(choose(at(5, 181), at(40, 180), at(50, 100))).toEqual([40, true])
  expect(choose(at(5, 181), at(151, 10))).toBeUndefined()
  expect(choose(at(150, 5))).toEqual([150, false])
  expect(choose()).toBeUndefined()
})
