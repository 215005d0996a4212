// Written by sql/generate.ts from the migrations; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

// JSON goes in as text and comes out parsed.

export interface AccountTable {
  id: string
  email: string
  email_verified: Generated<boolean>
  issuer: Generated<string>
  subject: string
  plan: Generated<string>
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface AlertTable {
  id: string
  head: ColumnType<unknown, string, string>
  record: ColumnType<unknown, string, string>
  track: string
  status: string
  sent: ColumnType<Date, Date | string, Date | string>
  expiration: ColumnType<Date, Date | string, Date | string>
  absences: Generated<number>
  shown: ColumnType<unknown | null, string | null, string | null>
  polygon: string | null
  clipped: Generated<boolean>
  cells: Generated<string[]>
  version: number
}

export interface AlertChangeTable {
  id: number
  alert_id: string
  payload: ColumnType<unknown, string, string>
  office: string | null
  status: string
  at: ColumnType<Date, Date | string, Date | string>
}

export interface AlertKeptAsideTable {
  feed: string
  reason: string
  id: Generated<string>
  detail: string
  seen_at: ColumnType<Date, Date | string | undefined, Date | string>
  times: Generated<number>
}

export interface AlertZoneTable {
  alert_id: string
  kind: string
  code: string
  stand_in: Generated<boolean>
}

export interface ApiKeyTable {
  prefix: string
  hash: Uint8Array
  name: string
  plan: string
  scopes: Generated<string[]>
  account_id: string | null
  channel: Generated<string>
  ticket: Uint8Array | null
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  revoked_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  changed_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface FeedStateTable {
  feed: string
  etag: string | null
  last_modified: string | null
  digest: string | null
  updated: ColumnType<Date | null, Date | string | null, Date | string | null>
  looked_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  confirmed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failure: string | null
  suspicious: Generated<boolean>
  rejected: ColumnType<unknown, string | undefined, string>
  version: Generated<number>
  born: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface IdempotencyTable {
  account_id: string
  key: string
  body_hash: Uint8Array
  prefix: string | null
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface KeyUsageTable {
  subject: string
  tokens: number
  tokens_at: ColumnType<Date, Date | string, Date | string>
  day: string
  day_count: Generated<number>
  month: string
  month_count: Generated<number>
  total: Generated<number>
  granted: Generated<number>
}

export interface MailTable {
  id: GeneratedAlways<number>
  recipient: string
  subject: string
  body: string
  at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface NowcastScoreTable {
  domain: string
  valid: ColumnType<Date, Date | string, Date | string>
  lead: number
  threshold: number
  hits: number
  misses: number
  false_alarms: number
}

export interface OidcRecordTable {
  model: string
  id: string
  payload: ColumnType<unknown, string, string>
  grant_id: string | null
  user_code: string | null
  uid: string | null
  consumed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface OriginTable {
  only_row: Generated<boolean>
  simulated: boolean
  since: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface OutboxTable {
  id: GeneratedAlways<number>
  topic: string
  key: string
  payload: ColumnType<unknown, string, string>
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
  sent_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  trace: string | null
}

export interface OutlookTable {
  product: string
  scale: string
  label: string
  rank: number
  area: string
}

export interface OutlookProductTable {
  product: string
  day: number
  hazard: string
  source: string
  issued_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  valid_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  version: number
  fetched_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface PaymentTable {
  payer: string
  nonce: string
  valid_until: ColumnType<Date, Date | string, Date | string>
}

export interface PointerTable {
  dataset: string
  domain: Generated<string>
  run: ColumnType<Date, Date | string, Date | string>
  stage: Generated<number>
  manifest_key: string
  published_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface RunTable {
  dataset: string
  run: ColumnType<Date, Date | string, Date | string>
  domain: Generated<string>
  state: string
  reason: string | null
  wanted: Generated<number>
  got: Generated<number>
  missing: Generated<number>
  published_to: number | null
  manifest_key: string | null
  manifest: ColumnType<unknown | null, string | null, string | null>
  claimed_at: ColumnType<Date, Date | string | undefined, Date | string>
  published_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface ZoneTable {
  kind: string
  code: string
  version: string | null
  etag: string | null
  tried_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failure: string | null
  changed: Generated<number>
}

export interface ZoneShapeTable {
  kind: string
  code: string
  version: string
  name: Generated<string>
  shape: string
  cells: string[]
  effective_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  fetched_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface Schema {
  account: AccountTable
  alert: AlertTable
  alert_change: AlertChangeTable
  alert_kept_aside: AlertKeptAsideTable
  alert_zone: AlertZoneTable
  api_key: ApiKeyTable
  feed_state: FeedStateTable
  idempotency: IdempotencyTable
  key_usage: KeyUsageTable
  mail: MailTable
  nowcast_score: NowcastScoreTable
  oidc_record: OidcRecordTable
  origin: OriginTable
  outbox: OutboxTable
  outlook: OutlookTable
  outlook_product: OutlookProductTable
  payment: PaymentTable
  pointer: PointerTable
  run: RunTable
  zone: ZoneTable
  zone_shape: ZoneShapeTable
}
