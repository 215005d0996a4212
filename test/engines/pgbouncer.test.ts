import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueKey } from '../../api/keys/issue.ts'
import { loadConfig } from '../../ingest/config.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { migrations } from '../../sql/migrate.ts'
import { climateSuite } from '../contracts/climate-suite.ts'
import { databaseSuite } from '../contracts/database-suite.ts'
import { webhookSuite } from '../contracts/webhook-suite.ts'
import { down, freePorts, up } from './native.ts'
import { pgbouncerVersion, startPgbouncer } from './pgbouncer.ts'

let folder: string
let pooler: Awaited<ReturnType<typeof startPgbouncer>>
let db: Database
let other: Database
const configOf = (database: string, over: Record<string, string> = {}) =>
  loadConfig({ DATABASE_URL: pooler.urlOf(database), DATABASE_POOLER: 'transaction', ...over })

/** The settings of the role that OPS.md names. */
const ROLE_SETTINGS = [
  "alter role hexcast set statement_timeout = '30s'",
  "alter role hexcast set idle_in_transaction_session_timeout = '60s'",
]

describe.skipIf(!pgbouncerVersion)(`PostgreSQL behind PgBouncer ${pgbouncerVersion ?? '(not installed)'}`, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hexcast-pooled-'))
    const url = entryOf(await up(folder, ['postgres'], await freePorts()), 'DATABASE_URL')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const statement of [...ROLE_SETTINGS, 'create schema fresh']) await client.query(statement)
    await client.end()
    pooler = await startPgbouncer(url, {
      hexcast: [],
      fresh: ['set search_path = fresh, public'],
      hasty: ["set statement_timeout = '200ms'"],
      boundless: ['set statement_timeout = 0', 'set idle_in_transaction_session_timeout = 0'],
    })
    db = await openDatabase(configOf('hexcast'))
    other = await openDatabase(configOf('hexcast'))
  })
  afterAll(async () => {
    await Promise.all([db?.close(), other?.close()])
    await pooler?.stop()
    await down(folder)
    await rm(folder, { recursive: true, force: true })
  })

  databaseSuite(() => ({ db, other }))
  climateSuite(() => ({ db }))
  webhookSuite(() => ({ db, other }))

  test('applies every migration once when ten processes start together', async () => {
    const applied: string[] = []
    const onMigrated = (names: readonly string[]) => void applied.push(...names)
    const opened = await Promise.all(Array.from({ length: 10 }, () => openDatabase(configOf('fresh'), { onMigrated })))
    expect(applied.sort()).toEqual((await migrations()).map(({ name }) => name))
    await Promise.all(opened.map((connection) => connection.close()))
  })

  test('lets an API and a worker ingest and answer', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-pooler-'))
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/main.ts'), 'start'], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: pooler.urlOf('hexcast'),
        DATABASE_POOLER: 'transaction',
        DATA_DIR: dataDir,
        PORT: '0',
        UPSTREAM: 'simulated',
        DATASETS: 'nws-alerts',
        DRAIN_SECONDS: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      const { output, log } = linesOf(child)
      await expect.poll(() => log.join('\n'), { timeout: 100_000 }).toContain('"step":"sweepFeed","outcome":"ok"')
      const { url } = JSON.parse(output.join('\n')) as { url: string }
      const { key } = await issueKey(db, { name: 'pooler', plan: 'free', channel: 'cli' })
      const read = () => fetch(`${url}/v1/alerts?area=CO`, { headers: { authorization: `Bearer ${key}` } })
      await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe(200)
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      expect(log.filter((line) => /"level":"(error|fatal)"|prepared statement/.test(line))).toEqual([])
    } finally {
      child.kill('SIGKILL')
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  test('leaves no setting of a session to the next client', async () => {
    const settings = ['search_path', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const read = () =>
      Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 ? db : other).transaction(async (tx) => {
            await tx.query('select pg_sleep(0.02)')
            return tx.query('select name, setting from pg_settings where name = any($1) order by name', [settings])
          }),
        ),
      )
    const values = new Set((await read()).map((rows) => JSON.stringify(rows)))
    expect([...values]).toEqual([
      JSON.stringify([
        { name: 'idle_in_transaction_session_timeout', setting: '60000' },
        { name: 'lock_timeout', setting: '0' },
        { name: 'search_path', setting: '"$user", public' },
        { name: 'statement_timeout', setting: '30000' },
      ]),
    ])
    expect(await db.query('select name from pg_prepared_statements')).toEqual([])
    expect(await db.query("select locktype from pg_locks where locktype = 'advisory'")).toEqual([])
  })

  test('lets the server cancel a statement at the timeout of the role', async () => {
    const hasty = await openDatabase(configOf('hasty'))
    await expect(hasty.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' })
    expect(await hasty.query('select 1 as one')).toEqual([{ one: 1 }])
    await hasty.close()
  })

  test('refuses a role whose statements have no timeout, and says how to set it', async () => {
    await expect(openDatabase(configOf('boundless'))).rejects.toMatchObject({
      kind: 'Invalid',
      message: expect.stringContaining("alter role hexcast set statement_timeout = '30s'"),
    })
  })

  test('names the setting where it is missing', async () => {
    await expect(openDatabase(configOf(pooler.urlOf('hexcast'), { DATABASE_POOLER: '' }))).rejects.toMatchObject({
      kind: 'Refused',
      message: expect.stringContaining('Set DATABASE_POOLER=transaction'),
    })
    await expect(
      openDatabase({ ...configOf('hexcast'), databaseUrl: `${pooler.urlOf('hexcast')}?options=-c%20work_mem%3D8MB` }),
    ).rejects.toMatchObject({ message: expect.stringContaining('connect_query of the pooler') })
  })
})

/** Collects the lines of a process. */
function linesOf(child: ChildProcess): { output: string[]; log: string[] } {
  const lines = { output: [] as string[], log: [] as string[] }
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => lines.output.push(line))
  if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => lines.log.push(line))
  return lines
}
