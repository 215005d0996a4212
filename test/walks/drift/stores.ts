import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openServiceStatus } from '../../../api/live/service-status.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { openFolder } from '../../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { openPool } from '../../../ingest/steps/pool.ts'
import type { Pool } from '../../../ingest/steps/pool-tasks.ts'
import { quarantineOver } from '../../../ingest/steps/quarantine.ts'

/** The stores that all walks of one process share. */
export interface Stores {
  readonly folder: string
  readonly database: Database
  readonly objects: Objects
  readonly pool: Pool
  readonly quarantine: ReturnType<typeof quarantineOver>
  /** Returns the milliseconds from `from` until the status names a quarantined item of the dataset; undefined if it names none. */
  named(dataset: string, from: number): Promise<number | undefined>
  close(): Promise<void>
}

export async function openStores(): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-drift-'))
  const database = await openDatabase({ dataDir: folder, databasePool: 2 })
  const objects = await openFolder(join(folder, 'objects'))
  const pool = openPool({ threads: 1 })
  // A status is cached for 30 seconds. The clock of the status skips them, and they are added to the measured time.
  let clock = Date.now()
  const status = openServiceStatus({ database, clock: () => clock, datasets: [] })
  return {
    folder,
    database,
    objects,
    pool,
    quarantine: quarantineOver({ database, objects }),
    async named(dataset, from) {
      clock = Math.max(clock + 31_000, Date.now())
      const document = await status()
      const entries = document!.datasets
        .filter((entry) => entry.dataset_id === dataset)
        .flatMap((entry) => entry.quarantine)
      return entries.length > 0 ? performance.now() - from + 30_000 : undefined
    },
    async close() {
      await pool.close()
      await database.close()
      await objects.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
