import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runVerb } from '../../bin/command-line.ts'
import { verbs } from '../../bin/verbs/workers.ts'
import { DAY, dateText, HOUR, runName } from '../../ingest/domain/time.ts'
import { emptySums } from '../../ingest/domain/verification/score.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { markConfirmed } from '../../sql/queries/feeds.ts'
import { claimDay } from '../../sql/queries/verification.ts'
import { putVerification } from '../../sql/queries/verification-sums.ts'
import { putServedStates, readSnapshot } from '../../sql/queries/versions.ts'

const folder = mkdtempSync(join(tmpdir(), 'hexcast-storage-verb-'))
let database: Database

beforeAll(async () => {
  vi.stubEnv('DATA_DIR', folder)
  const now = Date.now()
  const objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
  const tile = (run: number) => `tiles/v1/hrrr/conus/${runName(run)}/f18-0a1b2c3d/0000.tile`
  await objects.put(tile(now - 30 * HOUR), new Uint8Array(1000))
  await objects.put(tile(now - 2 * HOUR), new Uint8Array(300))
  await objects.put(`frames/v1/glm/all/${runName(now - HOUR)}-3`, new Uint8Array(50))
  const confirmed = { digest: 'x', suspicious: false, rejected: {} }
  await markConfirmed(database, 'metar', { ...confirmed, etag: '"1"' })
  // A reader's state of two days ago: what was written since counts.
  const { text } = await readSnapshot(database, async (_, snapshot) => ({ text: snapshot }))
  await putServedStates(database, [{ source: 'runs', since: now - 2 * DAY, snapshot: text, clockLead: 0 }])
  await markConfirmed(database, 'nws-alerts', { ...confirmed, etag: '"2"' })
  const day = dateText(Math.floor(now / DAY) - 1)
  const sums = emptySums()
  sums.temperature.fill(3)
  await claimDay(database, day, 3, 1)
  await putVerification(database, [
    { kind: 'station', area: 'KDEN', variable: 'temperature', day, sums: sums.temperature },
  ])
  await objects.close()
}, 60_000)
afterAll(async () => {
  await database.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function storage(...words: string[]): Promise<string> {
  const lines: unknown[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  try {
    expect(await runVerb(verbs.find(({ name }) => name === 'storage')!, words)).toBe(0)
    return lines.join('\n')
  } finally {
    spy.mockRestore()
  }
}

interface Row {
  readonly kind: string
  readonly count: number
  readonly bytes: number
  readonly bytes_of_day: number | null
}

test('counts all bytes and those of the last day, by kind', async () => {
  const { storage: rows } = JSON.parse(await storage('--json')) as { storage: Row[] }
  const row = (kind: string) => rows.find((row) => row.kind === kind)
  expect(row('tiles hrrr')).toEqual({ kind: 'tiles hrrr', count: 2, bytes: 1300, bytes_of_day: 300 })
  expect(row('frames glm')).toEqual({ kind: 'frames glm', count: 1, bytes: 50, bytes_of_day: 50 })
  const total = row('total')!
  expect(total.bytes).toBe(rows.reduce((sum, { bytes }) => sum + bytes, 0) - total.bytes)
  const text = await storage()
  expect(text).toMatch(/tiles hrrr +2 +1\.3 kB +0\.3 kB/)
})

test('counts of rows with versions those written in the day', async () => {
  const { tableStorage, verificationDayBytes } = await import('../../sql/queries/storage.ts')
  const tables = await tableStorage(database, new Date(Date.now() - DAY))
  const feeds = tables.find(({ table }) => table === 'feed_state')!
  expect(feeds.rows).toBe(2)
  expect(feeds.bytesOfDay).toBe(feeds.bytes / 2)
  expect(tables.find(({ table }) => table === 'verification_part')).toMatchObject({ rows: 1, bytesOfDay: null })
  expect(await verificationDayBytes(database)).toBeGreaterThan(100)
})
