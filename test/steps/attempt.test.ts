import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { attemptOf } from '../../ingest/steps/grid/attempt.ts'
import { setOrigin } from '../../sql/queries/origin.ts'
import { claimRun, publishRun, rejectRun } from '../../sql/queries/runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'hexcast-attempt-'))
const run = Date.parse('2026-08-20T12:00:00Z')
let database: Database
beforeAll(async () => {
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
}, 60_000)
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const keyOf = ({ id }: GridDataset) => ({ dataset: id, domain: 'conus', run: new Date(run) })
const ask = (dataset: GridDataset) => attemptOf(database, dataset, { domains: ['conus'], run })
const publish = (dataset: GridDataset, stage: number, sampled: number) => {
  const publication = {
    stage,
    publishedTo: stage,
    leads: Array.from({ length: sampled }, (_, lead) => lead),
    manifestKey: `${stage}-${sampled}`,
    manifest: { leads: Array.from({ length: sampled }, (_, lead) => lead) },
    wanted: 9,
    missing: 9 - sampled,
  }
  return publishRun(database, { ...keyOf(dataset), ...publication, got: sampled }, [])
}

test('gives the same workflow name to a run that is new, in progress or has further stages', async () => {
  expect(await ask(nbm)).toBeUndefined()
  await claimRun(database, keyOf(nbm))
  expect(await ask(nbm)).toBeUndefined()
  await publish(nbm, 0, 9)
  expect(await ask(nbm)).toBeUndefined()
})

test('gives different names to each completion of a published run', async () => {
  await publish(nbm, 1, 7)
  expect(await ask(nbm)).toBe('got-7')
  await publish(nbm, 1, 8)
  expect(await ask(nbm)).toBe('got-8')
})

test('gives a rejected run another workflow name, so that it is validated again', async () => {
  await rejectRun(database, keyOf(hrrr), 'upstream does not have hours 4 to 6')
  const first = await ask(hrrr)
  expect(first).toMatch(/^ended-\d{4}-/)
  await claimRun(database, keyOf(hrrr))
  expect(await ask(hrrr)).toBe(first)
  await rejectRun(database, keyOf(hrrr), 'upstream does not have hours 5 to 6')
  expect(await ask(hrrr)).not.toBe(first)
})

test('includes the age of the database in names, because an engine may remember runs of an earlier database', async () => {
  await setOrigin(database, true)
  const simulated = await ask(nbm)
  expect(simulated).toMatch(/^\d{4}-.*Z/)
  await setOrigin(database, false)
  expect(await ask(nbm)).toMatch(/^\d{4}-.*Z$/)
  expect(await ask(nbm)).not.toBe(simulated)
})
