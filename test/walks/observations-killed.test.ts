import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { DAY, HOUR, MINUTE, stamp } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { startMirror } from './mirror.ts'

const NOW = Date.UTC(2026, 1, 7, 7, 30)
const CYCLES = 'tgftp.nws.noaa.gov/data/observations/metar/cycles'
const ids = Array.from(
  { length: 60 },
  (_, i) => `KZ${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(65 + Math.floor(i / 26))}`,
)
const two = (n: number) => String(n).padStart(2, '0')

test('the next process finishes a read that was killed: no report is lost or doubled', async () => {
  const mirror = await startMirror()
  const sites = ids.map((id, i) => ({
    id,
    icaoId: id,
    site: id,
    lat: 35 + i / 10,
    lon: -100 + i / 10,
    elev: 10,
    state: 'KS',
    country: 'US',
    siteType: ['METAR'],
  }))
  mirror.set('aviationweather.gov/data/cache/stations.cache.json.gz', JSON.stringify(sites))
  const expected: string[] = []
  let newest = ''
  for (let hour = Math.floor(NOW / HOUR) * HOUR; hour > NOW - DAY; hour -= HOUR) {
    const at = hour - 7 * MINUTE
    const { day, hour: clock, minute } = stamp(at)
    const raws = ids.map((id) => `${id} ${day.slice(6)}${clock}${minute}Z 27010KT 10SM CLR ${two(at % 30)}/M02 A3012`)
    expected.push(...raws)
    const text = raws
      .map((raw) => `${day.slice(0, 4)}/${day.slice(4, 6)}/${day.slice(6)} ${clock}:${minute}\n${raw}\n\n`)
      .join('')
    mirror.set(`${CYCLES}/${two(new Date(hour).getUTCHours())}Z.TXT`, text)
    newest ||= raws
      .map((raw, i) => `${raw},${new Date(at).toISOString()},${nth(sites, i).lat},${nth(sites, i).lon},10\n`)
      .join('')
  }
  mirror.set(
    'aviationweather.gov/data/cache/metars.cache.csv.gz',
    `raw_text,observation_time,latitude,longitude,elevation_m\n${newest}`,
  )
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-killed-'))
  const sweeper = join(import.meta.dirname, 'observation-sweeper.ts')
  for (const requests of [4, 7, 13]) {
    const before = mirror.requested.length
    const child = spawn(process.execPath, [sweeper, dataDir, mirror.url, String(NOW)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await expect
      .poll(() => mirror.requested.length - before, { timeout: 60_000, interval: 5 })
      .toBeGreaterThanOrEqual(requests)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const database = await openDatabase({ dataDir, databasePool: 1 })
  const upstream = openUpstream({ mirror: mirror.url })
  for (let i = 0; i < 5; i++)
    await sweepFeed({ database, upstream, objects: undefined as never, clock: () => NOW }, 'metar')
  const rows = await database.query<{ raw: string }>('select raw from observation order by raw')
  expect(rows.map(({ raw }) => raw)).toEqual(expected.sort())
  // Each transaction that stored rows has one event.
  const [published] = await database.query<{ n: number }>(
    "select count(*)::int as n from outbox where payload->>'dataset' = 'metar'",
  )
  const [versions] = await database.query<{ n: number }>('select count(distinct version)::int as n from observation')
  expect(published!.n).toBe(versions!.n)
  await upstream.close()
  await database.close()
  await mirror.close()
  await rm(dataDir, { recursive: true, force: true })
}, 180_000)
