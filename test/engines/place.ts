import pg from 'pg'
import { type Config, loadConfig } from '../../ingest/config.ts'
import { entryOf } from '../../ingest/domain/nth.ts'

/** The settings of the engines with a separate schema in the database, which is equivalent to a new database. */
export async function freshPlace(): Promise<{
  config: Config & { databaseUrl: string }
  env: Record<string, string>
  drop(): Promise<void>
}> {
  const schema = `test_${Math.random().toString(36).slice(2)}`
  await once(`create schema ${schema}`)
  const url = new URL(entryOf(process.env, 'DATABASE_URL'))
  url.searchParams.set('options', `-c search_path=${schema},public`)
  const env = { ...(process.env as Record<string, string>), DATABASE_URL: url.href.replaceAll('+', '%20') }
  return {
    config: loadConfig(env) as Config & { databaseUrl: string },
    env,
    drop: () => once(`drop schema ${schema}, ${schema}_past cascade`),
  }
}

/** Uses a new connection, because engines may have been restarted meanwhile. */
async function once(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Any number that only this lock has. */
const QUEUE_LOCK = 20_261_129

/**
 * Waits until no other test file uses the queue in the database, whose schema all places share.
 * @returns a function that lets the next file use it
 */
export async function takeQueue(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  await client.query('select pg_advisory_lock($1)', [QUEUE_LOCK])
  return () => client.end()
}
