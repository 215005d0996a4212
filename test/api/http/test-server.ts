import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueKey } from '../../../api/keys/issue.ts'
import type { Current } from '../../../api/live/served-runs.ts'
import { type RunningApi, startApi } from '../../../api/main.ts'
import type { PlanName } from '../../../api/route.ts'
import type { Web } from '../../../api/sign-in/client-document.ts'
import { type Config, loadConfig } from '../../../ingest/config.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { openEvents } from '../../../ingest/ports/events/open.ts'
import type { Events } from '../../../ingest/ports/events.ts'
import { openObjects } from '../../../ingest/ports/objects/open.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { analyticCurrent } from '../analytic-runs.ts'

/** The whole API on a free port, over a new embedded database and the simulated atmosphere. */
export interface EdgeServer {
  readonly base: string
  readonly api: RunningApi
  readonly config: Config
  readonly current: Current
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
  key(plan?: PlanName, expiresAt?: Date): Promise<string>
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

/** @param currentOf what is served; analytic models whose answers are never invalidated, unless given */
export async function edgeServer(
  settings: Record<string, string> = {},
  web?: Web,
  currentOf?: (deps: { database: Database; objects: Objects }) => Promise<Current>,
): Promise<EdgeServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-edge-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...settings })
  const database = await openDatabase(config)
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  // The fixture has the time of its construction, so its last read is made recent here.
  const analytic = analyticCurrent(Date.now())
  const current =
    (await currentOf?.({ database, objects })) ??
    (Object.create(analytic, { confirmedAt: { value: () => Date.now() } }) as Current)
  const api = await startApi(config, { database, objects, events, current, web })
  const base = `http://127.0.0.1:${api.port}`
  return {
    base,
    api,
    config,
    current,
    database,
    objects,
    events,
    key: async (plan = 'professional', expiresAt) =>
      (await issueKey(database, { name: 'test', plan, channel: 'test', ...(expiresAt && { expiresAt }) })).key,
    get: (path, key, headers) =>
      fetch(base + path, { headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers } }),
    async close() {
      await api.close()
      await events.close()
      await objects.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
