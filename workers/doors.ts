import type { Config } from '../ingest/config.ts'
import { makeDataFolder } from '../ingest/ports/data-folder.ts'
import { type Database, openDatabase } from '../ingest/ports/database.ts'
import { type Events, openEvents } from '../ingest/ports/events.ts'
import { type Objects, openObjects } from '../ingest/ports/objects.ts'
import { openTraces } from '../ingest/ports/trace.ts'

export interface Doors {
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
}

/** @param waiting called when the embedded database opens in its thread, and this one has nothing to do */
export async function openDoors(
  config: Config,
  name: string,
  waiting?: () => void,
): Promise<Doors & { close(): Promise<void> }> {
  await makeDataFolder(config.dataDir)
  // First: a door is seen in traces if they are kept when it opens.
  const traces = await openTraces(config.otlpEndpoint, `hexcast-${name}`)
  const database = await openDatabase(config, { name, waiting })
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  return {
    database,
    objects,
    events,
    async close() {
      await events.close()
      await objects.close?.()
      await database.close()
      await traces.close()
    },
  }
}
