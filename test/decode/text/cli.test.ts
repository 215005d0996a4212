import { expect, test } from 'vitest'
import { readClimateReports } from '../../../ingest/decode/text/cli.ts'
import { readTextProducts } from '../../../ingest/decode/text/product.ts'
import { afternoonText, cliText, twoStationText } from './climate-texts.ts'

const near = Date.UTC(2026, 5, 29, 6)
const read = (text: string) => readTextProducts(text).flatMap((product) => readClimateReports(product, near))

test('reads every member of a report: traces, missing values, several years of a record, minus signs', () => {
  const missing = { total: null, trace: false, monthToDate: null, normal: null, record: { value: null, years: [] } }
  expect(read(cliText)).toEqual([
    {
      station: 'DCA',
      name: 'WASHINGTON NATIONAL DC',
      date: '2026-06-28',
      issuedAt: Date.UTC(2026, 5, 29, 6, 40),
      office: 'KLWX',
      preliminary: false,
      temperature: {
        high: 100,
        low: -3,
        average: 49,
        normals: { high: 89, low: 71, average: 80 },
        departures: { high: 11, low: -74, average: -31 },
        highRecord: { value: 100, years: [1969, 1934] },
        lowRecord: { value: -54, years: [1927] },
      },
      precipitation: {
        ...missing,
        trace: true,
        monthToDate: 1.68,
        yearToDate: 13.71,
        normal: 0.15,
        record: { value: 2.95, years: [1914] },
      },
      snow: { ...missing, total: 0, monthToDate: 0, seasonToDate: 10.6, normal: 0, depth: null },
    },
  ])
})

test('marks a report of the current day as preliminary', () => {
  expect(read(afternoonText)).toMatchObject([{ preliminary: true, date: '2026-06-28', temperature: { high: 100 } }])
})

test('returns an item for each station of a text, also with a broken headline, and null for absent columns', () => {
  const [first, second] = read(twoStationText)
  expect(first).toMatchObject({ station: 'HOU', name: 'WASHINGTON NATIONAL DC', temperature: { high: 100 } })
  expect(second).toMatchObject({
    station: 'HOU',
    name: 'BALTIMORE/WASHINGTON INTL',
    temperature: {
      high: 47,
      low: null,
      average: 41,
      normals: { high: null, low: 40, average: null },
      departures: { high: null, low: null, average: null },
      highRecord: { value: null, years: [] },
    },
    precipitation: { total: 0, normal: 0.09, yearToDate: null },
    snow: { total: null, trace: false, depth: null },
  })
})

test.each([
  ['no headline', cliText.replace('CLIMATE SUMMARY', 'WEATHER SUMMARY')],
  ['a date that does not exist', cliText.replace('JUNE 28 2026...', 'JUNE 31 2026...')],
  ['a date far from the issue', cliText.replace('JUNE 28 2026...', 'JUNE 28 2020...')],
  ['no table', cliText.replace('WEATHER ITEM', 'ITEM')],
  ['no temperatures', cliText.replace('TEMPERATURE (F)', 'TEMPERATURES')],
  ['another kind', cliText.replace('CLIDCA', 'CLMDCA')],
])('rejects a text instead of guessing: %s', (_, text) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ kind: 'Corrupt', message: expect.stringMatching(/expected .+, but found/) }),
  )
})

test('returns null for an impossible value and keeps the others', () => {
  const [report] = read(cliText.replace('MAXIMUM        100R', 'MAXIMUM        900 '))
  expect(report).toMatchObject({ temperature: { high: null, low: -3, normals: { high: 89 } } })
})

test.each([
  ['one above the other', '100    1969  89', '1934\n                                      1921', [1969, 1934, 1921]],
  ['tied in a year', '100    1969  89', 'TIED IN 1934', [1969, 1934]],
  ['several on one line', '100    1969  89', '1934 AND 1921', [1969, 1934, 1921]],
  ['with commas', '100    1969  89', 'TIED 1934, 1921', [1969, 1934, 1921]],
  ['with slashes and marks', '100    1969* 89', '1934/1921+', [1969, 1934, 1921]],
  ['in the row', '100 1969 1934  89', '', [1969, 1934]],
  ['in the row, with commas', '100 1969,1934  89', '1921', [1969, 1934, 1921]],
  ['tied in the row', '100 TIED IN 1969  89', '', [1969]],
  ['set and tied in the row', '100 SET IN 1969 AND TIED IN 1934  89', 'ALSO IN 1921', [1969, 1934, 1921]],
])('keeps the years of a record: %s', (_, row, below, years) => {
  const [report] = read(
    cliText.replace('100    1969  89', row).replace(/^ +1934$/m, `                                      ${below}`),
  )
  expect(report).toMatchObject({
    temperature: {
      high: 100,
      low: -3,
      highRecord: { value: 100, years },
      normals: { high: 89 },
      departures: { high: 11 },
    },
    precipitation: { record: { value: 2.95, years: [1914] } },
  })
})

test('ignores years in lines of notes, times and values', () => {
  const [report] = read(cliText.replace(/^ +1934$/m, 'NORMAL 1934 TO 1963\n  0.1934\n  19345'))
  expect(report).toMatchObject({ temperature: { highRecord: { years: [1969] } } })
})
