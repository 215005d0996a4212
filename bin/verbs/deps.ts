import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Config, loadConfig } from '../../ingest/config.ts'
import { Fault, isFault } from '../../ingest/domain/fault.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'

/** External systems of a verb. Each is opened when it is first used, and all are closed at the end. */
export interface VerbDeps {
  readonly config: Config
  readonly cacheDir: string
  upstream(): Promise<Upstream>
  /** Resolves to whether upstream is a simulator. */
  simulated(): Promise<boolean>
  objects(): Promise<Objects>
  database(): Promise<Database>
  pool(): Pool
  /** Writes a line for the operator to stderr. */
  log(line: string): void
}

/** Runs a verb with its dependencies. A fault gives one line on stderr. @returns the exit status */
export async function withDeps(work: (deps: VerbDeps) => Promise<number>): Promise<number> {
  const closers: (() => unknown)[] = []
  try {
    return await work(depsOf(loadConfig(), closers))
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast: ${error.message}`)
    return error.kind === 'Invalid' ? 2 : 1
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

function depsOf(config: Config, closers: (() => unknown)[]): VerbDeps {
  const opened = new Map<string, unknown>()
  const once = <T>(name: string, open: () => T): T => {
    if (!opened.has(name)) opened.set(name, open())
    return opened.get(name) as T
  }
  const source = () =>
    once('source', async () => {
      const { mirror, simulated, close } = await findSource(config)
      if (close) closers.push(close)
      const upstream = openUpstream({ mirror, contact: config.contact })
      closers.push(() => upstream.close())
      return { upstream, simulated }
    })
  return {
    config,
    cacheDir: join(config.dataDir, 'cache'),
    upstream: async () => (await source()).upstream,
    simulated: async () => (await source()).simulated,
    objects: () =>
      once('objects', async () => {
        const { openObjects } = await import('../../ingest/ports/objects/open.ts')
        const objects = await openObjects(config)
        closers.push(() => objects.close())
        return objects
      }),
    database: () =>
      once('database', async () => {
        const { openDatabase } = await import('../../ingest/ports/database/open.ts')
        const database = await openDatabase(config, { name: 'hexcast command line' })
        closers.push(() => database.close())
        return database
      }),
    pool: () =>
      once('pool', () => {
        const pool = openPool({ threads: Math.max(1, Math.min(4, availableParallelism())) })
        closers.push(() => pool.close())
        return pool
      }),
    log: (line) => process.stderr.write(`${line}\n`),
  }
}

interface OpenedUpstream {
  readonly mirror?: string
  readonly simulated: boolean
  readonly close?: () => void
}

/**
 * Opens the source that `UPSTREAM` names. The simulator of a verb is a child process, which is read like any mirror.
 */
async function findSource({ upstream }: Config): Promise<OpenedUpstream> {
  if (upstream instanceof URL) return { mirror: upstream.href, simulated: await isSimulator(upstream.href) }
  if (upstream === 'live') return { simulated: false }
  if (upstream === 'auto' && (await isReachable())) return { simulated: false }
  const path = fileURLToPath(new URL('../../infra/simulator/main.ts', import.meta.url))
  const child = spawn(process.execPath, [path, '--port=0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const mirror = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) =>
      reject(new Fault('Refused', `the simulator ended with status ${code} before it was ready; see its output above`)),
    )
  })
  process.stderr.write(
    `hexcast: SIMULATED weather${upstream === 'auto' ? ', because NOAA could not be reached' : ''}\n`,
  )
  return { mirror, simulated: true, close: () => void child.kill() }
}

async function isReachable(): Promise<boolean> {
  const upstream = openUpstream()
  try {
    const bucket = 'https://noaa-hrrr-bdp-pds.s3.amazonaws.com'
    await upstream.list(bucket, 'index.html', { attempts: 1, signal: AbortSignal.timeout(4000) })
    return true
  } catch {
    return false
  } finally {
    await upstream.close()
  }
}

async function isSimulator(mirror: string): Promise<boolean> {
  try {
    const reply = await fetch(`${mirror.replace(/(?<!\/)\/+$/, '')}/_simulator`, { signal: AbortSignal.timeout(4000) })
    return reply.ok && ((await reply.json()) as { simulated?: unknown }).simulated === true
  } catch {
    return false
  }
}
