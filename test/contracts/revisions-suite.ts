import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchCurrent } from '../../api/live/served-runs.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { HOUR, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import type { RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { rollBackRun } from '../../ingest/steps/grid/publish.ts'
import { republish } from '../../ingest/steps/grid/republish.ts'
import { retireRuns } from '../../ingest/steps/grid/retire.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool, SampleTask } from '../../ingest/steps/pool-tasks.ts'
import { createTileCache } from '../../ingest/tile/cache.ts'
import { revisionOfKey, runPrefix } from '../../ingest/tile/key.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { databaseNow } from '../../sql/queries/outbox.ts'
import { pointerOf, runOf } from '../../sql/queries/runs.ts'

export interface RevisionsPlace {
  readonly database: Database
  /** Another connection to the same data, as of another worker. */
  readonly other: Database
  readonly objects: Objects
  close(): Promise<void>
}

/** The simulator writes every 24th point of the grids and eight messages a file, and the tiles have several objects. */
const COARSENESS = 24
const MESSAGES = 8
const RESOLUTION = 6
/** Error of the temperatures of the wrong encoder, K. */
const ERROR_K = 2
const RUN = Date.UTC(2026, 7, 20, 13)
const target = { domains: ['conus' as const], run: RUN }
const key = { dataset: 'hrrr', domain: 'conus', run: new Date(RUN) }
const cells = [
  [39.7, -105],
  [29.8, -95.4],
  [47.6, -122.3],
  [44.9, -69],
].map(([lat = 0, lon = 0]) => cellOf(lat, lon, RESOLUTION))

/** Several encoders in one fleet, republished runs, and rollbacks: readers always have one whole publication. */
export function revisionsSuite(open: () => Promise<RevisionsPlace>): void {
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-revisions-'))
  const now = RUN + 100 * MINUTE
  let place: RevisionsPlace
  let mirror: Mirror
  let upstream: Upstream
  let pool: Pool
  /** Hash of the bytes of each key that a worker put. */
  const written = new Map<string, Set<string>>()

  beforeAll(async () => {
    place = await open()
    const sources = modelSources(COARSENESS, { maxMessages: MESSAGES }).filter(({ host }) => host.includes('hrrr'))
    mirror = await startMirror({ sources, now: () => now })
    upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
    pool = openPool({ threads: 2 })
  }, 120_000)
  afterAll(async () => {
    await pool?.close()
    await upstream?.close()
    await mirror?.close()
    await place?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A worker of a release. @param error K that its code adds to temperatures */
  function workerOf(encoder: number, error: number, database = place.database): RunPorts {
    const objects: Objects = {
      ...place.objects,
      put(name, bytes, options) {
        written.set(name, (written.get(name) ?? new Set()).add(hash('sha256', bytes)))
        return place.objects.put(name, bytes, options)
      },
    }
    const run: Pool['run'] = (task, ...rest) =>
      pool.run(task.kind === 'sample' ? withError(task as SampleTask, error) : task, ...rest)
    const cacheDir = join(folder, 'cache')
    const ports = { upstream, objects, slabs: objects, database, resolution: RESOLUTION, cacheDir, clock: () => now }
    return { ...ports, encoder, pool: { ...pool, size: pool.size, idle: () => pool.idle(), run } }
  }

  const pointer = async () => (await pointerOf(place.other, 'hrrr', 'conus')) ?? expect.fail('no run is served')
  const readAll = async (manifestKey: string) => {
    const run = await openRun(place.objects, manifestKey, createTileCache(1 << 20))
    const points = await Promise.all(cells.map((cell) => run.point(cell)))
    return points.map((point) => Array.from(point?.variables.get('temperature')?.values ?? []))
  }
  const keysOf = async (prefix: string) => {
    const keys: string[] = []
    for await (const { key } of place.objects.list(prefix)) keys.push(key)
    return keys
  }

  /** Reads what is served again and again while `work` goes on. @returns the values of each read by manifest */
  async function whileReading(work: () => Promise<unknown>): Promise<Map<string, number[][][]>> {
    const reads = new Map<string, number[][][]>()
    let done = false
    const reader = async () => {
      while (!done) {
        const served = await pointerOf(place.other, 'hrrr', 'conus')
        if (served) {
          const values = await readAll(served.manifest_key)
          reads.set(served.manifest_key, [...(reads.get(served.manifest_key) ?? []), values])
        }
        await pause(20)
      }
    }
    const readers = [reader(), reader()]
    await work().finally(() => (done = true))
    await Promise.all(readers)
    return reads
  }

  /** Expects that every read has the values of exactly one encoder. */
  async function expectWhole(reads: ReadonlyMap<string, number[][][]>): Promise<void> {
    for (const [manifestKey, list] of reads) {
      const final = await readAll(manifestKey)
      for (const values of list) expect(values).toEqual(final)
    }
  }

  /** Mean difference of temperatures, and its largest deviation, K. */
  function difference(left: number[][], right: number[][]): { mean: number; deviation: number } {
    const differences = left.flatMap((row, c) => row.map((value, t) => value - (right[c]?.[t] ?? Number.NaN)))
    const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length
    return { mean, deviation: Math.max(...differences.map((value) => Math.abs(value - mean))) }
  }

  let right: number[][]

  test('never mixes two encoders that process the same run at once', { timeout: 300_000 }, async () => {
    const [wrong, correct] = [workerOf(101, ERROR_K), workerOf(102, 0, place.other)]
    const reads = await whileReading(async () => {
      const outcomes = await Promise.all([wrong, correct].map((ports) => takeRun(ports, hrrr, target, () => now)))
      const states = outcomes.flatMap(({ stages }) =>
        stages.flatMap((stage) => stage.outcomes.map(({ state }) => state)),
      )
      expect(states.filter((state) => state === 'published')).toHaveLength(1)
    })
    await expectWhole(reads)
    const manifests = (await keysOf(`${runPrefix('hrrr', 'conus', RUN)}/`)).filter((name) => name.endsWith('/manifest'))
    const served = await pointer()
    expect(manifests).toContain(served.manifest_key)
    expect(await runOf(place.database, key)).toMatchObject({ manifest_key: served.manifest_key, revision: 0 })
    const values = await readAll(served.manifest_key)
    // The reader's values of a third worker, which publishes nothing: of all hours, none is of the other encoder.
    await republish(workerOf(103, 0), hrrr, target, now)
    right = await readAll((await pointer()).manifest_key)
    const { mean, deviation } = difference(values, right)
    expect([0, ERROR_K]).toContain(Math.round(mean * 10) / 10)
    expect(deviation).toBeLessThan(0.11)
    const rewritten = [...written].filter(([name, hashes]) => !/\.(?:json|lost)$/.test(name) && hashes.size > 1)
    expect(rewritten).toEqual([])
  })

  test('republishes a run with the same bytes where nothing changed', { timeout: 120_000 }, async () => {
    const before = await pointer()
    const [result] = await republish(workerOf(103, 0), hrrr, target, now)
    expect(result).toMatchObject({
      before: before.revision,
      revision: before.revision + 1,
      outcome: { state: 'published' },
    })
    expect(result?.tiles).toBeGreaterThan(1)
    expect(result?.same).toBe(result?.tiles)
    const after = await pointer()
    const folderOf = (manifestKey: string) => manifestKey.slice(0, manifestKey.lastIndexOf('/') + 1)
    for (const name of await keysOf(folderOf(after.manifest_key))) {
      if (name.endsWith('manifest')) continue
      const former = name.replace(folderOf(after.manifest_key), folderOf(before.manifest_key))
      expect(hash('sha256', await place.objects.get(name)), name).toBe(hash('sha256', await place.objects.get(former)))
    }
  })

  test('serves a correction to every process as a new run, and returns from it', { timeout: 300_000 }, async () => {
    await republish(workerOf(104, ERROR_K), hrrr, target, now)
    const current = await watchCurrent({ database: place.other, objects: place.objects, clock: () => now })
    const servedKey = () => current.served('hrrr', 'conus')?.manifestKey
    const until = async (manifestKey: string) => {
      for (let tries = 0; tries < 200 && servedKey() !== manifestKey; tries++) await pause(50)
      expect(servedKey()).toBe(manifestKey)
    }
    const wrong = await pointer()
    expect(difference(await readAll(wrong.manifest_key), right).mean).toBeCloseTo(ERROR_K, 1)
    const [generation, earlier] = [current.generation('conus'), current.earlier('hrrr', 'conus').length]
    const reads = await whileReading(() => republish(workerOf(105, 0), hrrr, target, now))
    await expectWhole(reads)
    const corrected = await pointer()
    await until(corrected.manifest_key)
    expect(current.generation('conus')).toBeGreaterThan(generation)
    // A replaced revision is no earlier run, which would fill the gaps of the corrected revision.
    expect(current.earlier('hrrr', 'conus')).toHaveLength(earlier)
    expect(await readAll(corrected.manifest_key)).toEqual(right)

    await expect(
      place.database.query(`update pointer set revision = revision - 1 where dataset = 'hrrr' and domain = 'conus'`),
    ).rejects.toMatchObject({ code: 'HX001' })
    const backReads = await whileReading(async () => {
      expect(await rollBackRun(place.database, { ...key, domain: 'conus', run: RUN }, now)).toEqual({
        from: corrected.revision,
        to: wrong.revision,
        served: true,
      })
      await until(wrong.manifest_key)
    })
    await expectWhole(backReads)
    expect(await pointer()).toMatchObject({ manifest_key: wrong.manifest_key, revision: wrong.revision })
    // The number of a revision that was rolled back is not used again.
    const [again] = await republish(workerOf(105, 0), hrrr, target, now)
    expect(again).toMatchObject({ before: wrong.revision, revision: corrected.revision + 1 })
    await current.close()
  })

  test('deletes replaced revisions, and neither the served one nor the one before it', {
    timeout: 120_000,
  }, async () => {
    const { revision, manifest_key } = await pointer()
    const revisions = async () =>
      [...new Set((await keysOf(`${runPrefix('hrrr', 'conus', RUN)}/`)).map(revisionOfKey))].sort((a, b) => a - b)
    expect((await revisions()).length).toBeGreaterThan(2)
    const history = 24 * 3600
    const ofDataset = { id: 'hrrr', keepSeconds: 1e9 }
    const real = (await databaseNow(place.database)).getTime()
    await retireRuns({ ...place, slabs: place.objects }, ofDataset, real + HOUR, history)
    expect((await revisions()).length).toBeGreaterThan(2)
    await retireRuns({ ...place, slabs: place.objects }, ofDataset, real + history * SECOND + HOUR, history)
    // The revision before the served one is that to which a rollback returned; the number between them was rolled back.
    expect(await revisions()).toEqual([revision - 2, revision])
    expect(await readAll(manifest_key)).toEqual(right)
    expect(await rollBackRun(place.database, { ...key, domain: 'conus', run: RUN }, now)).toMatchObject({
      to: revision - 2,
    })
    expect(difference(await readAll((await pointer()).manifest_key), right).mean).toBeCloseTo(ERROR_K, 1)
    expect(await rollBackRun(place.database, { ...key, domain: 'conus', run: RUN }, now)).toBeUndefined()
  })

  test('refuses to take published hours away, and to republish what is not stored', { timeout: 120_000 }, async () => {
    const before = await pointer()
    mirror.misbehaviours.push({ path: /wrfsfcf18/, how: 'late' })
    const [result] = await republish(workerOf(106, 0), hrrr, target, now)
    mirror.misbehaviours.splice(0)
    expect(result?.outcome).toEqual({
      state: 'rejected',
      reasons: ['hours 18 are published and cannot be read from upstream'],
    })
    expect(await pointer()).toEqual(before)
    await expect(republish(workerOf(106, 0), hrrr, { ...target, run: RUN - HOUR }, now)).rejects.toMatchObject({
      kind: 'Missing',
    })
  })
}

/** A fault of decoding: every temperature is too high. */
function withError(task: SampleTask, error: number): SampleTask {
  const items = task.request.items.map((item) =>
    item.kind === 'scalar' && item.variable === 'temperature' ? { ...item, offset: (item.offset ?? 0) + error } : item,
  )
  return { ...task, request: { ...task.request, items } }
}
