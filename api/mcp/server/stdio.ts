import { readFileSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Config } from '../../../ingest/config.ts'
import { openDatabase } from '../../../ingest/ports/database-open.ts'
import { openEvents } from '../../../ingest/ports/events-open.ts'
import { openObjects } from '../../../ingest/ports/objects-open.ts'
import { openAnswers } from '../../answer/open.ts'
import type { NormalsReader } from '../../live/source.ts'
import { openMapPainter } from '../../picture/map-painter.ts'
import type { McpDeps } from './deps.ts'
import { createMcpServer } from './server.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/**
 * The tools on stdin and stdout, without a key: on the database of the process that runs on the same DATA_DIR, or with ports of its own.
 * Only JSON-RPC on stdout. Resolves when stdin closes.
 */
export async function serveTools(config: Config, normals?: NormalsReader): Promise<void> {
  const report = (what: string) => (error: unknown) =>
    console.error(`hexcast mcp: ${what}: ${(error as Error).message}`)
  const database = await openDatabase(config, { name: 'mcp' })
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  const answers = await openAnswers({
    database,
    objects,
    events,
    clock: Date.now,
    resolution: config.h3Resolution,
    feedPollSeconds: config.feedPollSeconds,
    report,
    normals,
  })
  const { weather, values, live } = answers
  const { alerts, outlooks, radar } = live
  const maps = openMapPainter()
  const deps: McpDeps = {
    deps: { weather, usedAnswers: new WeakSet(), values, database, objects, live, alerts, outlooks, radar, maps },
    caller: 'stdio',
    clock: Date.now,
    version,
    websiteUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    count: async () => {},
    refund: () => {},
    note: () => {},
    bug: (error) => {
      console.error(error)
      return undefined
    },
  }
  await untilClosed(deps, report('transport'))
  await maps.close()
  await answers.close()
  await events.close()
  await objects.close()
  await database.close()
}

function untilClosed(deps: McpDeps, onerror: (error: Error) => void): Promise<void> {
  return new Promise((resolve) => {
    const handle = serveStdio(() => createMcpServer(deps), { onerror })
    const end = () => void handle.close().finally(resolve)
    process.stdin.once('end', end)
    process.stdin.once('close', end)
  })
}
