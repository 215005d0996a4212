import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { DAY, type Instant } from '../../domain/time.ts'
import type { ClimateAmount, ClimateRecord, ClimateReport } from '../../domain/weather/climate.ts'
import {
  type ColumnName,
  isoDate,
  monthNumber,
  type ReportColumn,
  readColumns,
  readRow,
  readValue,
  readYearLine,
  readYears,
} from './climate-lines.ts'
import type { TextProduct } from './product.ts'
import { firstTimeLine, issueTimes } from './time.ts'

/** Limits of values in °F and inches. A value beyond them is a typing error and becomes null. */
const temperatures = [-100, 150] as const
const departures = [-120, 120] as const
const rains = [0, 500] as const
const snows = [0, 2000] as const

const MAX_STATIONS = 40
/**
 * Maximum time between the date of a report and its issuance. Preliminary reports are issued on the day itself, corrections weeks later.
 */
const MAX_REPORT_AGE = 400 * DAY

type ReportSection = 'temperature' | 'precipitation' | 'snow'

interface Headline {
  readonly name: string
  readonly date: string
  /** Index of the first line after the headline. */
  readonly next: number
}

/**
 * Reads a daily climate report (CLI), which may have several stations.
 * @param near `issuanceTime` of the item, or the time of the file; it supplies month and year of the WMO line
 * @throws Fault Corrupt if the text is not such a report, or if a station, a date or a time is not certain
 */
export function readClimateReports(product: TextProduct, near: Instant): ClimateReport[] {
  if (!/^CLI[A-Z0-9]{1,3}$/.test(product.awips)) throw corrupt('an AWIPS line CLI…', product.awips)
  const issued = issueTimes(product, near)
  if (!issued) throw corrupt('a WMO time within 16 days of the item', product.ddhhmm)
  const lines = product.body.split('\n').map(plainLine)
  const headlines: (Headline & { readonly at: number })[] = []
  for (let at = 0; at < lines.length; at++) {
    const headline = readHeadline(lines, at)
    if (!headline) continue
    headlines.push({ ...headline, at })
    if (headlines.length > MAX_STATIONS) throw corrupt(`at most ${MAX_STATIONS} stations`, 'more')
    at = headline.next - 1
  }
  if (headlines.length === 0) {
    throw corrupt('"...THE … CLIMATE SUMMARY FOR MONTH DAY YEAR..."', 'no such line')
  }
  return headlines.map(({ name, date, next }, i) => {
    // The time of the WMO line may be days off (CLIPPG 220440 on the 28th), so a fitting local time line is accepted as well.
    const fits = (at: Instant) => at - Date.parse(date) > -DAY && at - Date.parse(date) < MAX_REPORT_AGE
    if (!fits(issued.issuedAt) && !fits(firstTimeLine(product.body) ?? Number.NaN)) {
      throw corrupt(`a date near the issue (${new Date(issued.issuedAt).toISOString().slice(0, 10)})`, date)
    }
    const part = lines.slice(next, headlines[i + 1]?.at ?? lines.length)
    return {
      station: product.awips.slice(3),
      name,
      date,
      issuedAt: issued.issuedAt,
      office: product.office,
      preliminary: part.slice(0, 6).some((line) => /^\s*VALID (?:TODAY )?AS OF\b/.test(line)),
      ...readTable(part, Number(date.slice(0, 4)) + 1),
    }
  })
}

/** Returns a line in upper case with tabs expanded to columns of eight. Real texts use tabs inconsistently, and few cells follow one. */
function plainLine(line: string): string {
  const text = line.toUpperCase()
  if (!text.includes('\t')) return text
  let wide = ''
  for (const character of text.slice(0, 400)) wide += character === '\t' ? ' '.repeat(8 - (wide.length % 8)) : character
  return wide
}

const headline =
  /^\.\.\.\s?THE (.{1,80}?) CLIMATE SUMMARY (?:FOR|FROM) ([A-Z]{3,9})\.? {1,3}(\d{1,2}),? {1,3}(\d{4})(?: CORRECT[A-Z]{2,4})?\s?\.\.\.$/

/** Reads a headline, which may have up to three lines. */
function readHeadline(lines: readonly string[], at: number): Headline | undefined {
  if (!/^\s*\.\.\.\s?THE\b/.test(nth(lines, at))) return undefined
  let text = ''
  for (let next = at; next < Math.min(lines.length, at + 3); next++) {
    text = `${text} ${nth(lines, next).trim()}`.trim()
    if (text.length > 160) return undefined
    if (!text.endsWith('...') || next + 1 === at) continue
    const match = headline.exec(text)
    const month = match ? monthNumber(nth(match, 2)) : undefined
    const date = match && month ? isoDate(Number(match[4]), month, Number(match[3])) : undefined
    if (!match || !date) return undefined
    return { name: nth(match, 1).trim().replace(/ {2,}/g, ' '), date, next: next + 1 }
  }
  return undefined
}

function readTable(
  lines: readonly string[],
  latestYear: number,
): Pick<ClimateReport, 'temperature' | 'precipitation' | 'snow'> {
  const at = lines.findIndex((line) => readColumns(line))
  const columns = at < 0 ? undefined : readColumns(nth(lines, at))
  if (!columns) throw corrupt('a line "WEATHER ITEM   OBSERVED …"', 'none')
  const rows = readSections(lines.slice(at + 1), columns, latestYear)
  if (![...rows.keys()].some((key) => key.startsWith('temperature'))) {
    throw corrupt('a section TEMPERATURE with MAXIMUM or MINIMUM', 'none')
  }

  const cell = (row: string, column: ColumnName) => rows.get(row)?.cells.get(column)
  const number = (row: string, column: ColumnName, [least, most]: readonly [number, number]) =>
    readValue(cell(row, column), least, most).value
  const record = (row: string, [least, most]: readonly [number, number]): ClimateRecord => {
    const value = readValue(cell(row, 'RECORD'), least, most).value
    return { value, years: value === null ? [] : (rows.get(row)?.years ?? []) }
  }
  const triple = (column: ColumnName, bounds: readonly [number, number]) => ({
    high: number('temperature MAXIMUM', column, bounds),
    low: number('temperature MINIMUM', column, bounds),
    average: number('temperature AVERAGE', column, bounds),
  })
  const amount = (section: ReportSection, bounds: readonly [number, number]): ClimateAmount => {
    const total = readValue(cell(`${section} DAY`, 'OBSERVED'), ...bounds)
    return {
      total: total.value,
      trace: total.trace,
      monthToDate: number(`${section} MONTH TO DATE`, 'OBSERVED', bounds),
      normal: number(`${section} DAY`, 'NORMAL', bounds),
      record: record(`${section} DAY`, bounds),
    }
  }
  return {
    temperature: {
      ...triple('OBSERVED', temperatures),
      normals: triple('NORMAL', temperatures),
      departures: triple('DEPARTURE', departures),
      highRecord: record('temperature MAXIMUM', temperatures),
      lowRecord: record('temperature MINIMUM', temperatures),
    },
    precipitation: {
      ...amount('precipitation', rains),
      yearToDate: number('precipitation SINCE JAN 1', 'OBSERVED', rains),
    },
    snow: {
      ...amount('snow', snows),
      depth: number('snow SNOW DEPTH', 'OBSERVED', snows),
      seasonToDate: number('snow SINCE JUL 1', 'OBSERVED', snows),
    },
  }
}

interface SectionRow {
  readonly cells: ReadonlyMap<ColumnName, string>
  /** Years of the record: those in the row itself, then those in following lines that have no other column. */
  readonly years: number[]
}

/** Returns the rows of the three sections by `section LABEL`. If a label occurs twice, its first row counts. */
function readSections(
  lines: readonly string[],
  columns: readonly ReportColumn[],
  latestYear: number,
): Map<string, SectionRow> {
  const rows = new Map<string, SectionRow>()
  let section: ReportSection | undefined
  let years: number[] | undefined
  for (const line of lines) {
    // Supplements follow here: other sites, the water temperature, the observer's notes.
    if (/^\s*(?:&&|\$\$)/.test(line)) break
    const heading = sectionOf(line)
    if (heading !== undefined) {
      section = heading ?? undefined
      years = undefined
      continue
    }
    if (!section) continue
    const more = readYearLine(line, latestYear)
    if (more) {
      years?.push(...more)
      continue
    }
    const row = readRow(line, columns)
    if (!row) continue
    const day = section !== 'temperature' && /^(?:TODAY|YESTERDAY)$/.test(row.label)
    const key = `${section} ${day ? 'DAY' : row.label.replace(/^SINCE 1 ([A-Z]{3})$/, 'SINCE $1 1')}`
    if (rows.has(key) || (section === 'temperature') !== /^(?:MAXIMUM|MINIMUM|AVERAGE)$/.test(row.label)) {
      years = undefined
      continue
    }
    years = readYears(row.cells.get('YEAR') ?? '', latestYear)
    rows.set(key, { cells: row.cells, years })
  }
  return rows
}

/** Returns the section that a line begins; null if an ignored section begins, undefined if the line is not a heading. */
function sectionOf(line: string): ReportSection | null | undefined {
  if (/^\s*TEMPERATURE(?:\s*\(F\))?\s*$/.test(line)) return 'temperature'
  if (/^\s*PRECIPITATION(?:\s*\(IN(?:CHES)?\))?\s*$/.test(line)) return 'precipitation'
  if (/^\s*SNOWFALL(?:\s*\(IN(?:CHES)?\))?\s*$/.test(line)) return 'snow'
  return /^\s*(?:DEGREE DAYS|WIND|HIGHEST WIND|SKY COVER|WEATHER CONDITIONS|RELATIVE HUMIDITY|THE .* CLIMATE NORMALS|SUNRISE)\b|^\s*\.{8}/.test(
    line.slice(0, 120),
  )
    ? null
    : undefined
}

function corrupt(expected: string, actual: string): Fault {
  return new Fault('Corrupt', `climate report: expected ${expected}, but found ${actual}`, { reason: 'unreadable' })
}
