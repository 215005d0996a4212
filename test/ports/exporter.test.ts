import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fault } from '../../ingest/domain/fault.ts'
import { databaseOver } from '../../ingest/ports/database/over.ts'
import { scratchDatabase } from '../../ingest/ports/database/scratch.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { openExporter } from '../../ingest/ports/exporter.ts'
import { measurePorts } from '../../ingest/ports/measure.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { holdLease, releaseLeases } from '../../sql/queries/leases.ts'
import { publishRun } from '../../sql/queries/runs.ts'

let scratch: Awaited<ReturnType<typeof scratchDatabase>>
let database: Database
beforeAll(async () => {
  scratch = await scratchDatabase()
  database = databaseOver(scratch.source, 'embedded')
  const publication = { stage: 0, publishedTo: 0, manifestKey: 'k', manifest: {}, wanted: 1, got: 1, missing: 0 }
  await publishRun(
    database,
    { dataset: 'nbm', domain: 'conus', run: new Date(Date.now() - 3_600_000), ...publication },
    [],
  )
})
afterAll(() => scratch?.close())

let clock = 0
const lag = { kind: 'process', connected: true, behind: 0, reconnects: 0, dropped: 2, received: 9 } as const
const ports = { events: { lag: () => lag } as Pick<Events, 'lag'> as Events, objects: {} as Objects }
/** A process at the shared database, as its `/metrics` shows it. */
function startProcess(db: Database = database, ahead = () => 0) {
  const registry = new Registry()
  const { exports, close } = openExporter(
    {
      hold: (name, holder, seconds) => holdLease(db, name, holder, seconds),
      release: (holder) => releaseLeases(db, holder),
    },
    () => clock,
  )
  measurePorts(registry, { ...ports, database: db }, () => Date.now() + ahead(), { exports, datasets: ['nbm'] })
  return { metrics: () => registry.metrics(), close }
}
const AGE = /^hexcast_run_age_seconds\{dataset="nbm",domain="conus"\} (\d+)/m

test('lets one of several processes export the totals of the database, and another after its end', async () => {
  const processes = Array.from({ length: 5 }, () => startProcess())
  const scrape = async () => {
    clock += 15_000
    return Promise.all(processes.map(({ metrics }) => metrics()))
  }
  for (const texts of [await scrape(), await scrape()]) {
    expect(texts.filter((text) => AGE.test(text))).toHaveLength(1)
    expect(texts.filter((text) => /^hexcast_outbox_waiting \d/m.test(text))).toHaveLength(1)
    expect(
      texts.filter((text) => text.includes('hexcast_quarantine_total{dataset="nbm",reason="grid"} 0')),
    ).toHaveLength(1)
    expect(texts.filter((text) => text.includes('hexcast_database_up 1'))).toHaveLength(5)
    expect(texts.filter((text) => text.includes('hexcast_events_dropped 2'))).toHaveLength(5)
  }
  const exporting = (await scrape()).findIndex((text) => AGE.test(text))
  processes.splice(exporting, 1)
  expect((await scrape()).filter((text) => AGE.test(text))).toHaveLength(0)
  await database.query("update metrics_lease set expires_at = clock_timestamp() - interval '1 second'")
  expect((await scrape()).filter((text) => AGE.test(text))).toHaveLength(1)
  await database.query('delete from metrics_lease')
})

test('lets ages grow while the database is unreachable', async () => {
  let isDown = false
  let ahead = 0
  const refuse = <T>(work: () => Promise<T>) => (isDown ? Promise.reject(new Fault('Refused', 'away')) : work())
  const away: Database = {
    ...database,
    query: (text, parameters) => refuse(() => database.query(text, parameters)),
    get kysely() {
      if (isDown) throw new Fault('Refused', 'away')
      return database.kysely
    },
  }
  const { metrics } = startProcess(away, () => ahead)
  clock += 15_000
  const before = Number(AGE.exec(await metrics())?.[1])
  expect(before).toBeGreaterThanOrEqual(3600)
  isDown = true
  ahead = 7200_000
  clock += 15_000
  const text = await metrics()
  expect(text).toContain('hexcast_database_up 0')
  expect(Number(AGE.exec(text)?.[1])).toBeGreaterThanOrEqual(before + 7200)
})

test('gives the lease back at its end, so that another process exports at its next scrape', async () => {
  await database.query('delete from metrics_lease')
  const [first, second] = [startProcess(), startProcess()]
  clock += 15_000
  expect([await first.metrics(), await second.metrics()].map((text) => AGE.test(text))).toEqual([true, false])
  await first.close()
  clock += 15_000
  expect(AGE.test(await second.metrics())).toBe(true)
  await second.close()
})

test('exports the figures without a lease if the role has no right to take it', async () => {
  const denied: Database = {
    ...database,
    query: (text, parameters) =>
      text.includes('metrics_lease')
        ? Promise.reject(Object.assign(new Error('permission denied for table metrics_lease'), { code: '42501' }))
        : database.query(text, parameters),
  }
  clock += 15_000
  expect(AGE.test(await startProcess(denied).metrics())).toBe(true)
})

test('ends a scrape within seconds while the database accepts statements and never answers', async () => {
  const never = () => new Promise<never>(() => undefined)
  const kysely = new Proxy({}, { get: () => () => never() }) as Database['kysely']
  const started = performance.now()
  const text = await startProcess({ ...database, query: never, kysely }).metrics()
  expect(text).toContain('hexcast_database_up 0')
  expect(text).not.toMatch(AGE)
  expect(performance.now() - started).toBeLessThan(9000)
})
