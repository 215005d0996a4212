import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { HOUR, runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'

const HOURS = 3
const DOMAINS = 3

test('a backfill of URMA that is killed and restarted again and again stores every hour once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-backfill-'))
  // URMA is published six hours late.
  const last = Math.floor(Date.now() / HOUR) * HOUR - 10 * HOUR
  const first = last - (HOURS - 1) * HOUR
  /** @returns the exit status; null if the process was killed */
  const backfill = async (killAfter: number): Promise<number | null> => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../bin/main.ts'), 'backfill', 'urma', runName(first), runName(last)],
      {
        env: { ...process.env, DATA_DIR: dataDir, UPSTREAM: 'simulated', DATABASE_URL: '', OBJECTS_URL: '' },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    let published = 0
    createInterface(child.stderr).on('line', (line) => {
      if (/: published \(\d+ of \d+\)$/.test(line) && ++published === killAfter) child.kill('SIGKILL')
    })
    const [status] = await once(child, 'exit')
    return status as number | null
  }
  expect(await backfill(1)).toBeNull()
  expect(await backfill(3)).toBeNull()
  expect(await backfill(Number.POSITIVE_INFINITY)).toBe(0)
  expect(await backfill(Number.POSITIVE_INFINITY)).toBe(0)

  const database = await openDatabase({ dataDir, databasePool: 1 })
  const rows = await database.query<{ domain: string; hour: Date; slab_key: string }>(
    `select domain, hour, slab_key from season_hour where dataset = 'urma' order by domain, hour`,
  )
  expect(rows.map(({ hour }) => hour.getTime())).toEqual(
    Array.from({ length: DOMAINS * HOURS }, (_, i) => first + (i % HOURS) * HOUR),
  )
  const objects = await openFolder(join(dataDir, 'objects'))
  const keys: string[] = []
  for await (const { key } of objects.list('season/')) keys.push(key)
  expect(keys.sort()).toEqual(rows.map(({ slab_key }) => slab_key).sort())
  const runs = await database.query<{ run: Date; state: string }>(`select * from run where dataset = 'urma'`)
  expect(runs).toHaveLength(DOMAINS * HOURS)
  await objects.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
}, 300_000)
