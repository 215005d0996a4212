import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { decodeMetar } from '../../ingest/decode/station/metar.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import {
  flightCategory,
  METERS_PER_MILE,
  METERS_PER_SECOND_PER_KNOT,
  type MetarReport,
  PASCALS_PER_INCH,
} from '../../ingest/domain/weather/observation.ts'
import { metarFixtures, type OracleRow, oracleRows } from './metar-rows.ts'

/** The only reasons for which our values may differ from AWC's decoded columns. */
const reasons: Readonly<
  Record<string, readonly (readonly [why: string, is: (row: OracleRow, report: MetarReport) => boolean])[]>
> = {
  temperature: [
    ['a T group counts only within 0.6 °C of the body', ({ raw }) => / T[01]\d{3}/.test(raw)],
    ['AWC reads no temperature without a dew point', ({ raw }) => / M?\d\d\/\/\//.test(raw)],
    ['a lost blank: BKN00615/15', ({ raw }) => raw.startsWith('SKRG')],
    ['0 in the column, 07/07 in the report', ({ raw }) => raw.startsWith('LIRQ')],
  ],
  dewPoint: [
    [
      'a dew point above the temperature is null',
      ({ columns }, { dewPoint }) =>
        dewPoint === null && Number(columns['dewpoint_c']) > Number(columns['temp_c']) - 0.001,
    ],
    ['a T group counts only within 0.6 °C of the body', ({ raw }) => / T[01]\d{3}/.test(raw)],
    ['a lost blank: BKN00615/15', ({ raw }) => raw.startsWith('SKRG')],
    ['blank in the column, 07/07 in the report', ({ raw }) => raw.startsWith('LIRQ')],
    ['AWC reads one digit as none', ({ raw }) => / \d\d\/M\d /.test(raw)],
  ],
  speed: [['AWC drops the speed of a wind without direction', ({ raw }) => / \/{3}\d\d(?:G\d\d)?KT/.test(raw)]],
  visibility: [
    [
      'AWC reads no visibility with NDV or P',
      ({ raw, columns }) => /\d{4}NDV| P\d{4}/.test(raw) && !columns['visibility_statute_mi'],
    ],
    [
      'AWC gives 10 km and more as 6.21 or 10+',
      ({ columns }, { visibility }) =>
        visibility !== null &&
        visibility >= 9999 &&
        /^(6\.2\d*|10\+?|6\+)$/.test(columns['visibility_statute_mi'] ?? ''),
    ],
    [
      'AWC rounds what comes in meters',
      ({ raw, columns }, { visibility }) =>
        !/SM/.test(raw) &&
        visibility !== null &&
        Math.abs(visibility / METERS_PER_MILE - Number(columns['visibility_statute_mi'])) < 0.07,
    ],
    ['2200M is no visibility group', ({ raw }) => raw.startsWith('OPNH')],
    ['AWC does not read M or 1/16', ({ raw }) => / M\d{4} | 1\/16SM/.test(raw)],
  ],
  altimeter: [
    ['a malformed group: lost blank, tenths', ({ raw }) => /\d\dQ\d{4}|Q\d{4}\.\d/.test(raw)],
    ['two settings: the first counts', ({ raw }) => / A\d{4} Q\d{4}/.test(raw)],
  ],
  category: [
    [
      'AWC of 2014 gave VV the base 0',
      ({ raw, columns }) => / VV\d{3} /.test(raw) && columns['flight_category'] === 'LIFR',
    ],
    ['2200M is no visibility group', ({ raw }) => raw.startsWith('OPNH')],
    [
      'AWC gives VFR where the sky or its base is missing; we give null (contract)',
      ({ columns }, report) => flightCategory(report) === null && columns['flight_category'] === 'VFR',
    ],
    [
      'AWC gives none where one of ceiling and visibility is missing; one alone decides where it is not VFR',
      ({ columns }) => !columns['flight_category'],
    ],
    [
      'AWC counts 1SM as below a mile',
      ({ raw, columns }) => / 1SM /.test(raw) && columns['flight_category'] === 'LIFR',
    ],
  ],
}

const close = (ours: number | null, theirs: string | undefined, tolerance: number) =>
  ours === null || !theirs ? ours === null && !theirs : Math.abs(ours - Number(theirs.replace('+', ''))) <= tolerance

function differences(row: OracleRow, report: MetarReport): string[] {
  const { columns } = row
  const checks: Record<string, boolean> = {
    temperature: close(report.temperature, columns['temp_c'], 0.051),
    dewPoint: close(report.dewPoint, columns['dewpoint_c'], 0.051),
    speed: close(report.windSpeed && report.windSpeed / METERS_PER_SECOND_PER_KNOT, columns['wind_speed_kt'], 0.6),
    visibility: close(report.visibility && report.visibility / METERS_PER_MILE, columns['visibility_statute_mi'], 0.02),
    altimeter: close(report.pressure && report.pressure / PASCALS_PER_INCH, columns['altim_in_hg'], 0.011),
    category: (flightCategory(report) ?? '') === (columns['flight_category'] ?? ''),
  }
  return Object.keys(checks).filter((field) => !checks[field])
}

describe.skipIf(!metarFixtures)('METARs of the fixtures (skipped: ../shared/fixtures is absent)', () => {
  const rows = oracleRows()

  test('every row becomes a record or has a named reason', () => {
    const counts: Record<string, number> = {}
    for (const { raw, near } of rows) {
      const decoded = decodeMetar(raw, near)
      const kind = 'report' in decoded ? 'report' : decoded.rejected.reason
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    expect(rows.length).toBe(14_323)
    expect(counts).toEqual({ report: 14_288, nil: 26, empty: 6, no_time: 3 })
  })

  test("values agree with AWC's columns but for named reasons", () => {
    const unnamed: string[] = []
    let agreed = 0
    for (const row of rows) {
      // The columns of the derived file are rounded.
      if (row.file.includes('derived')) continue
      const decoded = decodeMetar(row.raw, row.near)
      if ('rejected' in decoded) continue
      const different = differences(row, decoded.report)
      agreed += 6 - different.length
      for (const field of different) {
        if (entryOf(reasons, field).some(([, is]) => is(row, decoded.report))) continue
        unnamed.push(`${field}: ${row.raw} ${JSON.stringify(row.columns)}`.slice(0, 300))
      }
    }
    expect(unnamed.slice(0, 40)).toEqual([])
    expect(agreed).toBeGreaterThan(53_000)
  })

  const python = process.env['PYTHON'] ?? 'python3'
  const oracles = spawnSync(python, ['-c', 'import metar, avwx']).status === 0
  test.skipIf(!oracles)(
    'two decoders of PyPI agree except for named reasons (skipped: pip install metar avwx-engine, PYTHON=…)',
    () => {
      const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))
      const dump = spawnSync(process.execPath, [script('metar-rows.ts')], { maxBuffer: 64 << 20 })
      const compared = spawnSync(python, [script('metar-oracles.py')], { input: dump.stdout, maxBuffer: 64 << 20 })
      expect(String(compared.stdout)).toContain('\n0 differences without a name')
    },
  )
})
