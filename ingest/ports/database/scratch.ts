import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionSource } from '../../../sql/session.ts'
import { openEmbedded } from './embedded.ts'

/** A new embedded database in a folder that is removed at close: for tests and for the generator. */
export async function scratchDatabase(): Promise<{ source: SessionSource; dataDir: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-database-'))
  const { source } = await openEmbedded(dataDir, { name: 'scratch' })
  return {
    source,
    dataDir,
    async close() {
      await source.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
