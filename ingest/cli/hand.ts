import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Config, loadConfig } from '../config.ts'
import { Fault, isFault } from '../domain/fault.ts'
import type { Database } from '../ports/database.ts'
import type { Objects } from '../ports/objects.ts'
import { openUpstream, type Upstream } from '../ports/upstream.ts'
import { openPool, type Pool } from '../steps/pool.ts'

/** The doors that a verb opens, each when it is first asked for; all are closed at the end. */
export interface Hand {
  readonly config: Config
  readonly cacheDir: string
  upstream(): Promise<Upstream>
  /** Whether what upstream gives is made up. */
  simulated(): Promise<boolean>
  objects(): Promise<Objects>
  database(): Promise<Database>
  pool(): Pool
  /** For people, on stderr. */
  say(line: string): void
}

/** Runs a verb with its doors; faults are told in one line. @returns the exit status */
export async function byHand(work: (hand: Hand) => Promise<number>): Promise<number> {
  const closers: (() => unknown)[] = []
  try {
    return await work(handOf(loadConfig(), closers))
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast: ${error.message}`)
    return error.kind === 'Invalid' ? 2 : 1
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

function handOf(config: Config, closers: (() => unknown)[]): Hand {
  const kept = new Map<string, unknown>()
  const once = <T>(name: string, open: () => T): T => {
    if (!kept.has(name)) kept.set(name, open())
    return kept.get(name) as T
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
        const { openObjects } = await import('../ports/objects.ts')
        const objects = await openObjects(config)
        closers.push(() => objects.close())
        return objects
      }),
    database: () =>
      once('database', async () => {
        const { openDatabase } = await import('../ports/database.ts')
        const database = await openDatabase(config, { name: 'hexcast by hand' })
        closers.push(() => database.close())
        return database
      }),
    pool: () =>
      once('pool', () => {
        const pool = openPool({ threads: Math.max(1, Math.min(4, availableParallelism())) })
        closers.push(() => pool.close())
        return pool
      }),
    say: (line) => process.stderr.write(`${line}\n`),
  }
}

interface Source {
  readonly mirror?: string
  readonly simulated: boolean
  readonly close?: () => void
}

/** The source that UPSTREAM names; a simulator by hand is a process of its own, like any other mirror. */
async function findSource({ upstream }: Config): Promise<Source> {
  if (upstream instanceof URL) return { mirror: upstream.href, simulated: await saysSimulated(upstream.href) }
  if (upstream === 'live') return { simulated: false }
  if (upstream === 'auto' && (await isReachable())) return { simulated: false }
  const path = fileURLToPath(new URL('../../infra/simulator/main.ts', import.meta.url))
  const child = spawn(process.execPath, [path, '--port=0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const mirror = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) =>
      reject(new Fault('Refused', `the simulator ended with status ${code} before it was up`)),
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

async function saysSimulated(mirror: string): Promise<boolean> {
  try {
    const reply = await fetch(`${mirror.replace(/\/+$/, '')}/_simulator`, { signal: AbortSignal.timeout(4000) })
    return reply.ok && ((await reply.json()) as { simulated?: unknown }).simulated === true
  } catch {
    return false
  }
}
