import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { availabilitySuite } from './availability-suite.ts'

describe('availability by the embedded database and events in process', () =>
  availabilitySuite(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-available-'))
    const database = await openDatabase({ dataDir, databasePool: 1 })
    const events = await openEvents({ kafkaBrokers: [] }, database)
    return {
      database,
      events,
      async close() {
        await events.close()
        await database.close()
        await rm(dataDir, { recursive: true, force: true })
      },
    }
  }))
