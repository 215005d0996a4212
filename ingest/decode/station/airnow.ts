import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'
import type { AreaForecast, MonitorHour } from '../../domain/weather/air-quality.ts'
import { validPlace } from '../../domain/weather/observation.ts'
import { csvFields, textOf, wholeLines } from './csv.ts'

/** Maximum number of lines. In 2024 the file had 5,000 rows and 1.1 MB. */
const MAX_LINES = 100_000
const MAX_AQI = 2000

export interface HourlyFile {
  /** One row for each monitor and hour. If the file repeats a row, its last occurrence counts. */
  readonly rows: readonly MonitorHour[]
  readonly rejected: readonly { readonly reason: 'bad_row' | 'no_place' | 'no_time'; readonly detail: string }[]
  /** Whether the file ends in the middle of a row. */
  readonly cut: boolean
}

const HOURLY = [
  'AQSID',
  'SiteName',
  'Status',
  'Latitude',
  'Longitude',
  'ValidDate',
  'ValidTime',
  'DataSource',
  'OZONE_AQI',
  'PM10_AQI',
  'PM25_AQI',
] as const

/**
 * Reads `HourlyAQObs_YYYYMMDDHH.dat` of files.airnowtech.org: quoted CSV. Columns are read by name, because their order differs from the
 * fact sheet. Concentrations are ignored, because the index of one hour's concentration is not the NowCast index.
 * @throws Fault Corrupt if the columns are missing or there are too many lines
 */
export function readHourlyObservations(bytes: Uint8Array, source: string): HourlyFile {
  const { lines, cut } = wholeLines(textOf(bytes))
  const header = csvFields(lines[0] ?? '')
  const at = Object.fromEntries(HOURLY.map((name) => [name, header.indexOf(name)])) as Record<
    (typeof HOURLY)[number],
    number
  >
  const missing = HOURLY.filter((name) => at[name] < 0)
  if (missing.length > 0 || lines.length > MAX_LINES) {
    throw new Fault(
      'Corrupt',
      `${source}: must have at most ${MAX_LINES} lines and the columns ${HOURLY.join(', ')}, but has ${lines.length} lines and begins with ${JSON.stringify((lines[0] ?? '').slice(0, 60))}. Fetch it again.`,
    )
  }
  const rows = new Map<string, MonitorHour>()
  const rejected: HourlyFile['rejected'][number][] = []
  for (const line of lines.slice(1)) {
    if (line === '') continue
    const fields = csvFields(line)
    const cell = (name: (typeof HOURLY)[number]) => nth(fields, at[name]).trim()
    if (fields.length !== header.length || cell('AQSID') === '') {
      rejected.push({ reason: 'bad_row', detail: line.slice(0, 120) })
      continue
    }
    const hour = hourOf(cell('ValidDate'), cell('ValidTime'))
    if (hour === undefined) {
      rejected.push({ reason: 'no_time', detail: line.slice(0, 120) })
      continue
    }
    const place = validPlace(numberOf(cell('Latitude')), numberOf(cell('Longitude')))
    if (!place) {
      // Inactive sites have the coordinates 0, 0 (more than 100 in a file). They are skipped and do not count as rejected.
      if (cell('Status') === 'Active') rejected.push({ reason: 'no_place', detail: line.slice(0, 120) })
      continue
    }
    const row: MonitorHour = {
      id: cell('AQSID'),
      name: cell('SiteName'),
      ...place,
      hour,
      agency: cell('DataSource'),
      active: cell('Status') === 'Active',
      pm25: indexOf(cell('PM25_AQI')),
      ozone: indexOf(cell('OZONE_AQI')),
      pm10: indexOf(cell('PM10_AQI')),
    }
    rows.set(`${row.id} ${hour}`, row)
  }
  if (cut) rejected.push({ reason: 'bad_row', detail: 'the file ends within a row' })
  return { rows: [...rows.values()], rejected, cut }
}

/** Returns the AQI of a field. 0 is a value; an empty field, a negative number (-999, -1) or a number above 2000 gives null. */
function indexOf(text: string): number | null {
  const value = numberOf(text)
  return value === undefined || value < 0 || value > MAX_AQI ? null : Math.round(value)
}

function numberOf(text: string): number | undefined {
  return /^[-+]?\d{1,12}(?:\.\d{0,12})?$/.test(text) ? Number(text) : undefined
}

/** Reads a date and an hour in UTC, such as `04/08/2024` and `04:00`. */
function hourOf(date: string, time: string): Instant | undefined {
  const day = dateOf(date)
  const clock = /^(\d\d):(\d\d)$/.exec(time)
  if (day === undefined || !clock || Number(clock[1]) > 23 || clock[2] !== '00') return undefined
  return Date.parse(`${day}T${clock[1]}:00:00Z`)
}

/** Returns `04/08/2024` or `04/08/24` as `2024-04-08`; undefined for any other form. */
function dateOf(text: string): string | undefined {
  const part = /^(\d\d)\/(\d\d)\/(?:20)?(\d\d)$/.exec(text.trim())
  if (!part) return undefined
  const date = `20${part[3]}-${part[1]}-${part[2]}`
  const instant = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(instant) || new Date(instant).toISOString().slice(0, 10) !== date ? undefined : date
}

const AREA_FIELDS = 17

export interface AreaFile {
  readonly forecasts: readonly AreaForecast[]
  readonly rejected: readonly { readonly reason: 'bad_row'; readonly detail: string }[]
  readonly cut: boolean
}

/**
 * Reads `reportingarea.dat`: 17 fields with `|` between them and no header: issue date, valid date, valid time, zone, day (−1 to 5), kind
 * (`Y` yesterday, `O` observed, `F` forecast), primary pollutant, area, state, latitude, longitude, pollutant, AQI, category, action day,
 * discussion, agency. The result has only the forecasts.
 * @throws Fault Corrupt if no row is valid
 */
export function readReportingAreas(bytes: Uint8Array, source: string): AreaFile {
  const { lines, cut } = wholeLines(textOf(bytes))
  if (lines.length > MAX_LINES)
    throw new Fault('Corrupt', `${source}: must have at most ${MAX_LINES} lines, but has ${lines.length}`)
  const forecasts: AreaForecast[] = []
  const rejected: AreaFile['rejected'][number][] = []
  let rows = 0
  for (const line of lines) {
    if (line === '') continue
    const fields = line.split('|')
    const kind = fields[5]
    const issued = dateOf(fields[0] ?? '')
    const date = dateOf(fields[1] ?? '')
    const place = validPlace(numberOf(fields[9] ?? ''), numberOf(fields[10] ?? ''))
    if (fields.length < AREA_FIELDS || !issued || !date || !/^[YOF]$/.test(kind ?? '') || (kind === 'F' && !place)) {
      rejected.push({ reason: 'bad_row', detail: line.slice(0, 120) })
      continue
    }
    rows++
    if (kind !== 'F') continue
    const aqi = indexOf(nth(fields, 12).trim())
    forecasts.push({
      area: nth(fields, 7),
      state: nth(fields, 8).trim(),
      ...place!,
      date,
      pollutant: nth(fields, 11),
      aqi,
      category: nth(fields, 13).trim() || null,
      actionDay: fields[14] === 'Yes',
      issued,
    })
  }
  if (rows === 0) {
    throw new Fault(
      'Corrupt',
      `${source}: no row has ${AREA_FIELDS} fields separated by |; the file begins with ${JSON.stringify((lines[0] ?? '').slice(0, 60))}. Fetch it again.`,
    )
  }
  if (cut) rejected.push({ reason: 'bad_row', detail: 'the file ends within a row' })
  return { forecasts, rejected, cut }
}
