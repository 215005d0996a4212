import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'
import { verificationSuite } from './verification-suite.ts'

describe('verification by the embedded engine, database and folder', () =>
  verificationSuite(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-verify-'))
    const database = await openDatabase({ dataDir, databasePool: 1 })
    const objects = await openFolder(join(dataDir, 'objects'))
    return {
      database,
      objects,
      engine: (activities) =>
        openEmbeddedEngine({ database, activities, clock: Date.now, report: () => {}, onlyWorker: true }),
      async close() {
        await objects.close()
        await database.close()
        await rm(dataDir, { recursive: true, force: true })
      },
    }
  }))
