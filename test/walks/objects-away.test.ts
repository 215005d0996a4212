import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstKey } from '../../api/keys/issue.ts'
import { type RunningApi, startApi } from '../../api/main.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { loadConfig } from '../../ingest/config.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { floorTo, HOUR } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'

/**
 * An API whose object store is permanently unavailable: its address refuses connections, or accepts them and never
 * answers.
 */
let folder: string
let database: Database
let events: Events
let stored: Objects
const away: Objects[] = []
let inUse: Objects
let api: RunningApi
let key: string
let silent: Server
const sockets = new Set<Socket>()

/** The store that is in use at each call. */
const objects: Objects = {
  put: (...args) => inUse.put(...args),
  putFile: (...args) => inUse.putFile(...args),
  get: (key) => inUse.get(key),
  range: (...args) => inUse.range(...args),
  size: (key) => inUse.size(key),
  list: (prefix) => inUse.list(prefix),
  remove: (key) => inUse.remove(key),
  close: async () => {},
}
const placeAt = (port: number) =>
  loadConfig({
    OBJECTS_URL: 's3://bucket/prefix',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    OBJECTS_CACHE_MB: '0',
  }).objects

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-away-'))
  const config = loadConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', H3_RESOLUTION: '4' })
  const now = Date.now()
  const mirror = await startMirror({ sources: modelSources(60), now: () => now })
  const upstream = openUpstream({ mirror: mirror.url })
  const pool = openPool({ threads: 1 })
  database = await openDatabase(config)
  stored = inUse = await openObjects(config)
  const ports = { upstream, objects: stored, slabs: stored, database, pool, resolution: 4, cacheDir: join(folder, 'c') }
  await takeRun(ports, hrrr, { domains: ['conus'], run: floorTo(now, HOUR) - 3 * HOUR }, () => now)
  await pool.close()
  await upstream.close()
  await mirror.close()
  silent = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const refusing = createServer()
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
  const port = (refusing.address() as AddressInfo).port
  await new Promise((resolve) => refusing.close(resolve))
  const addresses = [port, (silent.address() as AddressInfo).port]
  for (const at of addresses) away.push(await openObjects({ objects: placeAt(at) }))
  events = await openEvents(config, database)
  // The kind of the store determines its time limits.
  api = await startApi({ ...config, objects: placeAt(port) }, { database, events, objects })
  key = (await firstKey(database)) as unknown as string
}, 60_000)
afterAll(async () => {
  await api?.close()
  await events?.close()
  for (const socket of sockets) socket.destroy()
  for (const store of [stored, ...away]) await store?.close()
  silent?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (path: string) =>
  fetch(`http://127.0.0.1:${api.port}${path}`, { headers: { authorization: `Bearer ${key}` } })
/** Cities that are far apart, so that each needs a separate object; each is requested once. */
const places = ['39.74,-104.99', '33.75,-84.39', '47.61,-122.33']
async function weatherAt(place: string) {
  const [lat, lon] = place.split(',')
  const response = await get(`/v1/weather?lat=${lat}&lon=${lon}&include=hourly`)
  const body = (await response.json()) as {
    hourly?: { temperature: number | null }[]
    meta?: { warnings: { code: string; section: string }[] }
  }
  const warned = (body.meta?.warnings ?? []).some(
    ({ code, section }) => code === 'source_failed' && section === 'hourly',
  )
  const hours = body.hourly?.filter(({ temperature }) => temperature !== null).length ?? 0
  const isWhole = hours > 10 && !warned
  const cache = response.headers.get('cache-control')
  return { status: response.status, hours, isWhole, warned, cache }
}
const readiness = async () => {
  const response = await get('/readyz')
  return [response.status, (await response.json()) as { status: string; engines: { objects: string } }] as const
}

test('answers are marked or refused while the store is unavailable, the process stays ready, and recovers without a restart', async () => {
  const complete = { status: 200, isWhole: true }
  expect(await weatherAt(nth(places, 0))).toMatchObject(complete)
  expect(await readiness()).toMatchObject([200, { status: 'ok', engines: { objects: 'ok' } }])

  for (const [turn, store] of away.entries()) {
    inUse = store
    // Answers from memory continue, however long the store is unavailable.
    expect(await weatherAt(nth(places, 0))).toMatchObject(complete)
    const place = nth(places, 1 + turn)
    for (const cold of await Promise.all([place, place, place].map(weatherAt))) {
      // An answer without its source must not look complete, and must not be cached.
      expect(cold).toMatchObject(
        cold.status === 200 ? { hours: 0, warned: true, cache: 'no-store' } : { status: 503, isWhole: false },
      )
    }
    // The result of the probe is cached for a second.
    await expect
      .poll(readiness, { timeout: 10_000, interval: 200 })
      .toMatchObject([200, { status: 'degraded', engines: { objects: 'down', database: 'ok' } }])
    expect((await get('/healthz')).status).toBe(200)
    inUse = stored
    // A server that restarts resets its previous connections, which ends a read that waits on one of them.
    if (turn === 1) silent.close()
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => weatherAt(place), { timeout: 30_000, interval: 200 }).toMatchObject(complete)
    await expect.poll(readiness, { timeout: 10_000, interval: 200 }).toMatchObject([200, { status: 'ok' }])
  }
}, 120_000)
