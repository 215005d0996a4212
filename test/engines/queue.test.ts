import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { JOB_SCHEMA } from '../../sql/queries/jobs.ts'
import type { Activities } from '../../workers/activities.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'
import { engineSuite } from '../contracts/engine-suite.ts'
import { startTcpProxy } from './faulty-proxy.ts'
import { freshPlace, takeQueue } from './place.ts'

let place: Awaited<ReturnType<typeof freshPlace>>
let database: Database
let releaseQueue: () => Promise<void>
const open = (activities: Activities, over: Database = database) =>
  openEmbeddedEngine({
    database: over,
    activities,
    clock: Date.now,
    report: (workflow, id, error) => console.error(`${workflow} ${id}: ${error}`),
  })

beforeAll(async () => {
  releaseQueue = await takeQueue()
  place = await freshPlace()
  database = await openDatabase(place.config)
  await database.query(`drop schema if exists ${JOB_SCHEMA} cascade`)
}, 600_000)
afterAll(async () => {
  await database?.query(`drop schema if exists ${JOB_SCHEMA} cascade`)
  await database?.close()
  await place?.drop()
  await releaseQueue?.()
})

engineSuite({ name: 'pg-boss over PostgreSQL', open, close: async () => {} })

describe('the queue between processes', () => {
  test('is created once when ten processes begin together', async () => {
    await database.query(`drop schema if exists ${JOB_SCHEMA} cascade`)
    const databases = await Promise.all(Array.from({ length: 10 }, () => openDatabase(place.config)))
    const engines = await Promise.all(databases.map((database) => open({} as Activities, database)))
    expect(await nth(engines, 0).counts()).toEqual({ waiting: 0, running: 0, failed: 0 })
    await Promise.all(engines.map((engine) => engine.stop()))
    await Promise.all(databases.map((database) => database.close()))
  })

  test('leaves nothing to the next caller after a statement failed in its own transaction', async () => {
    const single = await openDatabase({ ...place.config, databasePool: 1 })
    await expect(single.run('begin; select 1/0; commit')).rejects.toMatchObject({ code: '22012' })
    expect(await single.query('select 1 as one')).toEqual([{ one: 1 }])
    await single.close()
  })

  test('leaves a long step to its process, and permanently moves the work of a lost process to another', async () => {
    const begun: string[] = []
    const published = new Set<string>()
    const activities = (name: string, lasts: (dataset: string) => number) =>
      ({
        planStage: async ({ dataset }: { dataset: string }) =>
          published.has(dataset)
            ? { state: 'done', why: 'already' }
            : { state: 'ready', stage: 0, files: [{ url: 'f1', leadHours: 1 }] },
        async sampleFile({ dataset }: { dataset: string }) {
          begun.push(`${name} ${dataset}`)
          await pause(lasts(dataset))
        },
        async publishStage({ dataset }: { dataset: string }) {
          begun.push(`${name} publishes ${dataset}`)
          published.add(dataset)
          return { last: true }
        },
      }) as unknown as Activities
    const url = new URL(place.config.databaseUrl)
    const line = await startTcpProxy(`tcp://${url.host}`)
    url.host = line.address
    const behind = await openDatabase({ ...place.config, databaseUrl: url.href.replaceAll('+', '%20') })

    // The step takes longer than the heartbeat timeout.
    const first = await open(
      activities('first', (dataset) => (dataset === 'long' ? 27_000 : 8_000)),
      behind,
    )
    await first.work()
    await first.start('modelRun', 'grid-run/long', { dataset: 'long', domains: ['conus'], run: '1' })
    while (!begun.includes('first long')) await pause(50)
    const second = await open(activities('second', () => 100))
    await second.work()
    while (!published.has('long')) await pause(50)
    expect(begun).toEqual(['first long', 'first publishes long'])

    begun.length = 0
    // Only the first process runs the job: it is cut off during its step, and reconnected after another process has
    // taken the job over.
    await second.stop()
    await first.start('modelRun', 'grid-run/cut', { dataset: 'cut', domains: ['conus'], run: '1' })
    while (!begun.includes('first cut')) await pause(50)
    line.cut()
    const cut = performance.now()
    const third = await open(activities('third', () => 6_000))
    await third.work()
    while (!begun.includes('third cut')) await pause(50)
    expect((performance.now() - cut) / 1000, 'seconds until another took it up').toBeLessThan(60)
    line.restore()
    while (!published.has('cut')) await pause(50)
    await pause(1_000)
    expect(begun.filter((what) => what.includes('publishes'))).toEqual(['third publishes cut'])
    await Promise.all([first.stop(), third.stop()])
    await behind.close()
    line.close()
  })
})
