import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { watchAlerts } from '../../api/live/alert-watch.ts'
import { alertsAt } from '../../api/live/alerts.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { metarSources } from '../../infra/simulator/feeds/metar.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { loadConfig } from '../../ingest/config.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { METAR_CYCLES } from '../../ingest/datasets/metar.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { recordBuckets } from '../../ingest/steps/grid/bucket-sources.ts'
import type { RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { planRun } from '../../ingest/steps/grid/plan.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { feedState, markConfirmed, usesSecondSource } from '../../sql/queries/feeds.ts'
import { pointerOf, runOf } from '../../sql/queries/runs.ts'
import { secondSources } from '../../sql/queries/second-sources.ts'

const AWS = 'noaa-hrrr-bdp-pds.s3.amazonaws.com'
const COPY = 'storage.googleapis.com/high-resolution-rapid-refresh'
const INDEX = 'https://api.weather.gov/alerts/active.atom'
const MAP = 'https://mapservices.weather.noaa.gov/eventdriven/rest/services/WWA/watch_warn_adv/MapServer'
const folder = mkdtempSync(join(tmpdir(), 'hexcast-second-'))
/** A fixed time, because the simulated weather depends on it. */
let now = Date.UTC(2026, 7, 20, 18)
const clock = () => now
let mirror: Mirror
let database: Database
let objects: Objects
let pool: Pool
let upstream: Upstream

/** Serves the same keys from another store with different ETags. */
const copied = (source: SimulatedHost): SimulatedHost => ({
  host: COPY,
  *list(prefix, at) {
    for (const object of source.list?.(prefix, at) ?? []) yield { ...object, etag: `"copy-${object.etag.slice(1)}` }
  },
  async find(path, query, at) {
    const document = await source.find(path, query, at)
    return document && { ...document, etag: `"copy-${document.etag.slice(1)}` }
  },
})

/** Delay of the alert feed and the METAR cache, ms; their second sources have no delay. */
const lag = { alerts: 0, metar: 0 }
const lagging = [alertFeed(), ...metarSources].map(
  (source): SimulatedHost => ({
    ...source,
    find(path, query, at) {
      const behind = path === '/alerts/active' ? lag.alerts : path.includes('metars.cache') ? lag.metar : 0
      return source.find(path, query, at - behind)
    },
  }),
)

beforeAll(async () => {
  const model = modelSources(24).find(({ host }) => host === AWS)!
  mirror = await startMirror({ sources: [model, copied(model), ...lagging], now: clock })
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  objects = await openFolder(join(folder, 'objects'))
  pool = openPool({ threads: 1 })
}, 60_000)
afterAll(async () => {
  await pool.close()
  await database.close()
  await objects.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  mirror.misbehaviours.length = 0
  mirror.log.length = 0
  upstream = openUpstream({
    mirror: mirror.url,
    clock,
    sleep: async () => {},
    bucketMirrors: { [`https://${AWS}`]: [`https://${COPY}`] },
  })
  return () => upstream.close()
})

describe('alerts from their index while the feed fails', () => {
  const second = () => ({ alerts: [INDEX] })
  const sweep = () => sweepAlerts({ database, upstream, secondSources: second() }, now)
  const answeredIds = async () =>
    (await database.query<{ id: string }>('select id from alert where shown is not null order by id')).map(
      ({ id }) => id,
    )
  /** Returns the ids in the feed now. */
  const expected = async () => {
    const reply = await fetch(`${mirror.url}/api.weather.gov/alerts/active`)
    const { features } = (await reply.json()) as { features: { properties: { id: string } }[] }
    return new Set(features.map(({ properties }) => properties.id))
  }
  const changed: string[] = []

  test.each(['503', 'html', 'empty', 'redirect', 'forbidden', 'truncate'] as const)(
    'no alert is lost or doubled when the feed is %s and recovers',
    async (how) => {
      await sweep()
      const before = await answeredIds()
      expect(before.length).toBeGreaterThan(0)
      mirror.misbehaviours.push({ path: /\/alerts\/active$/, how })
      const same = await sweep()
      // The remaining alerts arrive only with a new feed document: this document is confirmed by its ETag.
      expect(usesSecondSource((await feedState(database, 'alerts'))!)).toBe(Boolean(same.why))
      expect([same.changes, await answeredIds()]).toEqual([[], before])
      now += 17 * MINUTE
      const later = await sweep()
      const swept = await sweep()
      expect(swept.state, swept.why).not.toBe('failed')
      expect(usesSecondSource((await feedState(database, 'alerts'))!)).toBe(true)
      expect(await secondSources(database)).toMatchObject([{ dataset: 'nws-alerts', source: 'api.weather.gov' }])
      changed.push(...later.changes.map(({ change }) => change))
      const all = await (async () => {
        mirror.misbehaviours.length = 0
        return expected()
      })()
      const stored = await database.query<{ id: string }>('select id from alert')
      for (const id of all) expect(stored.map((row) => row.id)).toContain(id)
      for (const id of await answeredIds()) expect(all).toContain(id)
      const back = await sweep()
      expect(back.changes, 'the feed has the same').toEqual([])
      expect(usesSecondSource((await feedState(database, 'alerts'))!)).toBe(false)
      expect(await secondSources(database)).toEqual([])
    },
    30_000,
  )

  test('a feed that does not answer, and a copy from half an hour ago', async () => {
    await sweep()
    mirror.misbehaviours.push({ path: /\/alerts\/active$/, how: 'slow', seconds: 7, times: 1 })
    now += 17 * MINUTE
    expect((await sweep()).why).toMatch(/no bytes for 5000 ms.*alerts are read from the second source/)
    lag.alerts = 30 * MINUTE
    const stale = await sweep()
    expect(stale.why).toMatch(/must be newer than the copy from .*alerts are read from the second source/)
    lag.alerts = 0
    const back = await sweep()
    expect([back.changes, back.why]).toEqual([[], undefined])
    expect(await secondSources(database)).toEqual([])
  })

  test('readers see the failure until the second source has answered', async () => {
    await sweep()
    mirror.misbehaviours.push({ path: /\/alerts\/active$/, how: '503' })
    mirror.misbehaviours.push({ path: 'active.atom', how: 'slow', seconds: 5 })
    let ended = false
    const swept = sweep().finally(() => {
      ended = true
    })
    await expect.poll(async () => (await feedState(database, 'alerts'))?.failure, { timeout: 4000 }).toContain('503')
    expect(ended).toBe(false)
    mirror.misbehaviours.push({ path: 'active.atom', how: 'forbidden' })
    await swept
    expect((await feedState(database, 'alerts'))?.failures).toBe(1)
  })

  test('answers name the second source, and are neither stale nor degraded by it', async () => {
    const watch = await watchAlerts({ database, clock: Date.now, pollSeconds: 30 })
    const supplier = alertsAt(watch)
    const at = () =>
      supplier({ lat: 39.74, lon: -104.99, now: Date.now(), cell: cellOf(39.74, -104.99, 7), domain: 'conus' } as never)
    mirror.misbehaviours.push({ path: /\/alerts\/active$/, how: '503' })
    await sweep()
    await watch.read()
    const second = await at()
    expect(second.warnings?.map(({ code }) => code)).toContain('source_fallback')
    expect(second.degraded).toBe(false)
    mirror.misbehaviours.push({ path: 'active.atom', how: '503' })
    await sweep()
    await watch.read()
    expect((await at()).degraded).toBe(true)
    expect(watch.trust(Date.now()).doubt?.code).toBe('feed_unconfirmed')
    mirror.misbehaviours.length = 0
    await sweep()
    await watch.read()
    expect(watch.trust(Date.now()).doubt).toBeUndefined()
    await watch.close()
  })

  test('the walk contained alerts that began and ended by the index', () => {
    expect(changed).toContain('issued')
    expect(changed.some((change) => change === 'expired' || change === 'cancelled')).toBe(true)
  })

  test('a feed and an index that do not answer are a failure, and unreadable documents do not confirm a read', async () => {
    await sweep()
    const before = await answeredIds()
    mirror.misbehaviours.push({ path: '/alerts/active', how: '503' })
    const failed = await sweep()
    expect(failed.state).toBe('failed')
    expect(failed.why).toMatch(/second source/)
    expect(await answeredIds()).toEqual(before)
    expect(usesSecondSource((await feedState(database, 'alerts'))!)).toBe(false)
    now += 40 * MINUTE
    mirror.misbehaviours.splice(0, 1, { path: /\/alerts\/(?:active$|urn)/, how: '503' })
    const expectedIds = await expected().catch(() => new Set<string>())
    expect(expectedIds.size).toBe(0)
    const partly = await sweep()
    expect(partly.state, partly.why).toBe('failed')
    expect(partly.why).toMatch(/alerts of the second source remain to be read/)
    expect(partly.changes.filter(({ change }) => change === 'cancelled')).toEqual([])
    mirror.misbehaviours.length = 0
    expect((await sweep()).state).toBe('changed')
  })
})

describe('METARs from the cycles while the cache fails', () => {
  const sweep = () => sweepFeed({ database, upstream, objects, clock, secondSources: { metar: METAR_CYCLES } }, 'metar')
  const counted = async () =>
    nth(
      await database.query<{ n: number; d: number }>(
        'select count(*)::int as n, count(distinct (station, observed_at))::int as d from observation',
      ),
      0,
    )

  test('reports continue, answers name the source in use, and the first source returns after the failure', async () => {
    // Missing reports are not invented.
    await markConfirmed(database, 'metar/cycles', { suspicious: false, rejected: {}, updated: new Date(now + HOUR) })
    await sweep()
    const first = await counted()
    for (const how of ['503', 'redirect'] as const) {
      mirror.misbehaviours.splice(0, 1, { path: 'metars.cache', how })
      now += 30 * MINUTE
      await expect(sweep()).rejects.toThrow()
      expect(await secondSources(database)).toMatchObject([{ dataset: 'metar', source: 'tgftp.nws.noaa.gov' }])
    }
    mirror.misbehaviours.length = 0
    lag.metar = 3 * HOUR
    now += 10 * MINUTE
    await sweep()
    expect(await secondSources(database)).toMatchObject([{ dataset: 'metar', reason: expect.stringMatching(/newest/) }])
    lag.metar = 0
    const after = await counted()
    expect(after.n).toBeGreaterThan(first.n)
    expect(after.d).toBe(after.n)
    await sweep()
    expect(await secondSources(database)).toEqual([])
    const last = await counted()
    expect(last.d).toBe(last.n)
  }, 60_000)
})

describe('a bucket of model runs from its copy', () => {
  const ports = (): RunPorts => ({
    ...{ upstream, objects, slabs: objects, database, pool, resolution: 4 },
    cacheDir: join(folder, 'cache'),
  })
  /** Counts of file requests by address, and of listings. */
  const requestsTo = (host: string) =>
    mirror.log.filter((line) => line.includes(`/${host}/`) && / 20[06] /.test(line)).length
  const take = async (ago: number) => {
    const run = Math.floor(now / HOUR) * HOUR - ago * HOUR
    await takeRun(ports(), hrrr, { domains: ['conus'], run }, clock)
    return run
  }
  const published = async (run: number) => {
    const pointer = await pointerOf(database, 'hrrr', 'conus')
    expect(pointer!.run.getTime()).toBe(run)
    const row = await runOf(database, pointer!)
    const manifest = await objects.get(pointer!.manifest_key.replace(/[^/]+$/, 'sources'))
    const urls = new Set(new TextDecoder().decode(manifest).match(/https:\/\/[^/"]+\/(?:high[^/"]+\/)?/g))
    return { leads: row!.leads!.length, got: row!.got, urls: [...urls] }
  }

  test('uses the copy for refused listings, refused objects and late files, then the first bucket again', async () => {
    const fromFirst = await published(await take(7))
    expect(fromFirst).toMatchObject({ leads: 19, urls: [`https://${AWS}/`] })
    expect(requestsTo(COPY)).toBe(0)

    mirror.misbehaviours.push({ path: `/${AWS}/`, how: '503' })
    const copy = await published(await take(6))
    expect([copy.leads, copy.got]).toEqual([fromFirst.leads, fromFirst.got])
    expect(copy.urls).toEqual([`https://${COPY}/`])
    await recordBuckets(ports(), [hrrr])
    expect(await secondSources(database)).toMatchObject([{ dataset: 'hrrr', source: 'storage.googleapis.com' }])

    // The first bucket works again, and is requested after two minutes.
    mirror.misbehaviours.length = 0
    mirror.log.length = 0
    now += 121 * SECOND
    expect((await published(await take(5))).urls).toEqual([`https://${AWS}/`])
    expect([requestsTo(COPY), upstream.buckets.inUse()]).toEqual([0, []])

    // The first bucket lists the files and refuses half of the objects: each file is fetched once, from either bucket.
    mirror.misbehaviours.push({ path: /amazonaws.*wrfsfcf1\d/, how: '503' })
    const mixed = await published(await take(4))
    expect([mixed.leads, mixed.got]).toEqual([fromFirst.leads, fromFirst.got])
    // Keys and bytes are the same in both; the recorded address is the one of the listing.
    expect(mixed.urls).toEqual([`https://${AWS}/`])
    expect(requestsTo(COPY)).toBeGreaterThan(0)
    expect(upstream.buckets.inUse()).toMatchObject([
      { address: `https://${COPY}`, reason: expect.stringMatching(/503/) },
    ])

    // The first bucket stops in the middle of a run that is overdue.
    mirror.misbehaviours.splice(0, 1, { path: /amazonaws.*wrfsfcf1\d/, how: 'late' })
    now += 121 * SECOND
    const late = Math.floor(now / HOUR) * HOUR - 3 * HOUR
    const { files } = await planRun(upstream, hrrr, late, 'conus', 0, now)
    expect(files).toHaveLength(19)
    expect(upstream.buckets.inUse().map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/is late there/))
    expect((await published(await take(3))).leads).toBe(19)
  }, 120_000)

  test('settings with wrong addresses are refused', () => {
    const mirrorsOf = (MODEL_MIRRORS: string) => loadConfig({ MODEL_MIRRORS }).bucketMirrors
    expect(Object.keys(loadConfig({}).bucketMirrors)).toContain(`https://${AWS}`)
    expect(loadConfig({}).secondSources).toEqual({ alerts: [INDEX, MAP], metar: METAR_CYCLES })
    expect(mirrorsOf('off')).toEqual({})
    expect(mirrorsOf('a-bucket=https://one.example/x/,a-bucket=http://two.example')).toEqual({
      'https://a-bucket.s3.amazonaws.com': ['https://one.example/x', 'http://two.example'],
    })
    const many = Array.from({ length: 5 }, (_, k) => `a-bucket=https://m${k}.example`).join()
    for (const wrong of ['a-bucket', 'https://x.example', 'a-bucket=ftp://x', 'A B=https://x.example', many])
      expect(() => mirrorsOf(wrong), wrong).toThrow(/setting MODEL_MIRRORS is .*, but must be/)
    for (const name of ['ALERTS_SECOND_URL', 'METAR_SECOND_URL'])
      expect(() => loadConfig({ [name]: 'somewhere' })).toThrow(
        new RegExp(`setting ${name} is "somewhere", but must be an address`),
      )
    expect(loadConfig({ ALERTS_SECOND_URL: 'off' }).secondSources.alerts).toBeUndefined()
  })

  test('reports the failure of the first bucket if the copy does not have the bucket', async () => {
    await upstream.close()
    upstream = openUpstream({
      mirror: mirror.url,
      clock,
      sleep: async () => {},
      bucketMirrors: { [`https://${AWS}`]: ['https://nowhere.example/bucket'] },
    })
    const run = Math.floor(now / HOUR) * HOUR - 3 * HOUR
    expect((await planRun(upstream, hrrr, run, 'conus', 0, now)).files).toHaveLength(19)
    mirror.misbehaviours.push({ path: `/${AWS}/`, how: '503' })
    await expect(planRun(upstream, hrrr, run, 'conus', 0, now)).rejects.toMatchObject({ kind: 'Refused' })
  })
})
