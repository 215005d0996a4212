import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { alertWalk } from '../contracts/alert-walk.ts'

alertWalk(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-alerts-'))
  const database = await openDatabase({ dataDir, databasePool: 1 })
  return {
    database,
    async close() {
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
})
