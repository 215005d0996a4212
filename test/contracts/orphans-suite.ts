import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { glm } from '../../ingest/datasets/glm.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { radarSites } from '../../ingest/datasets/radar-sites.ts'
import { HOUR, type Instant, MINUTE, runName, SECOND } from '../../ingest/domain/time.ts'
import type { SiteScans } from '../../ingest/domain/weather/radar-scan.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { publishFrame } from '../../ingest/steps/frames/frame.ts'
import { retireFrames } from '../../ingest/steps/frames/retire.ts'
import { retireRuns } from '../../ingest/steps/grid/retire.ts'
import { removeOrphans } from '../../ingest/steps/orphans.ts'
import { quarantineOver } from '../../ingest/steps/quarantine.ts'
import { frameKey } from '../../ingest/tile/key.ts'
import { publishRun } from '../../sql/queries/runs.ts'

export interface OrphansPlace {
  readonly database: Database
  readonly objects: Objects
  close(): Promise<void>
}

const NOW = Date.UTC(2026, 7, 20, 12)
const HISTORY_SECONDS = 24 * 3600
const datasets = { grids: [hrrr], frames: [glm, radarSites] }
const bytes = new Uint8Array([1, 2, 3])

/** Objects that no row names are removed and objects that a row names remain, wherever a process was killed. */
export function orphansSuite(open: () => Promise<OrphansPlace>): void {
  let place: OrphansPlace
  beforeAll(async () => {
    place = await open()
  }, 120_000)
  afterAll(() => place?.close())
  beforeEach(async () => {
    await place.database.query('truncate run, pointer, quarantine, outbox')
    for (const key of await keys()) await place.objects.remove(key)
  })

  async function keys(prefix = ''): Promise<string[]> {
    const names: string[] = []
    for await (const { key } of place.objects.list(prefix)) names.push(key)
    return names
  }
  const put = (key: string) => place.objects.put(key, bytes)
  const ports = (objects = place.objects) => ({ database: place.database, objects, slabs: objects })

  /** A published run: two tiles, the manifest and the row. */
  async function putRun(run: Instant): Promise<void> {
    const folder = `tiles/v1/hrrr/conus/${runName(run)}/f18-0a1b2c3d`
    for (const name of ['0000.tile', '0001.tile', 'manifest']) await put(`${folder}/${name}`)
    const counts = { stage: 0, publishedTo: 18, wanted: 19, got: 19, missing: 0, manifest: {} }
    const row = { dataset: 'hrrr', domain: 'conus', run: new Date(run), manifestKey: `${folder}/manifest`, ...counts }
    await publishRun(place.database, row, [])
    await place.database.query(`update run set published_at = $1, claimed_at = $1`, [new Date(run)])
  }

  /** The store of a process that is killed at a removal after `count` others. */
  function killedAfter(removals: number): Objects {
    let remaining = removals
    return new Proxy(place.objects, {
      get(objects, name) {
        if (name !== 'remove') return Reflect.get(objects, name).bind(objects)
        return async (key: string) => {
          if (remaining-- === 0) throw new Error('killed')
          await objects.remove(key)
        }
      },
    })
  }

  async function missingObjects(): Promise<string[]> {
    const rows = await place.database.query<{ manifest_key: string }>(
      `select manifest_key from run where state = 'published' union select manifest_key from pointer`,
    )
    const stored = new Set(await keys())
    return rows.map(({ manifest_key }) => manifest_key).filter((key) => !stored.has(key))
  }

  test('removes the objects of runs after a retirement that was killed at any removal', async () => {
    const old = NOW - hrrr.keepSeconds * SECOND - HISTORY_SECONDS * SECOND - 3 * HOUR
    const later = NOW + 2 * HOUR
    for (let removals = 0; removals < 9; removals++) {
      for (const run of [old, old + HOUR, NOW - HOUR]) await putRun(run)
      // One object belongs to a run that was being sampled, and one to a run whose retirement ended before the slab was put.
      await put(`slabs/v1/hrrr/conus/${runName(old)}/f01-000000000000.slab`)
      await put(`corrupt/v1/hrrr/conus/${runName(old)}/f02-000000000000.corrupt`)
      const outcome = await retireRuns(ports(killedAfter(removals)), hrrr, later, HISTORY_SECONDS).catch(String)
      // Two runs have six objects, and the old run has two more, so a ninth removal never happens.
      expect(String(outcome).includes('killed')).toBe(removals < 8)
      expect(await missingObjects()).toEqual([])
      await retireRuns(ports(), hrrr, later, HISTORY_SECONDS)
      await removeOrphans(ports(), datasets, later, HISTORY_SECONDS)
      expect((await keys()).map((key) => key.split('/')[4])).toEqual(Array(3).fill(runName(NOW - HOUR)))
      await place.database.query('truncate run, pointer')
    }
  })

  test('keeps the served run at any age, and unfinished objects of a run with a row', async () => {
    const old = NOW - 40 * 24 * HOUR
    await putRun(old)
    const claimed = old + HOUR
    await put(`tiles/v1/hrrr/conus/${runName(claimed)}/f18-0a1b2c3d/0000.tile`)
    await place.database.query(
      `insert into run (dataset, domain, run, state) values ('hrrr', 'conus', $1, 'claimed')`,
      [new Date(claimed)],
    )
    expect(await removeOrphans(ports(), datasets, NOW, HISTORY_SECONDS)).toBe(0)
    expect(await keys()).toHaveLength(4)
  })

  test('removes an object of three domains with its last row, and a replaced object without one', async () => {
    const end = NOW - (glm.keepSeconds + HISTORY_SECONDS) * SECOND - 2 * HOUR
    const [first, second] = [`${frameKey('glm', 'all', end)}-3`, `${frameKey('glm', 'all', end)}-4`]
    for (const key of [first, second]) {
      await put(key)
      for (const { id } of glm.domains)
        await publishFrame(place.database, 'glm', id, end, key, {}, end, Number(key.at(-1)))
    }
    const newer = `${frameKey('glm', 'all', NOW)}-5`
    await put(newer)
    for (const domain of ['conus', 'alaska'] as const)
      await publishFrame(place.database, 'glm', domain, NOW, newer, {}, NOW)
    // Hawaii is still served from the old object.
    await retireFrames(ports(), [glm], NOW, HISTORY_SECONDS)
    expect(await missingObjects()).toEqual([])
    await removeOrphans(ports(), datasets, NOW, HISTORY_SECONDS)
    expect(await keys()).toEqual([second, newer].sort())
    await publishFrame(place.database, 'glm', 'hawaii', NOW, newer, {}, NOW)
    await retireFrames(ports(), [glm], NOW, HISTORY_SECONDS)
    expect(await keys()).toEqual([newer])
  })

  test('keeps scans of single radars as long as a list names them', async () => {
    const at = NOW - (radarSites.keepSeconds + HISTORY_SECONDS) * SECOND - 2 * HOUR
    const scan = (site: string, time: Instant) => `${frameKey('nexrad-l3', site, time)}/N0B`
    const named = { site: 'FTG', mnemonic: 'N0B', time: at, key: scan('FTG', at), coveragePattern: 212 }
    const list: SiteScans = { validTime: at, scans: [named], rejected: [], replaced: [] }
    // A process put the second scan and was killed before it published the list.
    for (const key of [scan('FTG', at), scan('FTG', at + 5 * MINUTE)]) await put(key)
    await place.objects.put(frameKey('nexrad-l3', 'conus', at), Buffer.from(JSON.stringify(list)))
    await publishFrame(place.database, 'nexrad-l3', 'conus', at, frameKey('nexrad-l3', 'conus', at), {}, at)
    await put(scan('TLX', NOW))
    expect(await removeOrphans(ports(), datasets, NOW, HISTORY_SECONDS)).toBe(1)
    expect(await keys()).toEqual([frameKey('nexrad-l3', 'conus', at), scan('FTG', at), scan('TLX', NOW)].sort())
  })

  test('removes quarantined bytes without an entry', async () => {
    const { database, objects } = place
    const entry = { dataset: 'hrrr', domain: 'conus', run: NOW, reason: 'format', detail: 'a page', bytes } as const
    for (const variable of ['temperature', 'dew_point'])
      await quarantineOver({ database, objects })({ ...entry, variable })
    const [first, second] = await keys('quarantine/')
    await database.query('delete from quarantine where object = $1', [first!])
    await put('quarantine/v1/hrrr/conus/2026-08-20T12Z/999999.bin')
    expect(await removeOrphans(ports(), datasets, NOW)).toBe(0)
    await database.query(`update quarantine set first_at = first_at - interval '2 hours'`)
    expect(await removeOrphans(ports(), datasets, NOW)).toBe(1)
    expect(await keys('quarantine/')).toEqual([second, 'quarantine/v1/hrrr/conus/2026-08-20T12Z/999999.bin'])
  })
}
