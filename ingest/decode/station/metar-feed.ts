import { setImmediate } from 'node:timers/promises'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'
import { type GeoPoint, type MetarReport, type RejectedReport, validPlace } from '../../domain/weather/observation.ts'
import { gunzipped } from '../gzip.ts'
import { csvFields, textOf, wholeLines } from './csv.ts'
import { decodeMetar } from './metar.ts'

/** Maximum size of the decompressed file. In 2026 the cache had 5,000 rows and 1 MB. */
const MAX_UNPACKED_BYTES = 32 << 20
const MAX_ROWS = 50_000
/** Number of rows that are decoded in a slice. A row takes 12 µs, so a slice takes 5 ms. */
const ROWS_PER_SLICE = 400

/** A report, and the station's coordinates from the same row. */
export interface FeedReport {
  readonly report: MetarReport
  readonly place?: GeoPoint
  readonly elevation?: number
}

export interface MetarFeed {
  readonly reports: readonly FeedReport[]
  readonly rejected: readonly RejectedReport[]
  /** Whether the file ends in the middle of a row. */
  readonly cut: boolean
}

/**
 * Reads `metars.cache.csv.gz` of aviationweather.gov. Only the raw text is decoded; of the other columns, only coordinates and elevation
 * are used. Files of 2014 and 2025 have five lines before the header, those of 2022 have none.
 * @throws Fault Corrupt if the file is not such a file: HTML, truncated gzip, or no header
 */
export function readMetarCache(bytes: Uint8Array, source: string): MetarFeed {
  return atOnce(decodeCache(bytes, source))
}

/**
 * Works like `readMetarCache`, but decodes in slices of several milliseconds and yields to the event loop between them.
 * @throws Fault Corrupt as `readMetarCache` does
 */
export async function readMetarCacheInSlices(bytes: Uint8Array, source: string): Promise<MetarFeed> {
  return inSlices(decodeCache(bytes, source))
}

function* decodeCache(bytes: Uint8Array, source: string): Generator<undefined, MetarFeed> {
  const { lines, cut } = wholeLines(textOf(gunzipped(bytes, source, MAX_UNPACKED_BYTES)))
  const start = lines.findIndex((line) => line.startsWith('raw_text,'))
  if (start < 0) {
    throw new Fault(
      'Corrupt',
      `${source}: the file must have a header row that begins with "raw_text,", but begins with ${JSON.stringify((lines[0] ?? '').slice(0, 60))}. Fetch it again.`,
    )
  }
  const header = csvFields(nth(lines, start))
  const column = (name: string): number => {
    const index = header.indexOf(name)
    if (index < 0)
      throw new Fault(
        'Corrupt',
        `${source}: the header must have the column ${name}, but begins with ${header.slice(0, 12).join(', ')}`,
      )
    return index
  }
  const [time, lat, lon, elevation] = ['observation_time', 'latitude', 'longitude', 'elevation_m'].map(column)
  const reports: FeedReport[] = []
  const rejected: RejectedReport[] = []
  const rows = lines.slice(start + 1)
  if (rows.length > MAX_ROWS)
    throw new Fault('Corrupt', `${source}: must have at most ${MAX_ROWS} rows, but has ${rows.length}`)
  for (const [index, line] of rows.entries()) {
    if (index % ROWS_PER_SLICE === 0) yield
    if (line === '') continue
    const fields = csvFields(line)
    const near = Date.parse(fields[time!] ?? '')
    if (fields.length !== header.length || Number.isNaN(near)) {
      rejected.push({ reason: 'bad_row', detail: line.slice(0, 120) })
      continue
    }
    const decoded = decodeMetar(nth(fields, 0), near)
    if ('rejected' in decoded) {
      rejected.push(decoded.rejected)
      continue
    }
    const place = validPlace(numberOf(fields[lat!]), numberOf(fields[lon!]))
    const height = numberOf(fields[elevation!])
    reports.push({
      report: decoded.report,
      ...(place ? { place } : {}),
      ...(height !== undefined && height > -500 && height < 9000 ? { elevation: height } : {}),
    })
  }
  if (cut) rejected.push({ reason: 'bad_row', detail: 'the file ends within a row' })
  return { reports, rejected, cut }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

const STAMP = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d)$/

/**
 * Reads an hourly file `tgftp.nws.noaa.gov/data/observations/metar/cycles/HHZ.TXT`. A line such as `2026/02/07 06:55` precedes each report,
 * and an empty line follows it. A report may have several lines. The stamp is the time at which the report was received, within an hour.
 * @throws Fault Corrupt if no line is such a stamp
 */
export function readMetarCycle(bytes: Uint8Array, source: string): MetarFeed {
  return atOnce(decodeCycle(bytes, source))
}

/**
 * Works like `readMetarCycle`, but in slices that yield to the event loop.
 * @throws Fault Corrupt as `readMetarCycle` does
 */
export async function readMetarCycleInSlices(bytes: Uint8Array, source: string): Promise<MetarFeed> {
  return inSlices(decodeCycle(bytes, source))
}

function* decodeCycle(bytes: Uint8Array, source: string): Generator<undefined, MetarFeed> {
  const { lines, cut } = wholeLines(textOf(bytes))
  if (lines.length > 4 * MAX_ROWS)
    throw new Fault('Corrupt', `${source}: must have at most ${4 * MAX_ROWS} lines, but has ${lines.length}`)
  const reports: FeedReport[] = []
  const rejected: RejectedReport[] = []
  let near: Instant | undefined
  let stamps = 0
  let text: string[] = []
  const finish = () => {
    if (near !== undefined && text.length > 0) {
      const decoded = decodeMetar(text.join(' '), near)
      if ('rejected' in decoded) rejected.push(decoded.rejected)
      else reports.push({ report: decoded.report })
    }
    text = []
  }
  for (const [index, line] of lines.entries()) {
    if (index % (3 * ROWS_PER_SLICE) === 0) yield
    const part = STAMP.exec(line.trim())
    if (!part) {
      if (line.trim() === '') finish()
      else text.push(line)
      continue
    }
    finish()
    stamps++
    const [, year, month, day, hour, minute] = part
    const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
    near = Number.isNaN(instant) ? undefined : instant
  }
  // The last report may be truncated if neither an empty line nor a stamp follows it. A line end counts as its end.
  if (cut) rejected.push({ reason: 'bad_row', detail: 'the file ends within a line' })
  else finish()
  if (stamps === 0) {
    throw new Fault(
      'Corrupt',
      `${source}: the file must have lines such as "2026/02/07 06:55", but begins with ${JSON.stringify((lines[0] ?? '').slice(0, 60))}. Fetch it again.`,
    )
  }
  return { reports, rejected, cut }
}

function atOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

async function inSlices<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
