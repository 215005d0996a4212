import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { orphansSuite } from './orphans-suite.ts'

describe('objects without a row in the embedded database and a folder', () =>
  orphansSuite(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-orphans-'))
    const database = await openDatabase({ dataDir, databasePool: 1 })
    const objects = await openFolder(join(dataDir, 'objects'))
    return {
      database,
      objects,
      async close() {
        await objects.close()
        await database.close()
        await rm(dataDir, { recursive: true, force: true })
      },
    }
  }))
