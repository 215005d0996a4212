// Written by sql/generate.ts from the migrations; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

// JSON goes in as text and comes out parsed.

export interface NoteTable {
  name: string
  value: ColumnType<unknown, string, string>
  updated_at: ColumnType<Date, Date | string | undefined, Date | string>
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
  note: NoteTable
  outbox: OutboxTable
  pointer: PointerTable
  run: RunTable
}
