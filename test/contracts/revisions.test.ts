import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { revisionsSuite } from './revisions-suite.ts'

describe('revisions in the embedded database and a folder', () =>
  revisionsSuite(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-revisions-data-'))
    const database = await openDatabase({ dataDir, databasePool: 2 })
    const objects = await openFolder(join(dataDir, 'objects'))
    return {
      database,
      other: database,
      objects,
      async close() {
        await objects.close()
        await database.close()
        await rm(dataDir, { recursive: true, force: true })
      },
    }
  }))
