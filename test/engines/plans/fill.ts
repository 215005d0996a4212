import type { Database } from '../../../ingest/ports/database.ts'

/** Tables that do not grow with time or with users: most have a row for each dataset, role, feed or place of a fixed list. */
export const fixedTables: ReadonlySet<string> = new Set([
  ...[
    'feed_state',
    'frame_sweep',
    'incarnation',
    'metrics_lease',
    'migration',
    'origin',
    'pointer',
    'retirement',
    'second_source',
  ],
  // Bounded by what is configured, by what is in force or stored at most, or by some days.
  ...[
    'air_quality_forecast',
    'alert',
    'alert_zone',
    'freshness_day',
    'issued_forecast',
    'onset_watch',
    'outbox_dead',
    'outlook',
  ],
  ...[
    'outlook_product',
    'quarantine',
    'quarantine_count',
    'rejected_entry',
    'season_day',
    'season_hour',
    'season_month',
  ],
  ...['verified_day', 'verified_station'],
  ...['spatial_ref_sys', 'station', 'upstream_check', 'upstream_check_run', 'webhook_cursor', 'zone', 'zone_shape'],
])

/** Values where a uniform distribution would hide what an index is for. `i` is the number of the row. */
const values: Readonly<Record<string, string>> = {
  'run.state': `case when i % 500 = 0 then 'claimed' when i % 300 = 0 then 'rejected' else 'published' end`,
  'run.dataset': `'dataset' || i % 40`,
  'webhook_delivery.state': `case when i % 1000 = 0 then 'pending' when i % 50 = 0 then 'dead' else 'delivered' end`,
  'webhook_delivery.head': 'i % 1000 = 0',
  'webhook_delivery.leased_until': 'case when i % 2000 = 0 then now() end',
  'outbox.sent_at': `case when i % 1000 <> 0 then now() - i * interval '2 minutes' end`,
  'text_item.outcome': `case when i % 500 = 0 then 'rejected' when i % 10 = 0 then 'ignored' else 'read' end`,
  'alert.shown': `case when i % 50 = 0 then '{}'::jsonb end`,
  'api_key.revoked_at': 'case when i % 10 = 0 then now() end',
  'api_key.ticket': `case when i % 100 = 0 then decode(md5(i::text), 'hex') end`,
  'incarnation.only_row': 'true',
  'incarnation.id': `'3f9a12bc'`,
  'origin.only_row': 'true',
  'upstream_check_run.only_row': 'true',
  'api_key.account_id': `'v' || i % 20000`,
  'key_usage.subject': `'v' || i`,
  'webhook_delivery.subject': `'v' || i % 5000`,
  'oidc_record.expires_at': `now() + interval '14 days' - i % 5000 * interval '4 minutes'`,
  'idempotency.created_at': `now() - i % 1400 * interval '1 minute'`,
  'payment.valid_until': `now() + interval '1 day' - i % 1500 * interval '1 minute'`,
  'text_item.issued_at': `now() - i % 10000 * interval '1 minute'`,
  'webhook.waiting': 'case when i % 200 = 0 then 1 else 0 end',
  'served_state.source': `'source' || i % 12`,
}

interface Column {
  readonly name: string
  readonly type: string
  readonly identity: boolean
  /** Whether it belongs to the primary key. */
  readonly key: boolean
  /** Whether it is the last column of a unique key. */
  readonly last: boolean
  readonly check: string | null
}

/** Tables of which a year has more rows than of the others. */
const larger: readonly string[] = [
  'alert_change',
  'observation',
  'outbox',
  'run',
  'served_state',
  'text_item',
  'webhook_delivery',
]

/** Fills every table that grows with `rows` rows, spread over a year, and gathers statistics. */
export async function fillYear(database: Database, rows: number): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by 1`,
  )
  // The rows of two tables do not refer to each other. Foreign keys have no part in plans.
  const references = await database.query<{ drop: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
     where connamespace = current_schema()::regnamespace and contype = 'f'`,
  )
  for (const { drop } of references) await database.run(drop)
  const growing = tables.map(({ name }) => name).filter((name) => !fixedTables.has(name))
  for (const name of tables.map((table) => table.name)) {
    if (name === 'migration' || name === 'spatial_ref_sys') continue
    const columns = await columnsOf(database, name)
    const count = fixedTables.has(name) ? 200 : larger.includes(name) ? 4 * rows : rows
    await database.run(
      `begin; set local statement_timeout = 0;
       insert into ${name} (${columns.map((column) => `"${column.name}"`).join()}) overriding system value
       select ${columns.map((column) => `${expressionOf(name, column, count)} as "${column.name}"`).join()}
       from generate_series(1, ${name === 'origin' || name === 'upstream_check_run' ? 1 : count}) i on conflict do nothing;
       analyze ${name}; commit`,
    )
    const [stored] = await database.query<{ rows: number }>(`select count(*) as rows from ${name}`)
    if (growing.includes(name) && (stored?.rows ?? 0) < count / 2)
      throw new Error(
        `${name} has only ${stored?.rows} of ${count} rows: its keys repeat; add values to test/engines/plans/fill.ts`,
      )
  }
  return growing
}

async function columnsOf(database: Database, table: string): Promise<Column[]> {
  return database.query<Column & object>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attidentity <> '' as identity,
       coalesce(a.attnum = any(k.conkey), false) as key,
       exists (select from pg_constraint u where u.conrelid = a.attrelid and u.contype in ('p', 'u')
         and u.conkey[cardinality(u.conkey)] = a.attnum) as last,
       (select pg_get_constraintdef(c.oid) from pg_constraint c
        where c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum] limit 1) as "check"
     from pg_attribute a left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname <> 'written_xid'
     order by a.attnum`,
    [table],
  )
}

function expressionOf(table: string, { name, type, key, last, check }: Column, rows: number): string {
  const fixedValue = values[`${table}.${name}`]
  if (fixedValue) return fixedValue
  // The last column of a key makes it unique; the others have fewer values.
  const n = last ? 'i' : key ? '(i % 200)' : '(i % 500)'
  const allowed = check && [...check.matchAll(/'([^']*)'::text/g)].map(([, text]) => `'${text}'`)
  if (allowed && allowed.length > 0) return `(array[${allowed.join()}])[1 + i % ${allowed.length}]`
  const ago = `i * interval '${Math.round((365 * 86_400) / rows)} seconds'`
  if (type === 'text') return `'v' || ${n}`
  if (type.startsWith('timestamp')) return `now() - ${ago}`
  if (type === 'date') return `(now() - ${last ? `i * interval '1 day'` : ago})::date`
  if (type === 'boolean') return `i % 10 = 0`
  if (type === 'smallint') return `(i % 100)::smallint`
  if (type === 'bigint' || type === 'integer') return n
  if (type === 'real' || type === 'double precision' || type.startsWith('numeric')) return `(i % 100)`
  if (type === 'jsonb') return `'{"desk": "x"}'::jsonb`
  if (type === 'bytea') return `decode(md5(i::text), 'hex')`
  if (type === 'xid8') return 'pg_current_xact_id()'
  if (type === 'pg_snapshot') return 'pg_current_snapshot()'
  if (type === 'text[]') return `array['v' || ${n}]`
  if (type === 'date[]') return `array[(now() - ${ago})::date]`
  if (type.endsWith('[]')) return `array[(i % 100)::${type.slice(0, -2)}]`
  const point = 'ST_SetSRID(ST_Point(-120 + (i % 500) / 10.0, 28 + (i % 200) / 10.0), 4326)'
  if (type.startsWith('geometry(Point')) return point
  if (type.startsWith('geometry(Polygon')) return `ST_Envelope(ST_Expand(${point}, 0.2))`
  if (type.startsWith('geometry(MultiPolygon')) return `ST_Multi(ST_Envelope(ST_Expand(${point}, 0.2)))`
  throw new Error(`no value for the column ${table}.${name} of the type ${type}; add it to test/engines/plans/fill.ts`)
}
