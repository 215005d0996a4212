import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysOf, type SupplierName } from '../../../api/live/invalidation.ts'
import { type Current, coarseCells, watchCurrent } from '../../../api/live/served-runs.ts'
import { frameDatasets } from '../../../ingest/catalog.ts'
import { cellOf } from '../../../ingest/domain/cell.ts'
import type { DomainId } from '../../../ingest/domain/domain.ts'
import { topics } from '../../../ingest/domain/event.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { openEvents } from '../../../ingest/ports/events/open.ts'
import type { Events } from '../../../ingest/ports/events.ts'
import { publishFrame } from '../../../ingest/steps/frames/frame.ts'
import { setOrigin } from '../../../sql/queries/origin.ts'
import { publishRun } from '../../../sql/queries/runs.ts'

let folder: string
let database: Database
let events: Events
let current: Current

const publish = (run: string, stage = 0, dataset = 'nbm', manifest: object = {}) =>
  publishRun(
    database,
    {
      dataset,
      domain: 'conus',
      run: new Date(run),
      stage,
      publishedTo: stage ? 264 : 36,
      manifestKey: `tiles/v1/${dataset}/conus/${run}/${stage}/manifest`,
      manifest,
      wanted: 1,
      got: 1,
      missing: 0,
    },
    [],
  )

async function until(check: () => boolean): Promise<void> {
  const end = Date.now() + 8000
  while (!check() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(check()).toBe(true)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-current-'))
  database = await openDatabase({ databasePool: 1, dataDir: folder })
  events = await openEvents({ kafkaBrokers: [] }, database)
  await setOrigin(database, true)
  await publish('2026-08-20T10:00:00Z')
  await publish('2026-08-20T11:00:00Z')
  await publish('2026-08-20T11:00:00Z', 0, 'gfs', { lacking: ['ozone'], gaps: ['upstream does not have hours 7'] })
  const objects = { get: async () => new Uint8Array(), range: async () => new Uint8Array() }
  current = await watchCurrent({ database, objects, events, clock: Date.now, withEarlier: ['nbm'] })
}, 120_000)

afterAll(async () => {
  await current?.close()
  await events?.close()
  await database?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

describe('served runs', () => {
  test('serves the newest run and remembers the run before it', () => {
    expect(current.served('nbm', 'conus')?.run).toBe(Date.parse('2026-08-20T11:00:00Z'))
    expect(current.earlier('nbm', 'conus').map(({ run }) => run)).toEqual([Date.parse('2026-08-20T10:00:00Z')])
    expect(current.served('nbm', 'alaska')).toBeUndefined()
    expect(current.simulated()).toBe(true)
    expect(Date.now() - current.confirmedAt()).toBeLessThan(10_000)
  })

  test('has the variables and hours that a run lacks', () => {
    expect(current.served('gfs', 'conus')).toMatchObject({
      missing: ['ozone'],
      incomplete: ['upstream does not have hours 7'],
    })
    expect(current.served('nbm', 'conus')).toMatchObject({ missing: [], incomplete: [] })
  })

  test('reads at an event, and invalidates only the domain of the run', async () => {
    const [conus, alaska] = [current.generation('conus'), current.generation('alaska')]
    await publish('2026-08-20T12:00:00Z')
    await events.publish(topics.runs.name, 'nbm', {
      dataset: 'nbm',
      run: '2026-08-20T12:00:00Z',
      at: new Date().toISOString(),
    })
    await until(() => current.served('nbm', 'conus')?.run === Date.parse('2026-08-20T12:00:00Z'))
    expect(current.generation('conus')).toBeGreaterThan(conus)
    expect(current.generation('alaska')).toBe(alaska)
    expect(current.earlier('nbm', 'conus')[0]?.run).toBe(Date.parse('2026-08-20T11:00:00Z'))
  })

  test('finds a further stage of a run by polling, without an event', async () => {
    const before = current.generation('conus')
    await publish('2026-08-20T12:00:00Z', 1)
    await until(() => current.served('nbm', 'conus')?.manifestKey.includes('/1/') === true)
    expect(current.generation('conus')).toBeGreaterThan(before)
  })

  test('invalidates answers when a run that is not served gets another revision', async () => {
    const [conus, alaska] = [current.generation('conus'), current.generation('alaska')]
    const run = new Date('2026-08-20T11:00:00Z')
    const counts = { wanted: 1, got: 1, missing: 0, manifest: {} }
    const revision = { dataset: 'nbm', domain: 'conus', run, stage: 0, revision: 1, publishedTo: 36, ...counts }
    await publishRun(database, { ...revision, manifestKey: 'tiles/v1/nbm/conus/r1/manifest' }, [])
    const payload = { dataset: 'nbm', domain: 'conus', run: run.toISOString(), revision: 1, at: run.toISOString() }
    await events.publish(topics.runs.name, 'nbm', payload)
    await until(() => current.earlier('nbm', 'conus')[0]?.manifestKey === 'tiles/v1/nbm/conus/r1/manifest')
    expect(current.generation('conus')).toBeGreaterThan(conus)
    expect(current.generation('alaska')).toBe(alaska)
  })

  test('keeps a replaced revision of the served run out of the earlier runs', async () => {
    const run = new Date('2026-08-20T12:00:00Z')
    const counts = { wanted: 1, got: 1, missing: 0, manifest: {} }
    const revision = { dataset: 'gfs', domain: 'conus', run, stage: 0, publishedTo: 36, ...counts }
    await publishRun(database, { ...revision, manifestKey: 'r0' }, [])
    await until(() => current.served('gfs', 'conus')?.manifestKey === 'r0')
    const earlier = current.earlier('gfs', 'conus').length
    await publishRun(database, { ...revision, revision: 1, manifestKey: 'r1' }, [])
    await until(() => current.served('gfs', 'conus')?.manifestKey === 'r1')
    expect(current.earlier('gfs', 'conus')).toHaveLength(earlier)
  })

  test('invalidates only what uses the source at points in the cells, at any resolution', () => {
    const denver = coarseCells(39.74, -104.99)
    const miami = coarseCells(25.76, -80.19)
    for (const resolution of [4, 2]) {
      const { mark } = current
      const changed = (coarse: readonly string[], source: SupplierName) =>
        current.changedSince(mark, keysOf({ domain: 'conus', coarse, sources: ['radar', source] }))
      current.invalidate('alerts', [resolution === 4 ? cellOf(39.74, -104.99, 4) : (denver[4 - resolution] ?? '')])
      expect(changed(denver, 'alerts')).toBe(true)
      expect(changed(miami, 'alerts')).toBe(false)
      expect(changed(denver, 'texts')).toBe(false)
    }
  })

  test('invalidates every answer after a change of everything', () => {
    const { mark, globalGeneration } = current
    current.invalidateAll()
    expect(current.globalGeneration).toBeGreaterThan(globalGeneration)
    expect(current.changedSince(mark, keysOf({ domain: 'hawaii', coarse: [], sources: [] }))).toBe(true)
  })

  test('invalidates only the answers that use a frame when it is published', async () => {
    const time = Date.parse('2026-08-20T12:02:00Z')
    const changed = (mark: number, sources: readonly SupplierName[], domain: DomainId = 'conus') =>
      current.changedSince(mark, keysOf({ domain, coarse: coarseCells(39.74, -104.99), sources }))
    for (const { id, shownBy = [] } of frameDatasets) {
      const { mark } = current
      await publishFrame(database, id, 'conus', time, `frames/${id}/conus/1`, {}, Date.now())
      const run = new Date(time).toISOString()
      await events.publish(topics.runs.name, id, { dataset: id, run, at: run })
      await until(() => current.served(id, 'conus') !== undefined)
      const all: readonly SupplierName[] = ['radar', 'nowcast', 'lightning', 'scans', 'history', 'alerts']
      expect([id, all.filter((source) => changed(mark, [source])).sort()]).toEqual([id, [...shownBy].sort()])
      expect(changed(mark, all, 'alaska')).toBe(false)
    }
  })

  test('removes all runs when the upstream changes from simulated to real', async () => {
    await setOrigin(database, false)
    await until(() => current.served('nbm', 'conus') === undefined)
    // The mark of simulated data is removed after the runs, never before them.
    await until(() => current.simulated() === false)
    expect(current.earlier('nbm', 'conus')).toEqual([])
  })
})
