import { sql } from 'kysely'
import { bbbRank } from '../../ingest/domain/text/order.ts'
import { type TextIssue, type TextKind, wfoOf } from '../../ingest/domain/text/product.ts'
import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'
import { databaseNow } from './outbox.ts'

/** Number of days for which issues are stored for the tools. */
export const TEXT_HISTORY_DAYS = 7

/** Maximum number of current texts. Some 130 offices have up to four texts each; the centers have a few dozen. */
const MAX_CURRENT = 5000

export type TextOutcome = 'read' | 'ignored' | 'rejected'

export interface TextItemRow {
  readonly id: string
  readonly list: string
  readonly office: string
  readonly issuedAt: Date
  readonly outcome: TextOutcome
  readonly reason?: string | undefined
  readonly detail?: string | undefined
}

/** Locks texts until the transaction ends, so that there is one writer at a time. */
export async function lockTexts(tx: Queries): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('texts'))`)
}

/**
 * Returns the outcomes of items by id. An item is absent if it was not read before, or if upstream did not return it.
 */
export async function knownItems(db: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, TextOutcome>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<{ id: string; outcome: TextOutcome }>(
    `select id, outcome from text_item where id = any($1::text[]) and reason is distinct from 'unreachable'`,
    [[...ids]],
  )
  return new Map(rows.map(({ id, outcome }) => [id, outcome]))
}

/** Records an attempt to read an item. An item that was read or ignored keeps that outcome. */
export async function putItem(tx: Queries, item: TextItemRow): Promise<void> {
  const { id, list, office, outcome } = item
  await tx.kysely
    .insertInto('text_item')
    .values({
      id,
      list,
      office,
      issued_at: item.issuedAt,
      outcome,
      reason: item.reason ?? null,
      detail: item.detail?.slice(0, 300) ?? null,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          outcome: eb.ref('excluded.outcome'),
          reason: eb.ref('excluded.reason'),
          detail: eb.ref('excluded.detail'),
          tries: eb('text_item.tries', '+', 1),
          tried_at: sql<Date>`clock_timestamp()`,
        }))
        .where('text_item.outcome', '=', 'rejected'),
    )
    .execute()
}

/** Deletes rejected items that the list no longer has. @returns their number */
export async function forgetUnlisted(tx: Queries, list: string, listed: readonly string[]): Promise<number> {
  const rows = await tx.query(
    `delete from text_item where list = $1 and outcome = 'rejected' and id <> all($2::text[]) returning id`,
    [list, [...listed]],
  )
  return rows.length
}

export interface StoredIssue {
  readonly item: string
  readonly part: number
  readonly subject: string
  /** Whether it is now the newest issue of its subject. */
  readonly newest: boolean
  /** Whether it is current by the database's clock. */
  readonly current: boolean
}

/**
 * Stores the issues of a text. The newest issue of a subject is the one with the latest WMO time, then the highest BBB
 * rank, then the latest `issuanceTime`. The previous newest issue loses that mark. Issues that are already stored are
 * unchanged.
 * @returns the issues that were stored now
 */
export async function putIssues(
  tx: Queries,
  item: string,
  issues: readonly TextIssue[],
  version: number,
): Promise<StoredIssue[]> {
  const stored: StoredIssue[] = []
  for (const [part, issue] of issues.entries()) {
    const { kind, awips, office, subject, mesoscale } = issue
    const order = [new Date(issue.wmoAt), bbbRank(issue.bbb)] as const
    const [later] = await tx.query(
      `select 1 from text_product p join text_item i on i.id = p.item
       where p.subject = $1 and p.newest
         and (p.wmo_at, p.bbb_rank, i.issued_at, p.item) > ($2::timestamptz, $3::int, (select issued_at from text_item where id = $4), $4)`,
      [subject, order[0], order[1], item],
    )
    if (!later) {
      await tx.query(
        `update text_product set newest = false, version = $2 where subject = $1 and newest and (item, part) <> ($3, $4)`,
        [subject, version, item, part],
      )
    }
    const ring = mesoscale && JSON.stringify({ type: 'Polygon', coordinates: [mesoscale.ring] })
    const [row] = await tx.query<{ current: boolean }>(
      `insert into text_product (item, part, kind, awips, office, wfo, subject, wmo_at, bbb_rank, issued_at, current_until, expires_at,
         record, attention, area, newest, ended, version)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, $14::text[], ST_SetSRID(ST_GeomFromGeoJSON($15::text), 4326),
         $16, not $16 or $11 <= clock_timestamp(), $17)
       on conflict (item, part) do nothing
       returning current_until > clock_timestamp() as current`,
      [
        item,
        part,
        kind,
        awips,
        office,
        isOfOffice(kind) ? wfoOf(office) : null,
        subject,
        order[0],
        order[1],
        new Date(issue.issuedAt),
        new Date(issue.currentUntil),
        issue.expiresAt === undefined ? null : new Date(issue.expiresAt),
        JSON.stringify(issue),
        [...(mesoscale?.attention ?? [])],
        ring ?? null,
        !later,
        version,
      ],
    )
    if (row) stored.push({ item, part, subject, newest: !later, current: row.current })
  }
  return stored
}

function isOfOffice(kind: TextKind): boolean {
  return kind === 'afd' || kind === 'hwo' || kind === 'now' || kind === 'hls'
}

export interface TextRow {
  /** Id of the text at api.weather.gov/products. */
  readonly id: string
  readonly part: number
  readonly wfo: string | null
  readonly newest: boolean
  readonly current_until: Date
  readonly version: number
  readonly record: TextIssue
}

const columns = ['item as id', 'part', 'wfo', 'newest', 'current_until', 'version'] as const

/**
 * Returns the newest current issue of every subject, and the time of the database's clock.
 * @param since version that the reader has; only later changes are returned
 */
export async function currentTexts(db: Queries, since = 0): Promise<{ now: Date; rows: TextRow[] }> {
  const now = await databaseNow(db)
  const rows = await db.kysely
    .selectFrom('text_product')
    .select([...columns, sql<TextIssue>`record`.as('record')])
    .where('version', '>', since)
    .where('newest', '=', true)
    .where('current_until', '>', sql<Date>`clock_timestamp()`)
    .orderBy('version')
    .limit(MAX_CURRENT)
    .execute()
  return { now, rows }
}

export interface EndedText {
  readonly id: string
  readonly part: number
  readonly kind: TextKind
  readonly wfo: string | null
  readonly awips: string
  readonly subject: string
  readonly number: number | null
  readonly issued_at: Date
  readonly expires_at: Date | null
  readonly current_until: Date
}

/**
 * Marks the newest issues that have ended by the database's clock.
 * @returns the issues that were marked now, at most `limit`
 */
export async function endTexts(tx: Queries, version: number, limit = 500): Promise<EndedText[]> {
  return tx.query<EndedText>(
    `update text_product set ended = true, version = $1
     where (item, part) in (
       select item, part from text_product where newest and not ended and current_until <= clock_timestamp()
       order by current_until limit $2 for update skip locked)
     returning item as id, part, kind, wfo, awips, subject, (record #>> '{mesoscale,number}')::int as number, issued_at, expires_at, current_until`,
    [version, limit],
  )
}

/** Returns the end of the next issue whose end is not published yet. */
export async function nextTextEnd(db: Queries): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(
    'select min(current_until) as at from text_product where newest and not ended',
  )
  return row?.at ?? undefined
}

export interface TextQuery {
  readonly kind: TextKind
  /** Issuing office; for MCD and MPD an office that the text is addressed to. */
  readonly wfo?: string | undefined
  /** Point that the polygon of an MCD or MPD must contain. */
  readonly point?: { readonly lat: number; readonly lon: number } | undefined
  /** Number of issues of each subject; for MCD and MPD, which have no earlier issues, the number of texts in effect. */
  readonly limit: number
}

export interface TextHistoryRow extends TextRow {
  /** Whether it is the newest issue of its subject and current by the database's clock. */
  readonly current: boolean
}

/** Returns the issues of a kind from the last 7 days, newest first. Subjects without a current issue are left out. */
export async function textHistory(db: Queries, query: TextQuery): Promise<TextHistoryRow[]> {
  const { wfo, point, limit } = query
  const mesoscale = query.kind === 'mcd' || query.kind === 'mpd'
  const current = sql<boolean>`newest and current_until > clock_timestamp()`
  let select = db.kysely
    .selectFrom('text_product')
    .select([...columns, 'issued_at', sql<TextIssue>`record`.as('record'), current.as('current')])
    .select(
      sql<number>`row_number() over (partition by subject order by newest desc, wmo_at desc, bbb_rank desc, item)`.as(
        'rank',
      ),
    )
    .select(sql<boolean>`bool_or(${current}) over (partition by subject)`.as('alive'))
    .where('kind', '=', query.kind)
    .where('issued_at', '>', sql<Date>`clock_timestamp() - make_interval(days => ${TEXT_HISTORY_DAYS})`)
  if (wfo !== undefined) {
    select = mesoscale ? select.where(sql<boolean>`${wfo} = any(attention)`) : select.where('wfo', '=', wfo)
  }
  if (point) select = select.where(sql<boolean>`ST_Covers(area, ST_Point(${point.lon}, ${point.lat}, 4326))`)
  const rows = await db.kysely
    .selectFrom(select.as('issue'))
    .selectAll()
    .where('alive', '=', true)
    .where('rank', '<=', mesoscale ? 1 : limit)
    .orderBy('issued_at', 'desc')
    .orderBy('id')
    .limit(mesoscale ? limit : 10 * limit)
    .execute()
  return rows.map(({ rank: _, alive: __, issued_at: ___, ...row }) => row)
}

export interface RejectedItem {
  readonly list: string
  readonly office: string
  readonly issued_at: Date
  readonly reason: string
  /** Time of issue of the latest item of the same list and office that could be read. */
  readonly read_at: Date | null
}

/** Returns the listed items that cannot be read, newest first. */
export async function rejectedItems(db: Queries): Promise<RejectedItem[]> {
  return db.query<RejectedItem>(
    `select r.list, r.office, r.issued_at, coalesce(r.reason, '') as reason,
            (select max(g.issued_at) from text_item g where g.list = r.list and g.office = r.office and g.outcome = 'read') as read_at
     from text_item r where r.outcome = 'rejected' order by r.issued_at desc limit 1000`,
  )
}

/** Deletes issues that are older than the history, unless still current. @returns number of items */
export function pruneTexts(db: Pick<Transactions, 'run'>): Promise<number> {
  return deleteInBatches(
    db,
    `delete from text_item where id in (
       select i.id from text_item i
       where i.issued_at < clock_timestamp() - make_interval(days => $1 + 1)
         and not exists (select from text_product p where p.item = i.id and p.newest and p.current_until > clock_timestamp())
       limit $2)`,
    [TEXT_HISTORY_DAYS],
  )
}
