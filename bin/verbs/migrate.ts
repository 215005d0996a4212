import { loadConfig } from '../../ingest/config.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'

/** `hexcast migrate`: applies the migrations that the database lacks, and prints their names. @returns exit status */
export async function migrateDatabase(): Promise<number> {
  try {
    const config = loadConfig()
    let applied: readonly string[] = []
    const onMigrated = (names: readonly string[]) => {
      applied = names
    }
    const database = await openDatabase({ ...config, databaseMigrate: true }, { name: 'hexcast-migrate', onMigrated })
    try {
      const [newest] = await database.query<{ name: string; count: number }>(
        'select max(name) as name, count(*)::int as count from migration',
      )
      for (const name of applied) console.log(`applied ${name}`)
      console.log(`the database has ${newest?.count} migrations, the last of which is ${newest?.name}`)
      return 0
    } finally {
      await database.close()
    }
  } catch (error) {
    console.error(`hexcast: ${error instanceof Error ? error.message : error}`)
    return isFault(error) && error.kind === 'Invalid' ? 2 : 1
  }
}
