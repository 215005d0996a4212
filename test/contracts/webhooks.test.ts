import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { webhookSuite } from './webhook-suite.ts'

let dataDir: string
let db: Database
let other: Database
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-webhook-queue-'))
  db = await openDatabase({ dataDir, databasePool: 1 })
  other = await openDatabase({ dataDir, databasePool: 1 })
})
afterAll(async () => {
  await other.close()
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('calls of webhooks in the embedded database', () => webhookSuite(() => ({ db, other })))
