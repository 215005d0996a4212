import { sql } from 'kysely'
import type { Queries } from '../session.ts'

/** Key of a season: a dataset of analyses in a domain. */
export interface SeasonKey {
  readonly dataset: string
  readonly domain: string
}

export interface SeasonDay {
  /** `2026-08-20` */
  readonly date: string
  readonly hours: number
  readonly wanted: number
  readonly slab_key: string
}

export interface SeasonMonth {
  /** The month's first day. */
  readonly month: string
  readonly days: number
  readonly manifest_key: string
}

export async function putSeasonHour(
  db: Queries,
  { dataset, domain }: SeasonKey,
  hour: Date,
  key: string,
): Promise<void> {
  await db.kysely
    .insertInto('season_hour')
    .values({ dataset, domain, hour, slab_key: key })
    .onConflict((conflict) => conflict.columns(['dataset', 'domain', 'hour']).doUpdateSet({ slab_key: key }))
    .execute()
}

/** Stored hours of a period, the end excluded. */
export async function seasonHours(
  db: Queries,
  { dataset, domain }: SeasonKey,
  from: Date,
  to: Date,
): Promise<{ hour: Date; slab_key: string }[]> {
  return db.kysely
    .selectFrom('season_hour')
    .select(['hour', 'slab_key'])
    .where('dataset', '=', dataset)
    .where('domain', '=', domain)
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .orderBy('hour')
    .execute()
}

/** Deletes hours that were stored before `kept`. @returns the keys of their slabs */
export async function dropSeasonHours(
  db: Queries,
  filter: { readonly key: SeasonKey; readonly hours: readonly Date[] } | { readonly keptBefore: Date },
): Promise<string[]> {
  let query = db.kysely.deleteFrom('season_hour').returning('slab_key')
  if ('keptBefore' in filter) query = query.where('kept_at', '<', filter.keptBefore)
  else {
    if (filter.hours.length === 0) return []
    const { dataset, domain } = filter.key
    query = query
      .where('dataset', '=', dataset)
      .where('domain', '=', domain)
      .where('hour', 'in', [...filter.hours])
  }
  return (await query.execute()).map(({ slab_key }) => slab_key)
}

/** Stores a day in place of one that was built from fewer hours. @returns false where the stored one has as many */
export async function putSeasonDay(db: Queries, { dataset, domain }: SeasonKey, day: SeasonDay): Promise<boolean> {
  const { date, hours, wanted, slab_key } = day
  const rows = await db.kysely
    .insertInto('season_day')
    .values({ dataset, domain, date, hours, wanted, slab_key })
    .onConflict((conflict) =>
      conflict
        .columns(['dataset', 'domain', 'date'])
        .doUpdateSet({ hours, wanted, slab_key })
        .where('season_day.hours', '<', hours),
    )
    .returning('date')
    .execute()
  return rows.length > 0
}

/** Days that are built, both ends included, ascending. */
export async function seasonDays(
  db: Queries,
  { dataset, domain }: SeasonKey,
  from: string,
  to: string,
): Promise<SeasonDay[]> {
  return db.kysely
    .selectFrom('season_day')
    .select(['date', 'hours', 'wanted', 'slab_key'])
    .where('dataset', '=', dataset)
    .where('domain', '=', domain)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('date')
    .execute()
}

/**
 * Publishes these tiles of the month, unless tiles of more hours are published already.
 * @returns the key of the manifest before the last, which no reader uses any more; false where the month is unchanged
 */
export async function putSeasonMonth(
  db: Queries,
  { dataset, domain }: SeasonKey,
  month: SeasonMonth & { readonly hours: number },
): Promise<string | undefined | false> {
  const [row] = await db.query<{ gone: string | null }>(
    `with before as (
       select superseded, manifest_key from season_month where dataset = $1 and domain = $2 and month = $3::date
     ), put as (
       insert into season_month (dataset, domain, month, hours, days, manifest_key) values ($1, $2, $3::date, $4, $5, $6)
       on conflict (dataset, domain, month) do update set hours = excluded.hours, days = excluded.days,
         superseded = season_month.manifest_key, manifest_key = excluded.manifest_key, published_at = clock_timestamp()
       where season_month.hours <= excluded.hours and season_month.manifest_key <> excluded.manifest_key
       returning manifest_key
     ) select (select superseded from before) as gone from put`,
    [dataset, domain, month.month, month.hours, month.days, month.manifest_key],
  )
  return row ? (row.gone ?? undefined) : false
}

/** Months with tiles in a period of dates, ascending. */
export async function seasonMonths(
  db: Queries,
  { dataset, domain }: SeasonKey,
  from: string,
  to: string,
): Promise<SeasonMonth[]> {
  return db.kysely
    .selectFrom('season_month')
    .select(['month', 'days', 'manifest_key'])
    .where('dataset', '=', dataset)
    .where('domain', '=', domain)
    .where('month', '>=', sql<string>`date_trunc('month', ${from}::date)::date`)
    .where('month', '<=', to)
    .orderBy('month')
    .execute()
}

/** Deletes days and months before a month. @returns the keys of their slabs and manifests */
export async function dropSeasonBefore(db: Queries, month: string): Promise<{ slabs: string[]; manifests: string[] }> {
  const days = await db.kysely.deleteFrom('season_day').where('date', '<', month).returning('slab_key').execute()
  const months = await db.kysely
    .deleteFrom('season_month')
    .where('month', '<', month)
    .returning(['manifest_key', 'superseded'])
    .execute()
  return {
    slabs: days.map(({ slab_key }) => slab_key),
    manifests: months.flatMap(({ manifest_key, superseded }) => [manifest_key, ...(superseded ? [superseded] : [])]),
  }
}

/** Days that are built, by dataset and domain: for the progress of a backfill. */
export async function seasonCounts(
  db: Queries,
): Promise<{ dataset: string; domain: string; days: number; first: string }[]> {
  return db.kysely
    .selectFrom('season_day')
    .select(['dataset', 'domain', sql<number>`count(*)::int`.as('days'), sql<string>`min(date)::text`.as('first')])
    .groupBy(['dataset', 'domain'])
    .orderBy('dataset')
    .orderBy('domain')
    .execute()
}
