import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AlertWatch, watchAlerts } from '../../api/live/alert-watch.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { readConditionally } from '../../ingest/steps/feeds/conditional-read.ts'
import { feedState, markConfirmed, oldCopyOf } from '../../sql/queries/feeds.ts'
import { startMirror } from './mirror.ts'

/** Alerts behind a cache that keeps serving the same copy, which would hide every new warning. */
let folder: string
let database: Database
let mirror: Awaited<ReturnType<typeof startMirror>>
let upstream: Upstream
let watch: AlertWatch

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-frozen-'))
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
  mirror = await startMirror()
  upstream = openUpstream({ mirror: mirror.url })
  watch = await watchAlerts({ database, clock: Date.now, pollSeconds: 30 })
})
afterEach(async () => {
  await watch.close()
  await upstream.close()
  await mirror.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const FEED = 'api.weather.gov/alerts/active'
const ATOM = 'api.weather.gov/alerts/active.atom'
const feedOf = (updated: number) =>
  JSON.stringify({ type: 'FeatureCollection', title: 'alerts', updated: new Date(updated).toISOString(), features: [] })
const indexOf = (updated: number) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><id>https://${ATOM}</id><updated>${new Date(updated).toISOString()}</updated></feed>`

const sweep = (at: number, second?: string) =>
  sweepAlerts({ database, upstream, ...(second && { secondSources: { alerts: [second] } }) } as never, at)
async function doubt() {
  await watch.read()
  return watch.trust(Date.now()).doubt
}
const minutesAgo = (date: Date | null | undefined) => Math.round((Date.now() - date!.getTime()) / MINUTE)

test('a feed that answers 304 for 15 minutes counts as confirmed at its own time, and answers report it', async () => {
  const now = Date.now()
  mirror.set(FEED, { body: feedOf(now - 15 * MINUTE), etag: '"a"' })
  await sweep(now - 15 * MINUTE)
  await sweep(now - 6 * MINUTE)
  expect(await doubt()).toBeUndefined()
  expect((await sweep(now)).state).toBe('unchanged')
  expect(minutesAgo((await feedState(database, 'alerts'))?.confirmed_at)).toBe(15)
  expect(await doubt()).toMatchObject({ code: 'stale_source' })
  // The next current copy ends the warning.
  mirror.set(FEED, { body: feedOf(now), etag: '"b"' })
  await sweep(now)
  expect(await doubt()).toBeUndefined()
})

test('an unchanged body without an ETag and an old first body also count as frozen', async () => {
  const now = Date.now()
  mirror.set(FEED, feedOf(now - 13 * MINUTE))
  await sweep(now)
  expect(await doubt()).toMatchObject({ code: 'stale_source' })
  await sweep(now)
  expect(minutesAgo((await feedState(database, 'alerts'))?.confirmed_at)).toBe(13)
  expect(await doubt()).toMatchObject({ code: 'stale_source' })
})

test('a copy with an Age header above ten minutes counts as frozen, whatever its body says', async () => {
  const now = Date.now()
  mirror.set(FEED, { body: feedOf(now), ageSeconds: 900 })
  await sweep(now)
  expect(minutesAgo((await feedState(database, 'alerts'))?.confirmed_at)).toBe(15)
  expect(await doubt()).toMatchObject({ code: 'stale_source' })
  // The read did not fail, so only its state has the reason.
  const state = await feedState(database, 'alerts')
  expect(state?.failure).toBeNull()
  expect(oldCopyOf(state!)?.why).toMatch(/a cache serves a frozen copy: the last answer is a copy from 20/)
  mirror.set(FEED, feedOf(now))
  await sweep(now)
  expect(oldCopyOf((await feedState(database, 'alerts'))!)).toBeUndefined()
})

test('an index with an Age header above ten minutes does not replace a frozen feed', async () => {
  const now = Date.now()
  mirror.set(FEED, { body: feedOf(now), ageSeconds: 900 })
  mirror.set(ATOM, { body: indexOf(now), ageSeconds: 900 })
  await sweep(now, `https://${ATOM}`)
  expect(minutesAgo((await feedState(database, 'alerts'))?.confirmed_at)).toBe(15)
  expect(await doubt()).toMatchObject({ code: 'stale_source' })
})

test('the second source replaces a frozen feed, unless it is frozen too', async () => {
  const now = Date.now()
  mirror.set(FEED, feedOf(now - 13 * MINUTE))
  mirror.set(ATOM, indexOf(now - 13 * MINUTE))
  await sweep(now, `https://${ATOM}`)
  expect(await doubt()).toMatchObject({ code: 'stale_source' })
  mirror.set(ATOM, indexOf(now))
  expect((await sweep(now, `https://${ATOM}`)).why).toMatch(
    /the copy must be from the last 12 minutes.*read from the second source/,
  )
  expect(await doubt()).toMatchObject({ code: 'source_fallback' })
  // The frozen copy is now older than the last read copy.
  mirror.set(ATOM, indexOf(now - 13 * MINUTE))
  await sweep(now, `https://${ATOM}`)
  expect(await doubt()).toMatchObject({ code: 'feed_unconfirmed' })
})

test('another feed counts as confirmed at the time at which a cache received its copy', async () => {
  const url = 'https://www.example.gov/list.json'
  mirror.set('www.example.gov/list.json', { body: '[]', etag: '"c"', ageSeconds: 1200 })
  const ports = { database, upstream }
  const read = await readConditionally(ports, 'list', url)
  if (read.state !== 'read') throw new Error('the first read failed')
  await markConfirmed(database, 'list', { ...read.validators, suspicious: false, rejected: {} })
  expect(minutesAgo((await feedState(database, 'list'))?.confirmed_at)).toBe(20)
  expect((await readConditionally(ports, 'list', url)).state).toBe('unchanged')
  expect(minutesAgo((await feedState(database, 'list'))?.confirmed_at)).toBe(20)
})
