import { firstRow } from '../first-row.ts'
import type { Queries } from '../session.ts'

/** Identifies the numbering of events. */
export interface Incarnation {
  /** Eight hexadecimal digits. */
  readonly id: string
  /** Whether the database was restored, or its server was replaced, since it was created. */
  readonly isRestored: boolean
}

/** Returns the incarnation of the database. It changes when the timeline of the server rises and by `beginIncarnation`. */
export async function incarnationOf(db: Queries): Promise<Incarnation> {
  const rows = await db.query<{ id: string; first: string }>(
    `select event_incarnation() as id, coalesce((select first from incarnation), event_incarnation()) as first`,
  )
  const { id, first } = firstRow(rows, 'event_incarnation')
  return { id, isRestored: id !== first }
}

/** Gives the database a new incarnation. @returns its id */
export async function beginIncarnation(db: Queries): Promise<string> {
  return firstRow(await db.query<{ id: string }>('select begin_incarnation() as id'), 'begin_incarnation').id
}

/** Begins the first incarnation of a database that was copied from a template, which has none. */
export const ensureIncarnation = 'select begin_incarnation() where not exists (select from incarnation)'
