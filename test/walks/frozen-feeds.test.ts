import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { watchOutlooks } from '../../api/live/outlooks.ts'
import { startSimulator } from '../../infra/simulator/main.ts'
import { outlookFiles } from '../../ingest/catalog.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { textListName, textLists, textListUrl } from '../../ingest/domain/text/product.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { feedState, markConfirmed, oldCopyOf } from '../../sql/queries/feeds.ts'
import { secondSources } from '../../sql/queries/second-sources.ts'

/** Feeds behind a cache that keeps serving an old copy (header Age): each counts as confirmed at the time of the copy. */
let folder: string
let simulator: Awaited<ReturnType<typeof startSimulator>>
let database: Database
let objects: Objects
let upstream: Upstream
/** Age header of every answer, s. */
let ageSeconds: number | undefined
const aged: string[] = []
/** A list of texts that is empty, so that no texts are read. */
const EMPTY_LIST = 'https://api.weather.gov/products/types/ZZZ'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-frozen-feeds-'))
  simulator = await startSimulator({ coarse: 60 })
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  objects = await openFolder(join(folder, 'objects'))
  upstream = openUpstream({ mirror: simulator.url })
  // Past reports are not read.
  await markConfirmed(database, 'metar/cycles', {
    suspicious: false,
    rejected: {},
    updated: new Date(Date.now() + HOUR),
  })
}, 60_000)
afterAll(async () => {
  await upstream?.close()
  await objects?.close()
  await database?.close()
  await simulator?.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  ageSeconds = undefined
  aged.length = 0
  simulator.misbehaviours.length = 0
})

const sweep = async (feed: string) => {
  const get: Upstream['get'] = async (url, options) => {
    const reply = await upstream.get(textLists.map(textListUrl).includes(url) ? EMPTY_LIST : url, options)
    if (ageSeconds === undefined) return reply
    if (options?.noCache) aged.push(url)
    return { ...reply, ageSeconds }
  }
  await sweepFeed({ database, objects, upstream: { ...upstream, get }, clock: Date.now }, feed)
}
const ageOf = async (state: string) =>
  Math.round((Date.now() - (await feedState(database, state))!.confirmed_at!.getTime()) / MINUTE)

const [{ product } = { product: '' }] = outlookFiles
test.each([
  { feed: 'spc-outlooks', state: `spc/${product}`, kind: 'outlooks' },
  { feed: 'climate-reports', state: 'climate-reports', kind: 'climate reports' },
  { feed: 'airnow', state: 'airnow', kind: 'hourly air quality' },
  { feed: 'airnow', state: 'airnow/areas', kind: 'air quality forecasts' },
  { feed: 'metar', state: 'metar', kind: 'METARs' },
  { feed: 'nws-texts', state: textListName(nth(textLists, 0)), kind: 'texts' },
])('$kind count as confirmed at the time of an old copy, whether it is new to us or not', async ({ feed, state }) => {
  ageSeconds = 1800
  await sweep(feed)
  expect(await ageOf(state)).toBe(30)
  expect(aged.length, 'asks caches for a current copy').toBeGreaterThan(0)
  await sweep(feed)
  expect(await ageOf(state)).toBe(30)
  ageSeconds = 60
  await sweep(feed)
  expect(await ageOf(state)).toBe(0)
})

test('answers report that outlooks come from an old copy', async () => {
  const state = `spc/${product}`
  const outlooks = await watchOutlooks({ database, clock: Date.now })
  const codes = async () => {
    await outlooks.read()
    return outlooks.warnings(Date.now()).filter(({ code }) => code === 'stale_source')
  }
  await sweep('spc-outlooks')
  expect(await codes()).toEqual([])
  ageSeconds = 1800
  await sweep('spc-outlooks')
  expect(await codes()).toMatchObject([{ detail: expect.stringMatching(/a cache serves old copies/) }])
  expect(oldCopyOf((await feedState(database, state))!)?.why).toMatch(/frozen copy/)
  ageSeconds = undefined
  await sweep('spc-outlooks')
  expect(await codes()).toEqual([])
  await outlooks.close()
})

test('an old copy of a running hour of METARs does not replace the cache', async () => {
  simulator.misbehaviours.push({ path: 'metars.cache', how: '503' })
  ageSeconds = 3 * (HOUR / 1000)
  await expect(sweep('metar')).rejects.toThrow()
  expect(await secondSources(database)).toEqual([])
  ageSeconds = undefined
  await expect(sweep('metar')).rejects.toThrow()
  expect(await secondSources(database)).toMatchObject([{ dataset: 'metar' }])
})
