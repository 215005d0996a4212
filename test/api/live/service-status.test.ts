import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServiceStatus, type ServiceStatus } from '../../../api/live/service-status.ts'
import { loadConfig } from '../../../ingest/config.ts'
import { isoSeconds, SECOND } from '../../../ingest/domain/time.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { markConfirmed } from '../../../sql/queries/feeds.ts'

let folder: string
let database: Database
let now = Date.now()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-status-'))
  database = await openDatabase(loadConfig({ DATA_DIR: folder }))
  await markConfirmed(database, 'metar/cache', { suspicious: false, rejected: {} })
}, 60_000)
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

/** Locks the tables of the status while `work` runs. */
async function locked(work: () => Promise<void>): Promise<void> {
  const locks = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const transaction = database.transaction(async (queries) => {
    await queries.query('lock table pointer, feed_state in access exclusive mode')
    locks.resolve()
    await released.promise
  })
  await locks.promise
  try {
    await work()
  } finally {
    released.resolve()
    await transaction
  }
}
const metar = (document: ServiceStatus | undefined) =>
  document?.datasets.find(({ dataset_id }) => dataset_id === 'metar')

// Inside `locked`, an answer that needs the database would never come.
test('returns a document of the last 30 s while the database is locked, and reads the next in the background', async () => {
  const status = openServiceStatus({ database, clock: () => now, datasets: ['metar'] })
  const first = await status()
  expect(metar(first)?.state).toBe('on_time')
  await locked(async () => {
    now += 6 * SECOND
    const documents = await Promise.all(Array.from({ length: 50 }, status))
    for (const document of documents) expect(document).toEqual(first)
    now += 20 * SECOND
    expect(await status()).toEqual(first)
  })
  const later = isoSeconds(now - 20 * SECOND)
  await expect.poll(async () => (await status())?.generated_at).toBe(later)
  expect((await status())?.notes).toEqual([])
})

test('returns an older document as degraded with unknown states until the database answers again', async () => {
  const status = openServiceStatus({ database, clock: () => now, datasets: ['metar'] })
  const first = await status()
  await locked(async () => {
    now += 31 * SECOND
    const document = await status()
    expect(document).toMatchObject({ status: 'degraded', generated_at: first?.generated_at })
    expect(document?.notes.join()).toContain(first?.generated_at)
    expect(metar(document)).toMatchObject({ state: 'unknown', late_by_seconds: null, run: metar(first)?.run })
    expect(document?.datasets.filter(({ state }) => state !== 'unknown' && state !== 'not_configured')).toEqual([])
  })
  await expect.poll(async () => metar(await status())?.state).toBe('on_time')
  expect((await status())?.notes).toEqual([])
})

test('returns no document before the first read', async () => {
  const status = openServiceStatus({ database, clock: () => now, datasets: ['metar'] })
  await locked(async () => expect(await status()).toBeUndefined())
}, 30_000)
