import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'
import { renewalSuite } from './renewal-suite.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-renewal-database-'))

renewalSuite({
  name: 'embedded queue, database and objects',
  hours: 4,
  openDatabase: () => openDatabase({ dataDir, databasePool: 3 }),
  openObjects: (folder) => openFolder(join(folder, 'objects')),
  openEngine: (database, activities, clock) =>
    openEmbeddedEngine({
      database,
      activities,
      clock,
      report: (workflow, id, error) => console.error(`${workflow} ${id}: ${error}`),
    }),
  close: () => rm(dataDir, { recursive: true, force: true }),
})
