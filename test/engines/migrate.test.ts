import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { migrations } from '../../sql/migrate.ts'
import { feedStates } from '../../sql/queries/feeds.ts'
import { pointerOf, publishRun } from '../../sql/queries/runs.ts'
import { freshPlace } from './place.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
let place: Awaited<ReturnType<typeof freshPlace>>
beforeAll(async () => {
  place = await freshPlace()
})
afterAll(() => place.drop())

/** Runs `hexcast migrate`. @returns the lines that it printed */
async function migrateByCommand(): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['bin/hexcast.mjs', 'migrate'], { cwd: root, env: place.env })
  return stdout.trim().split('\n')
}

test('migrates a database once in two processes at once, and finds nothing to do afterwards', async () => {
  const strict = { ...place.config, databaseMigrate: false }
  await expect(openDatabase(strict)).rejects.toMatchObject({
    kind: 'Invalid',
    message: expect.stringMatching(/lacks \d+ migrations, from 001-.* run "hexcast migrate"/),
  })
  const names = (await migrations()).map(({ name }) => name)
  const last = `the database has ${names.length} migrations, the last of which is ${names.at(-1)}`
  const printed = await Promise.all([migrateByCommand(), migrateByCommand()])
  // The processes take turns, each migration in its own transaction.
  const applied = printed.flat().filter((line) => line.startsWith('applied'))
  expect(applied.sort()).toEqual(names.map((name) => `applied ${name}`))
  expect(printed.map((lines) => lines.at(-1))).toEqual([last, last])
  expect(await migrateByCommand()).toEqual([last])
  const database = await openDatabase(strict)
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  await database.close()
})

test('refuses to start an API process at an older schema, with the command to run', async () => {
  const older = await freshPlace()
  const env = { ...older.env, DATABASE_MIGRATE: 'false', PORT: '0' }
  const ended = run(process.execPath, ['bin/hexcast.mjs', 'api'], { cwd: root, env })
  await expect(ended).rejects.toMatchObject({
    stderr: expect.stringContaining('run "hexcast migrate" and start again'),
  })
  await run(process.execPath, ['bin/hexcast.mjs', 'migrate'], { cwd: root, env: older.env })
  await older.drop()
})

test('a column that a later release adds disturbs no statement that an open connection has prepared', async () => {
  const rolling = await freshPlace()
  const database = await openDatabase({ ...rolling.config, databasePool: 1 })
  const run = new Date('2026-08-20T12:00:00Z')
  const publication = { stage: 0, publishedTo: 0, manifestKey: 'first', manifest: {}, wanted: 1, got: 1, missing: 0 }
  const publish = (stage: number) =>
    publishRun(database, { dataset: 'rtma', domain: 'conus', run, ...publication, stage }, [])
  expect(await publish(0)).toBe('published')
  expect((await feedStates(database, '')).feeds).toEqual([])
  for (const table of ['pointer', 'feed_state'])
    await database.query(`alter table ${table} add column later text; select keep_versions('${table}')`)
  expect((await feedStates(database, '')).feeds).toEqual([])
  expect(await publish(1)).toBe('published')
  expect(await pointerOf(database, 'rtma', 'conus')).toEqual({
    ...{ dataset: 'rtma', domain: 'conus', run, stage: 1, revision: 0, manifest_key: 'first' },
    published_at: expect.any(Date),
  })
  await database.close()
  await rolling.drop()
})
