import type { LandZoneKind } from '../../ingest/domain/alert/ugc.ts'
import type { Queries } from '../session.ts'

export interface ZoneKey {
  readonly kind: LandZoneKind
  readonly code: string
}

export interface NewShape extends ZoneKey {
  readonly version: string
  readonly name: string
  /** A MultiPolygon in well-known binary form, as hexadecimal text. */
  readonly wkb: string
  readonly cells: readonly string[]
  readonly effective?: string
  readonly etag?: string
}

const keys = `jsonb_to_recordset($1::jsonb) as k(kind text, code text)`

/** Returns the zones that are not in the table. */
export async function unknownZones(tx: Queries, zones: readonly ZoneKey[]): Promise<ZoneKey[]> {
  return tx.query<{ kind: LandZoneKind; code: string }>(
    `select k.kind, k.code from ${keys} where not exists (select from zone z where z.kind = k.kind and z.code = k.code)`,
    [JSON.stringify(zones)],
  )
}

/** Stores geometries and makes them current. */
export async function useShapes(tx: Queries, shapes: readonly NewShape[], changed: number): Promise<void> {
  for (let i = 0; i < shapes.length; i += 100) {
    const part = JSON.stringify(shapes.slice(i, i + 100))
    await tx.query(
      `insert into zone_shape (kind, code, version, name, shape, cells, effective_at)
       select s.kind, s.code, s.version, s.name,
              ST_GeomFromWKB(decode(s.wkb, 'hex'), 4326),
              array(select jsonb_array_elements_text(s.cells)), s.effective
       from jsonb_to_recordset($1::jsonb) as s(kind text, code text, version text, name text, wkb text, cells jsonb, effective timestamptz)
       on conflict (kind, code, version) do update
         set name = excluded.name, shape = excluded.shape, cells = excluded.cells, fetched_at = clock_timestamp()`,
      [part],
    )
    await tx.query(
      `insert into zone (kind, code, version, etag, tried_at, changed)
       select s.kind, s.code, s.version, s.etag, case when s.version = 'packaged' then null else clock_timestamp() end, $2
       from jsonb_to_recordset($1::jsonb) as s(kind text, code text, version text, etag text)
       on conflict (kind, code) do update set version = excluded.version, etag = excluded.etag, tried_at = excluded.tried_at,
         failure = null, changed = excluded.changed`,
      [
        JSON.stringify(
          shapes.slice(i, i + 100).map(({ kind, code, version, etag }) => ({ kind, code, version, etag })),
        ),
        changed,
      ],
    )
  }
}

/** Inserts zones without a known geometry. */
export async function insertZones(tx: Queries, zones: readonly ZoneKey[]): Promise<void> {
  await tx.query(`insert into zone (kind, code) select k.kind, k.code from ${keys} on conflict do nothing`, [
    JSON.stringify(zones),
  ])
}

/**
 * Returns zones whose geometry must be read from the NWS because it is absent or was not checked for long, beginning
 * with the zones of alerts. A whole state (`COC000`) is not a zone of the NWS.
 * @param afterDays maximum age of a check; a failed check is repeated after an hour
 */
export async function zonesToCheck(
  db: Queries,
  most: number,
  afterDays: number,
): Promise<(ZoneKey & { etag: string | null; version: string | null })[]> {
  return db.query(
    `select z.kind, z.code, z.etag, z.version from zone z
     left join (select distinct kind, code from alert_zone) a on a.kind = z.kind and a.code = z.code
     where (z.tried_at is null
        or z.tried_at < now() - case when z.failure is null then make_interval(days => $2::int) else interval '1 hour' end)
       and z.code not like '%C000'
     order by a.code is null, z.tried_at nulls first, z.code limit $1`,
    [most, afterDays],
  )
}

/** Records that the NWS returned the same geometry as before, or no readable geometry if `failure` is present. */
export async function markChecked(tx: Queries, zone: ZoneKey, failure?: string): Promise<void> {
  await tx.query(`update zone set tried_at = clock_timestamp(), failure = $3 where kind = $1 and code = $2`, [
    zone.kind,
    zone.code,
    failure ?? null,
  ])
}

/** Returns the current geometries that changed after a version, as WKB. */
export async function shapesSince(
  db: Queries,
  changed: number,
  zones: readonly ZoneKey[],
): Promise<{ kind: LandZoneKind; code: string; wkb: Uint8Array; cells: string[]; changed: number }[]> {
  return db.query(
    `select z.kind, z.code, ST_AsBinary(s.shape) as wkb, s.cells, z.changed from ${keys}
     join zone z on z.kind = k.kind and z.code = k.code
     join zone_shape s on s.kind = z.kind and s.code = z.code and s.version = z.version
     where z.changed > $2`,
    [JSON.stringify(zones), changed],
  )
}

/** Returns the H3 covers of zones by `kind/code`, so that their cells can be notified. */
export async function zoneCells(tx: Queries, zones: readonly ZoneKey[]): Promise<Map<string, string[]>> {
  const rows = await tx.query<{ kind: string; code: string; cells: string[] }>(
    `select z.kind, z.code, s.cells from ${keys} join zone z on z.kind = k.kind and z.code = k.code
     join zone_shape s on s.kind = z.kind and s.code = z.code and s.version = z.version`,
    [JSON.stringify(zones)],
  )
  return new Map(rows.map((row) => [`${row.kind}/${row.code}`, row.cells]))
}

/** Returns the zones of alerts that have no geometry. */
export async function shapelessZones(db: Queries): Promise<ZoneKey[]> {
  return db.query(
    `select distinct a.kind, a.code from alert_zone a join zone z on z.kind = a.kind and z.code = a.code where z.version is null order by 2`,
  )
}
