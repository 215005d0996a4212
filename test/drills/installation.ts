import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueKey } from '../../api/keys/issue.ts'
import { loadConfig } from '../../ingest/config.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Figures } from './figures.ts'
import { Process } from './process.ts'

/** `hexcast start` over the simulator, as operators run it: API, worker and database each in a process. */
export interface Installation {
  readonly base: string
  readonly keys: readonly string[]
  readonly database: Database
  /** Returns what the API process measured about itself since the last call. */
  figures(): Promise<Figures>
  close(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** @param options.settings settings such as DATASETS @param options.flags flags of Node for all processes */
export async function startInstallation(options: {
  readonly keys: number
  readonly settings?: Readonly<Record<string, string>>
  readonly flags?: string
}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-installation-'))
  const socket = join(folder, 'measure')
  const settings = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
    LOG_LEVEL: 'error',
    DRAIN_SECONDS: '0',
    WEBHOOKS_PRIVATE: 'true',
    ...options.settings,
  }
  // Settings of other drills in the same process point to their engines.
  const own = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX'].map((name) => [
    name,
    process.env[name],
  ])
  const measure = new URL('./measure-self.ts', import.meta.url).href
  const running = new Process(['bin/hexcast.mjs', 'start', '--upstream', 'simulated'], {
    ...Object.fromEntries(own),
    ...settings,
    NODE_ENV: 'production',
    NODE_OPTIONS: `--import=${measure} ${options.flags ?? ''}`.trim(),
    MEASURE_SOCKET: socket,
  })
  try {
    await running.line('Hexcast answers at', 120)
    const database = await openDatabase(loadConfig(settings))
    const keys: string[] = []
    for (let i = 0; i < options.keys; i++)
      keys.push((await issueKey(database, { name: 'measured', plan: 'professional', channel: 'test' })).key)
    return {
      base: `http://127.0.0.1:${settings.PORT}`,
      keys,
      database,
      figures: () => figuresFrom(socket),
      async close() {
        await database.close()
        await running.end()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await running.end('SIGKILL')
    throw error
  }
}

function figuresFrom(socketPath: string): Promise<Figures> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: '/' }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString()) as Figures))
    })
    sent.on('error', reject).end()
  })
}
