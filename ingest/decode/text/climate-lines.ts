import { nth } from '../../domain/nth.ts'

/** Readers of the fixed-width tables in CLI texts: column headings, cells, and the assignment of cells to headings. */

export const columnNames = ['OBSERVED', 'TIME', 'RECORD', 'YEAR', 'NORMAL', 'DEPARTURE', 'LAST'] as const
export type ColumnName = (typeof columnNames)[number]

interface TextSpan {
  readonly from: number
  readonly to: number
}

export interface ReportColumn extends TextSpan {
  readonly name: ColumnName
}

interface ReportCell extends TextSpan {
  readonly text: string
}

export interface ClimateRow {
  /** The label of the row, such as `MAXIMUM` or `MONTH TO DATE`. */
  readonly label: string
  readonly cells: ReadonlyMap<ColumnName, string>
}

const MAX_LINE = 200

/** Returns the headings of a line `WEATHER ITEM   OBSERVED TIME   RECORD YEAR NORMAL DEPARTURE LAST`; undefined for any other line. */
export function readColumns(line: string): ReportColumn[] | undefined {
  if (line.length > MAX_LINE || !/^\s*WEATHER\s+ITEM\s+OBSERVED\b/.test(line)) return undefined
  return words(line)
    .filter((word) => (columnNames as readonly string[]).includes(word.text))
    .map(({ text, from, to }) => ({ name: text as ColumnName, from, to }))
}

function words(line: string): ReportCell[] {
  return Array.from(line.matchAll(/\S+/g), (match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }))
}

const label =
  /^\s*(MAXIMUM|MINIMUM|AVERAGE|TODAY|YESTERDAY|MONTH TO DATE|YEAR TO DATE|SNOW DEPTH|SINCE (?:[A-Z]{3} 1|1 [A-Z]{3}))(?![A-Z])\s*(?:\(IN\)|\(INCHES\))?/

/**
 * Reads a line of the table: its label, and its cells by heading. A row with as many cells as headings is read in order, because some texts
 * lose their columns (`MAXIMUM 89 150 PM 91 2008 88 1 82`). In any other row, each cell belongs to the nearest heading, in order.
 * @returns undefined if the line has no known label
 */
export function readRow(line: string, columns: readonly ReportColumn[]): ClimateRow | undefined {
  if (line.length > MAX_LINE) return undefined
  const named = label.exec(line)
  if (!named) return undefined
  const cells = joinCells(
    words(line.slice(named[0].length))
      .filter(({ text }) => !yearWords.has(text))
      .map((word) => ({
        text: word.text,
        from: word.from + named[0].length,
        to: word.to + named[0].length,
      })),
  )
  const texts = new Map<ColumnName, string>()
  if (cells.length === columns.length) {
    for (const [i, cell] of cells.entries()) texts.set(nth(columns, i).name, cell.text)
  } else {
    let next = 0
    for (const cell of cells) {
      const at = nearestColumn(cell, columns, next)
      if (at === undefined) break
      texts.set(nth(columns, at).name, cell.text)
      next = at + 1
    }
  }
  return { label: nth(named, 1), cells: texts }
}

/** Years of one record, such as `1983`, `1983,1999`, `1983/` or `1983*`. */
const yearList = /^(?:(?:1[789]|20)\d\d[,;/&*+]*)+$/
/** Words that may stand next to the years of a record, as in `87 TIED IN 1983`. */
const yearWords: ReadonlySet<string> = new Set('TIED SET LAST FIRST ALSO PREVIOUSLY IN AND &'.split(' '))

/** Joins adjacent cells that belong together: a time and its AM or PM, a value and its flag (`31 E`, `50 R`), and consecutive years. */
function joinCells(list: readonly ReportCell[]): ReportCell[] {
  const cells: ReportCell[] = []
  for (const word of list) {
    const before = cells.at(-1)
    const half = /^[AP]M$/.test(word.text) && before && /^\d{1,2}:?\d{2}$/.test(before.text)
    const flag = /^[RE*]$/.test(word.text) && before && word.from - before.to <= 2 && /\d$/.test(before.text)
    const year = yearList.test(word.text) && before && yearList.test(before.text.replaceAll(' ', ''))
    if (half || flag || year) cells[cells.length - 1] = { ...before, text: `${before.text} ${word.text}`, to: word.to }
    else cells.push(word)
  }
  return cells
}

/** Returns the heading from `next` on that overlaps the cell most; if none overlaps, the nearest heading. */
function nearestColumn(cell: ReportCell, columns: readonly ReportColumn[], next: number): number | undefined {
  let best: number | undefined
  let bestScore = Number.NEGATIVE_INFINITY
  for (let i = next; i < columns.length; i++) {
    const column = nth(columns, i)
    const time = /[AP]M$/.test(cell.text)
    if (time !== (column.name === 'TIME') && (time || !/^MM?$/.test(cell.text))) continue
    const score = Math.min(cell.to, column.to) - Math.max(cell.from, column.from)
    if (score > bestScore) {
      best = i
      bestScore = score
    }
  }
  return best
}

export interface LineReading {
  readonly value: number | null
  readonly trace: boolean
}

/** Reads a value such as `-21R`, `0.00*`, `57(E)`, `T` or `MM`. A number outside the limits gives null. */
export function readValue(cell: string | undefined, least: number, most: number): LineReading {
  const text = (cell ?? '').replace(/(?:\(E\)|[RE*])$/, '').trim()
  if (text === 'T') return { value: null, trace: true }
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return { value: null, trace: false }
  const value = Number(text)
  return { value: value >= least && value <= most ? value : null, trace: false }
}

/** Returns the years of a record in the order of the text. A year has four digits and is not before 1700. */
export function readYears(text: string, latest: number): number[] {
  const years = Array.from(text.matchAll(/\b\d{4}\b/g), (match) => Number(match[0]))
  return years.filter((year) => year >= 1700 && year <= latest)
}

/** Returns the years of a line that has only years, such as `1953`, `1983 AND 1999` or `TIED IN 1983`; undefined for any other line. */
export function readYearLine(line: string, latest: number): number[] | undefined {
  if (line.length > MAX_LINE || !/\d{4}/.test(line)) return undefined
  const remainder = line
    .replace(/\b(?:1[789]|20)\d\d\b/g, ' ')
    .replace(/\b(?:TIED|SET|LAST|FIRST|ALSO|PREVIOUSLY|IN|AND|YEARS?|OTHER)\b/g, ' ')
  return /^[\s,;:/&*+().-]*$/.test(remainder) ? readYears(line, latest) : undefined
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** Returns 1 to 12 for a month such as `JUNE` or `JUN`; undefined for any other word. */
export function monthNumber(word: string): number | undefined {
  const at = months.indexOf(word.slice(0, 3).toUpperCase())
  return at < 0 ? undefined : at + 1
}

/** Returns a date such as `2026-06-28`; undefined if the calendar does not have the date. */
export function isoDate(year: number, month: number, day: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, day))
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day || year < 1800 || year > 2200) return undefined
  return at.toISOString().slice(0, 10)
}
