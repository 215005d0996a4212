import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServiceStatus } from '../../api/live/service-status.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { loadConfig } from '../../ingest/config.ts'
import { rrfs, rrfsLong } from '../../ingest/datasets/rrfs.ts'
import { takes } from '../../ingest/domain/dataset/takes.ts'
import { DAY, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { latenessCheck } from '../../ingest/steps/lateness.ts'
import type { Finding } from '../../ingest/steps/live-check/finding.ts'
import { liveCheck } from '../../ingest/steps/live-check/live-check.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { createActivities } from '../../workers/activities/index.ts'

// RRFS is read where its bucket has files, and is nowhere called missing where it has none.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-absent-'))
const START = Date.UTC(2026, 10, 21, 16)
let now = START
let withRrfs = false
let mirror: Mirror
let upstream: Upstream
let database: Database
let objects: Objects
let pool: Pool

beforeAll(async () => {
  const [absent] = modelSources(60).filter(({ host }) => host.includes('rrfs'))
  const [present] = modelSources(60, { withRrfs: true }).filter(({ host }) => host.includes('rrfs'))
  const source = () => (withRrfs ? present! : absent!)
  const sources = [
    {
      host: absent!.host,
      list: (prefix: string, at: number) => source().list?.(prefix, at) ?? [],
      find: (path: string, query: URLSearchParams, at: number) => source().find(path, query, at),
    },
  ]
  mirror = await startMirror({ sources, now: () => now })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  objects = await openFolder(join(folder, 'objects'))
  pool = openPool({ threads: 1 })
}, 60_000)
afterAll(async () => {
  await pool.close()
  await objects.close()
  await database.close()
  await upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

async function check(): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const settings = { datasets: ['rrfs', 'rrfs-long'], secondSources: { metar: '' }, contactExpected: false }
  await liveCheck(upstream, now, settings, (finding) => findings.push(finding))
  return findings.filter(({ subject }) => subject.startsWith('rrfs'))
}

test('the live check warns once for each domain that upstream does not offer', async () => {
  const findings = await check()
  expect(findings.map(({ state, subject }) => `${state} ${subject}`).sort()).toEqual(
    ['rrfs-long', 'rrfs'].flatMap((id) =>
      ['alaska', 'conus', 'hawaii'].map((domain) => `warning ${id}/${domain} keys`),
    ),
  )
  for (const { detail } of findings) expect(detail).toMatch(/does not offer it.*no key begins with rrfs\.20261121/)
})

test('a dataset that upstream never had is neither late nor counted, and the status is not degraded by it', async () => {
  const lateness = latenessCheck(database, { grids: [rrfs, rrfsLong], frames: [], feeds: [] })
  for (const at of [START, START + HOUR, START + 3 * DAY]) expect(await lateness(at)).toEqual([])
  expect(await database.query('select * from freshness_day')).toEqual([])
  const status = await openServiceStatus({ database, clock: () => now, datasets: ['rrfs', 'rrfs-long'] })()
  expect(status?.status).toBe('ok')
})

test('it is looked for every ten minutes, and read once it is there', async () => {
  const activities = createActivities({
    ...{ database, objects, slabs: objects, upstream, pool, clock: () => now },
    config: loadConfig({ DATA_DIR: folder }),
    resolution: 5,
    cacheDir: join(folder, 'cache'),
    note: () => {},
  })
  const runs = async () => (await activities.newRuns({ dataset: 'rrfs' })).map(({ run }) => run)
  const requests = async (minutes: number) => {
    now += minutes * MINUTE
    const before = mirror.log.length
    expect(await runs()).toEqual([])
    return mirror.log.length - before
  }
  expect(await requests(0)).toBeGreaterThan(0)
  expect(await requests(1)).toBe(0)
  expect(await requests(8)).toBe(0)
  withRrfs = true
  expect(await requests(0)).toBe(0)
  now += 2 * MINUTE
  expect(await runs()).toEqual(['2026-11-21T12Z', '2026-11-21T12Z', '2026-11-21T12Z'])
})

test('the live check reads keys, indexes and messages once it is there', async () => {
  const findings = await check()
  expect(findings.filter(({ state }) => state === 'failed')).toEqual([])
  expect(findings.filter(({ subject }) => subject.endsWith(' message'))).toHaveLength(6)
})

test('DATASETS leaves out a dataset by its id with a minus', () => {
  expect(takes(loadConfig({ DATASETS: '-rrfs,-rrfs-long' }), 'rrfs')).toBe(false)
  expect(takes(loadConfig({ DATASETS: '-rrfs,-rrfs-long' }), 'nbm')).toBe(true)
  for (const id of ['refs', 'refs-agreement', 'refs-mean', 'refs-spread'])
    expect(takes(loadConfig({ DATASETS: '-refs' }), id)).toBe(false)
  expect(takes(loadConfig({ DATASETS: '-refs' }), 'rrfs')).toBe(true)
  expect(takes(loadConfig({ DATASETS: '-refs-mean' }), 'refs')).toBe(true)
  expect(takes(loadConfig({ DATASETS: 'nbm,-rrfs' }), 'gfs')).toBe(false)
  expect(takes(loadConfig({}), 'rrfs')).toBe(true)
})
