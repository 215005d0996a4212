import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionSource } from '../../../sql/session.ts'
import { openEmbedded } from './embedded.ts'

/** Creates an embedded database in a temporary folder, which `close` removes. Tests and the generator use it. */
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
