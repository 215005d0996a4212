import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type DailyNormal, leapDay, type StationNormals } from '../../domain/weather/climate.ts'

/** Maximum size of a file. The largest real file has 461 KB. */
const MAX_NORMALS_BYTES = 4 * 1024 * 1024
const LEAP_DAYS = 366
/** −6666 means undefined, −7777 rounds to zero, −8888 no such date, −9999 missing. */
const FIRST_SPECIAL_VALUE = -6666
const ROUNDS_TO_ZERO = -7777

const temperatureBounds = [-100, 150] as const
const deviationBounds = [0, 80] as const
/** Limits of precipitation in inches per month. Hawaii's wettest stations have about 40. */
const monthBounds = [0, 100] as const

/** The columns that the file of every station with temperature normals has. */
const required = ['DLY-TMAX-NORMAL', 'DLY-TMIN-NORMAL'] as const

/**
 * Returns whether the first line of a station file has columns of temperature normals. Two thirds of the stations have only precipitation.
 * @param head the file, or its beginning with at least the whole first line
 */
export function namesTemperatures(head: string): boolean {
  const end = head.indexOf('\n')
  const columns = new Set(readRow(end < 0 ? head : head.slice(0, end)))
  return required.every((name) => columns.has(name))
}

/**
 * Reads a station file of NCEI's `normals-daily/1991-2020/access`: quoted CSV with a row for each day of a leap year. Columns are read by
 * name; the values of a missing column are null.
 * @throws Fault Corrupt if the text is not such a file, or if days are missing or repeated
 */
export function readNormals(text: string): StationNormals {
  if (text.length > MAX_NORMALS_BYTES) throw corrupt(`at most ${MAX_NORMALS_BYTES} characters`, `${text.length}`)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const header = readRow(lines[0] ?? '')
  const column = new Map(header.map((name, i) => [name, i]))
  if (!column.has('STATION') || !column.has('DATE')) {
    throw corrupt('a header with STATION and DATE', JSON.stringify((lines[0] ?? '').slice(0, 60)))
  }
  // The files of 1981–2010 have tenths of degrees and hundredths of inches as integers, so they are rejected.
  if (header.some((name) => name.endsWith('_ATTRIBUTES'))) {
    throw corrupt('columns comp_flag_… (1991–2020)', 'columns …_ATTRIBUTES (1981–2010, other units)')
  }
  const rows = new Array<readonly string[] | undefined>(LEAP_DAYS).fill(undefined)
  for (const line of lines.slice(1, LEAP_DAYS + 2)) {
    const cells = readRow(line)
    if (cells.length !== header.length) throw corrupt(`${header.length} cells in a row`, `${cells.length}`)
    const [month, day] = nth(cells, column.get('DATE')!).split('-').map(Number)
    const at = leapDay(month ?? 0, day ?? 0)
    if (at === undefined) throw corrupt('a date MM-DD', JSON.stringify(nth(cells, column.get('DATE')!).slice(0, 20)))
    if (rows[at]) throw corrupt('each day once', `${cells[column.get('DATE')!]} twice`)
    rows[at] = cells
  }
  const days = rows.filter((row) => row !== undefined).length
  if (days !== LEAP_DAYS || lines.length !== LEAP_DAYS + 1) throw corrupt(`${LEAP_DAYS} days`, `${lines.length - 1}`)

  const cell = (at: number, name: string) => rows[at]![column.get(name) ?? -1]?.trim() ?? ''
  const first = rows[0]!
  const text0 = (name: string) => first[column.get(name) ?? -1]?.trim() ?? ''
  const id = text0('STATION')
  const lat = Number(text0('LATITUDE') || Number.NaN)
  const lon = Number(text0('LONGITUDE') || Number.NaN)
  if (!/^[A-Za-z0-9_-]{11}$/.test(id))
    throw corrupt('a GHCN station id of 11 characters', JSON.stringify(id.slice(0, 20)))
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) throw corrupt('a latitude and a longitude', `${lat}, ${lon}`)
  const elevation = Number(text0('ELEVATION') || Number.NaN)
  // An example is "LEBANON MUNI AP, NH US".
  const named = /^(.*), ([A-Z]{2}) [A-Z]{2}$/.exec(text0('NAME'))

  const monthToDate = rows.map((_, at) => value(cell(at, 'MTD-PRCP-NORMAL'), monthBounds, true))
  return {
    station: {
      id,
      name: named?.[1] ?? text0('NAME'),
      ...(named && { state: named[2] }),
      lat,
      lon,
      elevation: Number.isFinite(elevation) && elevation > -999 ? elevation : null,
    },
    days: rows.map((_, at): DailyNormal => {
      const temperature = (name: string) => value(cell(at, name), temperatureBounds)
      const deviation = (name: string) => value(cell(at, name), deviationBounds)
      const years = cell(at, 'years_DLY-TMAX-NORMAL')
      const flag = cell(at, 'comp_flag_DLY-TMAX-NORMAL')
      const high = temperature('DLY-TMAX-NORMAL')
      return {
        high,
        low: temperature('DLY-TMIN-NORMAL'),
        mean: temperature('DLY-TAVG-NORMAL'),
        highStddev: deviation('DLY-TMAX-STDDEV'),
        lowStddev: deviation('DLY-TMIN-STDDEV'),
        meanStddev: deviation('DLY-TAVG-STDDEV'),
        precip: precipitation(monthToDate, at, cell(at, 'DATE').endsWith('-01')),
        years: high !== null && /^\d{1,2}$/.test(years) ? Number(years) : null,
        completeness: high !== null && /^[A-Z]$/.test(flag) ? flag : null,
      }
    }),
  }
}

function precipitation(monthToDate: readonly (number | null)[], at: number, first: boolean): number | null {
  const today = monthToDate[at]!
  const before = first ? 0 : monthToDate[at - 1]!
  if (today === null || before === null) return null
  const amount = Math.round((today - before) * 100) / 100
  return amount < 0 ? null : amount
}

function value(cell: string, [least, most]: readonly [number, number], rounded = false): number | null {
  if (!/^-?\d+(?:\.\d+)?$/.test(cell)) return null
  const number = Number(cell)
  if (number === ROUNDS_TO_ZERO && rounded) return 0
  return number <= FIRST_SPECIAL_VALUE || number < least || number > most ? null : number
}

/** Returns the cells of a line of quoted CSV; `""` inside quotes is a quote. */
function readRow(line: string): string[] {
  const text = line.replace(/\r$/, '').replace(/^\uFEFF/, '')
  const cells: string[] = []
  for (let at = 0; at <= text.length; ) {
    if (text[at] !== '"') {
      const end = text.indexOf(',', at)
      cells.push(text.slice(at, end < 0 ? text.length : end))
      at = end < 0 ? text.length + 1 : end + 1
      continue
    }
    let cell = ''
    for (at++; ; ) {
      const end = text.indexOf('"', at)
      cell += text.slice(at, end < 0 ? text.length : end)
      at = end < 0 ? text.length : end + 1
      if (end < 0 || text[at] !== '"') break
      cell += '"'
      at++
    }
    cells.push(cell)
    // Skips the comma, or moves beyond the end.
    at++
  }
  return cells
}

function corrupt(expected: string, actual: string): Fault {
  return new Fault('Corrupt', `daily normals: expected ${expected}, but found ${actual}`)
}
