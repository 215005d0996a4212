import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHistory } from '../../../api/live/history.ts'
import { type Current, watchCurrent } from '../../../api/live/served-runs.ts'
import { loadConfig } from '../../../ingest/config.ts'
import { cellOf } from '../../../ingest/domain/cell.ts'
import { HOUR, type Instant, MINUTE } from '../../../ingest/domain/time.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import { openObjects } from '../../../ingest/ports/objects/open.ts'
import { openPool } from '../../../ingest/steps/pool.ts'
import { storeAmount } from '../past-store.ts'

/** 28 minutes past an hour, with scans of the two hours before, every two minutes except from 50 to 62 minutes ago. */
const now = Date.parse('2026-04-11T14:28:00Z')
const thisHour = Date.parse('2026-04-11T14:00:00Z')
const ages = Array.from({ length: 60 }, (_, i) => 3 + 2 * i).filter((age) => age < 50 || age > 62)
const rateOf = (time: Instant) => (now - time) / MINUTE / 10

const closers: (() => unknown)[] = []
let current: Current
let history: ReturnType<typeof openHistory>

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-scans-'))
  closers.push(() => rm(dataDir, { recursive: true, force: true }))
  const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config)
  const objects = await openObjects(config)
  const pool = openPool({ threads: 1 })
  closers.push(
    () => database.close(),
    () => objects.close(),
    () => pool.close(),
  )
  for (const age of [...ages].reverse()) {
    const time = now - age * MINUTE
    await storeAmount({ database, objects, pool }, 'mrms-precip-rate', time, rateOf(time))
  }
  current = await watchCurrent({ database, objects, clock: () => now })
  closers.push(() => current.close())
  history = openHistory({ database, objects, current })
}, 120_000)
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

const scansAt = async (lat: number, lon: number, from: Instant) => {
  const scans = await history.suppliers.scans!({ lat, lon, cell: cellOf(lat, lon, 7), domain: 'conus', now })
  return scans.since(from)
}

test('gives rates of scans ten minutes apart, from just before the hour to the newest', async () => {
  const rates = await scansAt(39.74, -104.99, thisHour)
  expect(rates.map(({ time }) => (now - time) / MINUTE)).toEqual([33, 23, 13, 3])
  for (const { time, rate } of rates) expect(rate).toBeCloseTo(rateOf(time), 1)
})

test('continues before a gap in the scans of the last hour', async () => {
  const rates = await scansAt(39.74, -104.99, thisHour - HOUR)
  expect(rates.map(({ time }) => (now - time) / MINUTE)).toEqual([93, 83, 73, 63, 43, 33, 23, 13, 3])
})

test('gives no rate if no radar covers the place', async () => {
  const rates = await scansAt(47.6, -122.3, thisHour)
  expect(rates).toHaveLength(4)
  for (const { rate } of rates) expect(rate).toBeNaN()
})
