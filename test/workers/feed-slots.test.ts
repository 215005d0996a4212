import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gridDatasets } from '../../ingest/catalog.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { feeds } from '../../ingest/steps/feeds/index.ts'
import type { Activities } from '../../workers/activities.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'

test('reads alerts while all other feeds hang, including the further reads of zones and texts', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-slots-'))
  const database = await openDatabase({ dataDir, databasePool: 3 })
  const startedFeeds: string[] = []
  const alerts = Promise.withResolvers<void>()
  const activities = {
    async sweepFeed({ dataset }: { dataset: string }) {
      startedFeeds.push(dataset)
      if (dataset !== 'nws-alerts') await new Promise(() => undefined)
      alerts.resolve()
      return { expiresAt: null, sweepNext: [] }
    },
  } as unknown as Activities
  const engine = await openEmbeddedEngine({ database, activities, clock: Date.now, report: () => undefined })
  try {
    const otherFeeds = feeds.map(({ id }) => id).filter((id) => id !== 'nws-alerts')
    for (const id of otherFeeds) await engine.start('sweepFeed', `sweep-feed/${id}`, { dataset: id })
    for (const id of ['zones', 'nws-texts']) await engine.start('sweepFeed', `sweep-feed/${id}/next`, { dataset: id })
    await engine.work()
    await expect.poll(() => startedFeeds.length, { timeout: 30_000 }).toBe(otherFeeds.length + 2)
    await engine.start('sweepFeed', 'sweep-feed/nws-alerts', { dataset: 'nws-alerts' })
    await alerts.promise
    expect(startedFeeds.at(-1)).toBe('nws-alerts')
  } finally {
    await engine.stop()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('polls for runs of a dataset while the listings of all others hang', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-slots-'))
  const database = await openDatabase({ dataDir, databasePool: 3 })
  const looked = new Set<string>()
  const activities = {
    async newRuns({ dataset }: { dataset: string }) {
      looked.add(dataset)
      if (dataset !== 'nbm') await new Promise(() => undefined)
      return []
    },
  } as unknown as Activities
  const engine = await openEmbeddedEngine({ database, activities, clock: Date.now, report: () => undefined })
  try {
    const others = gridDatasets.map(({ id }) => id).filter((id) => id !== 'nbm')
    for (const id of others) await engine.start('watchRuns', `watch-runs/${id}`, { dataset: id })
    await engine.work()
    await expect.poll(() => looked.size, { timeout: 30_000 }).toBe(others.length)
    await engine.start('watchRuns', 'watch-runs/nbm', { dataset: 'nbm' })
    await expect.poll(() => looked.has('nbm'), { timeout: 30_000 }).toBe(true)
  } finally {
    await engine.stop()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
