import type { AlertHead, AlertMessage } from '../../ingest/domain/alert/alert.ts'
import type { Shown, StoredAlert } from '../../ingest/domain/alert/lifecycle.ts'
import type { LandZoneKind } from '../../ingest/domain/alert/ugc.ts'
import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'
import type { ZoneKey } from './zones.ts'

/** The members of a message that do not affect its lifecycle. */
export type AlertRecordRow = Omit<AlertMessage, 'head' | 'geometry'>

/** Locks alerts until the transaction ends, so that a second writer waits and then reads the result of the first. */
export async function lockAlerts(tx: Queries): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('alerts'))`)
}

export async function storedAlerts(tx: Queries): Promise<StoredAlert[]> {
  const rows = await tx.query<{ head: AlertHead; absences: number; shown: Shown | null }>(
    'select head, absences, shown from alert',
  )
  return rows.map(({ head, absences, shown }) => ({ head, absences, shown: shown ?? undefined }))
}

export interface NewAlert {
  readonly message: AlertMessage
  readonly track: string
  /** H3 cover of the polygon. */
  readonly cells: readonly string[]
}

/** Inserts messages. `putAppearances` stores which of them are shown. */
export async function putMessages(tx: Queries, alerts: readonly NewAlert[], version: number): Promise<void> {
  for (let i = 0; i < alerts.length; i += 200) {
    const rows = alerts.slice(i, i + 200).map(({ message: { head, geometry, ...record }, track, cells }) => ({
      id: head.id,
      head,
      record,
      track,
      status: head.status,
      sent: new Date(head.sent),
      expiration: new Date(head.expiration),
      polygon: geometry ? { type: 'MultiPolygon', coordinates: geometry } : null,
      cells,
    }))
    await tx.query(
      `insert into alert (id, head, record, track, status, sent, expiration, polygon, cells, version)
       select r.id, r.head, r.record, r.track, r.status, r.sent, r.expiration,
              ST_SetSRID(ST_GeomFromGeoJSON(nullif(r.polygon, 'null'::jsonb)), 4326),
              array(select jsonb_array_elements_text(r.cells)), $2
       from jsonb_to_recordset($1::jsonb) as r(id text, head jsonb, record jsonb, track text, status text, sent timestamptz,
                                               expiration timestamptz, polygon jsonb, cells jsonb)
       on conflict (id) do update set head = excluded.head, record = excluded.record, track = excluded.track,
         status = excluded.status, sent = excluded.sent, expiration = excluded.expiration, polygon = excluded.polygon,
         cells = excluded.cells, version = excluded.version`,
      [JSON.stringify(rows), version],
    )
  }
}

/** Whether and how an alert is shown. */
export interface Appearance {
  readonly id: string
  readonly absences: number
  readonly shown: Shown | null
  readonly clipped: boolean
  readonly zones: readonly (ZoneKey & { readonly stand_in: boolean })[]
}

/** Stores for each message its absences and whether and how it is shown. */
export async function putAppearances(tx: Queries, rows: readonly Appearance[], version: number): Promise<void> {
  for (let i = 0; i < rows.length; i += 500) {
    const part = JSON.stringify(rows.slice(i, i + 500))
    await tx.query(
      `update alert set absences = r.absences, shown = nullif(r.shown, 'null'::jsonb), clipped = r.clipped, version = $2
       from jsonb_to_recordset($1::jsonb) as r(id text, absences int, shown jsonb, clipped boolean) where alert.id = r.id`,
      [part, version],
    )
    await tx.query(
      `delete from alert_zone using jsonb_to_recordset($1::jsonb) as r(id text) where alert_zone.alert_id = r.id`,
      [part],
    )
    await tx.query(
      `insert into alert_zone (alert_id, kind, code, stand_in)
       select r.id, z.kind, z.code, z.stand_in from jsonb_to_recordset($1::jsonb) as r(id text, zones jsonb),
              jsonb_to_recordset(r.zones) as z(kind text, code text, stand_in boolean)
       on conflict do nothing`,
      [part],
    )
  }
}

/**
 * Removes the counties that stood in for zones without a geometry from alerts whose zones now all have a geometry.
 * @returns the number of changed alerts
 */
export async function removeStandIns(tx: Queries, version: number): Promise<number> {
  const rows = await tx.query(
    `with gone as (
       delete from alert_zone a where a.stand_in and not exists (
         select from alert_zone b join zone z on z.kind = b.kind and z.code = b.code
         where b.alert_id = a.alert_id and not b.stand_in and z.version is null)
       returning alert_id)
     update alert set version = $1 where id in (select alert_id from gone) returning id`,
    [version],
  )
  return rows.length
}

/** Stores only the count of absences, which readers do not see. */
export async function putAbsences(tx: Queries, rows: readonly { id: string; absences: number }[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `update alert set absences = r.absences from jsonb_to_recordset($1::jsonb) as r(id text, absences int) where alert.id = r.id`,
    [JSON.stringify(rows)],
  )
}

export async function removeAlerts(tx: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query('delete from alert where id = any($1)', [ids])
}

/** Returns the stored records and H3 covers of messages. */
export async function alertShapes(
  tx: Queries,
  ids: readonly string[],
): Promise<Map<string, { cells: string[]; record: AlertRecordRow }>> {
  const rows = await tx.query<{ id: string; cells: string[]; record: AlertRecordRow }>(
    'select id, cells, record from alert where id = any($1)',
    [ids],
  )
  return new Map(rows.map(({ id, cells, record }) => [id, { cells, record }]))
}

export interface StoredAlertChange {
  readonly id: number
  readonly alertId: string
  readonly payload: unknown
  readonly office?: string
  readonly status: string
  readonly at: Date
}

export async function putChanges(tx: Queries, changes: readonly StoredAlertChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.kysely
    .insertInto('alert_change')
    .values(
      changes.map((change) => ({
        id: change.id,
        alert_id: change.alertId,
        payload: JSON.stringify(change.payload),
        office: change.office ?? null,
        status: change.status,
        at: change.at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes changes that are older than `keepHours`. @returns their number */
export function removeOldChanges(db: Pick<Transactions, 'run'>, keepHours: number): Promise<number> {
  return deleteInBatches(
    db,
    `delete from alert_change where ctid = any(array(
       select ctid from alert_change where at < now() - make_interval(hours => $1::int) limit $2))`,
    [keepHours],
  )
}

/**
 * Returns whether the shown alerts change even if the feed does not, because an alert has expired or was absent once.
 */
export async function hasPendingChange(tx: Queries, now: Date): Promise<boolean> {
  const [row] = await tx.query<{ pending: boolean }>(
    'select exists (select from alert where shown is not null and (absences > 0 or expiration <= $1)) as pending',
    [now],
  )
  return row?.pending === true
}

/** Returns when the next shown alert expires. */
export async function nextExpiration(db: Queries): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>('select min(expiration) as at from alert where shown is not null')
  return row?.at ?? null
}

export interface AlertRow {
  readonly id: string
  readonly head: AlertHead
  readonly record: AlertRecordRow
  readonly shown: Shown | null
  readonly wkb: Uint8Array | null
  readonly clipped: boolean
  readonly cells: string[]
  readonly zones: { readonly kind: LandZoneKind; readonly code: string; readonly stand_in: boolean }[]
  readonly version: number
}

/** Returns every message that changed after a version. Version 0 returns only the shown messages. */
export async function alertsSince(db: Queries, version: number): Promise<AlertRow[]> {
  return db.query<AlertRow & object>(
    `select id, head, record, shown, ST_AsBinary(polygon) as wkb, clipped, cells, version,
            coalesce((select jsonb_agg(jsonb_build_object('kind', z.kind, 'code', z.code, 'stand_in', z.stand_in))
                      from alert_zone z where z.alert_id = alert.id), '[]') as zones
     from alert where version > $1 and ($1 > 0 or shown is not null) order by version`,
    [version],
  )
}

/**
 * Returns the ids of the alerts shown at a point. PostGIS first uses the H3 cover as an index, then tests the exact
 * geometry.
 * @param cell H3 cell of resolution 5 that contains the point
 */
export async function alertIdsAt(db: Queries, lon: number, lat: number, cell: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `with here as (select ST_SetSRID(ST_MakePoint($1, $2), 4326) as point),
     zones as (
       select z.kind, z.code from zone_shape s join zone z on z.kind = s.kind and z.code = s.code and z.version = s.version, here
       where s.cells @> array[$3::text] and ST_Covers(s.shape, here.point))
     select a.id from alert a, here
     where a.shown is not null and a.polygon is not null and a.cells @> array[$3::text] and ST_Covers(a.polygon, here.point)
       and (not a.clipped
            or exists (select from alert_zone az join zones using (kind, code) where az.alert_id = a.id)
            or exists (select from alert_zone az join zone z using (kind, code) where az.alert_id = a.id and z.version is null))
     union
     select a.id from alert a join alert_zone az on az.alert_id = a.id join zones using (kind, code)
     where a.shown is not null and a.polygon is null
     order by 1`,
    [lon, lat, cell],
  )
  return rows.map(({ id }) => id)
}

/**
 * Returns the polygons of messages, or of their zones if they have none, so that the cells of a change can be notified.
 * Deleted messages have no rows.
 */
export async function placesOf(
  db: Queries,
  ids: readonly string[],
): Promise<{ alert_id: string; code: string | null; wkb: Uint8Array }[]> {
  return db.query(
    `select id as alert_id, null as code, ST_AsBinary(polygon) as wkb from alert where id = any($1) and polygon is not null
     union all
     select a.id, z.code, ST_AsBinary(s.shape) from alert a, jsonb_to_recordset(a.record->'zones') as n(kind text, code text)
     join zone z on z.kind = n.kind and z.code = n.code
     join zone_shape s on s.kind = z.kind and s.code = z.code and s.version = z.version
     where a.id = any($1) and a.polygon is null`,
    [ids],
  )
}

/** Returns the current geometries of zones of any kind by their codes. */
export async function shapesOfCodes(
  db: Queries,
  codes: readonly string[],
): Promise<{ code: string; wkb: Uint8Array }[]> {
  return db.query(
    `select z.code, ST_AsBinary(s.shape) as wkb from zone z
     join zone_shape s on s.kind = z.kind and s.code = z.code and s.version = z.version
     where z.code = any($1)`,
    [codes],
  )
}

/** Returns the SAME codes of stored messages. */
export async function sameOf(db: Queries, ids: readonly string[]): Promise<{ id: string; same: string[] }[]> {
  return db.query(`select id, record->'same' as same from alert where id = any($1)`, [ids])
}

/** Returns the severities of those messages that are still stored. */
export async function severitiesOf(db: Queries, ids: readonly string[]): Promise<{ id: string; severity: string }[]> {
  return db.query(`select id, record->>'severity' as severity from alert where id = any($1)`, [ids])
}
