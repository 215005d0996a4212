import { sql } from 'kysely'
import type { ClimateReport, RecordEvent, RecordReport } from '../../ingest/domain/weather/climate.ts'
import type { Queries } from '../session.ts'

export type ClimateKind = 'CLI' | 'RER'

/** A climate text of the product lists, and whether it could be read. */
export interface ClimateText {
  readonly id: string
  readonly kind: ClimateKind
  /** AWIPS code of the list that named it. */
  readonly location: string
  readonly office: string
  readonly issuedAt: Date
  /** Why no item was read from the text. */
  readonly rejected?: string
}

/** The order of issues: first by the time of the WMO line, then by the rank of its BBB group. */
export interface ClimateOrder {
  readonly wmoAt: Date
  readonly bbbRank: number
}

/** Returns those ids whose texts were not read before, in the same order. */
export async function unreadTexts(db: Queries, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.kysely.selectFrom('climate_text').select('id').where('id', 'in', ids).execute()
  const read = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !read.has(id))
}

/** @returns false if another reader has already stored the text */
export async function putText(tx: Queries, text: ClimateText): Promise<boolean> {
  const rows = await tx.kysely
    .insertInto('climate_text')
    .values({
      id: text.id,
      kind: text.kind,
      location: text.location,
      office: text.office,
      issued_at: text.issuedAt,
      rejected: text.rejected ?? null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return rows.length > 0
}

/**
 * Stores each report in place of an older issue for its station and date.
 * @returns the number of reports that are now the newest
 */
export async function putReports(
  tx: Queries,
  textId: string,
  order: ClimateOrder,
  reports: readonly ClimateReport[],
): Promise<number> {
  let newest = 0
  for (const report of reports) {
    const rows = await tx.kysely
      .insertInto('climate_report')
      .values({
        station: report.station,
        name: report.name,
        date: report.date,
        text_id: textId,
        office: report.office,
        issued_at: new Date(report.issuedAt),
        wmo_at: order.wmoAt,
        bbb_rank: order.bbbRank,
        report: JSON.stringify(report),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['station', 'date', 'name'])
          .doUpdateSet((eb) => ({
            text_id: eb.ref('excluded.text_id'),
            office: eb.ref('excluded.office'),
            issued_at: eb.ref('excluded.issued_at'),
            wmo_at: eb.ref('excluded.wmo_at'),
            bbb_rank: eb.ref('excluded.bbb_rank'),
            report: eb.ref('excluded.report'),
          }))
          .where(
            sql<boolean>`(excluded.wmo_at, excluded.bbb_rank) >= (climate_report.wmo_at, climate_report.bbb_rank)`,
          ),
      )
      .returning('station')
      .execute()
    newest += rows.length
  }
  return newest
}

/** Lowest rank of a correction (`CCx`, `COR`); see `bbbRank`. */
const FIRST_CORRECTION = 301

/**
 * Stores the records of a text. A correction replaces older texts of its station for the same events and dates, even if
 * it was read before them.
 */
export async function putRecords(
  tx: Queries,
  textId: string,
  order: ClimateOrder,
  records: readonly RecordReport[],
): Promise<void> {
  if (records.length === 0) return
  if (order.bbbRank >= FIRST_CORRECTION) {
    for (const { station, event, date } of records) {
      await tx.kysely
        .deleteFrom('climate_record')
        .where('station', '=', station)
        .where('event', '=', event)
        .where('date', '=', date)
        .where('text_id', '!=', textId)
        .where(sql<boolean>`(wmo_at, bbb_rank) < (${order.wmoAt}::timestamptz, ${order.bbbRank}::integer)`)
        .execute()
    }
  }
  const corrected = await tx.kysely
    .selectFrom('climate_record')
    .select(['station', 'event', 'date'])
    .where('station', 'in', [...new Set(records.map(({ station }) => station))])
    .where('bbb_rank', '>=', FIRST_CORRECTION)
    .where(sql<boolean>`(wmo_at, bbb_rank) > (${order.wmoAt}::timestamptz, ${order.bbbRank}::integer)`)
    .execute()
  const keyOf = ({ station, event, date }: { station: string; event: string; date: string }) =>
    `${station} ${event} ${date}`
  const correctedKeys = new Set(corrected.map(keyOf))
  const rows = records
    .map((record, ordinal) => ({ record, ordinal }))
    .filter(({ record }) => !correctedKeys.has(keyOf(record)))
  if (rows.length === 0) return
  await tx.kysely
    .insertInto('climate_record')
    .values(
      rows.map(({ record, ordinal }) => ({
        text_id: textId,
        ordinal,
        station: record.station,
        event: record.event,
        date: record.date,
        office: record.office,
        issued_at: new Date(record.issuedAt),
        wmo_at: order.wmoAt,
        bbb_rank: order.bbbRank,
        record: JSON.stringify(record),
      })),
    )
    .onConflict((conflict) => conflict.columns(['text_id', 'ordinal']).doNothing())
    .execute()
}

export interface ClimateFilter {
  /** The last three letters of the office's code: `BOX` is `KBOX`, `AFC` is `PAFC`. */
  readonly wfo?: string
  /** AWIPS code. */
  readonly station?: string
  readonly event?: RecordEvent
  /** First and last local date of the report or record. */
  readonly dates?: readonly [from: string, to: string]
  /** Earliest time of issue, used if no dates are specified. */
  readonly issuedFrom?: Date
  readonly limit: number
}

/** Returns reports, newest date first, then by station and name. */
export async function climateReports(db: Queries, filter: ClimateFilter): Promise<ClimateReport[]> {
  let query = db.kysely.selectFrom('climate_report').select('report')
  if (filter.wfo !== undefined) query = query.where(sql`right(office, 3)`, '=', filter.wfo)
  if (filter.station !== undefined) query = query.where('station', '=', filter.station)
  if (filter.dates) query = query.where('date', '>=', filter.dates[0]).where('date', '<=', filter.dates[1])
  if (filter.issuedFrom) query = query.where('issued_at', '>=', filter.issuedFrom)
  const rows = await query.orderBy('date', 'desc').orderBy('station').orderBy('name').limit(filter.limit).execute()
  return rows.map(({ report }) => report as ClimateReport)
}

/**
 * Returns the final reports of some stations between two dates, both included. Texts with several stations under one
 * code are left out, because they do not state which of them is the station of the code.
 */
export async function reportsOfStations(
  db: Queries,
  stations: readonly string[],
  from: string,
  to: string,
): Promise<ClimateReport[]> {
  if (stations.length === 0) return []
  const rows = await db.query<{ report: ClimateReport }>(
    `select (array_agg(report))[1] as report from climate_report
     where station = any($1::text[]) and date between $2::date and $3::date
     group by station, date having count(*) = 1 and not bool_or((report ->> 'preliminary')::boolean)
     order by station, date`,
    [[...stations], from, to],
  )
  return rows.map(({ report }) => report)
}

/** Returns records, newest date first, then the last issued first. */
export async function climateRecords(db: Queries, filter: ClimateFilter): Promise<RecordReport[]> {
  let query = db.kysely.selectFrom('climate_record').select('record')
  if (filter.wfo !== undefined) query = query.where(sql`right(office, 3)`, '=', filter.wfo)
  if (filter.station !== undefined) query = query.where('station', '=', filter.station)
  if (filter.event !== undefined) query = query.where('event', '=', filter.event)
  if (filter.dates) query = query.where('date', '>=', filter.dates[0]).where('date', '<=', filter.dates[1])
  if (filter.issuedFrom) query = query.where('issued_at', '>=', filter.issuedFrom)
  const rows = await query
    .orderBy('date', 'desc')
    .orderBy('issued_at', 'desc')
    .orderBy('text_id')
    .orderBy('ordinal')
    .limit(filter.limit)
    .execute()
  return rows.map(({ record }) => record as RecordReport)
}

export interface RejectedClimateText {
  readonly id: string
  readonly office: string
  readonly location: string
  readonly issued_at: Date
  readonly rejected: string | null
}

/** Returns at most 20 texts from which no item could be read, newest first. */
export async function rejectedTexts(
  db: Queries,
  kind: ClimateKind,
  filter: Pick<ClimateFilter, 'wfo' | 'station'> & { readonly issuedFrom: Date },
): Promise<RejectedClimateText[]> {
  let query = db.kysely
    .selectFrom('climate_text')
    .select(['id', 'office', 'location', 'issued_at', 'rejected'])
    .where('kind', '=', kind)
    .where('rejected', 'is not', null)
    .where('issued_at', '>=', filter.issuedFrom)
  if (filter.wfo !== undefined) query = query.where(sql`right(office, 3)`, '=', filter.wfo)
  if (filter.station !== undefined) query = query.where('location', '=', filter.station)
  return query.orderBy('issued_at', 'desc').limit(20).execute()
}
