import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runVerb } from '../../bin/command-line.ts'
import { verbs } from '../../bin/verbs/workers.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { attemptOf } from '../../ingest/steps/grid/attempt.ts'
import { sealText } from '../../ingest/tile/manifest.ts'
import { incarnationOf } from '../../sql/queries/incarnation.ts'
import { setOrigin } from '../../sql/queries/origin.ts'
import { pointers, publishRun, runOf } from '../../sql/queries/runs.ts'

// What an operator does after a restore: the verb over an embedded database and a folder of objects.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-recover-'))
const run = new Date('2026-08-20T12:00:00Z')
let database: Database
let objects: Objects

async function recover(...words: string[]): Promise<{ status: number; printed: string }> {
  const lines: unknown[] = []
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(line)),
  )
  try {
    const verb = verbs.find(({ name }) => name === 'recover')
    if (!verb) throw new Error('there is no verb recover')
    return { status: await runVerb(verb, words), printed: lines.join('\n') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Publishes a run of two tiles, or a frame. */
async function publish(dataset: string, domain: string, isRun = true): Promise<string> {
  const prefix = `tiles/v1/${dataset}/${domain}/2026-08-20T12Z/h018-0a1b2c3d/`
  const key = isRun ? `${prefix}manifest` : `frames/v1/${dataset}/${domain}/2026-08-20T120000Z`
  if (isRun) {
    await objects.put(`${prefix}0000.tile`, new Uint8Array(100))
    await objects.put(`${prefix}0001.tile`, new Uint8Array(200))
    await objects.put(key, sealText('HXM1', { tiles: [{ size: 100 }, { size: 200 }] }))
  } else await objects.put(key, new Uint8Array(10))
  const counts = { stage: 0, publishedTo: 18, manifest: {}, wanted: 1, got: 1, missing: 0 }
  await publishRun(database, { dataset, domain, run, manifestKey: key, ...counts }, [])
  return prefix
}

beforeAll(async () => {
  vi.stubEnv('DATA_DIR', folder)
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('OBJECTS_URL', '')
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
  objects = await openFolder(join(folder, 'objects'))
  await setOrigin(database, true)
}, 120_000)
afterAll(async () => {
  vi.unstubAllEnvs()
  await objects?.close()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('prints the incarnation, and changes it and the names of workflows after a restore of the database', async () => {
  const before = await incarnationOf(database)
  const target = { domains: ['conus'], run: run.getTime() } as const
  const nameBefore = await attemptOf(database, nbm, target)
  expect(await recover()).toEqual({
    status: 0,
    printed: `events have the incarnation ${before.id}\nevery served run and frame has its objects`,
  })
  const { status, printed } = await recover('--database')
  const after = await incarnationOf(database)
  expect(status).toBe(0)
  expect(after).toEqual({ id: expect.not.stringMatching(before.id), isRestored: true })
  expect(printed).toContain(`new incarnation ${after.id}`)
  // An engine that remembers the runs of the lost database refuses their names.
  expect(await attemptOf(database, nbm, target)).toBe(`${nameBefore}+restored-${after.id}`)
})

test('finds runs and frames with lost objects, and gives them up so that they are taken from upstream again', async () => {
  const lost = await publish('nbm', 'conus')
  await publish('nbm', 'alaska')
  await publish('mrms-rate', 'conus', false)
  await objects.remove(`${lost}0001.tile`)
  await objects.remove('frames/v1/mrms-rate/conus/2026-08-20T120000Z')
  const listed = await recover()
  expect(listed.status).toBe(1)
  expect(listed.printed.split('\n').slice(1)).toEqual([
    'mrms-rate conus 2026-08-20T12Z: 1 of 1 objects are lost',
    'nbm conus 2026-08-20T12Z: 1 of 3 objects are lost',
  ])
  expect(await pointers(database)).toHaveLength(3)

  expect((await recover('--objects')).status).toBe(0)
  expect((await pointers(database)).map(({ dataset, domain }) => `${dataset} ${domain}`)).toEqual(['nbm alaska'])
  const row = await runOf(database, { dataset: 'nbm', domain: 'conus', run })
  expect(row).toMatchObject({ state: 'gone', published_to: null, manifest_key: null, leads: null })
  expect(await attemptOf(database, nbm, { domains: ['conus'], run: run.getTime() })).toMatch(/\+ended-\d{4}/)
  expect(await recover()).toMatchObject({ status: 0, printed: expect.stringContaining('has its objects') })

  await publish('nbm', 'conus')
  expect(await runOf(database, { dataset: 'nbm', domain: 'conus', run })).toMatchObject({ state: 'published' })
  expect(await pointers(database)).toHaveLength(2)
})
