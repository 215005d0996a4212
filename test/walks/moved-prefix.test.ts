import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lateSources } from '../../api/live/late-sources.ts'
import { type DatasetStatus, openServiceStatus } from '../../api/live/service-status.ts'
import { measureLateness } from '../../api/live/status-metrics.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { stormSource } from '../../infra/simulator/probsevere.ts'
import { frameDatasets, gridDatasets } from '../../ingest/catalog.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { newRuns } from '../../ingest/steps/grid/new-runs.ts'
import { latenessCheck, type WatchedDatasets } from '../../ingest/steps/lateness.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'

/** Sources whose keys have moved: the bucket answers, but lists nothing under the requested prefix. */
let now = Date.parse('2026-08-20T21:40:20Z')
let folder: string
let database: Database
let objects: Objects
let upstream: Upstream
let pool: Pool
let mirror: Mirror

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexcast-moved-'))
  const config = { dataDir: folder, databasePool: 2, objects: { kind: 'folder', folder: join(folder, 'o') } } as const
  mirror = await startMirror({ sources: [stormSource, ...modelSources(60)], now: () => now })
  database = await openDatabase(config)
  objects = await openObjects(config)
  upstream = openUpstream({ mirror: mirror.url })
  pool = openPool({ threads: 1 })
})
afterAll(async () => {
  await pool?.close()
  await upstream?.close()
  await mirror?.close()
  await objects?.close()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})

const WATCHED_IDS = ['storm-tracks', 'rtma', 'metar']
const watched: WatchedDatasets = {
  grids: gridDatasets.filter(({ id }) => WATCHED_IDS.includes(id)),
  frames: frameDatasets.filter(({ id }) => WATCHED_IDS.includes(id)),
  feeds: [{ id: 'metar', stateKey: 'metar', staleAfterSeconds: 5400 }],
}
const status = async () => (await openServiceStatus({ database, clock: () => now, datasets: WATCHED_IDS })())!
const datasetState = async (id: string, domain: string | null = 'conus'): Promise<DatasetStatus> => {
  const entry = (await status()).datasets.find((row) => row.dataset_id === id && row.domain === domain)
  if (!entry) throw new Error(`the status has no ${id}`)
  return entry
}

/** Polls both sources and checks for lateness, like a worker. */
async function poll(): Promise<void> {
  const ports = { upstream, objects, database, pool, slabs: objects, resolution: 5 }
  const sources = frameSources.filter(({ dataset }) => dataset.id === 'storm-tracks')
  await sweepFrames(ports, sources, now)
  for (const dataset of watched.grids) expect(await newRuns(ports, dataset, now)).toEqual([])
  await latenessCheck(database, watched)(now)
}

test('names the prefix of sources that have had no key since the start', async () => {
  mirror.misbehaviours.push(
    { path: 'ProbSevere/', how: 'late' },
    { path: 'rtma2p5.', how: 'late' },
    { path: 'akrtma', how: 'late' },
    { path: 'hirtma', how: 'late' },
  )
  await poll()
  for (const id of ['storm-tracks', 'rtma'])
    expect(await datasetState(id)).toMatchObject({ state: 'nothing_stored', silent_since: null })
  const startedAt = new Date(now - (now % MINUTE)).toISOString().replace('.000', '')
  now += 3 * HOUR
  await poll()
  for (const [id, prefix] of [
    ['storm-tracks', /noaa-mrms-pds lists no key of storm-tracks\/conus under ProbSevere\/20260821\/MRMS_PROBSEVERE_/],
    ['rtma', /noaa-rtma-pds lists no key of rtma\/conus under rtma2p5\.2026082\d\//],
  ] as const) {
    const state = await datasetState(id)
    expect(state).toMatchObject({ state: 'late', run: null, silent_since: startedAt })
    expect(state.late_by_seconds).toBeGreaterThanOrEqual(3 * 3600)
    expect(state.last_failures[0]).toMatchObject({ run: null, detail: expect.stringMatching(prefix) })
  }
  expect((await status()).status).toBe('outage')
  const notes = lateSources(await status())
  expect(notes.filter((note) => note.startsWith('rtma/'))).toHaveLength(3)
  expect(notes.find((note) => note.startsWith('storm-tracks/conus: late: '))).toContain('ProbSevere/')
})

test('names a feed that no read has confirmed since the start', async () => {
  const metar = await datasetState('metar', null)
  expect(metar).toMatchObject({ state: 'late', run: null, silent_since: expect.stringMatching(/^2026-08-20T21:40/) })
  expect(lateSources(await status())).toContain('metar: late')
})

test('exports the age of listings without new keys by prefix without its date', async () => {
  const registry = new Registry()
  measureLateness(registry, status)
  const figures = await registry.metrics()
  expect(figures).toMatch(
    /hexcast_source_silent_seconds\{dataset="storm-tracks",domain="conus",prefix="noaa-mrms-pds\/ProbSevere\/"\} [1-9]/,
  )
  expect(figures).toMatch(
    /hexcast_source_silent_seconds\{dataset="rtma",domain="alaska",prefix="noaa-rtma-pds\/akrtma\."\} [1-9]/,
  )
  expect(figures).not.toContain('dataset="nbm"')
})

test('ends with the first key under the prefix, and begins again when the newest key is too old', async () => {
  mirror.misbehaviours.length = 0
  const sources = frameSources.filter(({ dataset }) => dataset.id === 'storm-tracks')
  await sweepFrames({ upstream, objects, database, pool }, sources, now)
  expect(await datasetState('storm-tracks')).toMatchObject({ state: 'on_time', silent_since: null })
  mirror.misbehaviours.push({ path: 'ProbSevere/', how: 'late' })
  now += 20 * MINUTE
  await sweepFrames({ upstream, objects, database, pool }, sources, now)
  const state = await datasetState('storm-tracks')
  expect(state).toMatchObject({ state: 'stale', silent_since: expect.any(String) })
  expect(state.last_failures[0]?.detail).toMatch(
    /lists no new key of storm-tracks.*ProbSevere.*the newest listed key is of 2026-08-21T00:3/,
  )
})
