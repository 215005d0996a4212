import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { textFeed } from '../../infra/simulator/feeds/texts.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepTexts } from '../../ingest/steps/feeds/texts.ts'
import { textFeedSuite } from './text-feed-suite.ts'
import { textSuite } from './text-suite.ts'

const opened: { database: Database; dataDir: string }[] = []

async function embedded(): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-texts-'))
  const database = await openDatabase({ dataDir, databasePool: 1 })
  opened.push({ database, dataDir })
  return database
}

afterAll(async () => {
  for (const { database, dataDir } of opened) {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

describe('stored texts', () => textSuite(embedded))
describe('the feed of texts', () => textFeedSuite(embedded))

test('loses nothing and announces nothing twice after kill -9 during sweeps', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-text-killed-'))
  const mirror = await startMirror({ sources: [textFeed()], now: () => Date.now() })
  const upstream = openUpstream({ mirror: mirror.url })
  const itemsRead = () => mirror.log.filter((line) => line.includes('/products/simulated-')).length
  for (const items of [20, 60, 120]) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'text-sweeper.ts'), dataDir, mirror.url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    while (itemsRead() < items) await new Promise((resolve) => setTimeout(resolve, 10))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const database = await openDatabase({ dataDir, databasePool: 1 })
  opened.push({ database, dataDir })
  const [before] = await database.query<{ n: number }>('select count(*) as n from text_product')
  const { failed, unfinished } = await sweepTexts({ database, upstream })
  const [after] = await database.query<{ n: number; subjects: number; newest: number; dangling: number }>(
    `select count(*) as n, count(distinct subject) as subjects, count(*) filter (where newest) as newest,
       (select count(*) from text_item i where i.outcome = 'read'
          and not exists (select from text_product p where p.item = i.id)) as dangling from text_product`,
  )
  const [messages] = await database.query<{ n: number; distinct: number; missing: number }>(
    `select count(*) as n, count(distinct (payload ->> 'id', payload ->> 'change')) as distinct,
       (select count(*) from text_product p where newest and not ended and not exists
          (select from outbox o where o.payload ->> 'id' = p.item and o.payload ->> 'change' = 'issued')) as missing from outbox`,
  )
  expect([failed, unfinished]).toEqual([[], []])
  expect(before!.n).toBeGreaterThan(0)
  expect(after!.n).toBeGreaterThan(before!.n)
  expect([after!.newest, after!.dangling]).toEqual([after!.subjects, 0])
  expect([messages!.distinct, messages!.missing]).toEqual([messages!.n, 0])
  await upstream.close()
  await mirror.close()
}, 240_000)
