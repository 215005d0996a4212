import { afterEach, expect, test } from 'vitest'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { databaseOver } from '../../ingest/ports/database/over.ts'
import { scratchDatabase } from '../../ingest/ports/database/scratch.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { migrate } from '../../sql/migrate.ts'
import { until } from './process.ts'
import { report } from './report.ts'
import { System, upstreamTakes } from './system.ts'

let system: System | undefined
afterEach(async () => {
  await upstreamTakes(0)
  await system?.close()
  system = undefined
})

/** Delay of reads of the METAR cache and the hourly cycles, s, so that a worker can be killed during a read. */
async function slowReads(seconds: number): Promise<void> {
  const rules = ['metars.cache', 'metar/cycles'].map((path) => ({ path, how: 'slow', seconds }))
  await fetch(`${process.env['DRILL_UPSTREAM']}/_misbehave`, { method: 'POST', body: JSON.stringify(rules) })
}

/** Returns the reports between two instants that an undisturbed sweep of the same upstream stores. */
async function undisturbed(from: number, to: number): Promise<string[]> {
  const { source, close } = await scratchDatabase()
  await migrate(source, { lock: false })
  const database = databaseOver(source, 'embedded')
  const upstream = openUpstream({ mirror: entryOf(process.env, 'DRILL_UPSTREAM') })
  const deps = { database, upstream, objects: undefined as never, clock: Date.now }
  for (let sweep = 0; sweep < 6; sweep++) await sweepFeed(deps, 'metar')
  const rows = await database.query<{ key: string }>(keysBetween, [new Date(from), new Date(to)])
  await upstream.close()
  await close()
  return rows.map(({ key }) => key)
}

const keysBetween = `select station || ' ' || observed_at::text as key from observation
                     where observed_at between $1 and $2 order by 1`

test.each([
  ['Temporal', {}],
  ['the queue in the database', { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' }],
])('kill -9 during a read of METARs loses and doubles nothing, on %s', async (queue, over) => {
  system = await System.open('metar')
  const { db } = system
  await slowReads(1)
  const settings = { ...over, METAR_POLL_SECONDS: '2' }
  const stored = async () => nth(await db.query<{ n: number }>('select count(*)::int as n from observation'), 0).n
  const victim = system.start('worker', settings)
  await until('first reports', 120, async () => (await stored().catch(() => 0)) > 0)
  await victim.end('SIGKILL')
  const killed = performance.now()
  const storedReports = await stored()
  system.start('worker', settings)
  const from = Date.now() - 20 * 3_600_000
  const to = Date.now() - 3_600_000
  const expected = await undisturbed(from, to)
  expect(expected.length).toBeGreaterThan(10_000)
  await until('every report of the last 20 hours', 240, async () => {
    const rows = await db.query<{ n: number }>(
      'select count(*)::int as n from observation where observed_at between $1 and $2',
      [new Date(from), new Date(to)],
    )
    return nth(rows, 0).n >= expected.length
  })
  const seconds = (performance.now() - killed) / 1000
  const rows = await db.query<{ key: string }>(keysBetween, [new Date(from), new Date(to)])
  expect(rows.map(({ key }) => key)).toEqual(expected)
  report(
    `kill -9 while METARs are read, ${queue}`,
    `${storedReports} reports stored before, ${rows.length} of 19 hours after ${seconds.toFixed(0)} s, each once`,
  )
})
