import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTextProducts } from '../../../ingest/decode/text/product.ts'
import { readRecords } from '../../../ingest/decode/text/rer.ts'
import { entryOf } from '../../../ingest/domain/nth.ts'
import type { RecordReport } from '../../../ingest/domain/weather/climate.ts'
import { rerText } from './climate-texts.ts'

const folder = join(import.meta.dirname, '../../../../shared/fixtures/text/rer')

function recordsOf(text: string, near: string): RecordReport[] {
  return readTextProducts(text).flatMap((product) => readRecords(product, Date.parse(near)))
}

/** Restores the lines of a text that a search engine's cache has joined. */
function restored(text: string): string {
  return text
    .replace(/^(\d{3}) /, '$1\n')
    .replace(
      / (RER[A-Z]{3}) (RECORD EVENT REPORT\S*) (NATIONAL WEATHER SERVICE .*?) (\d{3,4} [AP]M \w+ \w+ \w+ \d+ \d{4}) /,
      '\n$1\n\n$2\n$3\n$4\n\n',
    )
    .replace(' $$', '\n\n$$$$\n')
}

const items = (records: readonly RecordReport[]) =>
  records.map(({ event, value, previous, previousYear, previousYears, tied, date }) => [
    event,
    value,
    previous,
    previousYear,
    previousYears,
    tied,
    date,
  ])

describe.skipIf(!existsSync(folder))('real record event reports', () => {
  const cases: readonly (readonly [string, string, unknown[][]])[] = [
    ['web/RERBDR_20250605.txt', '2025-06-05', [['HIGH', 87, 86, 1953, [1953], false, '2025-06-05']]],
    ['web/RERNYC_20231229.txt', '2023-12-29', [['HIGH_MIN', 49, 47, 2008, [2008], false, '2023-12-28']]],
    ['web/REROKC_20220203.txt', '2022-02-03', [['SNOW', 3.3, 1, 1913, [1913], false, '2022-02-03']]],
    ['pywwa/RER.txt', '2015-05-20', [['LOW_MAX', 48, 50, 1915, [1915], false, '2015-05-20']]],
  ]
  test.each(cases)('%s', (file, near, expected) => {
    const records = recordsOf(readFileSync(join(folder, file), 'latin1'), near)
    expect(items(records)).toEqual(expected)
  })

  test('reads texts whose lines were joined', () => {
    const lines = readFileSync(join(folder, 'web/rer-collapsed.jsonl'), 'utf8').trim().split('\n')
    const expectedByProduct: Record<string, [near: string, unknown[][]][]> = {
      RERTCL: [['2024-10-25', [['HIGH', 87, 86, 2010, [2010], false, '2024-10-25']]]],
      RERATY: [['2025-04-02', [['SNOW', 6, 3, 1960, [1960], false, '2025-04-01']]]],
      RERRST: [
        ['2021-12-11', [['SNOW', 6.5, 5.4, 1970, [1970], false, '2021-12-10']]],
        ['2012-12-17', [['HIGH_MIN', 37, 35, 1928, [1928], false, '2012-12-15']]],
      ],
      RERSUX: [
        ['2012-09-11', [['HIGH', 98, 96, 1939, [1939, 1895], false, '2012-09-11']]],
        [
          '2011-05-11',
          [
            ['HIGH', 96, 90, 1987, [1987], false, '2011-05-10'],
            ['HIGH', 95, 93, 1987, [1987], false, '2011-05-10'],
            ['HIGH', 96, 87, 1987, [1987, 1963, 1911], false, '2011-05-10'],
            ['HIGH', 94, 92, 1987, [1987], false, '2011-05-10'],
          ],
        ],
      ],
      RERDCA: [['2024-11-08', [['HIGH', 84, 81, 2022, [2022], false, '2024-11-07']]]],
    }
    for (const line of lines) {
      const { awips, text } = JSON.parse(line) as { awips: string; text: string }
      const [near, expected] = entryOf(expectedByProduct, awips).shift()!
      expect(items(recordsOf(restored(text), near)), `${awips} ${near}`).toEqual(expected)
    }
    expect(Object.values(expectedByProduct).flat()).toEqual([])
  })
})

test('reads ties, minus signs, dates by name and several records of one text, and null for missing values', () => {
  const records = recordsOf(rerText, '2026-02-05T21:00Z')
  expect(items(records)).toEqual([
    ['LOW', -12, null, 1953, [1953], true, '2026-02-05'],
    ['LOW_MAX', 3, 5, 1985, [1985, 1918], false, '2026-02-04'],
    ['RAIN', 2.45, null, null, [], null, '2026-01-31'],
  ])
  expect(records[0]).toMatchObject({
    station: 'BDR',
    office: 'KOKX',
    issuedAt: Date.UTC(2026, 1, 5, 21, 36),
    text: 'A RECORD LOW TEMPERATURE OF -12 DEGREES WAS SET AT BRIDGEPORT CT TODAY. THIS TIES THE OLD RECORD SET IN 1953.',
  })
})

test('rejects a text without a record', () => {
  const text = rerText.replaceAll(/RECORD (LOW|RAIN)/g, '$1').replaceAll(/OLD RECORD|MAXIMUM/g, '')
  expect(() => recordsOf(text, '2026-02-05T21:00Z')).toThrow(/record event report: expected .*, but found/)
})

/** Returns the years of the previous records of a report with these sentences, and whether today's record is a tie. */
function history(sentences: string): unknown[] {
  const text = rerText.replace(/A RECORD LOW TEMPERATURE[\s\S]*?ALBANS NY\./, sentences)
  return recordsOf(text, '2026-02-05T21:00Z').map(({ previous, previousYears, tied }) => [
    previous,
    previousYears,
    tied,
  ])
}

test.each([
  ['THIS BREAKS THE OLD RECORD OF 59 DEGREES TIED IN 1983.', [59, [1983], false]],
  ['THIS BREAKS THE OLD RECORD OF 59 DEGREES SET IN 1951 AND TIED IN 1983.', [59, [1951, 1983], false]],
  ['THIS BREAKS THE OLD RECORD OF 59 DEGREES...TIED 1983 AND 1999.', [59, [1983, 1999], false]],
  ['THIS BREAKS THE OLD RECORD OF 59 DEGREES SET IN 1951, 1983, AND 1999.', [59, [1951, 1983, 1999], false]],
  ['THE OLD RECORD OF 59 DEGREES WAS SET IN 1951. TIED IN 1983.', [59, [1951, 1983], false]],
  ['THE OLD RECORD OF 59 DEGREES WAS SET IN 1951. LAST TIED IN 1983.', [59, [1951, 1983], false]],
  ['PREVIOUS RECORD WAS 59 DEGREES, TIED IN 1983.', [59, [1983], false]],
  ['OLD RECORD: 59 DEGREES (1951, TIED 1983/1999).', [59, [1951, 1983, 1999], false]],
  ['THE RECORD OF 59 DEGREES WAS LAST TIED IN 1983.', [null, [1983], false]],
  ['THIS BREAKS THE OLD RECORD OF 59 DEGREES SET IN 1951. THE RECORD WAS EQUALED IN 1983.', [59, [1951, 1983], false]],
  ['THIS BREAKS THE OLD RECORD OF 59 DEGREES SET BACK IN 1951, RECORDS BEGAN IN 1948.', [59, [1951], false]],
  ['THIS TIES THE OLD RECORD OF 60 DEGREES TIED IN 1983.', [60, [1983], true]],
  ['THIS TIES THE RECORD SET ON FEBRUARY 5, 1951 AND TIED ON FEBRUARY 5, 1983.', [null, [1951, 1983], true]],
])('keeps the years of an earlier record: %s', (sentence, expected) => {
  for (const beside of ['', ' RECORDS GO BACK TO THE YEAR 1948.'])
    expect(
      history(`A RECORD HIGH TEMPERATURE OF 60 DEGREES WAS SET AT BRIDGEPORT CT TODAY. ${sentence}${beside}`),
    ).toEqual([expected])
})

test.each([
  ['A RECORD HIGH OF 60 DEGREES, SET IN 1983, WAS TIED AT BRIDGEPORT CT TODAY.', [null, [1983], true]],
  [
    'A RECORD HIGH OF 60 DEGREES WAS SET IN 1951 AND 1983 AND WAS TIED TODAY AT BRIDGEPORT CT.',
    [null, [1951, 1983], true],
  ],
  ['THE HIGH OF 60 DEGREES AT BRIDGEPORT CT TODAY TIED THE RECORD TIED IN 1983.', [null, [1983], true]],
  [
    'A RECORD HIGH OF 60 DEGREES WAS TIED AT BRIDGEPORT CT ON FEBRUARY 5 2026. THE RECORD WAS SET IN 1951.',
    [null, [1951], true],
  ],
])('reads the years beside the record of today: %s', (sentences, expected) => {
  expect(history(sentences)).toEqual([expected])
})

test('reads a record of another place that was tied today as a separate item', () => {
  expect(
    history(
      'A RECORD HIGH OF 60 DEGREES WAS SET AT BRIDGEPORT CT TODAY. THE OLD RECORD WAS 59 SET IN 1951. THE RECORD HIGH OF 58 DEGREES SET IN 1983 WAS TIED AT ISLIP NY TODAY.',
    ),
  ).toEqual([
    [59, [1951], false],
    [null, [1983], true],
  ])
})
