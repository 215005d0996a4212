import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'
import { runSecondsOf } from '../../workers/run-timeout.ts'
import { schedules } from '../../workers/schedules.ts'
import { runTimeoutSuite } from '../contracts/run-timeout-suite.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hexcast-timeouts-'))
let database: Database | undefined

runTimeoutSuite({
  name: 'pg-boss over the embedded database',
  async open(activities, report) {
    database = await openDatabase({ dataDir, databasePool: 1 })
    return openEmbeddedEngine({ database, activities, clock: Date.now, report })
  },
  async close() {
    await database?.close()
    rmSync(dataDir, { recursive: true, force: true })
  },
})

test('lets a run last for three ticks, or for all attempts of its steps if that is longer', () => {
  const all = schedules({ datasets: [], runsPollSeconds: 600, feedPollSeconds: { 'nws-alerts': 5 } })
  const seconds = new Map(all.map(({ id, runSeconds }) => [id, runSeconds]))
  expect(seconds.get('watch-runs/hrrr')).toBe(1800)
  // The sum is two attempts of 600 s, a second between them, and half a minute for the engine.
  expect(seconds.get('sweep-feed/nws-alerts')).toBe(1231)
  expect(seconds.get('check-lateness')).toBe(91)
  for (const { id, runSeconds } of all) expect(runSeconds, id).toBeGreaterThan(60)
  // pg-boss refuses a job that expires after more than a day.
  for (const { id, runSeconds } of all) expect(runSeconds, id).toBeLessThan(86_000)
  expect(runSecondsOf('modelRun')).toBe(18 * 3600)
})
