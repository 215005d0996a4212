import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRadarFrames } from '../../api/live/frames.ts'
import { lightningAt } from '../../api/live/lightning.ts'
import { nowcastAt } from '../../api/live/nowcast.ts'
import { radarAt } from '../../api/live/radar.ts'
import { type Current, watchCurrent } from '../../api/live/served-runs.ts'
import { framesAt } from '../../bin/verbs/frame-point.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { mrmsProducts } from '../../ingest/datasets/mrms-products.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { runName } from '../../ingest/domain/time.ts'
import { rateOf } from '../../ingest/domain/weather/echo.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { backfillFrames } from '../../ingest/steps/frames/mrms.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'

/** Real files under NOAA's own keys. Each is requested as of the time at which it was written. */

const folder = '../shared/fixtures/binary'
const zipped = (file: string) => {
  const bytes = readFileSync(`${folder}/mrms/${file}`)
  return bytes[0] === 0x1f ? bytes : gzipSync(bytes, { level: 1 })
}

/** Returns the bucket key of a fixture; a name without a domain is of CONUS. */
function keyOf(file: string): string {
  const [, domain = 'CONUS', product, day] = /^(?:(CONUS|ALASKA|HAWAII)_)?MRMS_(.+)_(\d{8})-\d{6}/.exec(file)!
  const name = file.replace(/^(CONUS|ALASKA|HAWAII)_/, '').replace(/\.gz$/, '')
  return `${domain}/${product}/${day}/${name}.gz`
}

function recorded(host: string, files: ReadonlyMap<string, () => Uint8Array>): SimulatedHost {
  return {
    host,
    *list(prefix) {
      for (const key of [...files.keys()].sort()) {
        if (key.startsWith(prefix)) yield { key, size: 1, etag: `"${key.length}"`, lastModified: 0 }
      }
    },
    find(path) {
      const body = files.get(decodeURIComponent(path.slice(1)))
      return body && { etag: `"${path.length}"`, lastModified: 0, type: 'application/octet-stream', body }
    },
  }
}

describe.skipIf(!existsSync(`${folder}/mrms`))('recorded files behind NOAA’s keys (../shared/fixtures)', () => {
  let place: string
  let database: Database
  let objects: Objects
  let upstream: Upstream
  let pool: Pool
  let mirror: Mirror
  let current: Current
  let now = 0
  const ports = () => ({ upstream, objects, database, pool })
  const look = async () => {
    await current?.close()
    current = await watchCurrent({ database, objects, clock: () => now })
    return openRadarFrames(current, objects)
  }
  const at = (lat: number, lon: number, domain: DomainId = 'conus') => ({
    lat,
    lon,
    domain,
    cell: cellOf(lat, lon),
    now,
  })

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'hexcast-recorded-'))
    const config = { dataDir: place, databasePool: 2, objects: { kind: 'folder', folder: join(place, 'o') } } as const
    const mrms = readdirSync(`${folder}/mrms`).filter((file) => !/^(CARIB|GUAM)/.test(file))
    const storms = '../shared/fixtures/text/storm-tracks/probsevere'
    const bucket = new Map<string, () => Uint8Array>(mrms.map((file) => [keyOf(file), () => zipped(file)]))
    for (const file of readdirSync(storms))
      bucket.set(`ProbSevere/20211011/${file}`, () => readFileSync(`${storms}/${file}`))
    const east = readdirSync(`${folder}/glm`).filter((file) => file.includes('_G19_'))
    const glm = new Map(
      east.map((file) => [`GLM-L2-LCFA/2026/162/08/${file}`, () => readFileSync(`${folder}/glm/${file}`)] as const),
    )
    mirror = await startMirror({
      sources: [
        recorded('noaa-mrms-pds.s3.amazonaws.com', bucket),
        recorded('noaa-goes19.s3.amazonaws.com', glm),
        recorded('noaa-goes18.s3.amazonaws.com', new Map()),
      ],
      now: () => now,
    })
    database = await openDatabase(config)
    objects = await openObjects(config)
    upstream = openUpstream({ mirror: mirror.url })
    pool = openPool({ threads: 1 })
  })
  afterAll(async () => {
    await current?.close()
    await pool?.close()
    await upstream?.close()
    await mirror?.close()
    await objects?.close()
    await database?.close()
    if (place) rmSync(place, { recursive: true, force: true })
  })

  test('a composite alone gives reflectivity, a rate, and a nowcast that reports no motion', async () => {
    now = Date.parse('2022-07-04T11:03:00Z')
    const sweeps = await sweepFrames(ports(), frameSources, now)
    expect(sweeps.flatMap(({ rejected, failures }) => [...rejected, ...failures])).toEqual([])
    expect(
      sweeps.flatMap(({ dataset, published }) => published.map(({ time }) => `${dataset} ${runName(time)}`)),
    ).toEqual(['mrms-reflectivity 2022-07-04T110040Z'])
    const radarFrames = await look()
    const oracle = JSON.parse(
      readFileSync(
        `${folder}/oracle/mrms__MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2.json`,
        'utf8',
      ),
    ).messages[0]
    const states = new Set<string>()
    for (const { lat, lon, value } of [...oracle.samples, ...oracle.informativeSamples]) {
      const answer = await radarAt(radarFrames, current)(at(lat, lon - 360))
      states.add(answer.coverage)
      expect(answer.coverage).toBe(value <= -900 ? 'no_coverage' : value <= -90 ? 'dry' : 'value')
      if (answer.coverage !== 'value') continue
      expect(answer.reflectivity).toBeCloseTo(value, 3)
      const rate = rateOf(value)
      expect(answer.precipRate).toBeCloseTo(rate >= 0.1 ? rate : 0, 0)
      const nowcast = await nowcastAt(radarFrames, current)(at(lat, lon - 360))
      expect(nowcast.anchor).toBe(Date.parse('2022-07-04T11:00:40Z'))
      expect(nowcast.warnings.map(({ code }) => code)).toContain('degraded')
      expect(nowcast.points[0]?.type !== 'none').toBe(rate >= 0.1)
      expect(nowcast.points[0]?.dbz).toBeCloseTo(Math.max(0, value), 1)
    }
    expect([...states].sort()).toEqual(['dry', 'no_coverage', 'value'])
    now += 14 * 60_000
    await expect(nowcastAt(radarFrames, current)(at(39.7, -105))).rejects.toMatchObject({ details: { stale: true } })
  })

  test('backfilled hours of rain agree with the oracle, and the newest hour is served', async () => {
    const qpe = mrmsProducts.find(({ id }) => id === 'mrms-qpe-1h')!
    const from = Date.parse('2022-06-02T12:00:00Z')
    const first = await backfillFrames(ports(), qpe, from, from, Date.now())
    const to = Date.parse('2022-08-09T15:00:00Z')
    const second = await backfillFrames(ports(), qpe, to, to, Date.now())
    expect([first.frames.length, second.frames.length, first.rejected, second.rejected]).toEqual([1, 1, [], []])
    const name = 'mrms__CONUS_MRMS_MultiSensor_QPE_01H_Pass2_00.00_20220809-150000.grib2.gz.json'
    const oracle = JSON.parse(readFileSync(`${folder}/oracle/${name}`, 'utf8')).messages[0]
    for (const { lat, lon, value } of oracle.informativeSamples.slice(0, 20)) {
      const [frame] = (await framesAt(database, objects, [qpe], lat, lon)) as [
        { run: string; variables: { precip_1h: { values: number[] } } },
      ]
      expect(frame.run).toBe('2022-08-09T15Z')
      expect(frame.variables.precip_1h.values[0]).toBeCloseTo(value, 3)
    }
  })

  test('reads flags and Alaska, and rejects files whose description is wrong', async () => {
    now = Date.parse('2026-02-19T04:26:30Z')
    const [flags] = await sweepFrames(
      ports(),
      frameSources.filter(({ dataset }) => dataset.id === 'mrms-precip-flag'),
      now,
    )
    expect(flags!.published.map(({ time }) => runName(time))).toEqual(['2026-02-19T0424Z'])
    now = Date.parse('2022-08-09T15:30:00Z')
    const pass1 = frameSources.filter(({ dataset }) => dataset.id === 'mrms-qpe-1h-pass1')
    const [alaska] = await sweepFrames(ports(), pass1, now)
    expect(alaska!.published.map(({ domain, time }) => `${domain} ${runName(time)}`)).toEqual(['alaska 2022-08-09T15Z'])
  })

  test('counts the flashes of the only available satellite in its field of view, and reports that files are missing', async () => {
    now = Date.parse('2026-06-11T08:05:50Z')
    const [swept] = await sweepFrames(
      ports(),
      frameSources.filter(({ dataset }) => dataset.id === 'glm'),
      now,
    )
    expect(swept!.published.length).toBe(3)
    const radarFrames = await look()
    const flashes = (await radarFrames.flashes('conus'))!
    expect(flashes.head.satellites.map(({ id }) => id)).toEqual(['G19'])
    const [lat, lon] = [nth(flashes.lat, 0), nth(flashes.lon, 0)]
    const answer = await lightningAt(radarFrames)(at(lat, lon))
    expect(answer.flashes).toBeGreaterThan(0)
    expect(answer.warnings.map(({ code }) => code)).toContain('degraded')
    expect((await lightningAt(radarFrames)(at(64.84, -147.72, 'alaska'))).flashes).toBeUndefined()
    now += 10 * 60_000
    expect((await lightningAt(radarFrames)(at(lat, lon))).flashes).toBeUndefined()
  })

  test('gives the newest available list of storms', async () => {
    now = Date.parse('2021-10-11T00:59:30Z')
    const [swept] = await sweepFrames(
      ports(),
      frameSources.filter(({ dataset }) => dataset.id === 'storm-tracks'),
      now,
    )
    expect(swept!.published.map(({ time }) => runName(time))).toEqual(['2021-10-11T005856Z'])
    expect(swept!.superseded.length).toBe(4)
  })
})
