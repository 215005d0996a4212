/** Compares every CLI fixture (daily climate report) with pyIEM's parser. `cli-pyiem.py` writes `cli-expected.json`. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readClimateReports } from '../../ingest/decode/text/cli.ts'
import { readTextProducts } from '../../ingest/decode/text/product.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import type { ClimateReport } from '../../ingest/domain/weather/climate.ts'
import expected from './cli-expected.json' with { type: 'json' }

const folder = join(import.meta.dirname, '../../../shared/fixtures/text/cli')

/** Members that pyIEM reads wrongly, with the reason. */
const exceptions: readonly { file: string; member: string; theirs: unknown; ours: unknown; reason: string }[] = [
  {
    file: 'pyiem/CLICVG_tab.txt',
    member: 'snow_today',
    theirs: null,
    ours: 0,
    reason: 'pyIEM leaves out lines with a tab',
  },
  { file: 'pyiem/CLICVG_tab.txt', member: 'snow_today_normal', theirs: null, ours: 0, reason: 'the same line' },
  {
    file: 'pyiem/CLIFMY.txt',
    member: 'temperature_minimum_record',
    theirs: 54,
    ours: null,
    reason: 'minutes of "454 AM"',
  },
  {
    file: 'pyiem/CLIMSO.txt',
    member: 'temperature_minimum_normal',
    theirs: null,
    ours: 16,
    reason: 'pyIEM does not read this column',
  },
  { file: 'pyiem/CLIMSO_2.txt', member: 'temperature_minimum_normal', theirs: null, ours: 17, reason: 'the same' },
  { file: 'pyiem/CLIPPG4.txt', member: 'precip_jan1', theirs: null, ours: 38.23, reason: 'SINCE 1 JAN is SINCE JAN 1' },
]

/** Texts that pyIEM rejects and our decoder reads, with the values that a person has read in them. */
const beyond: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'pyiem/CLIPPG.txt': {
    name: 'PAGO PAGO AIRPORT',
    date: '2020-12-28',
    temperature_maximum: 89,
    temperature_minimum: 77,
    temperature_average: 83,
    temperature_maximum_normal: 88,
    temperature_minimum_normal: 77,
    temperature_maximum_record: 91,
    temperature_maximum_record_years: [2008],
    temperature_minimum_record: 70,
    temperature_minimum_record_years: [1967],
    precip_today: 0,
    precip_month: 14.55,
    precip_jan1: 191.68,
    snow_today: 0,
    snow_month: 0,
  },
}

/** Returns a report with pyIEM's names, without its missing members. */
function named(report: ClimateReport): Record<string, unknown> {
  const { temperature, precipitation, snow } = report
  const total = (amount: { total: number | null; trace: boolean }) => (amount.trace ? 'T' : amount.total)
  const all = {
    name: report.name,
    date: report.date,
    temperature_maximum: temperature.high,
    temperature_minimum: temperature.low,
    temperature_average: temperature.average,
    temperature_maximum_normal: temperature.normals.high,
    temperature_minimum_normal: temperature.normals.low,
    temperature_average_normal: temperature.normals.average,
    temperature_maximum_record: temperature.highRecord.value,
    temperature_maximum_record_years: temperature.highRecord.years,
    temperature_minimum_record: temperature.lowRecord.value,
    temperature_minimum_record_years: temperature.lowRecord.years,
    precip_today: total(precipitation),
    precip_month: precipitation.monthToDate,
    precip_jan1: precipitation.yearToDate,
    precip_today_normal: precipitation.normal,
    precip_today_record: precipitation.record.value,
    precip_today_record_years: precipitation.record.years,
    snow_today: total(snow),
    snow_month: snow.monthToDate,
    snow_jul1: snow.seasonToDate,
    snow_today_normal: snow.normal,
    snow_today_record: snow.record.value,
    snow_today_record_years: snow.record.years,
    snowdepth: snow.depth,
  }
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )
}

/** The contract has traces only for the day's total. In other members a trace is null, and its years are kept. */
function withoutTraces(report: Record<string, unknown>): Record<string, unknown> {
  const traces = Object.keys(report).filter((name) => report[name] === 'T' && !/_today$/.test(name))
  return Object.fromEntries(
    Object.entries(report).filter(([name]) => !traces.some((trace) => name === trace || name === `${trace}_years`)),
  )
}

function reportsOf(file: string): Record<string, unknown>[] {
  const text = readFileSync(join(folder, file), 'latin1')
  const [, month, day, year] = /\b[A-Z]{3} +([A-Z]{3}) +(\d{1,2}) +(\d{4})/.exec(text)!
  const near = Date.parse(`${month} ${day} ${year} 12:00 UTC`)
  return readTextProducts(text).flatMap((product) => readClimateReports(product, near).map(named))
}

describe.skipIf(!existsSync(folder))('daily climate reports as pyIEM reads them', () => {
  const oracle = expected as unknown as Readonly<Record<string, string | Record<string, unknown>[]>>
  const files = existsSync(folder)
    ? ['pyiem', 'pywwa'].flatMap((name) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`))
    : []

  test('every fixture is in the table', () => {
    expect(files.filter((file) => file.endsWith('.txt')).sort()).toEqual(Object.keys(oracle).sort())
    expect(Object.values(oracle).flat().length).toBeGreaterThanOrEqual(42)
  })

  test.each(Object.keys(oracle))('%s', (file) => {
    const theirs = entryOf(oracle, file)
    const expected = structuredClone(typeof theirs === 'string' ? [entryOf(beyond, file)] : theirs).map(withoutTraces)
    for (const { member, theirs, ours } of exceptions.filter((exception) => exception.file === file)) {
      expect(expected[0]?.[member] ?? null, `pyIEM's ${member}`).toEqual(theirs)
      if (ours === null) delete nth(expected, 0)[member]
      else nth(expected, 0)[member] = ours
    }
    expect(reportsOf(file)).toEqual(expected)
  })
})
