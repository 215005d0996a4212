import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readGhcnStations } from '../../../ingest/decode/station/ghcn-stations.ts'
import { namesTemperatures, readNormals } from '../../../ingest/decode/station/normals.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { hasTemperatures, leapDay, normalOn } from '../../../ingest/domain/weather/climate.ts'

const folder = join(import.meta.dirname, '../../../../shared/fixtures/binary/normals')

/** A station file with the columns that are read; `edit` changes cells of a day by column name. */
function file(
  edit: (date: string, cells: Record<string, string>) => void = () => {},
  columns?: readonly string[],
): string {
  const names = columns ?? [
    'STATION',
    'DATE',
    'LATITUDE',
    'LONGITUDE',
    'ELEVATION',
    'NAME',
    'DLY-TAVG-NORMAL',
    'DLY-TMAX-NORMAL',
    'comp_flag_DLY-TMAX-NORMAL',
    'years_DLY-TMAX-NORMAL',
    'DLY-TMIN-NORMAL',
    'DLY-TAVG-STDDEV',
    'DLY-TMAX-STDDEV',
    'DLY-TMIN-STDDEV',
    'MTD-PRCP-NORMAL',
  ]
  const rows = Array.from({ length: 366 }, (_, n) => {
    const date = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(5, 10)
    const cells: Record<string, string> = {
      STATION: 'USW00094765',
      DATE: date,
      LATITUDE: ' 43.6264',
      LONGITUDE: ' -72.3047',
      ELEVATION: ' 182.3',
      NAME: 'LEBANON "M", NH US',
      'DLY-TAVG-NORMAL': '    26.0',
      'DLY-TMAX-NORMAL': '    37.3',
      'comp_flag_DLY-TMAX-NORMAL': 'R',
      'years_DLY-TMAX-NORMAL': '22',
      'DLY-TMIN-NORMAL': '    14.6',
      'DLY-TAVG-STDDEV': '10.7',
      'DLY-TMAX-STDDEV': '10.1',
      'DLY-TMIN-STDDEV': '13.3',
      'MTD-PRCP-NORMAL': date === '02-29' ? '-9999.00' : (Number(date.slice(3)) * 0.075).toFixed(2),
    }
    edit(date, cells)
    return names.map((name) => `"${(cells[name] ?? '').replaceAll('"', '""')}"`).join(',')
  })
  return `${[names.map((name) => `"${name}"`).join(','), ...rows].join('\n')}\n`
}

describe.skipIf(!existsSync(folder))('real files', () => {
  test('reads the normals of 1991–2020 of a station', () => {
    const text = readFileSync(join(folder, 'normals-daily_1991-2020_USW00094765.csv'), 'utf8')
    const normals = readNormals(text)
    expect(namesTemperatures(text.slice(0, 16_384))).toBe(true)
    expect(normals.station).toEqual({
      id: 'USW00094765',
      name: 'LEBANON MUNI AP',
      state: 'NH',
      lat: 43.6264,
      lon: -72.3047,
      elevation: 182.3,
    })
    expect(normals.days).toHaveLength(366)
    expect(normalOn(normals, '2026-01-02')).toEqual({
      high: 31.3,
      low: 12.1,
      mean: 21.7,
      highStddev: 10.1,
      lowStddev: 13.2,
      meanStddev: 11.1,
      precip: 0.09,
      years: 22,
      completeness: 'R',
    })
    expect(normalOn(normals, '2028-02-29')).toMatchObject({ high: 37.8, low: 15.1, precip: null })
    expect(normalOn(normals, '2026-03-01')).toMatchObject({ high: 38, precip: 0.08 })
    const missing = normals.days.filter((day) => Object.values(day).includes(null))
    expect(missing).toHaveLength(1)
    expect(normals.days.reduce((sum, day) => sum + (day.precip ?? 0), 0)).toBeCloseTo(38.07, 6)
  })

  test('rejects the files of 1981–2010, which have other units', () => {
    const text = readFileSync(join(folder, 'normals-daily_1981-2010_USW00094765.csv'), 'utf8')
    expect(() => readNormals(text)).toThrow(/1981–2010, other units/)
  })
})

test("reads missing codes as null, never as a neighbor's value, and −7777 as 0 only for precipitation", () => {
  const normals = readNormals(
    file((date, cells) => {
      if (date === '01-01')
        Object.assign(cells, { 'DLY-TMAX-NORMAL': '-9999.0', 'DLY-TMIN-NORMAL': '', 'MTD-PRCP-NORMAL': '-7777' })
      if (date === '01-02')
        Object.assign(cells, { 'DLY-TMAX-NORMAL': '-8888', 'DLY-TMIN-NORMAL': '-7777', 'MTD-PRCP-NORMAL': '0.15' })
      if (date === '01-03') cells['MTD-PRCP-NORMAL'] = '-9999'
    }),
  )
  expect(normals.days[0]).toMatchObject({ high: null, low: null, mean: 26, precip: 0, years: null, completeness: null })
  expect(normals.days[1]).toMatchObject({ high: null, low: null, precip: 0.15 })
  expect(normals.days[2]).toMatchObject({ high: 37.3, precip: null })
  expect(normals.days[3]).toMatchObject({ precip: null })
  expect(nth(normals.days, 4).precip).not.toBeNull()
  expect(normals.station.name).toBe('LEBANON "M"')
})

test('reads 29 February as a row without precipitation, and 1 March separately', () => {
  const normals = readNormals(file())
  expect([leapDay(2, 29), leapDay(3, 1), leapDay(12, 31), leapDay(2, 30), leapDay(13, 1)]).toEqual([
    59,
    60,
    365,
    undefined,
    undefined,
  ])
  expect(nth(normals.days, 59).precip).toBeNull()
  expect(nth(normals.days, 60).precip).toBe(0.07)
})

test('returns no temperatures for a station with precipitation only', () => {
  const columns = ['STATION', 'DATE', 'LATITUDE', 'LONGITUDE', 'ELEVATION', 'NAME', 'MTD-PRCP-NORMAL']
  const text = file(() => {}, columns)
  expect(namesTemperatures(text)).toBe(false)
  expect(hasTemperatures(readNormals(text))).toBe(false)
  expect(hasTemperatures(readNormals(file()))).toBe(true)
})

test.each([
  ['HTML', '<html>Access denied</html>'],
  ['empty', ''],
  ['cut in the middle of a row', file().slice(0, 20_000)],
  ['a row missing', file().replace(/\n.*"06-15".*/, '')],
  ['a day twice', file((date, cells) => date === '06-16' && (cells['DATE'] = '06-15'))],
  ['no place', file((_, cells) => (cells['LATITUDE'] = ''))],
])('rejects a file: %s', (_, text) => {
  expect(() => readNormals(text)).toThrow(expect.objectContaining({ kind: 'Corrupt' }))
})

test('reads the fixed columns of requested stations, also without elevation', () => {
  const text = [
    'ACW00011604  17.1167  -61.7833   10.1    ST JOHNS COOLIDGE FLD                       ',
    'USW00094765  43.6264  -72.3047  182.3 NH LEBANON MUNI AP                             72611',
    'USC00190120  42.3833  -72.5333 -999.9 MA AMHERST                            HCN      ',
  ].join('\n')
  expect(readGhcnStations(`${text}\n`, (id) => id.startsWith('US')).stations).toEqual([
    { id: 'USW00094765', name: 'LEBANON MUNI AP', state: 'NH', lat: 43.6264, lon: -72.3047, elevation: 182.3 },
    { id: 'USC00190120', name: 'AMHERST', state: 'MA', lat: 42.3833, lon: -72.5333, elevation: null },
  ])
  expect(() => readGhcnStations('<html>\n<body>')).toThrow(/GHCN stations: expected lines/)
})

const ghcnLine = (id: string, lat: number, lon: number, name: string) =>
  `${id} ${lat.toFixed(4).padStart(8)} ${lon.toFixed(4).padStart(9)}  182.3 NH ${name.padEnd(30)}`

test('ignores lines of other stations, whatever they contain', () => {
  const ownLine = ghcnLine('USW00094765', 43.6264, -72.3047, 'LEBANON MUNI AP')
  const others = ['US10adam001 no place at all', 'XX', 'ACW00011604      NaN        -      - ', '\uFEFF# 2026-11-27']
  const read = readGhcnStations([...others, ownLine, ...others].join('\n'), (id) => id === 'USW00094765')
  expect(read).toMatchObject({ stations: [{ id: 'USW00094765' }], rejected: [] })
})

test('rejects and reports the unreadable line of a requested station, and reads the others', () => {
  const ids = ['US1COlr0001', 'USC00190120', 'USW00094765']
  const lines = ids.map((id) => ghcnLine(id, 43, -72, id))
  lines[1] = nth(lines, 1).replace('43.0000', '43.00x0')
  const { stations, rejected } = readGhcnStations(lines.join('\r\n'), (id) => ids.includes(id))
  expect(stations.map(({ id }) => id)).toEqual(['US1COlr0001', 'USW00094765'])
  expect(rejected).toEqual([expect.stringContaining('USC00190120')])
  const shifted = lines.map((line) => line.replaceAll('.', ','))
  expect(() => readGhcnStations([...shifted, lines[0]].join('\n'))).toThrow(/1 can be read and 3 cannot/)
})

const csv = join(folder, 'ghcnd-stations.csv')
test.skipIf(!existsSync(csv))('the station table: every id of the real table, lower-case letters too', () => {
  const rows = readFileSync(csv, 'utf8').split(/\r?\n/).slice(1)
  const stations = rows.filter(Boolean).map((row) => row.split(','))
  const lines = stations.map(([id, lat, lon, , , name]) => ghcnLine(id!, Number(lat), Number(lon), name!.slice(0, 30)))
  const read = readGhcnStations(`${lines.join('\n')}\n`)
  expect(read.stations).toHaveLength(stations.length)
  expect(read.stations.filter(({ id }) => /[a-z]/.test(id)).length).toBeGreaterThan(stations.length / 100)
  expect(readGhcnStations(lines.join('\n'), (id) => /^US[CW]/.test(id)).stations.length).toBeGreaterThan(20_000)
})
