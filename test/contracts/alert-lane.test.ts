import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'
import { alertLaneSuite } from './alert-lane-suite.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hexcast-lane-'))
let database: Database | undefined

alertLaneSuite({
  name: 'pg-boss over the embedded database',
  async open(activities) {
    database = await openDatabase({ dataDir, databasePool: 1 })
    return openEmbeddedEngine({ database, activities, clock: Date.now, report: () => undefined })
  },
  async close() {
    await database?.close()
    rmSync(dataDir, { recursive: true, force: true })
  },
})
