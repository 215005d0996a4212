import pg from 'pg'
import { type Config, loadConfig } from '../../ingest/config.ts'

/** The settings of the engines, with a schema of its own in the database: as good as a new database. */
export async function freshPlace(): Promise<{
  config: Config & { databaseUrl: string }
  env: Record<string, string>
  drop(): Promise<void>
}> {
  const admin = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  admin.on('error', () => {})
  await admin.connect()
  const schema = `test_${Math.random().toString(36).slice(2)}`
  await admin.query(`create schema ${schema}`)
  const url = new URL(process.env['DATABASE_URL']!)
  url.searchParams.set('options', `-c search_path=${schema},public`)
  const env = { ...(process.env as Record<string, string>), DATABASE_URL: url.href.replaceAll('+', '%20') }
  return {
    config: loadConfig(env) as Config & { databaseUrl: string },
    env,
    async drop() {
      await admin.query(`drop schema ${schema} cascade`)
      await admin.end()
    },
  }
}
