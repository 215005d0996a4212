import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readHourlyObservations, readReportingAreas } from '../../../ingest/decode/station/airnow.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'

const folder = '../shared/fixtures/text/airnow'
const hourly = `${folder}/hourlyaqobs/HourlyAQObs_2024040804.dat`
const areas = `${folder}/reportingarea/reportingarea.2023-06-08.dat`

const NAMES = [
  'AQSID',
  'SiteName',
  'Status',
  'Latitude',
  'Longitude',
  'ValidDate',
  'ValidTime',
  'DataSource',
  'PM25_AQI',
  'OZONE_AQI',
  'PM10_AQI',
]
const good: Record<string, string> = {
  AQSID: '080310026',
  SiteName: 'La Casa',
  Status: 'Active',
  Latitude: '39.7795',
  Longitude: '-105.0052',
  ValidDate: '02/07/2026',
  ValidTime: '06:00',
  DataSource: 'Colorado',
  PM25_AQI: '42',
  OZONE_AQI: '0',
  PM10_AQI: '',
}
const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(',')
const file = (rows: readonly Record<string, string>[], names = NAMES) =>
  Buffer.from(
    `${quoted(names)}\n${rows.map((cells) => `${quoted(names.map((name) => ({ ...good, ...cells })[name] ?? ''))}\n`).join('')}`,
  )

describe('hourly observations', () => {
  test('reads columns by name in any order, and accepts a byte order mark', () => {
    const straight = readHourlyObservations(file([{}]), 'f')
    expect(straight.rows).toEqual([
      {
        id: '080310026',
        name: 'La Casa',
        lat: 39.7795,
        lon: -105.0052,
        hour: Date.UTC(2026, 1, 7, 6),
        agency: 'Colorado',
        active: true,
        pm25: 42,
        ozone: 0,
        pm10: null,
      },
    ])
    expect(readHourlyObservations(file([{}], [...NAMES].reverse()), 'f').rows).toEqual(straight.rows)
    expect(readHourlyObservations(Buffer.concat([Buffer.from('\ufeff'), file([{}])]), 'f').rows).toEqual(straight.rows)
  })

  test.each([
    ['0', 0],
    ['42.4', 42],
    ['501', 501],
    ['2000', 2000],
    ['2001', null],
    ['-1', null],
    ['-999', null],
    ['', null],
    ['N/A', null],
    ['1e3', null],
  ])('index %s is %s', (text, value) =>
    expect(nth(readHourlyObservations(file([{ PM25_AQI: text }]), 'f').rows, 0).pm25).toBe(value),
  )

  test('uses the last of two rows of a monitor and hour, rejects 0, 0 as a position, and reads UTF-8 and ISO-8859-1', () => {
    expect(readHourlyObservations(file([{ PM25_AQI: '1' }, { PM25_AQI: '2' }]), 'f').rows).toMatchObject([{ pm25: 2 }])
    expect(readHourlyObservations(file([{ Latitude: '0.0', Longitude: '0.0' }]), 'f')).toMatchObject({
      rows: [],
      rejected: [{ reason: 'no_place' }],
    })
    expect(nth(readHourlyObservations(file([{ SiteName: 'Rivière' }]), 'f').rows, 0).name).toBe('Rivière')
    expect(
      nth(readHourlyObservations(Buffer.from(file([{ SiteName: 'Rivière' }]).toString(), 'latin1'), 'f').rows, 0).name,
    ).toBe('Rivière')
  })

  test('ignores a truncated row, and rejects HTML, an empty file and a file without a required column', () => {
    const complete = file([{}, { AQSID: '2' }])
    expect(readHourlyObservations(complete.subarray(0, -1), 'f')).toMatchObject({
      cut: true,
      rows: [{ id: '080310026' }],
    })
    for (const bytes of [Buffer.from('<html>'), Buffer.alloc(0), file([{}], NAMES.slice(1))]) {
      expect(() => readHourlyObservations(bytes, 'f')).toThrow(expect.objectContaining({ kind: 'Corrupt' }))
    }
  })

  test('reads the other rows, whatever a cell contains', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.string(), (name, value) => {
        const text = value.replaceAll(/["\n\r]/g, '')
        const { rows } = readHourlyObservations(file([{ [name]: text }, { AQSID: 'other' }]), 'f')
        expect(rows.some(({ id }) => id === 'other')).toBe(true)
      }),
      { numRuns: 500, seed: 3 },
    )
  })

  test.skipIf(!existsSync(hourly))('a real file', () => {
    const { rows, rejected, cut } = readHourlyObservations(readFileSync(hourly), 'f')
    expect([rejected, cut]).toEqual([[], false])
    expect(rows.filter(({ active }) => active)).toHaveLength(4186)
    expect(Math.max(...rows.map(({ pm25 }) => pm25 ?? 0))).toBe(229)
    expect(rows.every(({ hour }) => hour === Date.UTC(2024, 3, 8, 4))).toBe(true)
  })
})

describe('reporting areas', () => {
  const line = (more: Record<number, string> = {}) => {
    const cells = '02/06/26|02/07/26||MST|1|F|Y|Denver|CO|39.7680|-104.8730|OZONE|61|Moderate|No||Colorado'.split('|')
    for (const [at, value] of Object.entries(more)) cells[Number(at)] = value
    return `${cells.join('|')}\n`
  }
  const read = (text: string) => readReportingAreas(Buffer.from(text), 'reportingarea.dat')

  test('reads forecasts, and a blank index or -1 as null with its category', () => {
    expect(read(line()).forecasts).toEqual([
      {
        area: 'Denver',
        state: 'CO',
        lat: 39.768,
        lon: -104.873,
        date: '2026-02-07',
        pollutant: 'OZONE',
        aqi: 61,
        category: 'Moderate',
        actionDay: false,
        issued: '2026-02-06',
      },
    ])
    for (const empty of ['', '-1'])
      expect(read(line({ 12: empty })).forecasts).toMatchObject([{ aqi: null, category: 'Moderate' }])
  })

  test('skips observed rows, rejects malformed rows, and rejects a file of another kind', () => {
    expect(read(line({ 5: 'O' }) + line()).forecasts).toHaveLength(1)
    expect(read(`${line()}${line({ 1: '02/30/26' })}a|b\n`).rejected).toHaveLength(2)
    expect(read(`${line()}${line().trimEnd()}`)).toMatchObject({ cut: true, forecasts: [{}] })
    for (const text of ['', '<html>\n']) expect(() => read(text)).toThrow(expect.objectContaining({ kind: 'Corrupt' }))
  })

  test.skipIf(!existsSync(areas))('a real file', () => {
    const { forecasts, rejected } = readReportingAreas(readFileSync(areas), 'f')
    expect([forecasts.length, rejected.length]).toEqual([4228, 0])
    expect(forecasts.filter(({ aqi, category }) => aqi === null && category !== null)).toHaveLength(1489)
  })
})

test('returns records or a Corrupt fault for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      for (const read of [readHourlyObservations, readReportingAreas]) {
        try {
          read(bytes, 'f')
        } catch (error) {
          if (!isFault(error, 'Corrupt')) throw error
        }
      }
    }),
    { numRuns: 500, seed: 5 },
  )
})
