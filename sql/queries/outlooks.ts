import type { OutlookIssue } from '../../ingest/domain/weather/outlook.ts'
import type { Queries } from '../session.ts'

export interface OutlookProductRow {
  readonly product: string
  readonly day: number
  readonly hazard: string
  readonly source: string
  readonly issued_at: Date | null
  readonly valid_at: Date | null
  readonly expires_at: Date | null
  readonly version: number
}

/** Locks outlooks until the transaction ends, so that there is one writer at a time. */
export async function lockOutlooks(tx: Queries): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('outlooks'))`)
}

export async function storedIssue(db: Queries, product: string): Promise<OutlookProductRow | undefined> {
  return db.kysely
    .selectFrom('outlook_product')
    .select(['product', 'day', 'hazard', 'source', 'issued_at', 'valid_at', 'expires_at', 'version'])
    .where('product', '=', product)
    .executeTakeFirst()
}

/** Replaces the stored issue of a product. */
export async function putIssue(
  tx: Queries,
  issue: OutlookIssue,
  source: 'geojson' | 'points',
  version: number,
): Promise<void> {
  const date = (at: number | undefined) => (at === undefined ? null : new Date(at))
  await tx.query('delete from outlook_product where product = $1', [issue.product])
  await tx.query(
    `insert into outlook_product (product, day, hazard, source, issued_at, valid_at, expires_at, version)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      issue.product,
      issue.day,
      issue.hazard,
      source,
      date(issue.issued),
      date(issue.valid),
      date(issue.expires),
      version,
    ],
  )
  await tx.query(
    `insert into outlook (product, scale, label, rank, area)
     select $1, l.scale, l.label, l.rank,
            ST_SetSRID(ST_GeomFromGeoJSON(jsonb_build_object('type', 'MultiPolygon', 'coordinates', l.area)), 4326)
     from jsonb_to_recordset($2::jsonb) as l(scale text, label text, rank int, area jsonb)`,
    [issue.product, JSON.stringify(issue.levels)],
  )
}

export interface OutlookLevelRow {
  readonly scale: 'category' | 'probability' | 'intensity'
  readonly label: string
  readonly rank: number
  readonly wkb: Uint8Array
}

export interface OutlookRow extends OutlookProductRow {
  readonly levels: readonly OutlookLevelRow[]
}

/** Returns every current issue, or the issues of some products, with their areas as WKB. */
export async function outlookIssues(db: Queries, products?: readonly string[]): Promise<OutlookRow[]> {
  let query = db.kysely.selectFrom('outlook_product')
  if (products) query = query.where('product', 'in', products)
  const rows = await query
    .select(['product', 'day', 'hazard', 'source', 'issued_at', 'valid_at', 'expires_at', 'version'])
    .orderBy('product')
    .execute()
  const levels = await db.query<OutlookLevelRow & { product: string }>(
    `select product, scale, label, rank, ST_AsBinary(area) as wkb from outlook
      where $1::text[] is null or product = any($1) order by product, scale, rank`,
    [(products as string[] | undefined) ?? null],
  )
  return rows.map((product) => ({
    ...product,
    levels: levels.filter((level) => level.product === product.product),
  }))
}

/** Returns the labels of the levels that contain a point. */
export async function outlookLabelsAt(
  db: Queries,
  lon: number,
  lat: number,
): Promise<{ product: string; label: string }[]> {
  return db.query(
    `select product, label from outlook where ST_Covers(area, ST_SetSRID(ST_MakePoint($1, $2), 4326)) order by product, rank`,
    [lon, lat],
  )
}
