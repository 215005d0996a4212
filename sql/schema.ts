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

export interface NoteTable {
  name: string
  value: ColumnType<unknown, string, string>
  updated_at: ColumnType<Date, Date | string | undefined, Date | string>
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

export interface Schema {
  account: AccountTable
  api_key: ApiKeyTable
  idempotency: IdempotencyTable
  key_usage: KeyUsageTable
  mail: MailTable
  note: NoteTable
  oidc_record: OidcRecordTable
  origin: OriginTable
  outbox: OutboxTable
  pointer: PointerTable
  run: RunTable
}
