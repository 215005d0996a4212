import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Activities } from '../../workers/activities.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'

/** Two polls of all queues, and the checks of pg-boss. With a poll a second for each slot there would be some 50 statements a second. */
const MOST_A_SECOND = 5
const SECONDS = 4

test('ticks a schedule once an interval if it is replaced while its first tick is sent', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-schedules-'))
  const database = await openDatabase({ dataDir, databasePool: 3 })
  let jobs = 0
  const counted: Database = Object.create(database, {
    run: {
      value: (...words: Parameters<Database['run']>) => {
        if (words[0].includes('INSERT INTO work.job')) jobs++
        return database.run(...words)
      },
    },
  })
  const activities = {} as Activities
  const engine = await openEmbeddedEngine({ database: counted, activities, clock: Date.now, report: () => undefined })
  const list = () => [{ id: 'retire', workflow: 'retire' as const, input: {}, everySeconds: 1 }]
  try {
    await Promise.all([engine.schedule(list()), engine.schedule(list()), engine.schedule(list())])
    jobs = 0
    await pause(3500)
    expect(jobs).toBeGreaterThanOrEqual(2)
    expect(jobs).toBeLessThanOrEqual(4)
  } finally {
    await engine.stop()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('polls all queues in one statement, however many slots they have', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-polls-'))
  const database = await openDatabase({ dataDir, databasePool: 3 })
  let statements = 0
  const counted: Database = Object.create(database, {
    run: {
      value: (...words: Parameters<Database['run']>) => {
        statements++
        return database.run(...words)
      },
    },
    query: {
      value: (...words: Parameters<Database['query']>) => {
        statements++
        return database.query(...words)
      },
    },
  })
  const activities = {} as Activities
  const engine = await openEmbeddedEngine({ database: counted, activities, clock: Date.now, report: () => undefined })
  try {
    await engine.work()
    // Each slot looks for a job once at its start.
    await pause(2000)
    statements = 0
    await pause(SECONDS * 1000)
    expect(statements).toBeGreaterThan(0)
    expect(statements / SECONDS).toBeLessThan(MOST_A_SECOND)
  } finally {
    await engine.stop()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
