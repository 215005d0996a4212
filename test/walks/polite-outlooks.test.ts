import { afterAll, beforeAll, expect, test } from 'vitest'
import { outlookSource } from '../../infra/simulator/feeds/outlooks.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { outlookFiles } from '../../ingest/datasets/spc.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { DAY, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { databaseOver } from '../../ingest/ports/database/over.ts'
import { scratchDatabase } from '../../ingest/ports/database/scratch.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { sweepOutlooks } from '../../ingest/steps/feeds/outlooks.ts'
import { feedState, oldCopyOf } from '../../sql/queries/feeds.ts'
import { storedIssue } from '../../sql/queries/outlooks.ts'

/** The sweeps of the SPC at NOAA itself: first the text from another host, and then a few files in each sweep. */
let scratch: Awaited<ReturnType<typeof scratchDatabase>>
let database: Database
let mirrored: Upstream
let mirror: Awaited<ReturnType<typeof startMirror>>
const requestedUrls: string[] = []

/** The fire weather text of days 3 to 8 with a critical area on day 3, issued now. */
function fireText(): string {
  const now = Date.now()
  const date = (at: number) => `${new Date(at).toISOString().slice(8, 10)}1200Z`
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(now).toUpperCase()
  const clock = `${new Date(now - HOUR).toISOString().slice(11, 13)}${new Date(now).toISOString().slice(14, 16)}`
  const [hour, minute] = [Number(clock.slice(0, 2)), clock.slice(2)]
  const twelve = `${String(hour % 12 || 12).padStart(2, '0')}${minute} ${hour < 12 ? 'AM' : 'PM'} UTC`
  const day = new Date(now - HOUR).getUTCDate()
  return `405
FNUS38 KWNS ${String(day).padStart(2, '0')}${clock}
PFWF38

DAY 3-8 FIRE WEATHER OUTLOOK AREAL OUTLINE
NWS STORM PREDICTION CENTER NORMAN OK
${twelve} ${name({ weekday: 'short' })} ${name({ month: 'short' })} ${day} ${new Date(now - HOUR).getUTCFullYear()}

VALID TIME ${date(now + 2 * DAY)} - ${date(now + 8 * DAY)}

FIRE WEATHER OUTLOOK POINTS DAY 3-8

... CRITICAL FIRE WEATHER AREA ...

D3     36001000 36000600 34000600 34001000 36001000
&&
`
}

let upstream: Upstream
beforeAll(async () => {
  scratch = await scratchDatabase()
  database = databaseOver(scratch.source, 'embedded')
  mirror = await startMirror({ sources: [outlookSource], now: Date.now })
  mirrored = openUpstream({ mirror: mirror.url })
  const text = fireText()
  const get: Upstream['get'] = async (url, options) => {
    requestedUrls.push(url)
    if (!url.endsWith('fnus38.kwns.pfw.f38.txt')) return mirrored.get(url, options)
    return { bytes: new TextEncoder().encode(text), status: 200 } as Awaited<ReturnType<Upstream['get']>>
  }
  upstream = { ...mirrored, get, mirror: undefined } as Upstream
})
afterAll(async () => {
  await mirrored?.close()
  await mirror?.close()
  await scratch?.close()
})

const requestsByHost = () => Map.groupBy(requestedUrls, (url) => new URL(url).host)
async function sweep() {
  requestedUrls.length = 0
  return sweepOutlooks({ database, upstream }, outlookFiles)
}

test('reads the texts first, then at most nine files of the SPC in each sweep, until all have been read', async () => {
  const readUrls = new Set<string>()
  const first = await sweep()
  expect(requestedUrls.slice(0, 7).map((url) => new URL(url).host)).toEqual(
    Array.from({ length: 7 }, () => 'tgftp.nws.noaa.gov'),
  )
  expect(first.changed).toContain('day3fw_windrhcat')
  const MOST_SWEEPS = 8
  let files = requestsByHost().get('www.spc.noaa.gov') ?? []
  expect(files).toHaveLength(9)
  for (let count = 0; files.length > 0 && count < MOST_SWEEPS; count++) {
    expect(files.length).toBeLessThanOrEqual(9)
    for (const url of files) readUrls.add(url.replace(/\.(?:no)?lyr\.geojson$/, ''))
    await sweep()
    files = requestsByHost().get('www.spc.noaa.gov') ?? []
  }
  const all = outlookFiles.map(({ urls }) => urls[0]?.replace(/\.(?:no)?lyr\.geojson$/, '') ?? '')
  expect([...readUrls].sort()).toEqual(all.sort())
  expect((await storedIssue(database, 'day1otlk_cat'))?.source).toBe('geojson')
  expect(files).toEqual([])
})

test('reads a file again after half an hour', async () => {
  await database.query(
    "update feed_state set looked_at = looked_at - interval '31 minutes' where feed = 'spc/day1otlk_cat'",
  )
  await sweep()
  expect(requestsByHost().get('www.spc.noaa.gov')).toEqual([
    'https://www.spc.noaa.gov/products/outlook/day1otlk_cat.nolyr.geojson',
  ])
})

test('reads the other products if a text cannot be stored', async () => {
  const denying: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          ...tx,
          query: (statement, parameters) =>
            parameters?.includes('day3fw_windrhcat') && statement.startsWith('insert into outlook_product')
              ? Promise.reject(new Error('invalid geometry'))
              : tx.query(statement, parameters),
        }),
      ),
  }
  await database.query("delete from outlook_product where product = 'day3fw_windrhcat'")
  requestedUrls.length = 0
  const { failed } = await sweepOutlooks({ database: denying, upstream }, outlookFiles)
  expect([...new Set(failed.map(({ product }) => product))]).toEqual(['day3fw_windrhcat'])
  expect(failed[0]?.why).toBe('the text of day3fw_windrhcat could not be stored: Error: invalid geometry')
  expect(requestedUrls.length).toBeGreaterThan(7)
})

test('a text that a cache returned counts as confirmed at the time of its copy', async () => {
  const product = 'day3fw_windrhcat'
  await database.query('delete from outlook_product where product = $1', [product])
  const get: Upstream['get'] = async (url, options) => {
    if (url.includes('www.spc.noaa.gov')) throw new Fault('Refused', `${url}: busy`)
    return { ...(await upstream.get(url, options)), ageSeconds: 1800 }
  }
  const files = outlookFiles.filter((file) => file.product === product)
  expect(await sweepOutlooks({ database, upstream: { ...upstream, get } }, files)).toMatchObject({ failed: [] })
  expect((await storedIssue(database, product))?.source).toBe('points')
  const state = (await feedState(database, `spc/${product}`))!
  expect(Math.round((Date.now() - state.confirmed_at!.getTime()) / MINUTE)).toBe(30)
  expect(oldCopyOf(state)?.why).toMatch(/frozen copy/)
})
