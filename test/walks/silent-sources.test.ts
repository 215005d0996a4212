import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lateSources } from '../../api/live/late-sources.ts'
import { openServiceStatus } from '../../api/live/service-status.ts'
import { measureLateness } from '../../api/live/status-metrics.ts'
import { lightningSources } from '../../infra/simulator/lightning.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { radarSiteSource } from '../../infra/simulator/radar-sites.ts'
import { frameDatasets } from '../../ingest/catalog.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { beginFrameSweep } from '../../sql/queries/frame-sweeps.ts'

const GOES_EAST = 'noaa-goes19.s3.amazonaws.com'
const GOES_WEST = 'noaa-goes18.s3.amazonaws.com'
const NEXRAD = 'unidata-nexrad-level3.s3.amazonaws.com'
/** Shortens the two attempts from ten seconds to two. */
const bounds = { listing: { attempts: 2, idleMs: 2000 } }

let now = Date.parse('2026-08-20T21:40:20Z')
let folder: string
let database: Database
let objects: Objects
let upstream: Upstream
let pool: Pool
let mirror: Mirror
let front: Server
/** Hosts that accept connections and never answer, with the number of requests that each received. */
const silent = new Map<string, number>()
const unanswered = new Set<ServerResponse>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexcast-silent-'))
  const config = { dataDir: folder, databasePool: 2, objects: { kind: 'folder', folder: join(folder, 'o') } } as const
  mirror = await startMirror({ sources: [radarSource(20), radarSiteSource, ...lightningSources], now: () => now })
  front = createServer((incoming, reply) => {
    const host = nth(incoming.url!.split('/'), 1)
    if (silent.has(host)) {
      silent.set(host, silent.get(host)! + 1)
      unanswered.add(reply)
      return
    }
    incoming.pipe(
      request(mirror.url + incoming.url, { method: incoming.method, headers: incoming.headers }, (answer) => {
        reply.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(reply)
      }),
    )
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  database = await openDatabase(config)
  objects = await openObjects(config)
  upstream = openUpstream({ mirror: `http://127.0.0.1:${(front.address() as AddressInfo).port}` })
  pool = openPool({ threads: 1 })
})

afterAll(async () => {
  await pool?.close()
  await upstream?.close()
  front?.closeAllConnections()
  front?.close()
  await mirror?.close()
  await objects?.close()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})

const sweep = (...ids: string[]) =>
  sweepFrames(
    { upstream, objects, database, pool },
    frameSources.filter(({ dataset }) => ids.includes(dataset.id)),
    now,
    bounds,
  )
const RADAR = 'mrms-precip-rate'
const DATASET_IDS = [RADAR, 'glm', 'storm-cells', 'nexrad-l3']
const status = async () => (await openServiceStatus({ database, clock: () => now, datasets: DATASET_IDS })())!
const statesOf = async (id: string) =>
  (await status()).datasets.filter(({ dataset_id }) => dataset_id === id).map(({ state }) => state)

test('the poll of any source ends soon if its host is silent, and the status names the host', async () => {
  for (const host of [GOES_EAST, GOES_WEST, NEXRAD]) silent.set(host, 0)
  const silentSweeps = Promise.all([sweep('glm'), sweep('storm-cells'), sweep('nexrad-l3')])
  const [first] = await sweep(RADAR)
  expect(first!.published).toHaveLength(3)
  for (const [sources] of await silentSweeps) {
    expect(sources!.published).toEqual([])
    expect(sources!.failures.join()).toContain('no bytes for')
  }
  // Only listings in progress count, out of some 900: at most 16 at once for a bucket, with two attempts each, in two
  // polls.
  expect(silent.get(NEXRAD)).toBeLessThanOrEqual(2 * 2 * 16)
  // The listings of two hours.
  expect(silent.get(GOES_EAST)).toBeLessThanOrEqual(4)
  expect(silent.get(GOES_WEST)).toBeLessThanOrEqual(4)
  expect(new Set(await statesOf(RADAR))).toEqual(new Set(['on_time']))
  for (const id of ['glm', 'storm-cells', 'nexrad-l3']) expect(new Set(await statesOf(id))).toEqual(new Set(['late']))
  const document = await status()
  const glm = document.datasets.find(({ dataset_id }) => dataset_id === 'glm')!
  for (const host of [GOES_EAST, GOES_WEST])
    expect(glm.last_failures[0]).toMatchObject({ run: null, detail: expect.stringContaining(host) })
  expect(glm.late_by_seconds).toBeGreaterThan(0)
  const notes = lateSources(document)
  expect(notes.find((note) => note.startsWith('nexrad-l3/conus: late'))).toContain(NEXRAD)
  expect(notes.join()).not.toContain(RADAR)
  const registry = new Registry()
  measureLateness(registry, status)
  const figures = await registry.metrics()
  expect(figures).toMatch(/hexcast_frame_late_seconds\{dataset="glm",domain="conus"\} [1-9]/)
  expect(figures).toMatch(/hexcast_frame_late_seconds\{dataset="mrms-precip-rate",domain="conus"\} 0/)
})

test('a satellite that does not answer delays the other by one listing, and is named although the other has frames', async () => {
  silent.clear()
  silent.set(GOES_EAST, 0)
  const [lightning] = await sweep('glm')
  expect(lightning).toMatchObject({ rejected: [], published: expect.arrayContaining([expect.anything()]) })
  expect(silent.get(GOES_EAST)).toBeLessThanOrEqual(4)
  expect(new Set(await statesOf('glm'))).toEqual(new Set(['late']))
  silent.clear()
  for (const reply of unanswered) reply.destroy()
  now += 20_000
  await sweep('glm')
  expect(new Set(await statesOf('glm'))).toEqual(new Set(['on_time']))
})

test('a source that is silent after a start is late even before its last frame is old', async () => {
  silent.set('noaa-mrms-pds.s3.amazonaws.com', 0)
  now += MINUTE
  const [radar] = await sweep(RADAR)
  expect(radar!.published).toEqual([])
  expect(new Set(await statesOf(RADAR))).toEqual(new Set(['late']))
  silent.clear()
  now += MINUTE
  expect((await sweep(RADAR))[0]?.published.length).toBeGreaterThan(0)
  expect(new Set(await statesOf(RADAR))).toEqual(new Set(['on_time']))
})

test('frames are stale from the age limit of their product onward', async () => {
  const { staleAfterSeconds } = frameDatasets.find(({ id }) => id === RADAR)!
  now += (staleAfterSeconds + 240) * 1000
  expect(new Set(await statesOf(RADAR))).toEqual(new Set(['stale']))
  expect(lateSources(await status()).filter((note) => note.startsWith(`${RADAR}/`))).toHaveLength(3)
  await sweep(RADAR)
  expect(new Set(await statesOf(RADAR))).toEqual(new Set(['on_time']))
})

test('a poll that does not end is named, even if another attempt has begun', async () => {
  await beginFrameSweep(database, [RADAR])
  expect(new Set(await statesOf(RADAR))).toEqual(new Set(['on_time']))
  const older =
    "began_at = clock_timestamp() - interval '6 minutes', ended_at = clock_timestamp() - interval '7 minutes'"
  await database.query(`update frame_sweep set ${older} where dataset = $1`, [RADAR])
  await beginFrameSweep(database, [RADAR])
  expect(new Set(await statesOf(RADAR))).toEqual(new Set(['late']))
  expect(lateSources(await status()).join()).toContain('the search for new frames has run for')
  await sweep(RADAR)
  expect(new Set(await statesOf(RADAR))).toEqual(new Set(['on_time']))
})

test('a poll ends at its time limit and reports it', async () => {
  silent.set('noaa-mrms-pds.s3.amazonaws.com', 0)
  const ports = { upstream, objects, database, pool }
  const datasets = frameSources.filter(({ dataset }) => dataset.id === RADAR)
  const slow = { attempts: 4, idleMs: 600_000 }
  const [radar] = await sweepFrames(ports, datasets, now, { limitMs: 300, listing: slow, object: slow })
  expect(radar!.failures.join()).toContain('not finished within 0.3 s')
  silent.clear()
  await sweep(RADAR)
})
