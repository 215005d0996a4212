import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { HOUR, runName } from '../../ingest/domain/time.ts'
import { until } from './process.ts'
import { report } from './report.ts'
import { System } from './system.ts'

/** Number of hours to backfill: `SEASON_HOURS=48 npx vitest run test/drills/season.test.ts`. With 48, all that the simulator has,
 * days are built. */
const HOURS = Number(process.env['SEASON_HOURS'] ?? 1)
const domains = ['conus', 'alaska', 'hawaii']

let system: System | undefined
afterEach(async () => {
  await system?.close()
  system = undefined
})

test('every hour of the season is stored once and days follow after kill -9, on Temporal with PostgreSQL, S3 and Kafka', {
  timeout: 240_000 + HOURS * 20_000,
}, async () => {
  system = await System.open('urma')
  const { db, objects } = system
  const victim = system.start('worker')
  await until('a sampled file', 120, () => victim.steps.some(({ step }) => step === 'sampleFile'))
  await victim.end('SIGKILL')
  const second = system.start('worker')
  const run = await system.published('urma', domains)
  const summary = await system.checkInvariants('urma', [victim, second])
  await second.end('SIGTERM')

  const newest = Date.parse(run)
  const backfill = system.start(`backfill urma ${runName(newest - HOURS * HOUR)} ${runName(newest - HOUR)}`)
  const [status] = await once(backfill.child, 'exit')
  expect(
    status,
    backfill.lines
      .filter((line) => /wanted|fault|error|failed/i.test(line))
      .slice(-5)
      .join('\n'),
  ).toBe(0)
  const rows = await db.query<{ domain: string; hour: Date; slab_key: string }>(
    `select domain, hour, slab_key from season_hour where dataset = 'urma' order by domain, hour`,
  )
  const days = await db.query<{ domain: string; date: string; hours: number; wanted: number }>(
    'select domain, date::text, hours, wanted from season_day order by domain, date',
  )
  if (HOURS < 48)
    expect(rows.map(({ domain, hour }) => `${domain} ${runName(hour.getTime())}`)).toEqual(
      [...domains]
        .sort()
        .flatMap((domain) =>
          Array.from({ length: HOURS + 1 }, (_, i) => `${domain} ${runName(newest - (HOURS - i) * HOUR)}`),
        ),
    )
  else expect(days.length).toBeGreaterThan(0)
  const stored: string[] = []
  for await (const { key } of objects.list('season/')) if (key.includes('/hours/')) stored.push(key)
  expect(stored.sort()).toEqual(rows.map(({ slab_key }) => slab_key).sort())
  report(
    'kill -9 in an hour of the season, Temporal',
    `${summary}; ${rows.length} hours stored once, ${days.length} days built`,
  )
})
