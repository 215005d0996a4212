import type { SessionSource } from '../../../sql/session.ts'
import type { Config } from '../../config.ts'
import type { Database, OpenOptions } from '../database.ts'

type DatabasePlace = Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir'> &
  Partial<Pick<Config, 'databaseTimes' | 'databaseMigrate' | 'databasePooler'>>

/** Opens and migrates the database. This process becomes the owner of an embedded database, or connects to the owner. */
export async function openDatabase(config: DatabasePlace, options: OpenOptions = {}): Promise<Database> {
  const { source, kind } = await sourceOf(config, options)
  // The 255 files of the query builder load while the thread opens the embedded database, instead of before it.
  const { databaseOver } = await import('./over.ts')
  return databaseOver(source, kind)
}

export async function sourceOf(
  config: DatabasePlace,
  options: OpenOptions,
): Promise<{ source: SessionSource; kind: Database['kind'] }> {
  if (config.databaseUrl) {
    const { openServer } = await import('./server.ts')
    return { source: await openServer(config.databaseUrl, config, options), kind: 'server' }
  }
  const { openEmbedded } = await import('./embedded.ts')
  const { source, owned } = await openEmbedded(config.dataDir, options)
  return { source, kind: owned ? 'embedded' : 'socket' }
}
