import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ChangeFeed } from '../../api/changes/change-feed.ts'
import { loadConfig } from '../../ingest/config.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { attemptOf } from '../../ingest/steps/grid/attempt.ts'
import { changeLog } from '../../sql/queries/changes.ts'
import { incarnationOf } from '../../sql/queries/incarnation.ts'
import { databaseNow } from '../../sql/queries/outbox.ts'
import { pointers, publishRun } from '../../sql/queries/runs.ts'
import { change } from '../api/webhooks/harness.ts'
import { ArchivedPostgres } from './archived-postgres.ts'
import { down, freePorts, up } from './native.ts'

let folder: string
let url: string
let server: ArchivedPostgres

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-point-'))
  await chmod(folder, 0o755)
  const ports = await freePorts()
  url = entryOf(await up(folder, ['postgres'], ports), 'DATABASE_URL')
  server = new ArchivedPostgres(folder, entryOf(ports, 'POSTGRES_PORT'))
  await server.archive()
})
afterAll(async () => {
  await down(folder)
  await rm(folder, { recursive: true, force: true })
})

const open = () => openDatabase(loadConfig({ DATABASE_URL: url, DATA_DIR: folder }))
const hours = [new Date('2026-08-20T11:00:00Z'), new Date('2026-08-20T12:00:00Z')] as const

async function work(database: Database, run: Date, name: string): Promise<void> {
  for (let number = 0; number < 20; number++) await change(database, name, `${name}-${number}`)
  const counts = { stage: 0, publishedTo: 18, manifest: {}, wanted: 1, got: 1, missing: 0 }
  await publishRun(database, { dataset: 'nbm', domain: 'conus', run, manifestKey: run.toISOString(), ...counts }, [])
}

test('knows that a server was restored to a point in time, and gives numbers of events that are assigned again other ids', async () => {
  let database = await open()
  await server.backUp()
  await work(database, hours[0], 'before')
  // A date has milliseconds, the log of the database microseconds: without the pause the point can lie before the last commit.
  await pause(50)
  const point = await databaseNow(database)
  const before = await incarnationOf(database)
  await pause(1500)
  await work(database, hours[1], 'after')
  const { last } = await changeLog(database)
  await server.query('select pg_switch_wal()')
  await expect
    .poll(() => server.query("select from pg_stat_archiver where last_archived_time > now() - interval '5 s'"), {
      timeout: 60_000,
    })
    .toHaveLength(1)
  await database.close()
  await server.lose()

  const startedAt = performance.now()
  await server.restore(point)
  const seconds = (performance.now() - startedAt) / 1000
  database = await open()
  const rows = await database.query<{ alert_id: string }>('select alert_id from alert_change order by id')
  expect(rows.map(({ alert_id }) => alert_id)).toEqual(Array.from({ length: 20 }, (_, number) => `before-${number}`))
  expect(await pointers(database)).toMatchObject([{ dataset: 'nbm', run: hours[0] }])

  // The timeline tells it, without any command.
  const after = await incarnationOf(database)
  expect(before.isRestored).toBe(false)
  expect(after).toEqual({ id: expect.not.stringMatching(before.id), isRestored: true })
  const feed = new ChangeFeed(database)
  expect(await feed.position({ incarnation: before.id, number: last })).toMatchObject({ replay: 'restored' })
  expect(await feed.position({ number: last + 100 })).toMatchObject({ replay: 'ahead' })
  // An engine that remembers the run of the lost hours would refuse its former name.
  expect(await attemptOf(database, nbm, { domains: ['conus'], run: hours[1].getTime() })).toBe(`restored-${after.id}`)
  await work(database, hours[1], 'again')
  const { oldest, incarnation } = await changeLog(database)
  expect([oldest, incarnation]).toEqual([1, after.id])
  await database.close()
  console.info(`restored to ${point.toISOString()} and writable within ${seconds.toFixed(1)} s`)
})
