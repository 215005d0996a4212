/** Mutated climate texts: `node test/decode/text/climate-fuzz.ts [COUNT] [SEED]`. Every text gives items within bounds or a Corrupt fault. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readClimateReports } from '../../../ingest/decode/text/cli.ts'
import { readTextProducts } from '../../../ingest/decode/text/product.ts'
import { readRecords } from '../../../ingest/decode/text/rer.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import type { ClimateReport, RecordReport } from '../../../ingest/domain/weather/climate.ts'
import { afternoonText, cliText, rerText, twoStationText } from './climate-texts.ts'

export interface Tally {
  items: number
  refused: number
  slowestMs: number
}

function seeds(): string[] {
  const texts = [cliText, afternoonText, twoStationText, rerText]
  const root = join(import.meta.dirname, '../../../../shared/fixtures/text')
  for (const folder of ['cli/pyiem', 'cli/pywwa', 'rer/web', 'rer/pywwa'].map((name) => join(root, name))) {
    if (!existsSync(folder)) continue
    for (const file of readdirSync(folder)) {
      if (file.endsWith('.txt')) texts.push(readFileSync(join(folder, file), 'latin1'))
    }
  }
  return texts
}

function generator(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const inserts = [
  '...',
  '\n',
  '\n\n',
  ' ',
  '\t',
  'MM',
  'T',
  'R',
  '-',
  '9'.repeat(30),
  '$$',
  '&&',
  '...THE ',
  '. ',
  ' OF ',
  '\u0001',
  'é',
]

function mutate(text: string, other: string, random: (below: number) => number): string {
  let result = text
  for (let count = 1 + random(8); count > 0; count--) {
    const at = random(result.length)
    const length = 1 + random(random(4) === 0 ? 400 : 12)
    const kind = random(6)
    if (kind === 0) result = result.slice(0, at) + result.slice(at + length)
    else if (kind === 1) result = result.slice(0, at) + inserts[random(inserts.length)] + result.slice(at)
    else if (kind === 2) result = result.slice(0, at) + String.fromCharCode(random(128)) + result.slice(at + 1)
    else if (kind === 3)
      result = result.slice(0, at) + result.slice(at, at + length).repeat(2) + result.slice(at + length)
    else if (kind === 4)
      result = result.slice(0, at) + other.slice(random(other.length)).slice(0, length) + result.slice(at)
    else result = result.slice(0, Math.max(at, 40))
  }
  return result
}

/** @throws where a text gives anything but items within bounds or a Corrupt fault */
export function fuzzClimate(count: number, seed: number): Tally {
  const texts = seeds()
  const random = generator(seed)
  const tally: Tally = { items: 0, refused: 0, slowestMs: 0 }
  for (let n = 0; n < count; n++) {
    const text = mutate(nth(texts, random(texts.length)), nth(texts, random(texts.length)), random)
    const started = performance.now()
    try {
      for (const product of readTextProducts(text)) {
        const near = Date.UTC(2006 + random(21), random(12), 1 + random(28))
        const at = /\b(20\d\d)\s*$/m.exec(product.body) ? issueNear(product.body, near) : near
        if (product.awips.startsWith('RER')) tally.items += readRecords(product, at).map(checkRecord).length
        else tally.items += readClimateReports(product, at).map(checkReport).length
      }
    } catch (error) {
      if (!isFault(error, 'Corrupt'))
        throw new Error(`seed ${seed}, text ${n}: ${JSON.stringify(text)}`, { cause: error })
      tally.refused++
    }
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - started)
  }
  return tally
}

function issueNear(body: string, otherwise: number): number {
  const match = /\b[A-Z]{3} +([A-Z]{3}) +(\d{1,2}) +(\d{4})/.exec(body)
  const at = match ? Date.parse(`${match[1]} ${match[2]} ${match[3]} 12:00 UTC`) : Number.NaN
  return Number.isNaN(at) ? otherwise : at
}

function checkReport(report: ClimateReport): void {
  const { temperature, precipitation, snow } = report
  check(/^\d{4}-\d\d-\d\d$/.test(report.date) && !Number.isNaN(Date.parse(report.date)), 'date')
  check(report.name.length > 0 && report.name.length <= 80 && Number.isInteger(report.issuedAt), 'name')
  for (const triple of [temperature, temperature.normals, temperature.departures]) {
    for (const value of [triple.high, triple.low, triple.average])
      check(value === null || Math.abs(value) <= 150, 'degrees')
  }
  for (const amount of [precipitation, snow]) {
    check(!amount.trace || amount.total === null, 'trace')
    for (const value of [amount.total, amount.monthToDate, amount.normal, amount.record.value])
      check(value === null || (value >= 0 && value <= 2000), 'inches')
  }
  for (const { value, years } of [temperature.highRecord, temperature.lowRecord, precipitation.record, snow.record])
    check((value !== null || years.length === 0) && years.every((year) => year >= 1700 && year <= 2200), 'record')
}

function checkRecord(record: RecordReport): void {
  check(/^\d{4}-\d\d-\d\d$/.test(record.date) && !Number.isNaN(Date.parse(record.date)), 'date')
  for (const value of [record.value, record.previous]) check(value === null || Math.abs(value) < 1000, 'value')
  check(
    record.previousYears.every((year) => year >= 1700 && year < 2100),
    'years',
  )
  check((record.previousYear === null) === (record.previousYears.length === 0), 'year')
}

function check(ok: boolean, what: string): void {
  if (!ok) throw new Error(`out of bounds: ${what}`)
}

if (process.argv[1] === import.meta.filename) {
  const [count = 200_000, seed = 1] = process.argv.slice(2).map(Number)
  console.log(JSON.stringify(fuzzClimate(count, seed)))
}
