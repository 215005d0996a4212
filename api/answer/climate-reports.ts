import { climateReports as dataset } from '../../ingest/catalog.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { DAY, HOUR, type Instant, isoSeconds, MINUTE, parseDate } from '../../ingest/domain/time.ts'
import { type RecordEvent, recordEvents } from '../../ingest/domain/weather/climate.ts'
import { officeById, officeList } from '../../ingest/geo/zone.ts'
import type { Database } from '../../ingest/ports/database.ts'
import {
  type ClimateFilter,
  type ClimateKind,
  climateRecords,
  climateReports,
  rejectedTexts,
} from '../../sql/queries/climate.ts'
import { feedState } from '../../sql/queries/feeds.ts'
import type { MetaWarning, SourceFreshness } from '../contract.ts'
import { type RecordItem, type ReportItem, recordItem, reportItem } from '../present/climate-reports.ts'

/** Filters of reports and records; all are optional. */
export interface ClimateRequest {
  /** Forecast office, such as `BOX` or `KBOX`. */
  readonly wfo?: string
  /** Station, such as `BOS` or `KBOS`. */
  readonly station?: string
  /** Type of record, such as HIGH or LOW; only for records. */
  readonly record_type?: string
  readonly date?: string
  readonly start?: string
  readonly end?: string
  /** Greatest age of the issue, hours; 48 by default if there are no dates. */
  readonly hours?: number
}

/** Result of a search for reports or records. */
export interface ClimateSearchResult<Item> {
  /** At most `limit` items, newest first. */
  readonly items: readonly Item[]
  /** Whether more items match. */
  readonly more: boolean
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  /** Whether the feed fails or is stale; the answer must then not be cached. */
  readonly degraded: boolean
}

export const DEFAULT_HOURS = 48
const MAX_DAYS = 366
/** A feed that has not been confirmed for this long has a warning. */
const STALE_AFTER_MS = 60 * MINUTE

/**
 * Finds climate reports, newest first.
 * @throws Fault Invalid (an impossible filter), Missing with `slug: not-found` (an office that does not exist)
 */
export async function findReports(
  database: Database,
  request: ClimateRequest,
  limit: number,
  now: Instant,
): Promise<ClimateSearchResult<ReportItem>> {
  if (request.record_type !== undefined) {
    const { record_type: got } = request
    throw invalid('record_type', `must not be used with reports${but(got)}`, got, 'Leave it out, or request records.')
  }
  const filter = filterOf(request, limit, now)
  const [reports, feed] = await Promise.all([climateReports(database, filter), feedNotes(database, 'CLI', filter, now)])
  return { items: reports.slice(0, limit).map(reportItem), more: reports.length > limit, ...feed }
}

/** Finds record event reports, newest first. @throws Fault as `findReports` */
export async function findRecords(
  database: Database,
  request: ClimateRequest,
  limit: number,
  now: Instant,
): Promise<ClimateSearchResult<RecordItem>> {
  if (request.station !== undefined) {
    throw invalid(
      'station',
      `must not be used with records, which are selected by wfo${but(request.station)}`,
      request.station,
      'Use wfo instead.',
    )
  }
  const filter = { ...filterOf(request, limit, now), event: eventOf(request.record_type) }
  const [records, feed] = await Promise.all([climateRecords(database, filter), feedNotes(database, 'RER', filter, now)])
  return { items: records.slice(0, limit).map(recordItem), more: records.length > limit, ...feed }
}

function filterOf(request: ClimateRequest, limit: number, now: Instant): ClimateFilter {
  const { date, start, end, hours } = request
  if (date !== undefined && (start !== undefined || end !== undefined)) {
    throw invalid(
      'date',
      'must not be combined with start or end, but is',
      'date and start or end',
      'Use date, or start with end.',
    )
  }
  if ((start === undefined) !== (end === undefined))
    throw invalid('start', 'must be used together with end, but is not', 'only one of them', 'Add the missing date.')
  const [first, last] = date === undefined ? [start, end] : [date, date]
  const dates = first !== undefined && last !== undefined ? ([first, last] as const) : undefined
  if (dates && hours !== undefined)
    throw invalid(
      'hours',
      'must not be combined with dates, but is',
      'hours and dates',
      'Use hours, or date, or start with end.',
    )
  for (const [i, day] of (dates ?? []).entries()) {
    if (Number.isNaN(parseDate(day))) {
      throw invalid(
        date !== undefined ? 'date' : i === 0 ? 'start' : 'end',
        `must be a calendar date YYYY-MM-DD from 1800 to 2199${but(day)}`,
        day,
      )
    }
  }
  if (dates && dates[1] < dates[0]) throw invalid('end', `must be a date from ${dates[0]} on${but(dates[1])}`, dates[1])
  if (dates && Date.parse(dates[1]) - Date.parse(dates[0]) >= MAX_DAYS * DAY) {
    throw invalid('end', `must be at most ${MAX_DAYS} days after start${but(dates[1])}`, `${dates[0]} to ${dates[1]}`)
  }
  return {
    wfo: officeOf(request.wfo),
    station: stationOf(request.station),
    ...(dates ? { dates } : { issuedFrom: new Date(now - (hours ?? DEFAULT_HOURS) * HOUR) }),
    // One more row than the limit is read to determine whether there are more.
    limit: limit + 1,
  }
}

function officeOf(wfo: string | undefined): string | undefined {
  if (wfo === undefined) return undefined
  const code = wfo.trim().toUpperCase()
  if (!/^[A-Z]{3,4}$/.test(code)) throw invalid('wfo', `must be three or four letters such as BOX${but(wfo)}`, wfo)
  const office = officeById(code)
  if (office) return office.id
  const suggestions = nearest(
    code,
    officeList().map(({ id }) => id),
  )
  throw new Fault('Missing', `wfo: there is no forecast office "${code}". Nearest: ${suggestions.join(', ')}.`, {
    slug: 'not-found',
    field: 'wfo',
    suggestions,
  })
}

/** Returns the AWIPS code. A US ICAO code is the AWIPS code after a letter for its region. */
function stationOf(station: string | undefined): string | undefined {
  if (station === undefined) return undefined
  const code = station.trim().toUpperCase()
  if (!/^[A-Z0-9]{3,5}$/.test(code))
    throw invalid('station', `must be an AWIPS or ICAO code such as BOS or KBOS${but(station)}`, station)
  return code.length === 4 ? code.slice(1) : code
}

function eventOf(type: string | undefined): RecordEvent | undefined {
  if (type === undefined) return undefined
  const event = recordEvents.find((name) => name === type.trim().toUpperCase())
  if (!event) {
    const [near = ''] = nearest(type, recordEvents, 1)
    throw invalid(
      'record_type',
      `must be one of ${recordEvents.join(', ')}${near && ` (nearest: ${near})`}${but(type)}`,
      type,
    )
  }
  return event
}

async function feedNotes(
  database: Database,
  kind: ClimateKind,
  filter: ClimateFilter,
  now: Instant,
): Promise<Pick<ClimateSearchResult<never>, 'warnings' | 'freshness' | 'degraded'>> {
  const issuedFrom = filter.issuedFrom ?? new Date(Date.parse(`${filter.dates?.[0]}T00:00:00Z`))
  const [state, rejected] = await Promise.all([
    feedState(database, dataset.id),
    rejectedTexts(database, kind, { wfo: filter.wfo, station: filter.station, issuedFrom }),
  ])
  const warnings: MetaWarning[] = []
  const section = kind === 'CLI' ? 'reports' : 'records'
  const confirmed = state?.confirmed_at?.getTime()
  if (confirmed === undefined) {
    warnings.push({
      code: 'source_missing',
      section,
      product_id: dataset.id,
      detail: 'No list of climate texts has been read yet. An empty list does not mean that there are none.',
    })
  } else if (state?.failure != null || now - confirmed > STALE_AFTER_MS) {
    const detail = `The lists of climate texts were last read at ${isoSeconds(confirmed)}. Later texts may be missing.`
    warnings.push({ code: 'stale_source', section, product_id: dataset.id, detail })
  }
  const degraded = warnings.length > 0
  for (const text of rejected.slice(0, 5)) {
    const detail = `${text.id} (${text.office}, ${isoSeconds(text.issued_at.getTime())}) could not be read: ${text.rejected}`
    warnings.push({ code: 'unreadable_product', section, detail })
  }
  return {
    warnings,
    freshness: [{ source: dataset.family ?? dataset.id, product_id: dataset.id, referenceTime: confirmed }],
    degraded,
  }
}

const but = (value: string) => `, but was "${value.slice(0, 60)}"`

/** @param rule a predicate whose subject is the field */
function invalid(field: string, rule: string, value: string, advice = `Change \`${field}\` and try again.`): Fault {
  return new Fault('Invalid', `\`${field}\` ${rule}. ${advice}`, { field, got: value })
}
