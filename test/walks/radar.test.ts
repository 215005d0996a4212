import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PointAt } from '../../api/contract.ts'
import { openRadarFrames, type RadarFrames } from '../../api/live/frames.ts'
import { lightningAt } from '../../api/live/lightning.ts'
import { nowcastAt } from '../../api/live/nowcast.ts'
import { radarAt } from '../../api/live/radar.ts'
import { type Current, watchCurrent } from '../../api/live/served-runs.ts'
import { radarImageRoutes } from '../../api/routes/radar-image.ts'
import { radarTileRoutes } from '../../api/routes/radar-tiles.ts'
import { stormTracksRoute } from '../../api/routes/storm-tracks.ts'
import { precipRateAt } from '../../infra/simulator/atmosphere.ts'
import { flashesOf, lightningSources } from '../../infra/simulator/lightning.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { stormSource } from '../../infra/simulator/probsevere.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { radarSiteSource } from '../../infra/simulator/radar-sites.ts'
import { stormAt, stormsAt } from '../../infra/simulator/storms.ts'
import { frameDatasets } from '../../ingest/catalog.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { kilometresBetween } from '../../ingest/domain/shape/field-of-view.ts'
import { MINUTE, runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { retireFrames } from '../../ingest/steps/frames/retire.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { runningScores } from '../../sql/queries/nowcast-scores.ts'

/** Radar from NOAA's keys to answers at a point, with the simulator's buckets, the embedded database, a folder and a thread. */

const START = Date.parse('2026-08-20T21:40:20Z')
let now = START
let folder: string
let database: Database
let objects: Objects
let upstream: Upstream
let pool: Pool
let mirror: Mirror
let current: Current
let radarFrames: RadarFrames

const sweep = (...ids: string[]) =>
  sweepFrames(
    { upstream, objects, database, pool },
    frameSources.filter(({ dataset }) => ids.length === 0 || ids.includes(dataset.id)),
    now,
  )
const at = (lat: number, lon: number, domain: DomainId = 'conus'): PointAt => ({
  lat,
  lon,
  domain,
  cell: cellOf(lat, lon),
  now,
})
/** The pointers are polled in this test; in production events also update them. */
async function look() {
  await current?.close()
  current = await watchCurrent({ database, objects, clock: () => now })
  radarFrames = openRadarFrames(current, objects)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexcast-radar-'))
  const config = { dataDir: folder, databasePool: 2, objects: { kind: 'folder', folder: join(folder, 'o') } } as const
  mirror = await startMirror({
    sources: [radarSource(10), stormSource, radarSiteSource, ...lightningSources],
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
  rmSync(folder, { recursive: true, force: true })
})

describe('a scan, from upstream to answer', () => {
  test('every product of every domain is ingested, and a second sweep does nothing', async () => {
    const sweeps = await sweep()
    for (const { dataset, published, rejected, failures } of sweeps) {
      const domains = frameDatasets.find(({ id }) => id === dataset)!.domains.map(({ id }) => id)
      expect([dataset, published.map(({ domain }) => domain).sort()]).toEqual([dataset, [...domains].sort()])
      expect([...rejected, ...failures]).toEqual([])
    }
    // The newest scan of each product and domain is ingested before the hours that totals need. Motion waits only for its own product.
    const scans = mirror.log.flatMap((line) => /^GET (\S*)\/\d{8}\/MRMS_\S+\.grib2/.exec(line)?.[1] ?? [])
    const lastFirst = Math.max(...[...new Set(scans)].map((kind) => scans.indexOf(kind)))
    const hours = scans.flatMap((kind, at) => (kind.includes('CONUS/MultiSensor_QPE_01H_Pass2') ? [at] : []))
    expect(hours.length).toBeGreaterThan(1)
    expect(hours[1]).toBeGreaterThan(lastFirst)
    const again = await sweep()
    expect(again.flatMap(({ published }) => published)).toEqual([])
    await look()
    // The simulator publishes a scan 70 s after its time.
    expect(radarFrames.newestTime('mrms-precip-rate', 'conus')).toBe(Date.parse('2026-08-20T21:38:00Z'))
    expect((await radarFrames.motion('conus'))?.head.from.length).toBe(3)
  })

  test('rate, reflectivity and totals equal the simulator’s at the pixel, and coverage has three states', async () => {
    const radar = radarAt(radarFrames, current)
    const states = new Set<string>()
    let compared = 0
    for (let lat = 30.05; lat < 48; lat += 1.7) {
      for (let lon = -119.95; lon < -75; lon += 2.3) {
        const answer = await radar(at(lat, lon))
        states.add(answer.coverage)
        if (answer.coverage === 'no_coverage') {
          expect(answer.precipRate).toBeUndefined()
          continue
        }
        compared++
        const frame = (await radarFrames.newest('mrms-precip-rate', 'conus'))!
        const { grid, validTime } = frame.head
        const y = Math.round((grid.north - lat) / grid.dLat)
        const x = Math.round((lon - grid.west) / grid.dLon)
        const truth = precipRateAt(grid.north - y * grid.dLat, grid.west + x * grid.dLon, validTime)
        expect(Math.abs(answer.precipRate! - truth)).toBeLessThan(0.051)
        const isDry = answer.precipRate === 0 && answer.precipType === 'none'
        expect(isDry || answer.coverage !== 'dry').toBe(true)
        expect(answer.precip24h).toBeGreaterThanOrEqual(0)
      }
    }
    expect(compared).toBeGreaterThan(50)
    expect([...states].sort()).toEqual(['dry', 'no_coverage', 'value'])
  })

  test('flashes within 30 km are counted once for both satellites, and Barrow has no coverage', async () => {
    const flashes = (await radarFrames.flashes('conus'))!
    const { end } = flashes.head
    expect(flashes.head.satellites.map(({ granules }) => granules.length)).toEqual([30, 30])
    const truth: { lat: number; lon: number }[] = []
    for (let start = end - 600_000; start < end; start += 20_000) {
      const east = flashesOf({ name: 'G19', subpoint: -75.2 }, start).filter(({ quality }) => quality === 0)
      truth.push(...east)
      // Only the western satellite sees this place.
      for (const flash of flashesOf({ name: 'G18', subpoint: -137.2 }, start)) {
        if (flash.quality !== 0) continue
        if (!east.some((known) => kilometresBetween(known.lat, known.lon, flash.lat, flash.lon) < 10)) truth.push(flash)
      }
    }
    const storm = nth(
      stormsAt(now)
        .filter(({ rate, lat }) => rate > 20 && lat < 48)
        .sort((a, b) => b.rate - a.rate),
      0,
    )
    const answer = await lightningAt(radarFrames)(at(storm.lat, storm.lon))
    const expected = truth.filter(({ lat, lon }) => kilometresBetween(lat, lon, storm.lat, storm.lon) <= 30).length
    expect(expected).toBeGreaterThan(5)
    expect(Math.abs(answer.flashes! - expected)).toBeLessThanOrEqual(1 + 0.05 * expected)
    const north = await lightningAt(radarFrames)(at(71.29, -156.79, 'alaska'))
    expect([north.flashes, north.density, north.probability]).toEqual([undefined, undefined, undefined])
  })

  test('a nowcast begins at the radar’s time and shows an approaching storm', async () => {
    const nowcast = nowcastAt(radarFrames, current)
    const anchor = radarFrames.newestTime('mrms-precip-rate', 'conus')!
    let better = 0
    let tried = 0
    for (const { lat, lon, u, v, rate, storm } of stormsAt(anchor)) {
      if (rate < 1 || !storm.id.startsWith('conus') || Math.hypot(u, v) < 6) continue
      // Extrapolation cannot predict that a storm decays.
      if ((stormAt(storm, anchor + 45 * MINUTE)?.rate ?? 0) < 0.5) continue
      const hour = (3.6 * 0.75) / 111.19
      const ahead = at(lat + v * hour, lon + (u * hour) / Math.cos((lat * Math.PI) / 180))
      const answer = await nowcast(ahead)
      expect(answer.anchor).toBe(anchor)
      expect(answer.points.length).toBe(19)
      if (nth(answer.points, 9).type === 'no_coverage') continue
      tried++
      const [predicted, stood] = [nth(answer.points, 9).rate! >= 0.1, nth(answer.points, 0).rate! >= 0.1]
      const truth = precipRateAt(ahead.lat, ahead.lon, anchor + 45 * MINUTE) >= 0.1
      if (predicted === truth) better++
      const isLater = (answer.summary.startsAt ?? 0) > anchor
      expect(isLater || stood || !predicted).toBe(true)
    }
    expect(tried).toBeGreaterThan(5)
    expect(better / tried).toBeGreaterThan(0.75)
  })

  test('storms have motion and forecast positions that agree', async () => {
    const route = stormTracksRoute(radarFrames, () => false)
    const ask = (query: Record<string, string>) => route.handle!({ query, params: {}, now } as never)
    const { body } = (await ask({})) as {
      body: {
        features: {
          properties: Record<string, number> & { forecast: { minutes: number; lat: number; lon: number }[] }
        }[]
      }
    }
    expect(body.features.length).toBeGreaterThan(3)
    for (const { properties } of body.features) {
      const { lat, lon, forecast, speed } = properties
      const hour = forecast.find(({ minutes }) => minutes === 60)!
      expect(Math.abs(kilometresBetween(lat!, lon!, hour.lat, hour.lon) - speed! * 3.6)).toBeLessThan(0.5)
    }
    const boxed = (await ask({ bbox: '-100,30,-90,45' })) as { body: { features: unknown[] } }
    expect(boxed.body.features.length).toBeLessThan(body.features.length)
    await expect(async () => ask({ bbox: '10,45,12,47' })).rejects.toMatchObject({ slug: 'outside-coverage' })
  })

  test('storm cells of single radars in Alaska and Hawaii are where the simulator has its storms, with their motion', async () => {
    const route = stormTracksRoute(radarFrames, () => false)
    const bbox = { alaska: '171,50.5,-129.5,72', hawaii: '-179,18.3,-154,29' }
    let compared = 0
    for (const domain of ['alaska', 'hawaii'] as const) {
      const answer = (await route.handle!({ query: { bbox: bbox[domain] }, params: {}, now } as never)) as {
        body: { features: { properties: Record<string, number | string | null> }[]; meta: { warnings?: unknown } }
      }
      expect(answer.body.meta.warnings).toBeUndefined()
      for (const { properties } of answer.body.features) {
        const { lat, lon, speed, direction, source, valid_time: time } = properties
        const truth = nth(
          [...stormsAt(Date.parse(String(time)))].sort(
            (a, b) =>
              kilometresBetween(a.lat, a.lon, Number(lat), Number(lon)) -
              kilometresBetween(b.lat, b.lon, Number(lat), Number(lon)),
          ),
          0,
        )
        // Symbols are placed in quarters of a kilometre on a plane around the radar.
        expect(kilometresBetween(truth.lat, truth.lon, Number(lat), Number(lon))).toBeLessThan(12)
        expect(Math.abs(Number(speed) - Math.hypot(truth.u, truth.v))).toBeLessThan(0.6)
        const heading = ((Math.atan2(truth.u, truth.v) * 180) / Math.PI + 360) % 360
        expect(Math.abs(((Number(direction) - heading + 540) % 360) - 180)).toBeLessThan(2)
        expect(source).toMatch(/^nexrad_/)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(0)
  })

  test('pictures of now, the past and the nowcast are indexed PNGs of the requested width', async () => {
    const [image, legend, times] = radarImageRoutes({ documents: radarFrames, database, simulated: () => false })
    const draw = async (query: Record<string, string>) =>
      (await image!.handle!({ query, params: { product: 'mrms-precip-rate' }, now } as never)) as {
        body: Buffer
        headers: Record<string, string>
      }
    const newest = await draw({ width: '300' })
    expect(newest.body.subarray(1, 4).toString()).toBe('PNG')
    expect(newest.body.readUInt32BE(16)).toBe(300)
    expect(newest.headers['X-Valid-Time']).toBe('2026-08-20T21:38:00Z')
    const past = await draw({ width: '300', time: '2026-08-20T21:32:00Z' })
    expect(past.headers['X-Valid-Time']).toBe('2026-08-20T21:32:00Z')
    expect(past.body.equals(newest.body)).toBe(false)
    const next = await draw({ width: '300', time: '2026-08-20T22:08:00Z' })
    expect(next.headers['X-Valid-Time']).toBe('2026-08-20T22:08:00Z')
    const listed = (await times!.handle!({ query: {}, params: { product: 'mrms-precip-rate' }, now } as never)) as {
      body: { times: string[]; nowcast_times: string[] }
    }
    expect(listed.body.times).toContain('2026-08-20T21:38:00Z')
    expect(listed.body.nowcast_times.length).toBe(18)
    const bar = (await legend!.handle!({ query: {}, params: { product: 'mrms-reflectivity' } } as never)) as {
      body: Buffer
    }
    expect(bar.body.length).toBeGreaterThan(300)
  })

  test('four tiles of a zoom make the tile of the zoom above, and addresses outside are refused', async () => {
    const [description, tile] = radarTileRoutes({ documents: radarFrames, database })
    const draw = async (z: number, x: number, y: number, time = 'latest', query: Record<string, string> = {}) => {
      const params = { product: 'mrms-precip-rate', time, z: String(z), x: String(x), y: String(y) }
      return (await tile!.handle!({ query, params, now } as never)) as {
        body: Buffer
        etag: string
        headers: Record<string, string>
      }
    }
    const pixels = (body: Buffer) => {
      const { width, height, data } = PNG.sync.read(body)
      return { width, height, at: (x: number, y: number) => data.readUInt32BE(4 * (y * width + x)) }
    }
    // The picture covers the whole country, in which the simulator has a storm at any hour.
    const picture = pixels((await draw(4, 3, 6, 'latest', { size: '512' })).body)
    expect([picture.width, picture.height]).toEqual([512, 512])
    let differ = 0
    let drawn = 0
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const part = pixels((await draw(5, 6 + dx, 12 + dy)).body)
      for (let y = 0; y < 256; y++)
        for (let x = 0; x < 256; x++) {
          if (part.at(x, y) !== picture.at(256 * dx + x, 256 * dy + y)) differ++
          if ((part.at(x, y) & 255) > 0) drawn++
        }
    }
    expect(differ).toBe(0)
    expect(drawn).toBeGreaterThan(100)
    const latest = await draw(5, 6, 12)
    expect([latest.headers['X-Valid-Time'], latest.headers['Cache-Control']]).toEqual([
      '2026-08-20T21:38:00Z',
      'max-age=60',
    ])
    expect((await draw(5, 6, 12)).etag).toBe(latest.etag)
    const past = await draw(5, 6, 12, '2026-08-20T21:32:00Z')
    expect([past.headers['X-Valid-Time'], past.headers['Cache-Control']]).toEqual([
      '2026-08-20T21:32:00Z',
      'max-age=3600',
    ])
    await expect(draw(5, 16, 12)).rejects.toMatchObject({ slug: 'outside-coverage' })
    for (const [z, x, y] of [
      [1, 0, 0],
      [10, 0, 0],
      [5, 32, 0],
      [5, 0, 32],
    ] as const)
      await expect(draw(z, x, y)).rejects.toMatchObject({ slug: 'bad-request' })
    await expect(draw(5, 6, 12, 'yesterday')).rejects.toMatchObject({ slug: 'bad-request' })
    const json = (await description!.handle!({
      query: {},
      params: { product: 'mrms-precip-rate', time: 'latest' },
      base: 'https://weather.example.org',
    } as never)) as { body: { tiles: string[]; bounds: number[]; minzoom: number; maxzoom: number } }
    expect(json.body.tiles[0]).toMatch(
      /^https:\/\/weather.example.org\/v1\/radar\/mrms-precip-rate\/latest\/\{z\}\/\{x\}\/\{y\}\.png/,
    )
    expect(json.body).toMatchObject({ minzoom: 2, maxzoom: 9, bounds: [-176, 15, -60, 72] })
  })
})

describe('an upstream that misbehaves', () => {
  test('a truncated frame is rejected by name, the previous frame stays, and a complete frame is ingested later', async () => {
    now += 2 * MINUTE
    mirror.misbehaviours.push({ path: /CONUS\/PrecipRate.*214000/, how: 'cut' })
    const [first] = await sweep('mrms-precip-rate')
    expect(first!.rejected.join()).toMatch(/214000/)
    expect(first!.published.map(({ domain }) => domain).sort()).toEqual(['alaska', 'hawaii'])
    const [second] = await sweep('mrms-precip-rate')
    expect([second!.rejected, second!.published]).toEqual([[], []])
    mirror.misbehaviours.length = 0
    now += 2 * MINUTE
    const [third] = await sweep('mrms-precip-rate')
    expect(third!.published.map(({ domain, time }) => `${domain} ${runName(time)}`)).toContain('conus 2026-08-20T2142Z')
  })

  test('a late frame is skipped for a newer frame, and does not replace it when it arrives', async () => {
    now += 2 * MINUTE
    mirror.misbehaviours.push({ path: /CONUS\/PrecipRate.*214400/, how: 'late' })
    await sweep('mrms-precip-rate')
    now += 2 * MINUTE
    const [sweepAfter] = await sweep('mrms-precip-rate')
    expect(sweepAfter!.published.map(({ domain, time }) => `${domain} ${runName(time)}`)).toContain(
      'conus 2026-08-20T2146Z',
    )
    mirror.misbehaviours.length = 0
    const [late] = await sweep('mrms-precip-rate')
    expect(late!.published).toEqual([])
    await look()
    expect(radarFrames.newestTime('mrms-precip-rate', 'conus')).toBe(Date.parse('2026-08-20T21:46:00Z'))
  })

  test('a worker that is behind skips to the newest frame and names the superseded frames', async () => {
    now += 8 * MINUTE
    const [behind] = await sweep('mrms-precip-rate')
    const superseded = behind!.superseded.filter((name) => name.includes('PrecipRate'))
    expect(behind!.published.map(({ time }) => runName(time))).toEqual([
      '2026-08-20T2154Z',
      '2026-08-20T2154Z',
      '2026-08-20T2154Z',
    ])
    expect(superseded.length).toBeGreaterThan(2)
    await look()
    expect((await radarFrames.motion('conus'))?.head.from.length).toBe(3)
  })

  test('a missing domain does not affect the others, and its answer reports no data', async () => {
    now += 2 * MINUTE
    mirror.misbehaviours.push({ path: '/HAWAII/', how: 'late' })
    const sweeps = await sweep('mrms-precip-rate', 'mrms-reflectivity-surface')
    mirror.misbehaviours.length = 0
    expect(new Set(sweeps[0]?.published.map(({ domain }) => domain))).toEqual(new Set(['conus', 'alaska']))
    await look()
    now += 16 * MINUTE
    await expect(nowcastAt(radarFrames, current)(at(21.3, -157.86, 'hawaii'))).rejects.toMatchObject({
      kind: 'Missing',
      details: { stale: true },
    })
  })
})

describe('afterwards', () => {
  test('nowcasts are verified with later frames', async () => {
    // Scans at full ten minutes are used: the 22:10 scan verifies the nowcast of 21:54.
    now = START + 31.5 * MINUTE
    await sweep('mrms-precip-rate')
    const rows = await database.query<{ lead: number; hits: number }>('select lead, hits from nowcast_score')
    expect(rows.length).toBeGreaterThan(1)
    const sums = 'sum(hits)::int as hits, sum(misses)::int as misses, sum(false_alarms)::int as false_alarms'
    const perFrame = await database.query(`select ${sums} from nowcast_score`)
    expect(await database.query(`select ${sums} from nowcast_day`)).toEqual(perFrame)
    const points = await database.query<{ points: number; most: number }>(
      'select sum(points)::int as points, max(probability / points) as most from nowcast_probability_day',
    )
    expect(points[0]?.points).toBeGreaterThan(100)
    expect(points[0]?.most).toBeLessThanOrEqual(1)
    const scores = await runningScores(database, 24 * 365 * 50)
    const known = scores.flatMap(({ csi }) => csi ?? [])
    expect(known.filter((csi) => !(csi >= 0 && csi <= 1))).toEqual([])
  })

  test('nowcasts of a day have the corrections that were learned from the days before it', async () => {
    const place = stormsAt(radarFrames.newestTime('mrms-precip-rate', 'conus')!).find(
      ({ rate, storm }) => rate > 5 && storm.id.startsWith('conus'),
    )!
    const ahead = () => nowcastAt(radarFrames, current)({ ...at(place.lat, place.lon), now })
    await look()
    const before = await ahead()
    expect(before.calibration).toBeUndefined()
    for (let day = 17; day <= 19; day++)
      await database.query(
        `insert into nowcast_raw_day select 'conus', $1, lead, bin, 5000, 500 * (bin + 0.5), 250 * (bin + 0.5)
         from unnest($2::int[]) as lead, generate_series(0, 9) as bin`,
        [`2026-08-${day}`, [5, 10, 15, 20, 30, 45, 60, 90]],
      )
    await database.query('delete from nowcast_calibration')
    now += 2 * MINUTE
    await sweep('mrms-precip-rate')
    await look()
    const after = await ahead()
    expect(after.calibration).toEqual({ firstDay: '2026-07-21', lastDay: '2026-08-19' })
    const sum = ({ points }: typeof after) => points.reduce((total, { probability = 0 }) => total + probability, 0)
    // Half of what was forecast fell.
    expect(sum(after) / sum(before)).toBeGreaterThan(0.3)
    expect(sum(after) / sum(before)).toBeLessThan(0.75)
  })

  test('old objects and rows that are not served are removed', async () => {
    now = START + 5 * 60 * MINUTE
    const removed = await retireFrames({ database, objects }, frameDatasets, now)
    expect(removed).toBeGreaterThan(10)
    await look()
    for (const { id, domains } of frameDatasets) {
      for (const { id: domain } of domains) expect(current.served(id, domain), `${id}/${domain}`).toBeDefined()
    }
    expect(await radarFrames.newest('mrms-precip-rate', 'conus')).toBeDefined()
  })
})
