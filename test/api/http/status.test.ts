import { XMLParser } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatasetStatus, ServiceStatus } from '../../../api/live/service-status.ts'
import { DAY, HOUR, isoSeconds, MINUTE } from '../../../ingest/domain/time.ts'
import { markConfirmed, markFailed } from '../../../sql/queries/feeds.ts'
import { countFreshness, recordLate, recordServed } from '../../../sql/queries/lateness.ts'
import { publishRun, rejectRun } from '../../../sql/queries/runs.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
const hour = Math.floor(Date.now() / HOUR) * HOUR
/** Three runs of RTMA are missing, so that the newest served run is stale. */
const served = hour - 4 * HOUR
const key = { dataset: 'rtma', domain: 'conus' }

beforeAll(async () => {
  edge = await edgeServer({ DATASETS: 'rtma,gfs,mrms-precip-rate,metar' })
  const { database } = edge
  const publication = {
    stage: 0,
    publishedTo: 0,
    manifestKey: 'none',
    manifest: {},
    wanted: 1,
    got: 1,
    missing: 0,
  }
  await publishRun(database, { ...key, run: new Date(served), ...publication }, [])
  await recordServed(
    database,
    Array.from({ length: 240 }, (_, k) => {
      const run = served - k * HOUR
      const [at, appearedAt] = [new Date(run), new Date(run + 39 * MINUTE)]
      const row = { ...key, stage: 0, slot: at, run: at, first_seen: appearedAt, last_seen: appearedAt }
      return { ...row, served_at: new Date(run + 40 * MINUTE) }
    }),
  )
  for (const [days, fresh] of [
    [2, true],
    [1, false],
    [1, true],
  ] as const) {
    const minute = new Date(Math.floor((Date.now() - days * DAY) / MINUTE) * MINUTE + (fresh ? MINUTE : 0))
    await countFreshness(database, [{ ...key, fresh }], minute)
  }
  const run = new Date(served + HOUR)
  const rejected = new Date(served + 2 * HOUR)
  await rejectRun(
    database,
    { ...key, run: rejected },
    'http://internal:9000/noaa-rtma-pds/key: must be <GRIB2>, but is HTML',
  )
  const late = { ...key, stage: 0, run, due_at: new Date(served + 2 * HOUR) }
  await recordLate(database, [late], new Date(served + 2 * HOUR + 20_000), () => ({
    topic: 't',
    key: 'k',
    payload: {},
  }))
  await markConfirmed(database, 'metar/cache', { suspicious: false, rejected: {} })
  await markFailed(database, 'metar/tgftp', 'status 503')
}, 60_000)
afterAll(() => edge.close())

const read = async () => (await (await edge.get('/v1/status')).json()) as ServiceStatus
const entryOf = (document: ServiceStatus, id: string, domain?: string): DatasetStatus =>
  document.datasets.find((entry) => entry.dataset_id === id && (domain === undefined || entry.domain === domain))!

describe('/v1/status', () => {
  test('is public, cached for seconds and limited by address', async () => {
    const answer = await edge.get('/v1/status')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=5')
    expect(Number(answer.headers.get('ratelimit-limit'))).toBeGreaterThan(0)
    const again = await edge.get('/v1/status', undefined, { 'if-none-match': answer.headers.get('etag')! })
    expect([200, 304]).toContain(again.status)
    expect((await edge.get('/v1/status?x=1')).status).toBe(400)
  })

  test('names served and expected runs, and how late they are', async () => {
    const document = await read()
    expect(document.status).toBe('degraded')
    const rtma = entryOf(document, 'rtma', 'conus')
    expect(rtma).toMatchObject({ state: 'stale', run: isoSeconds(served), stage: 0 })
    expect(rtma.age_seconds).toBeGreaterThanOrEqual(4 * 3600)
    const next = rtma.expected_next!
    expect(next.learned).toBe(true)
    const run = Date.parse(next.run!)
    expect(Date.parse(next.expected_at) - run).toBe(40 * MINUTE)
    expect(Date.parse(next.late_at) - run).toBe(55 * MINUTE)
    expect(run).toBeGreaterThan(served)
    const late = (Date.parse(document.generated_at) - Date.parse(next.expected_at)) / 1000
    expect(Math.abs(rtma.late_by_seconds! - (late > 15 * 60 ? late : 0))).toBeLessThanOrEqual(1)
    expect(rtma.late_by_seconds).toBeGreaterThan(3600)
    expect(rtma.last_failures).toEqual([
      {
        at: expect.any(String),
        run: isoSeconds(served + 2 * HOUR),
        detail: '/noaa-rtma-pds/key: must be <GRIB2>, but is HTML',
      },
    ])
    expect(entryOf(document, 'gfs', 'conus')).toMatchObject({ state: 'nothing_stored', run: null, expected_next: null })
    expect(entryOf(document, 'hrrr', 'conus')).toMatchObject({ state: 'not_configured', late_by_seconds: null })
    expect(entryOf(document, 'mrms-precip-rate', 'hawaii').state).toBe('nothing_stored')
  })

  test('shows the age of the newest confirmed read of a feed, and its failures', async () => {
    const metar = entryOf(await read(), 'metar')
    expect(metar).toMatchObject({ domain: null, state: 'on_time', late_by_seconds: 0 })
    expect(metar.age_seconds).toBeLessThan(300)
    expect(metar.last_failures).toMatchObject([{ detail: 'status 503' }])
    expect(entryOf(await read(), 'airnow').state).toBe('not_configured')
  })

  test('lists ninety days, oldest first, with days without a check as unknown', async () => {
    const document = await read()
    const { availability } = entryOf(document, 'rtma', 'conus')
    expect(availability.length).toBe(90)
    expect(Date.parse(document.availability_from)).toBe(Math.floor(Date.now() / DAY) * DAY - 89 * DAY)
    // The two minutes of yesterday may lie on both sides of midnight.
    expect(availability.slice(0, 86).every((share) => share === null)).toBe(true)
    expect(availability.filter((share) => share !== null).length).toBeGreaterThanOrEqual(2)
    expect(availability.some((share) => share !== null && share < 1)).toBe(true)
  })
})

test('shows the same on the page without script, with messages as text', async () => {
  const answer = await edge.get('/status')
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await answer.text()
  expect(text).toContain('Real-Time Mesoscale Analysis')
  expect(text).toContain('but is HTML')
  expect(text).toContain('&#60;GRIB2&#62;')
  expect(text).not.toContain('<GRIB2>')
  expect(text).not.toContain('<script')
  expect(text.match(/<svg role="img"/g)?.length).toBe((await read()).datasets.length)
})

test('has an entry for each late run in the feed', async () => {
  const answer = await edge.get('/status.atom')
  expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const { feed } = new XMLParser({ ignoreAttributes: false }).parse(await answer.text())
  expect(feed['@_xmlns']).toBe('http://www.w3.org/2005/Atom')
  expect(feed.id).toMatch(/^http.*\/status\.atom$/)
  expect(feed.entry.title).toContain('rtma conus')
  expect(feed.entry.title).toContain('is late')
  expect(feed.entry.updated).toBe(new Date(served + 2 * HOUR + 20_000).toISOString())
  expect(feed.updated).toBe(feed.entry.updated)
})

test('limits an address that sends too many requests', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => edge.get('/v1/status')))
  const limited = answers.find(({ status }) => status === 429)!
  expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(((await limited.json()) as { type: string }).type).toContain('too-many-requests')
})

test('exports the expectation and lateness of each run as metrics', async () => {
  const text = await (await edge.get('/metrics')).text()
  const figure = (name: string) =>
    Number(new RegExp(`^${name}\\{dataset="rtma",domain="conus"\\} (\\S+)$`, 'm').exec(text)?.[1])
  expect(figure('hexcast_run_expected_seconds')).toBe(40 * 60)
  expect(figure('hexcast_run_late_seconds')).toBeGreaterThan(3600)
  expect(text).toContain('# TYPE hexcast_availability_seconds histogram')
})
