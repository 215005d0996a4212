import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { migrations } from '../../sql/migrate.ts'
import { enterPast, readSnapshot } from '../../sql/queries/versions.ts'
import type { Queries } from '../../sql/session.ts'
import { climateSuite } from '../contracts/climate-suite.ts'
import { databaseSuite } from '../contracts/database-suite.ts'
import { freshPlace } from './place.ts'

let place: Awaited<ReturnType<typeof freshPlace>>
let db: Database
let other: Database

beforeAll(async () => {
  place = await freshPlace()
  db = await openDatabase(place.config)
  other = await openDatabase(place.config)
})

afterAll(async () => {
  await Promise.all([db?.close(), other?.close()])
  await place?.drop()
})

describe('PostgreSQL', () => databaseSuite(() => ({ db, other })))

describe('climate texts in PostgreSQL', () => climateSuite(() => ({ db })))

describe('PostgreSQL alone', () => {
  test('lets a transaction that began first write last, and keeps the version it replaced readable', async () => {
    const dataset = `late-${Math.random().toString(36).slice(2)}`
    const set = (tx: Queries, key: string) =>
      tx.query('update pointer set manifest_key = $2 where dataset = $1', [dataset, key])
    await db.query(
      "insert into pointer (dataset, domain, run, stage, manifest_key) values ($1, '', now(), 0, 'first')",
      [dataset],
    )
    const keys: string[] = []
    const reads = async () => {
      const snapshot = await readSnapshot(db, async (_tx, text) => text)
      return () =>
        db.transaction(async (tx) => {
          await enterPast(tx, { snapshot, clock: () => new Date() })
          const [row] = await tx.query<{ manifest_key: string }>(
            'select manifest_key from pointer where dataset = $1',
            [dataset],
          )
          keys.push(row!.manifest_key)
        })
    }
    const pasts = [await reads()]
    const begun = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const early = db.transaction(async (tx) => {
      await tx.query('select pg_current_xact_id()')
      begun.resolve()
      await free.promise
      await set(tx, 'third')
    })
    await Promise.race([begun.promise, early])
    try {
      await other.transaction((tx) => set(tx, 'second'))
      pasts.push(await reads())
    } finally {
      free.resolve()
    }
    await early
    pasts.push(await reads())
    for (const read of pasts) await read()
    expect(keys).toEqual(['first', 'second', 'third'])
  })

  test('applies every migration once when ten processes start together', async () => {
    const fresh = await freshPlace()
    const opened = await Promise.all(
      Array.from({ length: 10 }, () => openDatabase({ ...fresh.config, databasePool: 1 })),
    )
    const rows = await nth(opened, 0).query<{ name: string }>('select name from migration order by name')
    expect(rows.map(({ name }) => name)).toEqual((await migrations()).map(({ name }) => name))
    await Promise.all(opened.map((connection) => connection.close()))
    await fresh.drop()
  })

  test('lets the server cancel a statement that takes too long', async () => {
    const hasty = await openDatabase(place.config, { statementTimeoutMs: 200 })
    await expect(hasty.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' })
    expect(await hasty.query('select 1 as one')).toEqual([{ one: 1 }])
    await hasty.close()
  })

  test('reports an unreachable server as Refused within seconds, and recovers its pool', async () => {
    await expect(
      openDatabase({ ...place.config, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }),
    ).rejects.toMatchObject({ kind: 'Refused' })
    const own = await openDatabase(place.config, { name: `hexcast-recovers-${process.pid}` })
    await Promise.all([1, 2].map(() => own.query('select pg_sleep(0.1)')))
    await own.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = current_setting($1)',
      ['application_name'],
    )
    await expect.poll(() => own.query('select 1 as one').catch(() => [])).toEqual([{ one: 1 }])
    await own.close()
  })

  test('prepares a statement with parameters once per connection', async () => {
    const single = await openDatabase({ ...place.config, databasePool: 1 })
    for (let turn = 0; turn < 5; turn++) await single.query('select $1::int + 1 as next', [turn])
    const [row] = await single.query<{ many: number }>(
      "select count(*) as many from pg_prepared_statements where statement like 'select $1::int + 1%'",
    )
    expect(row!.many).toBe(1)
    await single.close()
  })
})
