import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { incarnationSuite } from './incarnation-suite.ts'

const folders: string[] = []
const databases: Database[] = []

beforeAll(async () => {
  for (const name of ['a', 'b']) {
    const dataDir = await mkdtemp(join(tmpdir(), `hexcast-incarnation-${name}-`))
    folders.push(dataDir)
    databases.push(await openDatabase({ dataDir, databasePool: 1 }))
  }
})
afterAll(async () => {
  for (const database of databases) await database.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

incarnationSuite(() => {
  const [db, other] = databases
  if (!db || !other) throw new Error('the databases are not open')
  return { db, other }
})
