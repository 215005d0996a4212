import { loadConfig } from '../../ingest/config.ts'

const KEY_LIVES_MS = 3_600_000

/** Creates a temporary key for a verb that calls a server, and revokes it at the end. */
export async function withKey<T>(name: string, work: (key: string) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../../ingest/ports/database/open.ts')
  const { issueKey, revokeByPrefix } = await import('../../api/keys/issue.ts')
  const database = await openDatabase(loadConfig(), { name: 'hexcast' })
  try {
    const expiresAt = new Date(Date.now() + KEY_LIVES_MS)
    const { key, prefix } = await issueKey(database, { name, plan: 'professional', channel: 'cli', expiresAt })
    try {
      return await work(key)
    } finally {
      await revokeByPrefix(database, prefix)
    }
  } finally {
    await database.close()
  }
}
