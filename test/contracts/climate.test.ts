import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { climateSuite } from './climate-suite.ts'

let dataDir: string
let db: Database

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-climate-'))
  db = await openDatabase({ dataDir, databasePool: 1 })
})

afterAll(async () => {
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('climate texts in the embedded database', () => climateSuite(() => ({ db })))
