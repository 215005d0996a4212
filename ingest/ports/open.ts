import type { Config } from '../config.ts'
import { makeDataFolder } from './data-folder.ts'
import { openDatabase } from './database/open.ts'
import type { Database } from './database.ts'
import { openEvents } from './events/open.ts'
import type { EventLog, Events } from './events.ts'
import { openObjects } from './objects/open.ts'
import type { Objects } from './objects.ts'
import { openTraces } from './trace.ts'

export interface OpenPorts {
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
}

/**
 * Opens the ports of a process.
 * @param waiting called while the thread opens the embedded database, when the main thread is free for other work
 */
export async function openPorts(
  config: Config,
  name: string,
  waiting?: () => void,
  log?: EventLog,
): Promise<OpenPorts & { close(): Promise<void> }> {
  await makeDataFolder(config.dataDir)
  // Tracing starts first, because only ports that open after it are traced.
  const traces = await openTraces(config.otlpEndpoint, `hexcast-${name}`)
  const database = await openDatabase(config, { name, waiting })
  const objects = await openObjects(config)
  const events = await openEvents(config, database, log)
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
