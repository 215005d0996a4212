import { randomBytes } from 'node:crypto'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { watchCurrent } from '../../api/live/served-runs.ts'
import { runVerb } from '../../bin/command-line.ts'
import { exportVerb } from '../../bin/verbs/export.ts'
import { loadConfig, type S3Place } from '../../ingest/config.ts'
import { HOUR, runName } from '../../ingest/domain/time.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { type EdgeServer, edgeServer } from '../api/http/test-server.ts'
import { coverAround, storeRun } from '../api/past-store.ts'

const run = Math.floor(Date.now() / HOUR) * HOUR
let edge: EdgeServer
let bucket: Objects
let place: S3Place

beforeAll(async () => {
  const { prefix, ...objects } = loadConfig().objects as S3Place
  place = { ...objects, cache: undefined, prefix: `${prefix}/export-${randomBytes(4).toString('hex')}` }
  bucket = await openObjects({ objects: place })
  edge = await edgeServer({}, undefined, (ports) => watchCurrent({ ...ports, clock: Date.now }))
  const pool = openPool({ threads: 1 })
  const stores = { database: edge.database, objects: edge.objects, pool }
  await storeRun(stores, coverAround([[39.74, -104.99]]), 'nbm', run, { temperature: { 0: 280, 1: 281 } })
  await pool.close()
})
afterAll(async () => {
  await edge.close()
  await bucket.close()
})

test('writes the same objects to a bucket when an export is repeated', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const key = await edge.key()
  const stored = async () => {
    const objects = new Map<string, Buffer>()
    for await (const { key } of bucket.list('')) objects.set(key, Buffer.from(await bucket.get(key)))
    return objects
  }
  const words = ['--cells=39.74,-104.99', '--dataset=nbm', '--variables=temperature', '--hours=2']
  const places = [`--to=s3://${place.bucket}/${place.prefix}`, `--url=${edge.base}`, `--key=${key}`]
  await vi.waitFor(async () => expect(await runVerb(exportVerb, [...words, ...places])).toBe(0), { timeout: 30_000 })
  const first = await stored()
  expect([...first.keys()]).toEqual([expect.stringContaining(`dataset=nbm/domain=conus/run=${runName(run)}/`)])
  const [bytes = Buffer.alloc(0)] = first.values()
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
  expect(rows.map(({ temperature }) => temperature)).toEqual([6.9, 7.9])
  expect(await runVerb(exportVerb, [...words, ...places])).toBe(0)
  expect(await stored()).toEqual(first)
})
