import { sql } from 'kysely'
import { SEASON_DATASET } from '../../ingest/domain/dataset/season.ts'
import type { Queries } from '../session.ts'

/** An analysed hour that is stored until its local days are built. */
export interface SeasonHour {
  readonly dataset: string
  readonly hour: Date
  readonly slab_key: string
  /** Id of the set of cells in the slab. */
  readonly cover: string
}

export interface SeasonDay {
  /** Local date, such as `2026-08-20`. */
  readonly date: string
  readonly hours: number
  readonly wanted: number
  /** Hours from URMA, the season's own dataset. */
  readonly observed: number
  readonly slab_key: string
  readonly cover: string
}

export interface SeasonMonth {
  /** First day of the month, such as `2026-08-01`. */
  readonly month: string
  readonly days: number
  /** Sum of the hours of its days. */
  readonly hours: number
  readonly observed: number
  readonly cover: string
  /** Dates with an hour from RTMA. */
  readonly analysis: readonly string[]
  readonly manifest_key: string
}

export async function putSeasonHour(db: Queries, domain: string, hour: SeasonHour): Promise<void> {
  const { slab_key, cover } = hour
  await db.kysely
    .insertInto('season_hour')
    .values({ domain, ...hour })
    .onConflict((conflict) => conflict.columns(['dataset', 'domain', 'hour']).doUpdateSet({ slab_key, cover }))
    .execute()
}

/** Returns the stored hours of a period, excluding its end. */
export async function seasonHours(db: Queries, domain: string, from: Date, to: Date): Promise<SeasonHour[]> {
  return db.kysely
    .selectFrom('season_hour')
    .select(['dataset', 'hour', 'slab_key', 'cover'])
    .where('domain', '=', domain)
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .orderBy('hour')
    .orderBy('dataset')
    .execute()
}

/** Deletes the listed hours, or all hours that were stored before `keptBefore`. @returns the keys of their slabs */
export async function dropSeasonHours(
  db: Queries,
  filter: { readonly domain: string; readonly hours: readonly Date[] } | { readonly keptBefore: Date },
): Promise<string[]> {
  let query = db.kysely.deleteFrom('season_hour').returning('slab_key')
  if ('keptBefore' in filter) query = query.where('kept_at', '<', filter.keptBefore)
  else {
    if (filter.hours.length === 0) return []
    query = query.where('domain', '=', filter.domain).where('hour', 'in', [...filter.hours])
  }
  return (await query.execute()).map(({ slab_key }) => slab_key)
}

/**
 * Stores a day, or replaces the stored day if the new one has more hours, more observed hours or other cells.
 * @returns whether it was stored
 */
export async function putSeasonDay(db: Queries, domain: string, day: SeasonDay): Promise<boolean> {
  const { date, hours, wanted, observed, slab_key, cover } = day
  const rows = await db.query(
    `insert into season_day (dataset, domain, date, hours, wanted, observed, slab_key, cover)
     values ('${SEASON_DATASET}', $1, $2::date, $3, $4, $5, $6, $7)
     on conflict (dataset, domain, date) do update set hours = $3, wanted = $4, observed = $5, slab_key = $6, cover = $7,
       superseded = array_append(season_day.superseded, season_day.slab_key), built_at = clock_timestamp()
     where season_day.slab_key <> $6 and (season_day.cover <> $7
       or (season_day.hours <= $3 and season_day.observed <= $5 and season_day.hours + season_day.observed < $3 + $5))
     returning date`,
    [domain, date, hours, wanted, observed, slab_key, cover],
  )
  return rows.length > 0
}

/** Returns the slabs of days that were last replaced before an instant, by domain. */
export async function supersededSlabs(db: Queries, before: Date): Promise<{ domain: string; slabs: string[] }[]> {
  return db.query<{ domain: string; slabs: string[] }>(
    `select domain, array_agg(slab) as slabs from season_day, unnest(superseded) as slab where built_at < $1 group by domain`,
    [before],
  )
}

/** Removes slabs from the lists of superseded slabs after their objects were removed. */
export async function clearSuperseded(db: Queries, slabs: readonly string[]): Promise<void> {
  await db.query(
    `update season_day set superseded = array(select slab from unnest(superseded) as slab where slab <> all($1::text[]))
     where superseded && $1::text[]`,
    [[...slabs]],
  )
}

/** Returns the built days of a period including both ends, ascending. */
export async function seasonDays(db: Queries, domain: string, from: string, to: string): Promise<SeasonDay[]> {
  return db.kysely
    .selectFrom('season_day')
    .select(['date', 'hours', 'wanted', 'observed', 'slab_key', 'cover'])
    .where('domain', '=', domain)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('date')
    .execute()
}

/** Returns a month and the manifest of its published tiles. */
export async function seasonMonth(db: Queries, domain: string, month: string): Promise<SeasonMonth | undefined> {
  const [stored] = await seasonMonths(db, domain, month, month)
  return stored
}

/**
 * Publishes the tiles of a month, unless tiles with as many hours are already published.
 * @returns the key of the manifest before the previous one, which no reader uses any more; false if the month is
 * unchanged
 */
export async function putSeasonMonth(
  db: Queries,
  domain: string,
  month: SeasonMonth,
): Promise<string | undefined | false> {
  const { hours, observed, days, cover, analysis, manifest_key } = month
  const [row] = await db.query<{ unused: string | null }>(
    `with before as (
       select superseded from season_month where dataset = '${SEASON_DATASET}' and domain = $1 and month = $2::date
     ), put as (
       insert into season_month (dataset, domain, month, hours, observed, days, cover, analysis, manifest_key)
         values ('${SEASON_DATASET}', $1, $2::date, $3, $4, $5, $6, $7::date[], $8)
       on conflict (dataset, domain, month) do update set hours = $3, observed = $4, days = $5, cover = $6, analysis = $7::date[],
         superseded = season_month.manifest_key, manifest_key = $8, published_at = clock_timestamp()
       where season_month.manifest_key <> $8 and (season_month.cover <> $6 or (season_month.hours <= $3
         and season_month.observed <= $4 and season_month.hours + season_month.observed < $3 + $4))
       returning manifest_key
     ) select (select superseded from before) as unused from put`,
    [domain, month.month, hours, observed, days, cover, [...analysis], manifest_key],
  )
  return row ? (row.unused ?? undefined) : false
}

/** Returns the months with tiles in a period of dates, ascending. */
export async function seasonMonths(db: Queries, domain: string, from: string, to: string): Promise<SeasonMonth[]> {
  return db.kysely
    .selectFrom('season_month')
    .select([
      'month',
      'days',
      'hours',
      'observed',
      'cover',
      'manifest_key',
      sql<string[]>`analysis::text[]`.as('analysis'),
    ])
    .where('domain', '=', domain)
    .where('month', '>=', sql<string>`date_trunc('month', ${from}::date)::date`)
    .where('month', '<=', to)
    .orderBy('month')
    .execute()
}

/** Deletes days and months before a month. @returns the keys of their slabs and manifests */
export async function dropSeasonBefore(db: Queries, month: string): Promise<{ slabs: string[]; manifests: string[] }> {
  const days = await db.kysely
    .deleteFrom('season_day')
    .where('date', '<', month)
    .returning(['slab_key', 'superseded'])
    .execute()
  const months = await db.kysely
    .deleteFrom('season_month')
    .where('month', '<', month)
    .returning(['manifest_key', 'superseded'])
    .execute()
  return {
    slabs: days.flatMap(({ slab_key, superseded }) => [slab_key, ...superseded]),
    manifests: months.flatMap(({ manifest_key, superseded }) => [manifest_key, ...(superseded ? [superseded] : [])]),
  }
}

export interface SeasonCount {
  readonly domain: string
  readonly days: number
  /** Number of days whose hours are all from URMA. */
  readonly observed: number
  readonly first: string
  readonly last: string
}

/** Counts the built days by domain, and returns the first and last. */
export async function seasonCounts(db: Queries): Promise<SeasonCount[]> {
  return db.kysely
    .selectFrom('season_day')
    .select([
      'domain',
      sql<number>`count(*)::int`.as('days'),
      sql<number>`(count(*) filter (where observed = hours))::int`.as('observed'),
      sql<string>`min(date)::text`.as('first'),
      sql<string>`max(date)::text`.as('last'),
    ])
    .groupBy('domain')
    .orderBy('domain')
    .execute()
}
