import { afterAll, beforeAll, describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { webhookSuite } from '../contracts/webhook-suite.ts'
import { freshPlace } from './place.ts'

let place: Awaited<ReturnType<typeof freshPlace>>
let db: Database
let other: Database
beforeAll(async () => {
  place = await freshPlace()
  db = await openDatabase(place.config)
  other = await openDatabase(place.config)
})
afterAll(async () => {
  await Promise.all([db?.close(), other?.close()])
  await place?.drop()
})

describe('calls of webhooks in PostgreSQL', () => webhookSuite(() => ({ db, other })))
