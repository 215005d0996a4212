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

/** Filters, all optional. */
export interface ClimateRequest {
  /** `BOX` or `KBOX`. */
  readonly wfo?: string
  /** `BOS` or `KBOS`. */
  readonly station?: string
  /** Of records alone: HIGH, LOW, … */
  readonly record_type?: string
  readonly date?: string
  readonly start?: string
  readonly end?: string
  /** Counts back from now to the issue; without dates 48. */
  readonly hours?: number
}

export interface ClimateFound<Item> {
  /** Newest first; at most `limit`. */
  readonly items: readonly Item[]
  /** There are more than those. */
  readonly more: boolean
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  /** The feed fails or is stale: the answer must not be cached. */
  readonly degraded: boolean
}

export const DEFAULT_HOURS = 48
const MAX_DAYS = 366
/** A feed that was not confirmed for this long gets a warning. */
const STALE_AFTER_MS = 60 * MINUTE

/** @throws Fault Invalid (an impossible filter), Missing with `slug: not-found` (an office that does not exist) */
export async function findReports(
  database: Database,
  ask: ClimateRequest,
  limit: number,
  now: Instant,
): Promise<ClimateFound<ReportItem>> {
  if (ask.record_type !== undefined) {
    throw invalid('record_type', 'wanted record_type with records, or reports without it', ask.record_type)
  }
  const filter = filterOf(ask, limit, now)
  const [reports, about] = await Promise.all([
    climateReports(database, filter),
    feedNotes(database, 'CLI', filter, now),
  ])
  return { items: reports.slice(0, limit).map(reportItem), more: reports.length > limit, ...about }
}

/** @throws Fault as `findReports` */
export async function findRecords(
  database: Database,
  ask: ClimateRequest,
  limit: number,
  now: Instant,
): Promise<ClimateFound<RecordItem>> {
  if (ask.station !== undefined) {
    throw invalid('station', 'wanted station with reports, or records without it: records go by wfo', ask.station)
  }
  const filter = { ...filterOf(ask, limit, now), event: eventOf(ask.record_type) }
  const [records, about] = await Promise.all([
    climateRecords(database, filter),
    feedNotes(database, 'RER', filter, now),
  ])
  return { items: records.slice(0, limit).map(recordItem), more: records.length > limit, ...about }
}

function filterOf(ask: ClimateRequest, limit: number, now: Instant): ClimateFilter {
  const { date, start, end, hours } = ask
  if (date !== undefined && (start !== undefined || end !== undefined)) {
    throw invalid('date', 'wanted date, or start with end', 'date and start or end')
  }
  if ((start === undefined) !== (end === undefined))
    throw invalid('start', 'wanted start with end', 'one of them alone')
  const dates =
    date !== undefined ? ([date, date] as const) : start !== undefined ? ([start, end!] as const) : undefined
  if (dates && hours !== undefined)
    throw invalid('hours', 'wanted hours, or date, or start with end', 'hours and dates')
  for (const [i, one] of (dates ?? []).entries()) {
    if (Number.isNaN(parseDate(one))) {
      throw invalid(
        date !== undefined ? 'date' : i === 0 ? 'start' : 'end',
        'wanted a date of the calendar YYYY-MM-DD from 1800 to 2199',
        one,
      )
    }
  }
  if (dates && dates[1] < dates[0]) throw invalid('end', `wanted a date from ${dates[0]} on`, dates[1])
  if (dates && Date.parse(dates[1]) - Date.parse(dates[0]) >= MAX_DAYS * DAY) {
    throw invalid('end', `wanted at most ${MAX_DAYS} days`, `${dates[0]} to ${dates[1]}`)
  }
  return {
    wfo: officeOf(ask.wfo),
    station: stationOf(ask.station),
    ...(dates ? { dates } : { issuedFrom: new Date(now - (hours ?? DEFAULT_HOURS) * HOUR) }),
    // One row more than the limit shows whether there are more.
    limit: limit + 1,
  }
}

function officeOf(wfo: string | undefined): string | undefined {
  if (wfo === undefined) return undefined
  const code = wfo.trim().toUpperCase()
  if (!/^[A-Z]{3,4}$/.test(code)) throw invalid('wfo', 'wanted three or four letters such as BOX', wfo)
  const known = officeById(code)
  if (known) return known.id
  const suggestions = nearest(
    code,
    officeList().map(({ id }) => id),
  )
  throw new Fault('Missing', `wfo: no forecast office "${code}" is known; nearest: ${suggestions.join(', ')}.`, {
    slug: 'not-found',
    field: 'wfo',
    suggestions,
  })
}

/** An ICAO code of the US is the AWIPS code behind a letter of its region. */
function stationOf(station: string | undefined): string | undefined {
  if (station === undefined) return undefined
  const code = station.trim().toUpperCase()
  if (!/^[A-Z0-9]{3,5}$/.test(code))
    throw invalid('station', 'wanted an AWIPS or ICAO code such as BOS or KBOS', station)
  return code.length === 4 ? code.slice(1) : code
}

function eventOf(type: string | undefined): RecordEvent | undefined {
  if (type === undefined) return undefined
  const event = recordEvents.find((one) => one === type.trim().toUpperCase())
  if (!event) {
    const [near = ''] = nearest(type, recordEvents, 1)
    throw invalid('record_type', `wanted one of ${recordEvents.join(', ')}${near && ` (nearest: ${near})`}`, type)
  }
  return event
}

async function feedNotes(
  database: Database,
  kind: ClimateKind,
  filter: ClimateFilter,
  now: Instant,
): Promise<Pick<ClimateFound<never>, 'warnings' | 'freshness' | 'degraded'>> {
  const issuedFrom = filter.issuedFrom ?? new Date(Date.parse(`${filter.dates![0]}T00:00:00Z`))
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
      detail: 'no list of climate texts was read yet: an empty list does not mean that there are none',
    })
  } else if (state!.failure !== null || now - confirmed > STALE_AFTER_MS) {
    const detail = `the lists of climate texts were last read at ${isoSeconds(confirmed)}: later texts may be missing`
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

function invalid(field: string, wanted: string, got: string): Fault {
  return new Fault('Invalid', `${field}: ${wanted}; got "${got.slice(0, 60)}".`, { field, got })
}
