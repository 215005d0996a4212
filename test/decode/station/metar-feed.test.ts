import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { csvFields } from '../../../ingest/decode/station/csv.ts'
import { readMetarCache, readMetarCycle } from '../../../ingest/decode/station/metar-feed.ts'
import { readStationTable } from '../../../ingest/decode/station/station-table.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { metarFile, metarFixtures } from '../../truth/metar-rows.ts'

const HEADER =
  'raw_text,station_id,observation_time,latitude,longitude,temp_c,sky_cover,cloud_base_ft_agl,sky_cover,cloud_base_ft_agl,sky_cover,cloud_base_ft_agl,sky_cover,cloud_base_ft_agl,metar_type,elevation_m'
const row = (raw: string, time: string, lat: string, lon: string) =>
  `${raw},XXXX,${time},${lat},${lon},99,,,,,,,,,SPECI,1656.0`
const denver = row('KDEN 070653Z 00000KT 10SM CLR 05/M02 A3012', '2026-02-07T06:53:00Z', '39.8466', '-104.6562')
const file = (...rows: string[]) => Buffer.from(['No errors', '3 results', HEADER, ...rows, ''].join('\n'))
const read = (bytes: Uint8Array) => readMetarCache(bytes, 'metars.cache.csv.gz')

describe('the METAR cache', () => {
  test('uses only raw text, coordinates and elevation of a row', () => {
    const { reports, rejected, cut } = read(gzipSync(file(denver)))
    expect([rejected, cut]).toEqual([[], false])
    expect(reports).toMatchObject([
      {
        report: { station: 'KDEN', type: 'METAR', temperature: 5 },
        place: { lat: 39.8466, lon: -104.6562 },
        elevation: 1656,
      },
    ])
  })

  test('replaces a NUL, which the database would reject together with all reports', () => {
    const raw = 'KDEN 070653Z 00000KT 10SM CLR 05/M02 A3012 RMK A\0B'
    const [report] = read(file(row(raw, '2026-02-07T06:53:00Z', '39.8466', '-104.6562'))).reports
    expect(report!.report.raw).toBe(raw.replace('\0', '\ufffd'))
  })

  test('reads files with and without lines before the header, with CRLF and with quotes', () => {
    expect(read(Buffer.from(`${HEADER}\r\n${denver}\r\n`)).reports).toHaveLength(1)
    const quoted = denver.replace(
      'KDEN 070653Z 00000KT 10SM CLR 05/M02 A3012',
      '"KDEN 070653Z 00000KT 10SM CLR 05/M02 A3012 RMK ""A"", B"',
    )
    expect(nth(read(file(quoted)).reports, 0).report.raw).toBe('KDEN 070653Z 00000KT 10SM CLR 05/M02 A3012 RMK "A", B')
  })

  test('rejects a row that is truncated or has no time or another number of columns, and keeps the others', () => {
    const { reports, rejected } = read(
      file(
        'KXXX 070653Z,1,2',
        row('KDEN 070653Z 10SM', 'yesterday', '', ''),
        denver,
        row('KBOS 070654Z NIL', '2026-02-07T06:54:00Z', '', ''),
      ),
    )
    expect(reports).toHaveLength(1)
    expect(rejected.map(({ reason }) => reason)).toEqual(['bad_row', 'bad_row', 'nil'])
    const complete = Buffer.concat([file(denver), Buffer.from(denver)])
    for (const bytes of [complete.subarray(0, -1), complete.subarray(0, -30), complete]) {
      expect(read(bytes)).toMatchObject({ cut: true, reports: [{}], rejected: [{ reason: 'bad_row' }] })
    }
  })

  test.each([
    ['HTML', Buffer.from('<html>Call Blocked</html>')],
    ['nothing', Buffer.alloc(0)],
    ['a gzip file that is cut', gzipSync(file(...Array(200).fill(denver))).subarray(0, -20)],
    ['a header without coordinates', Buffer.from('raw_text,observation_time\n')],
  ])('rejects %s', (_, bytes) => expect(() => read(bytes)).toThrow(expect.objectContaining({ kind: 'Corrupt' })))

  test('rejects invalid coordinates', () => {
    for (const [lat, lon] of [
      ['', ''],
      ['-99.99', '-99.99'],
      ['0', '0'],
      ['91', '10'],
      ['x', '10'],
    ]) {
      expect(read(file(row('KDEN 070653Z 10SM', '2026-02-07T06:53:00Z', lat!, lon!))).reports[0]).not.toHaveProperty(
        'place',
      )
    }
  })

  test.skipIf(!metarFixtures)('a real file of 4,538 rows', () => {
    const { reports, rejected } = read(metarFile('awc-cache/metars.cache.2014-12-18.csv'))
    const count = (reason: string) => rejected.filter((rejection) => rejection.reason === reason).length
    expect([reports.length, count('nil'), count('no_time'), count('empty'), count('bad_row')]).toEqual([
      4534, 1, 2, 1, 0,
    ])
  })
})

describe('the cycles of tgftp', () => {
  test('reads a time stamp, a report over one or more lines, and an empty line', () => {
    const text =
      '2026/02/07 06:53\nKDEN 070653Z 00000KT 10SM CLR 05/M02 A3012\n\n2026/02/07 06:54\nKSPS 070652Z 10015KT 10SM TSGRRA BKN022CB 25/16 A2967 RMK AO2\n     TSB38 T02500161=\n\n2026/02/07 06:54\nKXXX NIL\n\n'
    const { reports, rejected } = readMetarCycle(Buffer.from(text), '06Z.TXT')
    expect(reports.map(({ report }) => [report.station, report.temperature])).toEqual([
      ['KDEN', 5],
      ['KSPS', 25],
    ])
    expect(rejected).toMatchObject([{ reason: 'no_time' }])
  })

  test('ignores a truncated report, and rejects a web page', () => {
    const text =
      '2026/02/07 06:53\nKDEN 070653Z 00000KT 10SM CLR 05/M02 A3012\n\n2026/02/07 06:54\nKSPS 070652Z 10015KT 10'
    expect(readMetarCycle(Buffer.from(text), '06Z.TXT')).toMatchObject({
      cut: true,
      reports: [{ report: { station: 'KDEN' } }],
    })
    expect(() => readMetarCycle(Buffer.from('<html></html>\n'), '06Z.TXT')).toThrow('must have lines such as')
  })
})

describe('the station table', () => {
  test('reads codes, places and names, leaves out buoys, and reads -99.99 and an elevation of 9999 as missing', () => {
    const site = (more: object) => ({
      id: 'KDEN',
      icaoId: 'KDEN',
      iataId: 'DEN',
      faaId: 'DEN',
      site: 'Denver Intl',
      lat: 39.84,
      lon: -104.65,
      elev: 1656,
      state: 'CO',
      country: 'US',
      siteType: ['METAR', 'TAF'],
      ...more,
    })
    const { stations, rejected } = readStationTable(
      gzipSync(
        JSON.stringify([
          site({}),
          site({ id: 'KQFX', icaoId: 'KQFX', lat: -99.99, lon: -99.99, elev: 9999, state: '', siteType: [] }),
          site({ id: '41001', icaoId: null }),
          { id: 7 },
        ]),
      ),
      'stations',
    )
    expect(stations).toEqual([
      {
        id: 'KDEN',
        iata: 'DEN',
        faa: 'DEN',
        name: 'Denver Intl',
        state: 'CO',
        country: 'US',
        place: { lat: 39.84, lon: -104.65 },
        elevation: 1656,
        metar: true,
      },
      expect.objectContaining({ id: 'KQFX', place: null, elevation: null, state: null, metar: false }),
    ])
    expect(rejected).toHaveLength(1)
    for (const text of ['<html>', '{}', '[]'])
      expect(() => readStationTable(Buffer.from(text), 's')).toThrow(expect.objectContaining({ kind: 'Corrupt' }))
  })

  test.skipIf(!metarFixtures)('the real table of 2026', () => {
    const { stations, rejected } = readStationTable(metarFile('stations/awc-stations.cache.2026-02.json'), 'stations')
    expect(rejected).toEqual([])
    expect(stations.length).toBeGreaterThan(8800)
    expect(stations.filter(({ metar, country }) => metar && country === 'US')).toHaveLength(2890)
    expect(stations.filter(({ place }) => place === null).length).toBe(162)
    expect(stations.find(({ id }) => id === 'K0VG')).toMatchObject({ faa: '0VG', state: 'VA' })
  })
})

test('reads the fields of CSV', () => {
  expect(csvFields('a,,"b, ""c""",')).toEqual(['a', '', 'b, "c"', ''])
  expect(csvFields('"open')).toEqual(['open'])
  expect(csvFields('')).toEqual([''])
})
