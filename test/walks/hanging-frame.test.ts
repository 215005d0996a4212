import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { craft, scales } from '../../ingest/grib2-wasm/test/craft.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { quarantineOver } from '../../ingest/steps/quarantine.ts'

const NOW = Date.parse('2026-08-20T21:40:20Z')
let folder: string
let database: Database
let objects: Objects
let real: Upstream
let mirror: Mirror
/** Makes the ETags of replaced files differ. */
let replaced = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexcast-hanging-'))
  const config = { dataDir: folder, databasePool: 2, objects: { kind: 'folder', folder: join(folder, 'o') } } as const
  mirror = await startMirror({ sources: [radarSource(10)], now: () => NOW })
  database = await openDatabase(config)
  objects = await openObjects(config)
  real = openUpstream({ mirror: mirror.url })
})

afterAll(async () => {
  await real?.close()
  await mirror?.close()
  await objects?.close()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A frame of the size of CONUS. Decoding it takes some tenths of a second. */
const heavy = craft({ nx: 7000, ny: 3500, packing: [0, 0, ...scales(7, 0, 0), 0, 0], values: 24_500_000, data: [] })

/** Ingests the newest two files of each domain. Each is slow to decode until upstream has replaced it. */
async function sweep(pool: Pool) {
  const get: Upstream['get'] = async (url, options) => {
    const reply = await real.get(url, options)
    return replaced ? reply : { ...reply, bytes: heavy.slice() }
  }
  const list: Upstream['list'] = async (bucket, prefix, options) =>
    (await real.list(bucket, prefix, options))
      .slice(-2)
      .map((object) => ({ ...object, etag: `${object.etag}${replaced}` }))
  const quarantine = quarantineOver({ database, objects })
  const datasets = frameSources.filter(({ dataset }) => dataset.id === 'mrms-precip-rate')
  const [result] = await sweepFrames(
    { upstream: { ...real, list, get }, objects, database, pool, quarantine },
    datasets,
    NOW,
  )
  return result!
}

const filesRead = () => mirror.log.filter((line) => line.includes('.grib2')).length

test('a frame that exceeds its limit is quarantined, and not tried again until its ETag changes', async () => {
  const hasty = openPool({ threads: 2, limits: { frame: 20 } })
  try {
    const first = await sweep(hasty)
    expect(first.published).toEqual([])
    expect(first.rejected).toHaveLength(6)
    expect(first.rejected[0]).toContain('not finished within 0.02 s')
    const rows = await database.query<{ domain: string; bytes: number }>('select domain, bytes from quarantine')
    expect(rows).toHaveLength(6)
    for (const { bytes } of rows) expect(bytes).toBeGreaterThan(0)
    const read = filesRead()
    expect(await sweep(hasty)).toMatchObject({ published: [], rejected: [] })
    expect(filesRead()).toBe(read)
  } finally {
    await hasty.close()
  }
  const pool = openPool({ threads: 1 })
  try {
    expect((await sweep(pool)).published).toEqual([])
    replaced = '-again'
    expect((await sweep(pool)).published).toHaveLength(3)
  } finally {
    await pool.close()
  }
})
